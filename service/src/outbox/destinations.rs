//! How many emails are on their way to each domain.

use std::collections::HashMap;

use crate::mail::Delivery;

/// The recipient's domain; of what is no address, nothing.
pub(super) fn domain(delivery: &Delivery) -> String {
    let address = franking::address::parse(&delivery.to);
    address.map_or_else(|_| String::new(), |address| address.domain().into_owned())
}

/// Emails that are being sent, by their domains.
#[derive(Debug, Default)]
pub(super) struct Destinations(HashMap<String, usize>);

impl Destinations {
    /// Whether one more may be sent there.
    pub(super) fn has_room(&self, domain: &str, limit: Option<usize>) -> bool {
        let sends = self.0.get(domain).copied().unwrap_or(0);
        limit.is_none_or(|limit| sends < limit)
    }

    pub(super) fn begin(&mut self, domain: &str) {
        let sends = self.0.entry(domain.to_owned()).or_default();
        *sends = sends.saturating_add(1);
    }

    pub(super) fn end(&mut self, domain: &str) {
        if let Some(sends) = self.0.get_mut(domain) {
            *sends = sends.saturating_sub(1);
            if *sends == 0 {
                self.0.remove(domain);
            }
        }
    }
}
