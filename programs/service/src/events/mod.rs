//! What an account learns of its emails afterwards: an event as callers get it, and the webhooks by which events are posted.

mod address;
mod notice;
mod post;
mod webhooks;

pub use address::refused;
pub(crate) use notice::notice;
pub use post::{EndpointUrl, PostError, Sender, UrlError};
pub use webhooks::Webhooks;
pub(crate) use webhooks::purpose;
