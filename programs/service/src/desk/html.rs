//! Pages as HTML, with headers that keep a browser from using them for something else.

use axum::http::StatusCode;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue,
    REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::response::{IntoResponse, Response};
use minijinja::value::Serde;
use minijinja::{Environment, Value};
use serde::Serialize;

use super::cells::Shown;
use super::links::{Link, navigation};
use super::pages::{Field, Page};
use super::plot::Plot;
use crate::hex;
use crate::store::OperatorError;

/// A part of a page.
#[derive(Default, Serialize)]
pub(super) struct Part {
    pub(super) title: Option<String>,
    pub(super) label: String,
    pub(super) text: Option<String>,
    pub(super) record: Option<Vec<Shown>>,
    pub(super) columns: Option<Vec<String>>,
    pub(super) rows: Vec<Vec<Shown>>,
    /// The link to the next rows.
    pub(super) next: Option<Link>,
    pub(super) plot: Option<Plot>,
}

/// The question that is asked before an action.
#[derive(Serialize)]
pub(super) struct Question {
    /// What the action would do.
    pub(super) sentence: String,
    /// The values of the form, which are sent once more.
    pub(super) given: Vec<(String, String)>,
    /// The random number of the form, by which it is carried out only once.
    pub(super) form: String,
}

/// The contents of a page.
#[derive(Default, Serialize)]
pub(super) struct Said {
    pub(super) title: String,
    pub(super) about: Option<String>,
    pub(super) problem: Option<String>,
    /// What was done.
    pub(super) done: Option<String>,
    pub(super) login: bool,
    pub(super) operator: Option<String>,
    /// Whether the operator can log out here.
    pub(super) has_password: bool,
    #[serde(skip)]
    pub(super) page: Option<&'static Page>,
    pub(super) fields: Vec<Field>,
    /// Whether the form is sent by POST, and is not in the address.
    pub(super) sends: bool,
    /// The text that was typed, if the page reads one.
    pub(super) reads: Option<String>,
    pub(super) question: Option<Question>,
    /// The address of a preview.
    pub(super) frame: Option<String>,
    pub(super) parts: Vec<Part>,
    pub(super) links: Vec<Link>,
    pub(super) actions: Vec<Link>,
}

/// The values that the template is given.
#[derive(Serialize)]
struct Given<'a> {
    nonce: &'a str,
    groups: Vec<Link>,
    pages: Vec<Link>,
    path: String,
    #[serde(flatten)]
    said: &'a Said,
}

/// The template of all pages.
#[derive(Clone)]
pub(super) struct Template(Environment<'static>);

impl Template {
    /// Compiles the template. Its values are escaped, because its name ends with `.html`.
    pub(super) fn compile() -> Self {
        let mut environment = Environment::new();
        let style = Value::from_safe_string(include_str!("style.css").to_owned());
        environment.add_global("style", style);
        if let Err(error) = environment.add_template("page.html", include_str!("page.html")) {
            tracing::error!(%error, "the template of the desk is broken");
        }
        Self(environment)
    }

    /// Renders a page, with headers that keep it from being used for something else.
    pub(super) fn html(&self, status: StatusCode, said: &Said) -> Response {
        let Some(nonce) = random_number() else {
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        };
        let (groups, pages) = navigation(said.page);
        let given = Value::from(Serde(Given {
            nonce: &nonce,
            groups,
            pages,
            path: said.page.map(Page::path).unwrap_or_default(),
            said,
        }));
        let rendered = self.0.get_template("page.html");
        let rendered = rendered.and_then(|template| template.render(given));
        let text = match rendered {
            Ok(text) => text,
            Err(error) => {
                tracing::error!(%error, "a page of the desk cannot be made");
                return StatusCode::INTERNAL_SERVER_ERROR.into_response();
            }
        };
        let policy = format!(
            "default-src 'none'; style-src 'nonce-{nonce}'; form-action 'self'; frame-src 'self'; \
             frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
        );
        let mut response = (status, text).into_response();
        let headers = response.headers_mut();
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        );
        let Ok(policy) = HeaderValue::try_from(policy) else {
            // No page is sent without its policy.
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        };
        headers.insert(CONTENT_SECURITY_POLICY, policy);
        protect(headers);
        response
    }

    /// The page on which operators log in.
    pub(super) fn login_page(&self, status: StatusCode, problem: Option<String>) -> Response {
        let said = Said {
            title: "Log in".to_owned(),
            about: Some("To add an operator, run franking-service operator add NAME.".to_owned()),
            problem,
            login: true,
            ..Said::default()
        };
        self.html(status, &said)
    }

    /// The page for a visitor whom the proxy does not name as an operator.
    pub(super) fn unknown_operator(&self) -> Response {
        let said = Said {
            title: "You are not an operator".to_owned(),
            about: Some(
                "The proxy in front of the desk has to name an operator in the header field of operator_header. To add an operator, run \
                 franking-service operator add NAME."
                    .to_owned(),
            ),
            ..Said::default()
        };
        self.html(StatusCode::UNAUTHORIZED, &said)
    }

    /// The page that says why a form was not accepted.
    pub(super) fn forbidden(&self, problem: &str) -> Response {
        let said = Said {
            title: "The form was not accepted".to_owned(),
            problem: Some(problem.to_owned()),
            ..Said::default()
        };
        self.html(StatusCode::FORBIDDEN, &said)
    }

    /// The page that says that the database does not answer.
    pub(super) fn failed(&self, error: &OperatorError) -> Response {
        let said = Said {
            title: "The database does not answer".to_owned(),
            problem: Some(error.to_string()),
            ..Said::default()
        };
        self.html(StatusCode::SERVICE_UNAVAILABLE, &said)
    }
}

/// A random number of 128 bits, in hexadecimal digits.
pub(super) fn random_number() -> Option<String> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).ok()?;
    Some(hex::digits(&bytes))
}

/// Adds headers to an answer: it is not cached, its type is not guessed, other sites do not learn its address, and its
/// window is kept apart from theirs. The desk itself gets the address, because without a referrer a browser does not say
/// which site a form comes from either: it sends `Origin: null`.
pub(super) fn protect(headers: &mut HeaderMap) {
    const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    headers.insert(OPENER, HeaderValue::from_static("same-origin"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_makes_a_page() {
        let said = Said {
            title: "A <page>".to_owned(),
            reads: Some("</textarea>".to_owned()),
            ..Said::default()
        };
        let page = Template::compile().html(StatusCode::OK, &said);
        assert_eq!(page.status(), StatusCode::OK);
    }
}
