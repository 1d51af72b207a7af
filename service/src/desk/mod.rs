//! The desk: what operators see in a browser. Each page is a command that looks, carried out in this process; what the command would
//! print is the page.
//!
//! Nothing here changes anything but who is logged in. Pages have no script, load nothing from elsewhere, and are kept by no cache.

mod pages;
pub(crate) mod password;
mod session;

use std::sync::Arc;

use axum::Router;
use axum::body::to_bytes;
use axum::extract::{Path, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderMap, HeaderName, HeaderValue,
    LOCATION, ORIGIN, REFERRER_POLICY, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use minijinja::value::Serde;
use minijinja::{Environment, Value};
use serde::Serialize;

use self::pages::{Link, PAGES, Page, Query, Shown};
use self::session::{COOKIE_NAME, LoginError, Sessions};
use crate::command::listing::{Cell, Object, Printed};
use crate::command::look;
use crate::outbox::SendingState;
use crate::settings::Settings;
use crate::store::{OperatorError, OperatorRow, Store};

/// The longest form that is read.
const LONGEST_FORM: usize = 4 << 10;
/// How many rows a page shows. As JSON and CSV there are all.
const ROWS: usize = 1_000;

#[derive(Clone)]
struct Desk(Arc<Inner>);

struct Inner {
    store: Arc<dyn Store>,
    settings: Settings,
    sessions: Sessions,
    sending: SendingState,
    templates: Environment<'static>,
}

/// The routes of the desk.
pub(crate) fn router<S: Clone + Send + Sync + 'static>(
    store: &Arc<dyn Store>,
    settings: &Settings,
    sending: SendingState,
) -> Router<S> {
    let mut templates = Environment::new();
    let style = Value::from_safe_string(include_str!("style.css").to_owned());
    templates.add_global("style", style);
    // By the end of its name its values are escaped.
    if let Err(error) = templates.add_template("page.html", include_str!("page.html")) {
        tracing::error!(%error, "the template of the desk is broken");
    }
    let desk = Desk(Arc::new(Inner {
        store: Arc::clone(store),
        settings: settings.clone(),
        sessions: Sessions::new(Arc::clone(store)),
        sending,
        templates,
    }));
    Router::new()
        .route("/", get(async || see_other("/desk")))
        .route("/desk", get(now))
        .route("/desk/login", post(login))
        .route("/desk/logout", post(logout))
        .route("/desk/{noun}/{verb}", get(page))
        .with_state(desk)
}

/// A part of a page.
#[derive(Default, Serialize)]
struct Part {
    title: Option<String>,
    label: String,
    text: Option<String>,
    record: Option<Vec<Shown>>,
    columns: Option<Vec<String>>,
    rows: Vec<Vec<Shown>>,
}

/// What a page says.
#[derive(Default, Serialize)]
struct Said {
    title: String,
    about: Option<String>,
    problem: Option<String>,
    login: bool,
    operator: Option<String>,
    here: String,
    fields: Vec<pages::Field>,
    parts: Vec<Part>,
    links: Vec<Link>,
}

/// What the template is given.
#[derive(Serialize)]
struct Given<'a> {
    nonce: &'a str,
    nav: Vec<Link>,
    #[serde(flatten)]
    said: &'a Said,
}

impl Desk {
    /// A page, with what keeps it from being used for something else.
    fn html(&self, status: StatusCode, said: &Said) -> Response {
        let mut bytes = [0_u8; 16];
        if getrandom::fill(&mut bytes).is_err() {
            return StatusCode::INTERNAL_SERVER_ERROR.into_response();
        }
        let nonce: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let nav = PAGES.iter().filter(|page| page.is_first).map(|page| Link {
            path: page.path(),
            title: page.title.to_owned(),
        });
        let given = Value::from(Serde(Given {
            nonce: &nonce,
            nav: nav.collect(),
            said,
        }));
        let rendered = self.0.templates.get_template("page.html");
        let rendered = rendered.and_then(|template| template.render(given));
        let text = match rendered {
            Ok(text) => text,
            Err(error) => {
                tracing::error!(%error, "a page of the desk cannot be made");
                return StatusCode::INTERNAL_SERVER_ERROR.into_response();
            }
        };
        let policy = format!(
            "default-src 'none'; style-src 'nonce-{nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; \
             require-trusted-types-for 'script'; trusted-types 'none'"
        );
        let mut response = (status, text).into_response();
        let headers = response.headers_mut();
        headers.insert(
            CONTENT_TYPE,
            HeaderValue::from_static("text/html; charset=utf-8"),
        );
        if let Ok(policy) = HeaderValue::try_from(policy) {
            headers.insert(CONTENT_SECURITY_POLICY, policy);
        }
        protect(headers);
        response
    }

