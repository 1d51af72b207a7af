//! The desk: what operators see in a browser, and what they do there. Each page is a command of the program, carried out in
//! this process; what the command would print is the page.
//!
//! Pages that only show something are fetched by GET. A command that changes something or reads a text is a form, which a
//! page of the desk sends by POST. A command that changes something first runs up to its question, and then once for each
//! form.
//!
//! Pages have no script, load nothing from elsewhere, and are not cached.

mod access;
mod cells;
mod data;
mod form;
mod html;
mod links;
mod login;
mod now;
mod pages;
pub(crate) mod password;
mod plot;
mod preview;
mod query;
mod sent;
mod session;
mod window;

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};

use self::access::SignedIn;
use self::cells::Manner;
use self::html::{Part, Said, Template};
use self::links::Link;
use self::pages::{Field, Page};
use self::plot::Plot;
use self::query::Query;
use self::session::Sessions;
use self::window::Window;
use crate::command::listing::{Cell, Printed};
use crate::command::{Extent, ForPage, carry_out_for_page};
use crate::outbox::SendingState;
use crate::settings::Settings;
use crate::store::{OperatorError, OperatorRow, Store};

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
        .route("/desk", get(now::now))
        .route("/desk/login", post(login::login))
        .route("/desk/logout", post(login::logout))
        .route("/desk/preview", get(preview::page))
        .route("/desk/preview/html", get(preview::html))
        .route("/desk/{noun}/{verb}", get(look).post(sent::sent))
        .with_state(desk)
}

