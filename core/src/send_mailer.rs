//! What happens to a call of sendMailer, from its body to its plan (interface, section 4.1).
//!
//! A [`body`] is read in one pass. Its [`content`] is checked in phase 4 and becomes [`Checked`], of which the
//! [`questions`] are asked. With the host's [`facts`] it is judged in phase 5 and becomes [`Judged`], which has a [`plan`].

mod body;
mod content;
mod facts;
mod personalization;
mod plan;
mod questions;

pub(crate) use body::Body;
pub(crate) use content::{Check, Checked};
pub(crate) use facts::Judged;
pub use plan::SinglePlan;
pub(crate) use plan::{Created, Updated};
pub use questions::SingleQuestions;