    /// Who has sent a request; otherwise the page that is answered.
    async fn operator(&self, headers: &HeaderMap) -> Result<OperatorRow, Response> {
        match self.0.sessions.of(headers).await {
            Ok(Some(operator)) => Ok(operator),
            Ok(None) => Err(self.login_page(StatusCode::UNAUTHORIZED, None)),
            Err(error) => Err(self.failed(&error)),
        }
    }

    fn login_page(&self, status: StatusCode, problem: Option<String>) -> Response {
        let said = Said {
            title: "Log in".to_owned(),
            about: Some("franking-service operator add NAME makes an operator.".to_owned()),
            problem,
            login: true,
            ..Said::default()
        };
        self.html(status, &said)
    }

    fn failed(&self, error: &OperatorError) -> Response {
        let said = Said {
            title: "The database does not answer".to_owned(),
            problem: Some(error.to_string()),
            ..Said::default()
        };
        self.html(StatusCode::SERVICE_UNAVAILABLE, &said)
    }

    /// What a command prints, as a part of a page.
    async fn part(&self, title: &str, words: &[&str]) -> Part {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let page = words.first().zip(words.get(1));
        let page = page.and_then(|(noun, verb)| Page::find(noun, verb));
        let printed = look(&*self.0.store, &self.0.settings, &words).await;
        let part = match (printed, page) {
            (Ok(printed), Some(page)) => {
                let printed = printed.into_iter().next();
                printed.map(|printed| part(page, &Query::of(""), printed, true))
            }
            (Err(error), _) => Some(Part {
                text: Some(error.to_string()),
                ..Part::default()
            }),
            (Ok(_), None) => None,
        };
        Part {
            title: Some(title.to_owned()),
            label: title.to_owned(),
            ..part.unwrap_or_default()
        }
    }
}

/// Keeps an answer out of caches and frames, and its address from other sites.
fn protect(headers: &mut HeaderMap) {
    const OPENER: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(OPENER, HeaderValue::from_static("same-origin"));
}

fn see_other(path: &'static str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, path)]).into_response()
}

/// What is wrong at this moment.
async fn now(State(desk): State<Desk>, headers: HeaderMap) -> Response {
    let operator = match desk.operator(&headers).await {
        Ok(operator) => operator,
        Err(response) => return response,
    };
    let trouble = desk.0.sending.trouble();
    let problem = trouble.map(|trouble| trouble.sentence().to_owned());
    let said = Said {
        title: "Now".to_owned(),
        problem,
        operator: Some(operator.name),
        parts: vec![
            desk.part("Queue", &["queue", "show"]).await,
            desk.part("Refused today", &["refused", "count", "--days=0"])
                .await,
            desk.part(
                "Refused today and yesterday",
                &["refused", "count", "--days=1"],
            )
            .await,
        ],
        ..Said::default()
    };
    desk.html(StatusCode::OK, &said)
}

