//! `map`: where the space went, below one or several places.
//!
//! A [`Scan`] reads them into a [`Growing`] tree that can be looked at meanwhile, and seals it into a
//! [`Mapped`]: a view like that of a catalog. Front-ends look at either through [`Tree`].

mod error;
mod filter;
mod largest;
mod outline;
mod roots;
mod scan;
mod sealed;
mod tree;

pub use error::MapError;
pub use filter::Filter;
pub use groma_catalog::{Damage, KindFlags};
pub use largest::{Largest, largest};
pub use outline::{Line, outline};
pub use roots::{Failed, Roots};
pub use scan::{Mapped, Scan};
pub use sealed::Sealed;
pub use tree::{Item, Tree, Weigh, by_weight};
