//! The settings of mail, which say where emails go and how.

use std::num::NonZeroU16;

use super::{Settings, SettingsError, TransportKind};
use crate::mail::{MailSettings, SmtpSettings, Timeouts, Way};

impl Settings {
    /// The settings of mail.
    ///
    /// # Errors
    /// A setting of mail is missing. The setting `transport` has no default.
    pub fn mail(&self) -> Result<MailSettings, SettingsError> {
        let mail = self.checked_mail().and_then(|mail| {
            let missing = "set where emails go: smtp, to a mail server; maildir, to files in a folder; none, nowhere";
            mail.ok_or(("transport", missing.into()))
        });
        mail.map_err(|(setting, reason)| SettingsError::new(setting, reason))
    }

    /// The settings of mail; `None` without a transport. An error has the name of its setting, and the reason.
    pub(super) fn checked_mail(&self) -> Result<Option<MailSettings>, (&'static str, String)> {
        let credentials = match (&self.smtp_user, &self.smtp_password) {
            (Some(user), Some(password)) => Some((user.clone(), password.clone())),
            (None, None) => None,
            (Some(_), None) => return Err(("smtp_user", "needs smtp_password as well".into())),
            (None, Some(_)) => return Err(("smtp_password", "needs smtp_user as well".into())),
        };
        let way = match (self.transport, &self.smtp_host) {
            (None, _) => return Ok(None),
            (Some(TransportKind::Smtp), None) => {
                return Err(("transport", "smtp needs smtp_host as well".into()));
            }
            (Some(TransportKind::Smtp), Some(host)) => Way::Smtp(SmtpSettings {
                host: host.without_brackets().to_owned(),
                port: self.smtp_port.map(NonZeroU16::get),
                tls: self.smtp_tls,
                credentials,
                ca: self.smtp_ca.clone(),
                hello: self
                    .smtp_hello
                    .as_ref()
                    .map(|name| name.as_str().to_owned()),
                timeouts: Timeouts::default(),
            }),
            (Some(TransportKind::Maildir), _) => Way::Maildir(self.maildir.clone()),
            (Some(TransportKind::None), _) => Way::None,
        };
        Ok(Some(MailSettings {
            way,
            dkim: self.dkim.clone(),
            return_paths: None,
            unsubscribe_links: None,
            tracking_links: None,
        }))
    }
}
