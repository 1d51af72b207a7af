//! Forms that a browser has sent.

// clock: the setting says how long a body may take.
use std::time::Duration;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest as _, Multipart, Request};
use axum::http::StatusCode;
use tokio::time::timeout;

use super::query::Query;

/// The longest form without a text, in bytes.
const LONGEST: usize = 16 << 10;
/// The longest text of a call that is tried. Longer calls are not kept as transcripts either.
const LONGEST_TEXT: usize = crate::transcripts::LONGEST;

/// Why a form was not read.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub(super) enum FormError {
    #[error("The form is too long for the desk. Use the command franking-service at a terminal.")]
    TooLong,
    #[error("The form did not come in time. Send it again.")]
    Slow,
    #[error("The desk cannot read this form.")]
    Malformed,
}

impl FormError {
    /// The status of the answer.
    pub(super) fn status(self) -> StatusCode {
        match self {
            Self::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Slow => StatusCode::REQUEST_TIMEOUT,
            Self::Malformed => StatusCode::BAD_REQUEST,
        }
    }
}

/// Reads a body that has to come within this time.
async fn whole(body: Body, limit: usize, time: Duration) -> Result<Bytes, FormError> {
    let body = timeout(time, to_bytes(body, limit)).await;
    body.map_err(|_| FormError::Slow)?
        .map_err(|_| FormError::TooLong)
}

/// Reads a form without a text, which has to come within this time.
///
/// # Errors
/// The form is too long or too slow.
pub(super) async fn read(request: Request, time: Duration) -> Result<Query, FormError> {
    let body = whole(request.into_body(), LONGEST, time).await?;
    Ok(Query::of(&String::from_utf8_lossy(&body)))
}

/// The text of a form, which does not have to be UTF-8.
#[derive(Default)]
pub(super) struct Text {
    /// The text that was typed.
    pub(super) typed: Vec<u8>,
    /// The file that was chosen. Without one it is empty.
    pub(super) file: Vec<u8>,
}

impl Text {
    /// The text that is read: the file if one was chosen, and otherwise what was typed. A page shows again what was typed
    /// before, so a form can have both.
    pub(super) fn read(self) -> Vec<u8> {
        match self.file.is_empty() {
            true => self.typed,
            false => self.file,
        }
    }
}

/// Reads a form with a text. The form has to come within this time.
///
/// # Errors
/// The form is too long or too slow, or is not a form.
pub(super) async fn read_with_text(
    request: Request,
    time: Duration,
) -> Result<(Query, Text), FormError> {
    let (parts, body) = request.into_parts();
    let limit = LONGEST_TEXT.saturating_mul(2).saturating_add(LONGEST);
    let body = whole(body, limit, time).await?;
    let request = Request::from_parts(parts, Body::from(body));
    let form = Multipart::from_request(request, &()).await;
    let mut form = form.map_err(|_| FormError::Malformed)?;
    let (mut pairs, mut text) = (Vec::new(), Text::default());
    while let Some(field) = form.next_field().await.map_err(|_| FormError::Malformed)? {
        let name = field.name().unwrap_or_default().to_owned();
        let bytes: Bytes = field.bytes().await.map_err(|_| FormError::Malformed)?;
        if bytes.len() > LONGEST_TEXT {
            return Err(FormError::TooLong);
        }
        match name.as_str() {
            "text" => text.typed = bytes.into(),
            "file" => text.file = bytes.into(),
            _ => pairs.push((name, String::from_utf8_lossy(&bytes).into_owned())),
        }
    }
    Ok((Query::of_pairs(pairs), text))
}

#[cfg(test)]
mod tests {
    use super::LONGEST_TEXT;

    #[test]
    fn the_page_says_how_long_a_text_may_be() {
        let page = include_str!("../../../../docs/desk.md");
        let says = format!("of up to {} MB", LONGEST_TEXT >> 20);
        assert!(page.contains(&says), "{says}");
    }
}
