//! All that one call tells about an entry, for who keeps everything.

use groma_base::Metadata;

/// What [`crate::Dir::examine`] tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// Metadata, birth time included where the file system keeps it.
    pub metadata: Metadata,
    /// Whether a mount begins here; `None` where the system does not say.
    pub is_mount: Option<bool>,
}
