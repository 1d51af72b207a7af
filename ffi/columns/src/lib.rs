//! Checks columns of calls: a stream of Arrow batches in, a stream of Arrow batches out.
//!
//! It uses Arrow's C data interface and C stream interface, which every Arrow library has, and does not depend on any Arrow
//! library. The C library, the Python package and `franking-bulk` call it, so that they read columns in the same way. It has no
//! rules of its own.
//!
//! The modules: [`interface`] has the structures of the two interfaces. `buffer` makes slices of the buffers that a producer
//! lends. `column` reads rows of bytes. `input` reads streams of columns. `one` makes a stream of one batch. `array` lends
//! columns to a consumer, and `builder` builds them row by row. `stream` works on batches with several threads:
//! [`preflight`] checks calls and puts its findings into the columns of `found`, and [`redecide`] decides past calls again.

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
