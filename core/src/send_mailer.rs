//! Judges calls of sendMailer, from the body to the plan (interface, section 4.1).
//!
//! A [`body`] is read in one pass. Phase 4 judges its [`content`], and the call becomes [`CheckedSingle`], about which the
//! host is asked [`questions`]. Phase 5 judges it by the host's [`facts`], and the call becomes [`JudgedSingle`], which has
//! a [`plan`].

mod body;
mod content;
mod facts;
mod personalization;
mod plan;
mod questions;

pub(crate) use body::Body;
pub(crate) use content::{Check, CheckedSingle};
pub(crate) use facts::JudgedSingle;
pub use personalization::personalization_fields;
pub use plan::SinglePlan;
pub use questions::SingleQuestions;
