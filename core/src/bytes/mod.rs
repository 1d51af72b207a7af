//! Bytes and numbers, of whatever meaning: sixteen bytes at once, what each byte is, sets of small numbers, items that are equal.

pub(crate) mod bits;
pub(crate) mod class;
pub(crate) mod distinct;
pub(crate) mod lanes;
