//! The events that tell an account what became of its emails, and the webhooks that post them.

mod address;
mod notice;
mod post;
mod webhooks;

pub use address::refused;
pub(crate) use notice::notice;
pub use post::{EndpointUrl, PostError, Sender, UrlError};
pub use webhooks::Webhooks;
pub(crate) use webhooks::purpose;
