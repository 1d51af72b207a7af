//! Bytes and numbers, of whatever meaning: sixteen bytes at once, sets of small numbers, items that are equal.

pub(crate) mod bits;
pub(crate) mod equal;
pub(crate) mod lanes;
