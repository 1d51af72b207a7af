//! The events that tell an account what became of its emails, and the webhooks that post them.

mod address;
mod endpoint_url;
mod notice;
mod post;
mod webhooks;

pub use address::refused;
pub use endpoint_url::{EndpointUrl, UrlError};
pub(crate) use notice::notice;
pub use post::{PostError, Sender};
pub use webhooks::Webhooks;
pub(crate) use webhooks::purpose;
