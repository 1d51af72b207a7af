//! Reads the bytes of a body into values with their places, and writes the answer.

pub(crate) mod address;
pub(crate) mod answer;
pub(crate) mod entries;
pub(crate) mod field;
pub(crate) mod json;
pub(crate) mod object;
pub(crate) mod path;
pub(crate) mod repeats;
pub(crate) mod response;
#[cfg(feature = "unstable")]
pub mod rows;
pub(crate) mod sent;
pub(crate) mod value;
