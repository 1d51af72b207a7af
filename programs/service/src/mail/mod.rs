//! Makes the email of a delivery, and sends it.
//!
//! A [`Composer`] makes the email of a [`Delivery`]. It does no I/O and depends only on the delivery and the settings, so a
//! repeat is the same email byte for byte, except for its DKIM-Signature. A [`Transport`] sends the email and returns an
//! [`Outcome`]. The caller is responsible for retries.

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
pub(crate) use settings::secret_text;
pub use settings::{MailSettings, MailSettingsError, Secret, SmtpSettings, SmtpTls, Way};
pub use smtp::{Smtp, Timeouts};
pub use template::{Template, TemplateError};
pub use tracked::SentHtml;
pub use transport::{MayFinish, Sending, Transport};
