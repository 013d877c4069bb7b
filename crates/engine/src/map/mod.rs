//! `map`: where the space went, below one or several places.
//!
//! A [`Scan`] reads them into a [`Map`], which can be looked at meanwhile, as a [`Tree`]. Once it is
//! whole it can be made a view, like that of a catalog, which answers queries.

mod ask;
mod drawing;
mod error;
mod filter;
mod growing;
mod largest;
mod live;
mod outline;
mod roots;
mod scan;
mod sealed;
mod tree;
mod words;

pub use ask::{Ask, Question};
pub use drawing::draw_svg;
pub use error::MapError;
pub use filter::Filter;
pub use groma_catalog::{Damage, KindFlags};
pub use groma_query::bound::Expr;
pub use groma_query::groups::Categories;
pub use largest::{Largest, largest};
pub use live::Map;
pub use outline::{Line, outline};
pub use roots::{Failed, Roots};
pub use scan::{Ended, Scan};
pub use sealed::Sealed;
pub use tree::{Item, Tree, Weigh, by_weight};
pub use words::{category, shown_name};
