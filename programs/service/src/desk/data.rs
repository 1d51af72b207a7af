//! A list of a page as JSON or CSV, at the page's own address.

use axum::http::StatusCode;
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::response::{IntoResponse, Response};

use super::cells::masked_row;
use super::html::protect;
use super::pages::Page;
use crate::command::listing::{Cell, Object, Printed};

/// The first list of a page, as JSON or CSV.
pub(super) fn data(page: &Page, form: &str, printed: &[Printed], is_masked: bool) -> Response {
    let lists = printed.iter().find_map(|printed| match printed {
        Printed::List { columns, rows } => Some((*columns, rows)),
        Printed::Record { .. } | Printed::Text(_) | Printed::Note(_) => None,
    });
    let Some((columns, rows)) = lists else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let rows = rows.iter().map(|row| match is_masked {
        true => masked_row(page, columns, row),
        false => row.clone(),
    });
    let made = match form {
        "csv" => csv(columns, rows),
        _ => json(columns, rows),
    };
    let (kind, text) = match made {
        Ok(made) => made,
        Err(error) => {
            tracing::error!(%error, "a list of the desk cannot be written");
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
    };
    let mut response = text.into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    protect(headers);
    response
}

type Made = Result<(&'static str, Vec<u8>), Box<dyn std::error::Error + Send + Sync>>;

fn csv(columns: &[&str], rows: impl Iterator<Item = Vec<Cell>>) -> Made {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns)?;
    for row in rows {
        writer.write_record(row.iter().map(Cell::shown))?;
    }
    Ok(("text/csv; charset=utf-8", writer.into_inner()?))
}

fn json(columns: &'static [&'static str], rows: impl Iterator<Item = Vec<Cell>>) -> Made {
    let mut text = b"[".to_vec();
    for (place, row) in rows.enumerate() {
        if place > 0 {
            text.extend(b",\n");
        }
        serde_json::to_writer(&mut text, &Object(columns, &row))?;
    }
    text.extend(b"]\n");
    Ok(("application/json", text))
}
