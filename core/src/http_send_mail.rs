//! Judges calls of httpSendMail, from the body to the plan (interface, section 4.2).
//!
//! A [`body`] is read in one pass. Phase 4 judges its [`content`], [`request`] by [`request`], and collects the
//! [`recipients`] of all requests. The call becomes [`CheckedBatch`], about which the host is asked [`questions`]. Phase 5
//! judges it by the host's [`facts`], and the call becomes [`JudgedBatch`], which has a [`plan`] for all requests, or for
//! those that remain of a [`partial`] batch.

mod body;
mod content;
mod facts;
mod hosts;
mod partial;
mod plan;
mod questions;
mod recipients;
mod request;

pub(crate) use content::{CheckedBatch, Content};
pub(crate) use partial::{JudgedBatch, View, blacklisted_link, refused};
pub use plan::Collapsed;
pub(crate) use plan::MessageView;
pub(crate) use questions::Questions;
pub(crate) use request::RequestCheck;
