//! Tracking, where a call asks for it: which links of an email are followed, and whether it was opened.

mod rewrite;

pub use rewrite::{Found, Target, Wanted, rewritten, targets};
