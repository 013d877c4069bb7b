//! How the map looks and what it may do.

use std::path::PathBuf;

use groma_base::Timestamp;
use groma_base::time::TimeZone;
use groma_engine::map::Weigh;
use groma_treemap::{Depth, Theme};

use crate::colouring::Colouring;
use crate::keys::Keys;

/// What its user has chosen.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What makes things large.
    pub weigh: Weigh,
    /// Whether sizes are in powers of 1000.
    pub si: bool,
    /// What colours mean at first.
    pub colouring: Colouring,
    /// Dark or light.
    pub theme: Theme,
    /// How many colours there are.
    pub depth: Depth,
    /// Whether only ASCII is drawn.
    pub ascii: bool,
    /// The snapshot that changes are told since.
    pub since: Option<PathBuf>,
    /// Which keys do what.
    pub keys: Keys,
    /// Whether nothing may be changed.
    pub read_only: bool,
    /// Whether things may be deleted for good.
    pub allow_delete: bool,
    /// What time it is: ages depend on it.
    pub now: Timestamp,
    /// The clocks that times are told by.
    pub zone: TimeZone,
    /// Most threads that look for answers.
    pub threads: usize,
}
