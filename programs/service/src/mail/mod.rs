//! An email from a delivery, and its way out.
//!
//! A [`Composer`] makes the email of a [`Delivery`]: it does no I/O and depends on nothing but the delivery and the settings,
//! so that a repeat is the same email byte for byte but for its DKIM-Signature. A [`Transport`] sends it and says in an [`Outcome`] what came of it.
//! Whoever calls them owns the retries.

mod compose;
mod delivery;
mod dkim;
mod email;
mod enhanced_code;
mod header;
mod maildir;
mod outcome;
mod settings;
mod smtp;
mod template;
mod text;
mod tracked;
mod transport;

pub use compose::{ComposeError, Composer};
pub use delivery::Delivery;
pub use dkim::DkimKey;
pub(crate) use dkim::signed_domains;
pub use email::Email;
pub use enhanced_code::{Class, EnhancedCode};
pub use maildir::Maildir;
pub use outcome::{Outcome, Reason};
pub use settings::{MailSettings, MailSettingsError, Secret, SmtpSettings, SmtpTls, Way};
pub use smtp::{Smtp, Timeouts};
pub use template::{Template, TemplateError};
pub use tracked::SentHtml;
pub use transport::{MayFinish, Sending, Transport};
