//! Tracking: the links of an email, and what follows them.

mod costs;
mod following;
mod rewriting;