fn see_other(path: &'static str) -> Response {
    (StatusCode::SEE_OTHER, [(LOCATION, path)]).into_response()
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A page that only shows something, or the form of a page that changes something or reads a text.
async fn look(
    State(desk): State<Desk>,
    SignedIn(operator): SignedIn,
    Path((noun, verb)): Path<(String, String)>,
    request: Request,
) -> Response {
    let Some(page) = Page::find(&noun, &verb) else {
        return desk.no_page(&operator);
    };
    let query = Query::of(request.uri().query().unwrap_or_default());
    let mut said = desk.said(page, &query, &operator);
    if page.acts() || page.reads() {
        return desk.0.template.html(StatusCode::OK, &said);
    }
    let Some(words) = query.words(page) else {
        if query.get("account").is_none() && page.asks().argument("account").is_some() {
            said.parts
                .extend(desk.accounts(page, &query, &operator).await);
        }
        return desk.0.template.html(StatusCode::OK, &said);
    };
    let unmasks = operator.rights.unmask && query.get("unmask").is_some();
    let for_page = ForPage {
        unmasks,
        ..ForPage::of(&operator.name, Extent::Whole)
    };
    let printed = match desk.carry_out(page, words, for_page).await {
        Ok(printed) => printed,
        Err(error) => return desk.failed(said, &*error),
    };
    if let Some(form) = query.get("as") {
        return data::data(page, form, &printed, !unmasks);
    }
    let account = account(&printed, &query);
    said.links = links::beside(page, &query, account.as_deref(), operator.rights);
    if operator.rights.act {
        said.actions = links::actions(page, &query, account.as_deref());
    }
    if let Some(Printed::List { rows, .. }) = printed.first() {
        said.links.extend(links::next(page, &query, rows));
    }
    if operator.rights.unmask && !unmasks {
        let path = format!("?{}", query.with("unmask", "on"));
        said.links.push(Link::new("Show personal data", path));
    }
    if printed
        .iter()
        .any(|printed| matches!(printed, Printed::List { .. }))
    {
        for form in ["json", "csv"] {
            let path = format!("?{}", query.with("as", form));
            said.links.push(Link::new(&form.to_uppercase(), path));
        }
    }
    let manner = Manner::of(page, &query, !unmasks);
    said.parts = parts(manner, printed);
    if let Some(also) = links::also(page) {
        let manner = Manner::of(also, &query, !unmasks);
        said.parts
            .push(desk.shown(also.title, manner, &operator).await);
    }
    desk.0.template.html(StatusCode::OK, &said)
}

impl Desk {
    /// The contents of a page before its command is carried out.
    fn said(&self, page: &'static Page, query: &Query, operator: &OperatorRow) -> Said {
        let mut fields = pages::fields(page, query);
        if page.reads() && page.asks().is_masked && operator.rights.unmask {
            fields.push(Field::unmask(query));
        }
        let mut said = Said {
            title: page.title.to_owned(),
            about: Some(format!("{}.", page.asks().about)),
            page: Some(page),
            fields,
            sends: page.acts(),
            reads: page.reads().then(String::new),
            ..self.said_to(operator)
        };
        if page.acts() && !operator.rights.act {
            said.fields.clear();
            said.problem = Some(
                "You may only look. franking-service operator add NAME --act lets an operator do this."
                    .to_owned(),
            );
        }
        said
    }

    fn said_to(&self, operator: &OperatorRow) -> Said {
        Said {
            operator: Some(operator.name.clone()),
            has_password: self.has_passwords(),
            ..Said::default()
        }
    }

    fn no_page(&self, operator: &OperatorRow) -> Response {
        let said = Said {
            title: "There is no such page".to_owned(),
            ..self.said_to(operator)
        };
        self.0.template.html(StatusCode::NOT_FOUND, &said)
    }

    /// The page of a command that was not carried out, with the reason.
    fn failed(
        &self,
        mut said: Said,
        error: &(dyn std::error::Error + Send + Sync + 'static),
    ) -> Response {
        let status = match error.downcast_ref::<OperatorError>() {
            Some(OperatorError::Store(_)) => StatusCode::SERVICE_UNAVAILABLE,
            Some(OperatorError::NotFound(_)) => StatusCode::NOT_FOUND,
            Some(_) => StatusCode::CONFLICT,
            None => StatusCode::BAD_REQUEST,
        };
        let text = error.to_string();
        // An error of clap's has the message first, and after an empty line the usage of the command.
        let wrong = text.split("\n\n").next().unwrap_or_default();
        let wrong = wrong.strip_prefix("error: ").unwrap_or(wrong);
        said.problem = Some(wrong.to_owned());
        self.0.template.html(status, &said)
    }

    /// The list of accounts, each with a link to `page` for that account.
    async fn accounts(&self, page: &Page, query: &Query, operator: &OperatorRow) -> Option<Part> {
        let manner = Manner {
            chooses_for: Some(page),
            goes_on: true,
            ..Manner::of(Page::find("account", "list")?, query, true)
        };
        Some(self.shown("Choose an account", manner, operator).await)
    }

    /// The contents of a page as a part of another page. If it cannot be shown, the part says why.
    async fn shown(&self, title: &str, manner: Manner<'_>, operator: &OperatorRow) -> Part {
        let for_page = ForPage {
            unmasks: !manner.is_masked,
            ..ForPage::of(&operator.name, Extent::Whole)
        };
        let printed = match manner.query.words(manner.page) {
            Some(words) => self.carry_out(manner.page, words, for_page).await,
            None => Err("A required field is missing.".into()),
        };
        let shown = match printed {
            Ok(printed) => printed.into_iter().next().map(|first| part(manner, first)),
            Err(error) => Some(Part {
                text: Some(error.to_string()),
                ..Part::default()
            }),
        };
        Part {
            title: Some(title.to_owned()),
            label: title.to_owned(),
            ..shown.unwrap_or_default()
        }
    }

    /// Carries out the command of a page.
    async fn carry_out(
        &self,
        page: &Page,
        mut words: Vec<String>,
        for_page: ForPage,
    ) -> Result<Vec<Printed>, Failure> {
        if for_page.unmasks && page.asks().is_masked {
            words.insert(2, "--unmasked".to_owned());
        }
        carry_out_for_page(&*self.0.store, &self.0.settings, &words, for_page).await
    }
}

/// The account that a page is about.
fn account(printed: &[Printed], query: &Query) -> Option<String> {
    let of_record = printed.iter().find_map(|printed| match printed {
        Printed::Record { columns, cells } => {
            let place = columns.iter().position(|column| *column == "account")?;
            cells.get(place).map(Cell::shown)
        }
        Printed::List { .. } | Printed::Text(_) | Printed::Note(_) => None,
    });
    of_record.or_else(|| query.get("account").map(str::to_owned))
}

/// The output of a command as the parts of a page, whose first list goes on.
fn parts(manner: Manner<'_>, printed: Vec<Printed>) -> Vec<Part> {
    let is_list = |printed: &Printed| matches!(printed, Printed::List { .. });
    let first = printed.iter().position(is_list);
    let parts = printed.into_iter().enumerate().map(|(place, printed)| {
        let goes_on = first == Some(place);
        part(Manner { goes_on, ..manner }, printed)
    });
    parts.collect()
}

/// Something that a command has printed, as a part of a page.
fn part(manner: Manner<'_>, printed: Printed) -> Part {
    let label = manner.page.title.to_owned();
    match printed {
        Printed::Text(text) => Part {
            label,
            text: Some(manner.text(text)),
            ..Part::default()
        },
        Printed::Note(note) => Part {
            label,
            text: Some(note),
            ..Part::default()
        },
        Printed::Record { columns, cells } => Part {
            label,
            record: Some(manner.cells(columns, &cells)),
            ..Part::default()
        },
        Printed::List { columns, rows } => {
            let window = Window::of(manner.goes_on.then_some(manner.query), rows.len());
            let is_by_day = manner.page.verb == "count" && columns.first() == Some(&"day");
            let shown = window.rows(&rows);
            let first = columns.first().copied().unwrap_or_default();
            Part {
                title: window.title(),
                // A page may have several lists.
                label: format!("{label}: {first}"),
                plot: is_by_day.then(|| Plot::of(&rows)).flatten(),
                columns: Some(columns.iter().map(|name| name.replace('_', " ")).collect()),
                rows: shown.map(|row| manner.cells(columns, row)).collect(),
                next: window.next(),
                ..Part::default()
            }
        }
    }
}
