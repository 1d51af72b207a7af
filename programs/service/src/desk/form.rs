//! Forms that a browser has sent.

use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest as _, Multipart, Request};
use axum::http::StatusCode;

use super::query::Query;

/// The longest form without a text, in bytes.
const LONGEST: usize = 16 << 10;
/// The longest text of a call that is tried. Longer calls are not kept as transcripts either.
const LONGEST_TEXT: usize = crate::transcripts::LONGEST;

/// Reads a form without a text.
///
/// # Errors
/// The form is too long.
pub(super) async fn read(request: Request) -> Result<Query, StatusCode> {
    let body = to_bytes(request.into_body(), LONGEST).await;
    let body = body.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?;
    Ok(Query::of(&String::from_utf8_lossy(&body)))
}

/// Reads a form with a text, which does not have to be UTF-8: the text that was typed, or else the file.
///
/// # Errors
/// The form is too long, or is not a form.
pub(super) async fn read_with_text(request: Request) -> Result<(Query, Vec<u8>), StatusCode> {
    // The text can be there twice: typed and as a file.
    let (parts, body) = request.into_parts();
    let limit = LONGEST_TEXT.saturating_mul(2).saturating_add(LONGEST);
    let body = to_bytes(body, limit).await;
    let body = body.map_err(|_| StatusCode::PAYLOAD_TOO_LARGE)?;
    let request = Request::from_parts(parts, axum::body::Body::from(body));
    let form = Multipart::from_request(request, &()).await;
    let mut form = form.map_err(|_| StatusCode::BAD_REQUEST)?;
    let (mut pairs, mut texts) = (Vec::new(), Vec::new());
    while let Some(field) = form
        .next_field()
        .await
        .map_err(|_| StatusCode::BAD_REQUEST)?
    {
        let name = field.name().unwrap_or_default().to_owned();
        let bytes: Bytes = field.bytes().await.map_err(|_| StatusCode::BAD_REQUEST)?;
        if bytes.len() > LONGEST_TEXT {
            return Err(StatusCode::PAYLOAD_TOO_LARGE);
        }
        match name.as_str() {
            "text" | "file" => texts.push(bytes.to_vec()),
            _ => pairs.push((name, String::from_utf8_lossy(&bytes).into_owned())),
        }
    }
    let text = texts.into_iter().find(|text| !text.is_empty());
    Ok((Query::of_pairs(pairs), text.unwrap_or_default()))
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
