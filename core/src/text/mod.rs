//! The texts in mail: addresses, domains, dates, form encoding, HTML. This module knows nothing of email APIs.
#![allow(
    unreachable_pub,
    reason = "items that the crate does not export are reached through the feature `unstable`"
)]

pub mod address;
pub mod date;
pub mod domain;
pub mod domain_set;
pub mod form;
pub mod links;
pub mod placeholder;
pub mod unicode;
