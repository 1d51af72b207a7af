//! Checks columns of calls: a stream of Arrow batches in, a stream of Arrow batches out.
//!
//! It speaks Arrow's C data interface and C stream interface, which every Arrow library has, and depends on none of them. The C
//! library and the Python package have it as a function each, so that both read columns alike. It owns no rule.
//!
//! [`interface`] is the interface; `buffer` makes slices of what a producer lends; `column` reads rows of bytes; `input` is the
//! stream of them; `rows` is what is found; `array` lends columns to a consumer; [`preflight`] is the stream that does it all.

mod array;
mod buffer;
mod column;
mod error;
mod input;
pub mod interface;
mod one;
mod preflight;
mod rows;

pub use error::ColumnError;
pub use input::Streams;
pub use one::{stream_of, streams_of};
pub use preflight::{Checks, preflight};
