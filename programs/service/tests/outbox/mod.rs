//! The outbox, on both databases: what it claims, what it sends, and what it records of it.

mod accepted;
mod destinations;
mod faults;
mod instances;
mod leases;
mod operator;
mod records;
mod sending;
pub(crate) mod shop;
pub(crate) mod sink;
