//! A camera's card: pictures with Exif, movies, their companions, doubles, and what only looks like a photo.

mod jpeg;
mod movie;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use anyhow::{Context as _, Result};

use super::rng::Rng;

/// Pictures of one folder of a card, as cameras have it.
const PER_FOLDER: usize = 999;
/// 2019-01-01T00:00:00Z: when the first picture was taken.
const FIRST: u64 = 1_546_300_800;
/// Most seconds between two shots of a sitting, and days between two sittings.
const SHOT: usize = 240;
const DAYS: usize = 6;

/// One in so many shots is ...
const MOVIE: usize = 17;
const EDITED: usize = 11;
const LIVE: usize = 13;
const DOUBLE: usize = 23;
const CHAT: usize = 29;
const NO_PHOTO: usize = 97;

/// Cameras: make, model, and the offset of their clocks where they know one.
const CAMERAS: &[(&str, &str, Option<&str>)] = &[
    ("Canon", "Canon EOS R6", None),
    ("Apple", "iPhone 13", Some("+02:00")),
    ("FUJIFILM", "X-T4", None),
    ("NIKON CORPORATION", "NIKON Z 6", Some("-05:30")),
];

/// The one of them that takes Live Photos.
const TELEPHONE: usize = 1;

/// Seconds by which its clock is ahead of UTC.
const AHEAD: u64 = 2 * 3600;

/// What one shot leaves on the card.
struct Shot {
    dir: PathBuf,
    stem: String,
    seconds: u64,
    camera: usize,
}

/// Makes a card with `shots` shots of about `bytes` bytes each below `dir`.
pub(super) fn card(dir: &Path, shots: usize, bytes: usize, seed: u64) -> Result<()> {
    let mut rng = Rng::new(seed);
    let mut seconds = FIRST;
    for number in 0..shots {
        let folder = 100 + number / PER_FOLDER;
        let dir = dir.join(format!("DCIM/{folder}_CARD"));
        if number % PER_FOLDER == 0 {
            fs::create_dir_all(&dir).with_context(|| format!("cannot make {}", dir.display()))?;
        }
        seconds += rng.below(SHOT) as u64 + 1;
        if rng.percent(3) {
            seconds += 86_400 * (rng.below(DAYS) as u64 + 1);
        }
        let shot = Shot {
            stem: format!("IMG_{:04}", number % 9999 + 1),
            camera: rng.below(CAMERAS.len()),
            dir,
            seconds,
        };
        shot.write(number, bytes, &mut rng)?;
    }
    Ok(())
}

impl Shot {
    /// Writes the shot's files: which, its number tells.
    fn write(&self, number: usize, bytes: usize, rng: &mut Rng) -> Result<()> {
        let is = |kind: usize| number % kind == kind - 1;
        if is(NO_PHOTO) {
            return self.file("note.jpg", b"no photo, whatever the name says\n");
        }
        if is(MOVIE) {
            return self.file("MOV", &movie::mov(self.seconds, None, bytes, rng));
        }
        if is(CHAT) {
            let name = format!("IMG-{}-WA{:04}.jpg", self.day(), number % 9999);
            let image = jpeg::bare(bytes, rng);
            return self.named(&name, &image);
        }
        let id = is(LIVE).then(|| format!("{:016X}-{number:08}", rng.next()));
        let camera = if id.is_some() { TELEPHONE } else { self.camera };
        let (make, model, offset) = CAMERAS[camera];
        let picture = jpeg::Picture {
            make,
            model,
            offset,
            date: &exif_date(self.seconds),
            subsec: (rng.below(1000)) as u16,
            content_id: id.as_deref(),
        };
        let image = picture.bytes(bytes, rng);
        self.file("JPG", &image)?;
        if let Some(id) = &id {
            self.file(
                "MOV",
                &movie::mov(self.seconds - AHEAD, Some(id), bytes, rng),
            )?;
        }
        if is(EDITED) {
            let text = format!(
                "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\
                 <rdf:Description xmlns:xmp='http://ns.adobe.com/xap/1.0/' xmp:Rating='{}'/></rdf:RDF></x:xmpmeta>\n",
                number % 6
            );
            self.file("xmp", text.as_bytes())?;
        }
        if is(DOUBLE) {
            self.named(&format!("{} (1).JPG", self.stem), &image)?;
        }
        Ok(())
    }

    fn file(&self, extension: &str, bytes: &[u8]) -> Result<()> {
        self.named(&format!("{}.{extension}", self.stem), bytes)
    }

    fn named(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.dir.join(name);
        fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
        // Copied to the card's reader a day later: what was written last says nothing of the shot.
        let written = UNIX_EPOCH + Duration::from_secs(self.seconds + 86_400);
        File::open(&path)?.set_modified(written)?;
        Ok(())
    }

    fn day(&self) -> String {
        exif_date(self.seconds)[..10].replace(':', "")
    }
}

/// A time as Exif writes it, of a clock that shows UTC.
fn exif_date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let (year, month, day) = civil(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}:{month:02}:{day:02} {hour:02}:{minute:02}:{second:02}")
}

/// The date that lies so many days after 1970-01-01, in the Gregorian calendar.
fn civil(days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut rest) = (1970, days);
    while rest >= 365 + u64::from(is_leap(year)) {
        rest -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let months = [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while rest >= months[month] {
        rest -= months[month];
        month += 1;
    }
    (year, month as u64 + 1, rest + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(exif_date(FIRST), "2019:01:01 00:00:00");
        assert_eq!(exif_date(951_782_399), "2000:02:28 23:59:59");
        assert_eq!(exif_date(951_782_400), "2000:02:29 00:00:00");
    }

    #[test]
    fn a_seed_gives_the_same_card() {
        let scratch = std::env::temp_dir().join(format!("groma-card-{}", std::process::id()));
        let files = |name: &str| {
            let dir = scratch.join(name);
            card(&dir, 120, 1024, 7).unwrap();
            let entries = fs::read_dir(dir.join("DCIM/100_CARD")).unwrap();
            let mut files: Vec<_> = entries
                .map(|entry| {
                    let path = entry.unwrap().path();
                    let bytes = fs::read(&path).unwrap();
                    (path.file_name().unwrap().to_owned(), bytes)
                })
                .collect();
            files.sort();
            files
        };
        let (one, two) = (files("one"), files("two"));
        fs::remove_dir_all(&scratch).unwrap();
        assert!(one.len() > 120, "{}", one.len());
        assert_eq!(one, two);
    }
}
