//! Bytes to typed calls and back.

pub(crate) mod answer;
pub(crate) mod field;
pub(crate) mod http_send_mail;
pub(crate) mod json;
mod object;
pub(crate) mod path;
pub(crate) mod repeats;
pub(crate) mod send_mailer;
pub(crate) mod value;
