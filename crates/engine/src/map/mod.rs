//! `map`: where the space went, below one or several places.
//!
//! A [`Scan`] reads them into a [`Map`], which can be looked at meanwhile, as a [`Tree`]. Once it is
//! whole it can be made a view, like that of a catalog, which answers queries.

mod ask;
mod confirm;
mod drawing;
mod error;
mod filter;
mod growing;
mod largest;
mod live;
mod marks;
mod outline;
mod page;
mod place;
mod plan;
mod remove;
mod roots;
mod scan;
mod sealed;
mod subtree;
mod trash;
mod trash_dir;
mod tree;
mod weighed;
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
pub use marks::{Freed, Kept, Links, Marks, Shared, freed, links, shared};
pub use outline::{Line, outline};
pub use page::{Page, write_html};
pub use plan::{Confirmed, Plan, Reflinks, Refusal, Refused, plan};
pub use remove::{Failure, Outcome};
pub use roots::{Failed, Roots};
pub use scan::{Ended, Scan};
pub use sealed::Sealed;
pub use trash::Surroundings;
pub use tree::{Item, Tree, Weigh, by_weight};
pub use weighed::{Weighed, chain_label};
pub use words::{bar, category, share, shown_name};
