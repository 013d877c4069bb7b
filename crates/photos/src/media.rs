//! The formats of photos and videos, as their first bytes tell them.

/// A format of files that a library takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Format {
    /// JPEG.
    Jpeg,
    /// HEIC, HEIF, HIF: pictures in ISO base media files.
    Heif,
    /// AVIF.
    Avif,
    /// PNG.
    Png,
    /// WebP.
    WebP,
    /// GIF.
    Gif,
    /// JPEG XL.
    Jxl,
    /// TIFF that no maker's RAW is known by.
    Tiff,
    /// RAW of the TIFF kind: NEF, ARW, DNG, CR2, PEF, SRW, ORF, RW2, IIQ and their like.
    TiffRaw,
    /// Canon CR3.
    Cr3,
    /// Canon CRW.
    Crw,
    /// Fujifilm RAF.
    Raf,
    /// Minolta MRW.
    Mrw,
    /// Sigma X3F.
    X3f,
    /// MP4, MOV, M4V, 3GP.
    Mp4,
    /// Matroska, WebM.
    Matroska,
    /// AVI.
    Avi,
    /// MPEG transport streams: MTS, M2TS.
    Mts,
}

/// What sort of thing a format holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Pictures as a camera or an editor has developed them.
    Picture,
    /// A sensor's data.
    Raw,
    /// Moving pictures.
    Video,
}

impl Format {
    /// What sort of thing it holds.
    pub fn family(self) -> Family {
        match self {
            Format::TiffRaw
            | Format::Cr3
            | Format::Crw
            | Format::Raf
            | Format::Mrw
            | Format::X3f => Family::Raw,
            Format::Mp4 | Format::Matroska | Format::Avi | Format::Mts => Family::Video,
            _ => Family::Picture,
        }
    }
}
