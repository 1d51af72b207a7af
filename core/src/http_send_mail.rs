//! What happens to a call of httpSendMail, from its body to its plan (interface, section 4.2).
//!
//! A [`body`] is read in one pass. [`content`] looks at every [`request`] in phase 4, collects the [`recipients`] of all, and
//! the call becomes [`Checked`], of which the [`questions`] are asked. By the host's [`facts`] it is judged in phase 5 and
//! becomes [`Judged`], which has a [`plan`]: of all requests, or of what remains of a [`partial`] batch.

mod body;
mod content;
mod facts;
mod hosts;
mod partial;
mod plan;
mod questions;
mod recipients;
mod request;

pub(crate) use body::Body;
pub(crate) use content::{Checked, Content};
pub(crate) use partial::{Judged, View, blacklisted_link, refused};
pub(crate) use plan::{MessageView, NewRecipient, RecipientView, Repetition};
pub(crate) use questions::Questions;
pub(crate) use request::RequestCheck;
