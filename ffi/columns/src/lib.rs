//! Checks columns of calls: a stream of Arrow batches in, a stream of Arrow batches out.
//!
//! It speaks Arrow's C data interface and C stream interface, which every Arrow library has, and depends on none of them. The C
//! library and the Python package have it as a function each, so that both read columns alike. It owns no rule.
//!
//! [`interface`] is the interface; `buffer` makes slices of what a producer lends; `column` reads rows of bytes; `input` is streams of
//! them; `one` makes a stream of one batch. `array` lends columns to a consumer, and `builder` makes them row by row. `stream` works on
//! batches with some threads: [`preflight`] checks calls, of which `found` has the columns, and [`redecide`] decides calls of the past.

mod array;
mod buffer;
mod builder;
mod column;
mod error;
mod found;
mod input;
pub mod interface;
mod one;
mod preflight;
mod redecide;
mod stream;

pub use error::ColumnError;
pub use input::Streams;
pub use one::{stream_of, streams_of};
pub use preflight::{Checks, preflight};
pub use redecide::{Judge, Lists, Redecision, redecide};