/// A command that looks.
async fn page(
    State(desk): State<Desk>,
    Path((noun, verb)): Path<(String, String)>,
    request: Request,
) -> Response {
    let operator = match desk.operator(request.headers()).await {
        Ok(operator) => operator,
        Err(response) => return response,
    };
    let Some(page) = Page::find(&noun, &verb) else {
        let said = Said {
            title: "There is no such page".to_owned(),
            operator: Some(operator.name),
            ..Said::default()
        };
        return desk.html(StatusCode::NOT_FOUND, &said);
    };
    let query = Query::of(request.uri().query().unwrap_or_default());
    let (about, arguments) = page.arguments();
    let mut said = Said {
        title: page.title.to_owned(),
        about: Some(format!("{about}.")),
        operator: Some(operator.name.clone()),
        here: page.path(),
        ..Said::default()
    };
    let Some(words) = query.words(page, &arguments) else {
        said.fields = pages::fields(arguments, &query);
        return desk.html(StatusCode::OK, &said);
    };
    said.fields = pages::fields(arguments, &query);
    let unmasks = operator.unmask && query.get("unmask").is_some();
    let printed = desk.look(page, words, &operator, unmasks).await;
    let printed = match printed {
        Ok(printed) => printed,
        Err(error) => {
            said.problem = Some(error.to_string());
            let status = match error.downcast_ref::<OperatorError>() {
                Some(OperatorError::Store(_)) => StatusCode::SERVICE_UNAVAILABLE,
                Some(_) => StatusCode::NOT_FOUND,
                None => StatusCode::BAD_REQUEST,
            };
            return desk.html(status, &said);
        }
    };
    if let Some(form) = query.get("as") {
        return data(form, &printed, !unmasks);
    }
    let account = account(&printed, &query);
    said.links = pages::beside(page, &query, account.as_deref());
    said.links.extend(next(page, &query, &printed));
    if operator.unmask && !unmasks {
        said.links.push(Link {
            path: format!("?{}", query.with("unmask", "on")),
            title: "Show personal data".to_owned(),
        });
    }
    if printed
        .iter()
        .any(|printed| matches!(printed, Printed::List { .. }))
    {
        for form in ["json", "csv"] {
            said.links.push(Link {
                path: format!("?{}", query.with("as", form)),
                title: form.to_uppercase(),
            });
        }
    }
    let parts = printed.into_iter();
    said.parts = parts
        .map(|printed| part(page, &query, printed, !unmasks))
        .collect();
    desk.html(StatusCode::OK, &said)
}

impl Desk {
    /// Carries a command out; one that shows personal data is noted.
    async fn look(
        &self,
        page: &Page,
        mut words: Vec<String>,
        operator: &OperatorRow,
        unmasks: bool,
    ) -> Result<Vec<Printed>, Box<dyn std::error::Error + Send + Sync>> {
        let store = &*self.0.store;
        if !unmasks {
            return look(store, &self.0.settings, &words).await;
        }
        if page.verb == "explain" {
            words.insert(2, "--unmasked".to_owned());
        }
        // Names are in texts that the operator has typed, so that the page alone is noted.
        let action = format!("desk: {} {} --unmasked", page.noun, page.verb);
        let note = store.begin_audit(operator.name.clone(), action).await?;
        let printed = look(store, &self.0.settings, &words).await;
        store.end_audit(note, printed.is_ok()).await?;
        printed
    }
}

/// The account that a page is about.
fn account(printed: &[Printed], query: &Query) -> Option<String> {
    let of_record = printed.iter().find_map(|printed| match printed {
        Printed::Record { columns, cells } => {
            let place = columns.iter().position(|column| *column == "account")?;
            cells.get(place).map(Cell::shown)
        }
        Printed::List { .. } | Printed::Text(_) => None,
    });
    of_record.or_else(|| query.get("account").map(str::to_owned))
}

/// The link to the rows that follow, where a page has as many as it may.
fn next(page: &Page, query: &Query, printed: &[Printed]) -> Option<Link> {
    let (_, arguments) = page.arguments();
    let by = ["before", "after"].into_iter();
    let mut by = by.filter(|name| arguments.iter().any(|argument| argument.name == *name));
    let name = by.next()?;
    let limit = query.get("limit").and_then(|limit| limit.parse().ok());
    let Printed::List { rows, .. } = printed.first()? else {
        return None;
    };
    let last = rows.last()?.first()?;
    (rows.len() >= limit.unwrap_or(100_usize)).then(|| Link {
        path: format!("?{}", query.with(name, &last.shown())),
        title: "Next".to_owned(),
    })
}

