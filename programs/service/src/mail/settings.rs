//! The settings of mail.

use std::convert::Infallible;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize};

use super::{DkimKey, Maildir, Smtp, Timeouts, Transport};
use crate::outcomes::{ReturnPaths, TrackingLinks, UnsubscribeLinks};

/// The settings of mail.
#[derive(Clone, Debug, Default)]
pub struct MailSettings {
    /// The transport.
    pub way: Way,
    /// The keys that sign, one for each sender domain.
    pub dkim: Vec<DkimKey>,
    /// Signs the return paths. Without it, the return path is the sender's address.
    pub return_paths: Option<Arc<ReturnPaths>>,
    /// Makes the links by which readers unsubscribe from emails with the service's own List-Unsubscribe. Without it, these
    /// emails have no such link.
    pub unsubscribe_links: Option<Arc<UnsubscribeLinks>>,
    /// Makes tracked links and images. Without it nothing is tracked, even if a call asks for it.
    pub tracking_links: Option<Arc<TrackingLinks>>,
}

/// A kind of transport.
#[derive(Clone, Debug)]
pub enum Way {
    /// A mail server.
    Smtp(SmtpSettings),
    /// Files in this folder. `None` is the folder `mail` in the data folder.
    Maildir(Option<PathBuf>),
    /// No transport: deliveries stay accepted.
    None,
}

/// A mail server.
#[derive(Clone, Debug)]
pub struct SmtpSettings {
    /// Its name or address.
    pub host: String,
    /// Its port. The default is 465 with [`SmtpTls::Tls`], and 587 otherwise.
    pub port: Option<u16>,
    /// How the connection is protected.
    pub tls: SmtpTls,
    /// The user and the password, if it asks for them.
    pub credentials: Option<(String, Secret)>,
    /// A PEM file with the certificates that are trusted, in place of the system's.
    pub ca: Option<PathBuf>,
    /// The name with which this machine greets the server. The default is `localhost`.
    pub hello: Option<String>,
    /// How long each step may take.
    pub timeouts: Timeouts,
}

/// How a connection to a mail server is protected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum SmtpTls {
    /// TLS after STARTTLS, or not at all. The certificate is checked.
    #[default]
    Starttls,
    /// TLS from the first byte on. The certificate is checked.
    Tls,
    /// TLS after STARTTLS if the server offers it. The certificate is not checked: an attacker who could replace it could
    /// also remove the offer.
    Opportunistic,
    /// No TLS.
    None,
}

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// A mail setting that is not valid.
#[derive(Debug, thiserror::Error)]
#[error("{setting}: {reason}")]
pub struct MailSettingsError {
    setting: &'static str,
    reason: String,
}

impl MailSettings {
    /// Makes the transport of the settings. A maildir without a folder of its own is in the data folder. Returns `None` for
    /// [`Way::None`]: deliveries stay accepted.
    ///
    /// # Errors
    /// A setting is not valid.
    pub fn transport(&self, data: &Path) -> Result<Option<Arc<dyn Transport>>, MailSettingsError> {
        Ok(match &self.way {
            Way::Smtp(settings) => Some(Arc::new(Smtp::new(settings)?)),
            Way::Maildir(folder) => {
                let folder = folder.clone().unwrap_or_else(|| data.join("mail"));
                Some(Arc::new(Maildir::open(folder)?))
            }
            Way::None => None,
        })
    }
}

impl Default for Way {
    fn default() -> Self {
        Self::Maildir(None)
    }
}

impl Secret {
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        secret_text(deserializer).map(Self)
    }
}

/// Reads a text that is never shown. Serde's own error would show the value if it has another type, such as a number.
pub(crate) fn secret_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer);
    text.map_err(|_| serde::de::Error::custom("expected a text in quotes"))
}

impl FromStr for Secret {
    type Err = Infallible;
    /// Accepts any text, because an error would be shown together with the text.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl MailSettingsError {
    pub(super) fn new(setting: &'static str, reason: impl Into<String>) -> Self {
        Self {
            setting,
            reason: reason.into(),
        }
    }

    /// The name of the setting.
    #[must_use]
    pub const fn setting(&self) -> &'static str {
        self.setting
    }

    /// Why the setting is not valid.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}
