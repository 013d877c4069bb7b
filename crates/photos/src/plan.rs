//! What is to become of each file.

mod row;

pub use row::{Action, Hash, Header, Mode, Role, Row, Skip};