fn part(page: &Page, query: &Query, printed: Printed, is_masked: bool) -> Part {
    match printed {
        Printed::Text(text) => Part {
            text: Some(text),
            ..Part::default()
        },
        Printed::Record { columns, cells } => Part {
            record: Some(pages::cells(page, query, columns, &cells, is_masked)),
            ..Part::default()
        },
        Printed::List { columns, rows } => {
            let left = rows.len().saturating_sub(ROWS);
            let shown = rows.iter().take(ROWS);
            Part {
                title: (left > 0).then(|| format!("The first {ROWS} of {}", rows.len())),
                label: page.title.to_owned(),
                columns: Some(columns.iter().map(|name| name.replace('_', " ")).collect()),
                rows: shown
                    .map(|row| pages::cells(page, query, columns, row, is_masked))
                    .collect(),
                ..Part::default()
            }
        }
    }
}

/// The first list of a page, as JSON or CSV.
fn data(form: &str, printed: &[Printed], is_masked: bool) -> Response {
    let lists = printed.iter().find_map(|printed| match printed {
        Printed::List { columns, rows } => Some((*columns, rows)),
        Printed::Record { .. } | Printed::Text(_) => None,
    });
    let Some((columns, rows)) = lists else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let rows = rows.iter().map(|row| match is_masked {
        true => pages::masked_row(columns, row),
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

/// Whether a request that changes something comes from a page of the desk: browsers say where it comes from.
fn is_own(headers: &HeaderMap) -> bool {
    let text = |value: Option<&HeaderValue>| {
        value
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned)
    };
    match text(headers.get("sec-fetch-site")) {
        Some(site) => site == "same-origin",
        None => {
            let origin = text(headers.get(ORIGIN));
            let host = text(headers.get(HOST));
            let of_origin = origin
                .as_deref()
                .and_then(|origin| origin.split_once("://"));
            of_origin.map(|(_, host)| host) == host.as_deref() && host.is_some()
        }
    }
}

async fn login(State(desk): State<Desk>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    if !is_own(&parts.headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    let Ok(body) = to_bytes(body, LONGEST_FORM).await else {
        return StatusCode::PAYLOAD_TOO_LARGE.into_response();
    };
    let form = Query::of(&String::from_utf8_lossy(&body));
    let (name, password) = (form.get("name"), form.get("password"));
    let begun = match (name, password) {
        (Some(name), Some(password)) => desk.0.sessions.begin(name, password.to_owned()).await,
        _ => Err(LoginError::Wrong),
    };
    match begun {
        Ok(token) => {
            let cookie = format!("{COOKIE_NAME}={token}; Path=/desk; HttpOnly; SameSite=Strict");
            let mut response = see_other("/desk");
            if let Ok(cookie) = HeaderValue::try_from(cookie) {
                response.headers_mut().insert(SET_COOKIE, cookie);
            }
            protect(response.headers_mut());
            response
        }
        Err(error) => {
            let status = match error {
                LoginError::Wrong => StatusCode::UNAUTHORIZED,
                LoginError::TooMany => StatusCode::TOO_MANY_REQUESTS,
                LoginError::Store(_) | LoginError::Random => StatusCode::SERVICE_UNAVAILABLE,
            };
            desk.login_page(status, Some(error.to_string()))
        }
    }
}

async fn logout(State(desk): State<Desk>, method: Method, headers: HeaderMap) -> Response {
    if method != Method::POST || !is_own(&headers) {
        return StatusCode::FORBIDDEN.into_response();
    }
    if let Err(error) = desk.0.sessions.end(&headers).await {
        return desk.failed(&error);
    }
    let mut response = see_other("/desk");
    let cookie = "franking_desk=; Path=/desk; HttpOnly; SameSite=Strict; Max-Age=0";
    response
        .headers_mut()
        .insert(SET_COOKIE, HeaderValue::from_static(cookie));
    response
}
