//! Mail: the parts of an email, and what the transports do with it.

mod answers;
mod dkim;
mod faults;
pub(crate) mod hostile;
mod injection;
mod maildir;
mod messages;
mod reader;
mod secured;
mod sink;
pub(crate) mod support;

use crate::support::{certificate, scripted};
