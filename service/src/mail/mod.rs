//! An email from a delivery, and its way out.
//!
//! A [`Composer`] makes the email of a [`Delivery`]: it does no I/O and depends on nothing but the delivery and the settings,
//! so that a repeat is the same email byte for byte. A [`Transport`] sends it and says in an [`Outcome`] what came of it.
//! Whoever calls them owns the retries.

mod compose;
mod delivery;
mod email;
mod outcome;
mod settings;
mod template;
mod transport;

pub use compose::{ComposeError, Composer};
pub use delivery::Delivery;
pub use email::Email;
pub use outcome::{Outcome, Reason};
pub use settings::{MailSettings, MailSettingsError};
pub use template::{Template, TemplateError};
pub use transport::{MayFinish, Sending, Transport};
