//! A stored email as a browser shows it, in a frame without scripts that loads nothing. The page lists what the email would
//! load or link to.

use axum::extract::State;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use super::access::SignedIn;
use super::html::{Part, Said, protect};
use super::links::{Link, to};
use super::pages::Page;
use super::query::Query;
use super::{Desk, Failure};
use crate::command::listing::{Cell, Printed};
use crate::command::{Extent, ForPage};
use crate::store::OperatorRow;

/// The policy of the frame: the email's own styles, and nothing else.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'; base-uri 'none'; form-action 'none'",
);

/// The page around the frame.
pub(super) async fn page(
    State(desk): State<Desk>,
    SignedIn(operator): SignedIn,
    uri: Uri,
) -> Response {
    let query = Query::of(uri.query().unwrap_or_default());
    let mut said = Said {
        title: "Preview of a stored email".to_owned(),
        about: Some(
            "The preview loads nothing and runs nothing. What the email would load or link to is listed below the frame.".to_owned(),
        ),
        page: Page::find("mailer", "show"),
        ..desk.said_to(&operator)
    };
    let html = match desk.stored(&query, &operator).await {
        Ok(html) => html,
        Err(error) => return desk.failed(said, &*error),
    };
    // HTML can be long, and the other work of a thread of the runtime would wait for it.
    let listed = tokio::task::spawn_blocking(move || {
        let mut links = Vec::new();
        franking_cli::links("the HTML", &html, &mut links)?;
        let links = String::from_utf8_lossy(&links);
        std::io::Result::Ok(anstream::adapter::strip_str(&links).to_string())
    });
    let Ok(Ok(links)) = listed.await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let pairs = ["account", "id"].map(|name| (name, query.get(name).unwrap_or_default()));
    said.frame = Some(to("preview/html", &pairs));
    said.parts = vec![Part {
        title: Some("Links, and where each was found".to_owned()),
        label: "Links".to_owned(),
        text: Some(match links.is_empty() {
            true => "The email has no links.".to_owned(),
            false => links,
        }),
        ..Part::default()
    }];
    said.links = vec![Link::new("The stored email", to("mailer/show", &pairs))];
    desk.0.template.html(StatusCode::OK, &said)
}

/// The contents of the frame.
pub(super) async fn html(
    State(desk): State<Desk>,
    SignedIn(operator): SignedIn,
    uri: Uri,
) -> Response {
    let query = Query::of(uri.query().unwrap_or_default());
    let html = match desk.stored(&query, &operator).await {
        Ok(html) => html,
        Err(error) => return desk.failed(desk.said_to(&operator), &*error),
    };
    let mut response = html.into_response();
    let headers = response.headers_mut();
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    headers.insert(CONTENT_TYPE, kind);
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    protect(headers);
    response
}

impl Desk {
    /// The HTML of a stored email, for an operator who may see personal data.
    async fn stored(&self, query: &Query, operator: &OperatorRow) -> Result<String, Failure> {
        if !operator.rights.unmask {
            return Err("You may not see personal data. franking-service operator add NAME --unmask lets an operator see it.".into());
        }
        let page = Page::find("mailer", "show").ok_or("there is no such page")?;
        let words = query.words(page).ok_or("A required field is missing.")?;
        let unmasked = ForPage {
            unmasks: true,
            ..ForPage::of(&operator.name, Extent::Whole)
        };
        let printed = self.carry_out(page, words, unmasked);
        let html = printed
            .await?
            .into_iter()
            .find_map(|printed| match printed {
                Printed::Record { columns, cells } => {
                    let place = columns.iter().position(|column| *column == "html")?;
                    match cells.into_iter().nth(place)? {
                        Cell::Text(html) => Some(html),
                        Cell::Number(_) | Cell::Flag(_) | Cell::None => None,
                    }
                }
                Printed::List { .. } | Printed::Text(_) | Printed::Note(_) => None,
            });
        html.ok_or_else(|| "The stored email has no HTML.".into())
    }
}
