//! Refuses settings that are not valid, or that do not go with each other.

use super::{Settings, Url};
use crate::http::longest_body;
use crate::mail::Secret;

/// The least length of a token. A shorter token can be guessed.
const LEAST_TOKEN: usize = 16;

impl Settings {
    /// Checks the address of the database. An error has the name of its setting, and the reason.
    pub(super) fn check_database(&self) -> Result<(), (&'static str, String)> {
        let is_other = |url: &Url| !url.is_postgres();
        match self.database.as_ref().is_some_and(is_other) {
            true => Err((
                "database",
                "expected postgres://user:password@host/name".into(),
            )),
            false => Ok(()),
        }
    }

    /// Checks that the settings fit together. An error has the name of a setting, and the reason.
    pub(super) fn check(&self) -> Result<(), (&'static str, String)> {
        if self.operator_header.is_some() && self.trusted_proxies.is_empty() {
            // Without a trusted proxy, nobody could name an operator.
            return Err(("operator_header", "needs trusted_proxies as well".into()));
        }
        match (&self.tls_certificate, &self.tls_key) {
            (Some(_), None) => return Err(("tls_certificate", "needs tls_key as well".into())),
            (None, Some(_)) => return Err(("tls_key", "needs tls_certificate as well".into())),
            _ => {}
        }
        let held = self.max_held_bytes.get();
        let longest = longest_body(held);
        if self.max_send_mailer_bytes.get() > longest {
            let reason = format!(
                "is more than three quarters of max_held_bytes, which are {longest}: lower it, or raise max_held_bytes"
            );
            return Err(("max_send_mailer_bytes", reason));
        }
        if self.policy.max_bytes() > longest {
            let longest = self.policy.max_bytes();
            let reason = format!(
                "three quarters of it are less than the policy's max_bytes, which is {longest}: raise it, or lower max_bytes"
            );
            return Err(("max_held_bytes", reason));
        }
        self.checked_mail()?;
        // Data is not kept for longer than the data that it refers to.
        if self.delivery_days.get() < self.content_days.get() {
            return Err(("delivery_days", "has to be at least content_days".into()));
        }
        if self.call_days.get() < self.delivery_days.get() {
            return Err(("call_days", "has to be at least delivery_days".into()));
        }
        let token = self.reports_token.as_ref().map(Secret::reveal);
        if token.is_some_and(|token| token.len() < LEAST_TOKEN || !token.is_ascii()) {
            let reason = format!("expected at least {LEAST_TOKEN} ASCII characters");
            return Err(("reports_token", reason));
        }
        if self.policy.today().is_some() {
            let reason =
                "today cannot be set, because it comes from the system's clock: set retire instead";
            return Err(("policy", reason.into()));
        }
        Ok(())
    }
}
