//! Tracking, if a call asks for it: which links of an email are followed, and whether it was opened.

mod hits;
mod links;
mod rewrite;

pub use hits::{DECIDED_AFTER, Hit, HitKind, HitReason, Shown, judge};
pub use links::{TRACKED, Tracked, TrackingLinks};
pub use rewrite::{Found, MOST_LINKS, Target, Wanted, rewritten, targets};
