//! The settings of mail.

use std::path::Path;
use std::sync::Arc;

use super::Transport;

/// The settings of mail.
#[derive(Clone, Debug)]
pub struct MailSettings {}

/// A setting of mail that cannot be.
#[derive(Debug, thiserror::Error)]
#[error("{setting}: {reason}")]
pub struct MailSettingsError {
    setting: &'static str,
    reason: String,
}

impl MailSettings {
    /// The transport that is set; a maildir without a folder of its own lies in the data folder. `None` for `none`: deliveries
    /// stay accepted.
    ///
    /// # Errors
    /// A setting that cannot be.
    pub fn transport(&self, data: &Path) -> Result<Option<Arc<dyn Transport>>, MailSettingsError>;
}
