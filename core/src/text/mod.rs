//! Text that mail is made of: addresses, domains, dates, form encoding, HTML. Knows nothing of email APIs.
#![allow(
    unreachable_pub,
    reason = "what the crate does not export is reached through the feature `unstable`"
)]

pub mod address;
pub mod date;
pub mod domain;
pub mod domain_set;
pub mod form;
pub mod links;
pub mod placeholder;
pub mod unicode;
