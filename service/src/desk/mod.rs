//! The desk: what operators see in a browser. Each page is a command that looks, carried out in this process; what the command would
//! print is the page.
//!
//! Nothing here changes anything but who is logged in. Pages have no script, load nothing from elsewhere, and are kept by no cache.

mod data;
mod html;
mod login;
mod pages;
pub(crate) mod password;
mod session;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::{HeaderMap, LOCATION};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use self::html::{Part, Said, Template};
use self::pages::{Link, Page, Query};
use self::session::Sessions;
use crate::command::listing::{Cell, Printed};
use crate::command::look;
use crate::outbox::SendingState;
use crate::settings::Settings;
use crate::store::{OperatorError, OperatorRow, Store};

/// How many rows a page shows. As JSON and CSV there are all.
const ROWS: usize = 1_000;

#[derive(Clone)]
struct Desk(Arc<Inner>);

struct Inner {
    store: Arc<dyn Store>,
    settings: Settings,
    sessions: Sessions,
    sending: SendingState,
    template: Template,
}

/// The routes of the desk.
pub(crate) fn router<S: Clone + Send + Sync + 'static>(
    store: &Arc<dyn Store>,
    settings: &Settings,
    sending: SendingState,
) -> Router<S> {
    let desk = Desk(Arc::new(Inner {
        store: Arc::clone(store),
        settings: settings.clone(),
        sessions: Sessions::new(Arc::clone(store)),
        sending,
        template: Template::compile(),
    }));
    Router::new()
        .route("/", get(async || see_other("/desk")))
        .route("/desk", get(now))
        .route("/desk/login", post(login::login))
        .route("/desk/logout", post(login::logout))
        .route("/desk/{noun}/{verb}", get(page))
        .with_state(desk)
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
    desk.0.template.html(StatusCode::OK, &said)
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
        return desk.0.template.html(StatusCode::NOT_FOUND, &said);
    };
    let query = Query::of(request.uri().query().unwrap_or_default());
    let mut said = Said {
        title: page.title.to_owned(),
        about: Some(format!("{}.", page.asks().about)),
        operator: Some(operator.name.clone()),
        here: page.path(),
        fields: pages::fields(page, &query),
        ..Said::default()
    };
    let Some(words) = query.words(page) else {
        return desk.0.template.html(StatusCode::OK, &said);
    };
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
            return desk.0.template.html(status, &said);
        }
    };
    if let Some(form) = query.get("as") {
        return data::data(form, &printed, !unmasks);
    }
    let account = account(&printed, &query);
    said.links = pages::beside(page, &query, account.as_deref());
    if let Some(Printed::List { rows, .. }) = printed.first() {
        said.links.extend(pages::next(page, &query, rows));
    }
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
    desk.0.template.html(StatusCode::OK, &said)
}

impl Desk {
    /// Who has sent a request; otherwise the page that is answered.
    async fn operator(&self, headers: &HeaderMap) -> Result<OperatorRow, Response> {
        match self.0.sessions.of(headers).await {
            Ok(Some(operator)) => Ok(operator),
            Ok(None) => Err(self.0.template.login_page(StatusCode::UNAUTHORIZED, None)),
            Err(error) => Err(self.0.template.failed(&error)),
        }
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
