//! Tracking: the links of an email, and what follows them.

mod following;
mod rewriting;
