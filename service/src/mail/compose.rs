//! The email of a delivery.

use super::{Delivery, Email, MailSettings, MailSettingsError, TemplateError};

/// Makes emails from deliveries.
#[derive(Debug)]
pub struct Composer {}

/// Why a delivery has no email: its recipient gets none, now or later. The text names no address and no content.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ComposeError {
    /// An address that is none.
    #[error("the {0} address is not valid")]
    Address(&'static str),
    /// The stored mailer cannot be personalized.
    #[error("the mailer cannot be personalized: {0}")]
    Template(#[from] TemplateError),
}

impl Composer {
    /// A composer by the settings; reads the DKIM keys that they name.
    ///
    /// # Errors
    /// A key that cannot be used.
    pub fn new(settings: &MailSettings) -> Result<Self, MailSettingsError>;

    /// The email of a delivery. It is work in proportion to the HTML, for a thread on which nobody else waits.
    ///
    /// # Errors
    /// Why there is none; it is the same each time.
    pub fn compose(&self, delivery: &Delivery) -> Result<Email, ComposeError>;
}
