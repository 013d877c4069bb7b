#![forbid(unsafe_code)]
//! Treemaps as pure geometry: weights in, rectangles of whole cells out.
//!
//! [`layout`] divides one rectangle, [`nest`] a tree of them with as much detail as there is room for,
//! [`neighbour`] finds the way from block to block. A cell is whatever the caller draws with: a
//! character of a terminal, a pixel of a picture. The same input gives the same picture.

mod colour;
mod layout;
mod neighbour;
mod nest;
mod rect;

pub use colour::{Depth, Palette, Rgb, Theme, to_16, to_256};
pub use layout::{Block, Layout, LayoutError, Rest, Shape, layout};
pub use neighbour::{Direction, at, neighbour};
pub use nest::{Detail, Frame, Nested, Tree, What, nest};
pub use rect::Rect;
