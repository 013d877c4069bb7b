//! What a file, and what lies beside it, tell of how it was taken.

use groma_base::Timestamp;
use groma_base::time::civil;

use crate::Format;

/// All that a file tells of itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Capture {
    /// What its bytes say it is; `None` where they are of no known format.
    pub format: Option<Format>,
    /// Every date in it, usable or not, in the order in which they were met.
    pub dates: Vec<DateFact>,
    /// Who made the camera.
    pub make: Option<String>,
    /// The camera's model.
    pub model: Option<String>,
    /// The lens.
    pub lens: Option<String>,
    /// Width in pixels, as stored (before an orientation is applied).
    pub width: Option<u32>,
    /// Height in pixels, as stored.
    pub height: Option<u32>,
    /// Exif's orientation, 1 to 8.
    pub orientation: Option<u8>,
    /// Where it was taken.
    pub position: Option<Position>,
    /// Apple's content identifier, which the picture and the movie of a Live Photo share.
    pub content_id: Option<String>,
    /// What the pictures of one burst share.
    pub burst_id: Option<String>,
    /// What of it is damaged, with a place. A damaged file still tells what can be read.
    pub problems: Vec<String>,
}

/// A place on Earth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    /// Degrees, north positive.
    pub latitude: f64,
    /// Degrees, east positive.
    pub longitude: f64,
    /// Metres above the sea.
    pub altitude: Option<f64>,
}

/// One date, and where it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateFact {
    /// Where it comes from.
    pub origin: Origin,
    /// What it says.
    pub stamp: Stamp,
}

/// What a date says, by how it knows the time zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stamp {
    /// A clock on a wall, somewhere.
    Local(civil::DateTime),
    /// A clock on a wall, and how many seconds it is ahead of UTC.
    WithOffset(civil::DateTime, i32),
    /// A point in time, which does not say what clocks there showed.
    Utc(Timestamp),
    /// A day, of some zone.
    Day(civil::Date),
}

/// Where a date comes from, in the order in which they are believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// Exif's DateTimeOriginal.
    Original,
    /// Exif's DateTimeDigitized (CreateDate).
    Digitized,
    /// Apple's and QuickTime's keys, with an offset.
    AppleKeys,
    /// The headers of QuickTime and MP4: UTC by the standard, a local time by some old cameras.
    QuickTime,
    /// GPS: UTC.
    Gps,
    /// XMP within the file.
    Xmp,
    /// XMP beside the file.
    Sidecar,
    /// The JSON that Google Takeout puts beside a file.
    Takeout,
    /// A pattern in the file's name.
    FileName,
    /// A pattern in the name of a folder.
    FolderName,
    /// When the file came to its disk.
    Birth,
    /// When the file was last written.
    Modified,
}
