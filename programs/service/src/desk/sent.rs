//! Forms that were sent: they check a text, ask what a command would do, or have it done.

use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

use super::access::{NOT_OWN, SignedIn, is_own};
use super::cells::Manner;
use super::form::{self, Text};
use super::html::{Question, Said, random_number};
use super::links::{self, Link};
use super::pages::Page;
use super::query::Query;
use super::{Desk, Failure, account, parts};
use crate::command::listing::Printed;
use crate::command::{Extent, ForPage};
use crate::store::{FormNumber, OperatorError, OperatorRow};

pub(super) async fn sent(
    State(desk): State<Desk>,
    SignedIn(operator): SignedIn,
    Path((noun, verb)): Path<(String, String)>,
    request: Request,
) -> Response {
    if !is_own(request.headers()) {
        return desk.0.template.forbidden(NOT_OWN);
    }
    let page = Page::find(&noun, &verb).filter(|page| page.acts() || page.reads());
    let Some(page) = page else {
        return desk.no_page(&operator);
    };
    let time = desk.0.settings.body_seconds.into();
    let read = match page.reads() {
        true => form::read_with_text(request, time).await,
        false => form::read(request, time)
            .await
            .map(|query| (query, Text::default())),
    };
    let (query, text) = match read {
        Ok(read) => read,
        Err(error) => {
            let mut said = desk.said(page, &Query::default(), &operator);
            said.problem = Some(error.to_string());
            return desk.0.template.html(error.status(), &said);
        }
    };
    let said = desk.said(page, &query, &operator);
    let Some(words) = query.words(page) else {
        let error = Failure::from("A required field is missing.");
        return desk.failed(said, &*error);
    };
    match page.acts() {
        true => desk.act(page, words, query, said, &operator).await,
        false => desk.read(page, words, (query, text), said, &operator).await,
    }
}

impl Desk {
    /// Carries out a command that changes something, or says what it would do.
    async fn act(
        &self,
        page: &'static Page,
        words: Vec<String>,
        query: Query,
        mut said: Said,
        operator: &OperatorRow,
    ) -> Response {
        if !operator.rights.act {
            return self.0.template.html(StatusCode::FORBIDDEN, &said);
        }
        let Some(form) = query.get("form") else {
            let question = ForPage::of(&operator.name, Extent::Question);
            let printed = self.carry_out(page, words, question);
            let sentence = match printed.await.as_deref() {
                Ok([Printed::Text(text)]) => sentence(text),
                Ok(_) => {
                    tracing::error!(
                        page = page.path(),
                        "an action does not say what it would do"
                    );
                    return StatusCode::INTERNAL_SERVER_ERROR.into_response();
                }
                Err(error) => return self.failed(said, &**error),
            };
            let Some(form) = random_number() else {
                return StatusCode::INTERNAL_SERVER_ERROR.into_response();
            };
            said.question = Some(Question {
                sentence,
                given: query.asked(page),
                form,
            });
            return self.0.template.html(StatusCode::OK, &said);
        };
        let number = u128::from_str_radix(form, 16).map(u128::to_be_bytes);
        let Ok(number) = number else {
            return StatusCode::BAD_REQUEST.into_response();
        };
        // It runs in a task of its own, so that a browser that disconnects does not stop it halfway.
        let (desk, whole) = (self.clone(), ForPage::of(&operator.name, Extent::Whole));
        let once = tokio::spawn(async move { desk.once(number, page, words, whole).await });
        let printed = match once.await {
            Ok(Ok(Some(printed))) => printed,
            Ok(Ok(None)) => {
                let problem = "This form was sent before, and a form is carried out once. The audit log says how that ended.";
                said.problem = Some(problem.to_owned());
                return self.0.template.html(StatusCode::CONFLICT, &said);
            }
            Ok(Err(error)) => return self.failed(said, &*error),
            Err(error) => return self.failed(said, &error),
        };
        said.done = Some("It is done, and noted in the audit log.".to_owned());
        said.fields.clear();
        let account = account(&printed, &query);
        if let Some(account) = account {
            let path = links::to("account/show", &[("account", &account)]);
            said.links.push(Link::new("The account", path));
        }
        let manner = Manner::of(page, &query, true);
        said.parts = parts(manner, printed);
        self.0.template.html(StatusCode::OK, &said)
    }

    /// Carries out the command of a form. Returns `None` if the form was sent before.
    async fn once(
        &self,
        form: FormNumber,
        page: &'static Page,
        words: Vec<String>,
        whole: ForPage,
    ) -> Result<Option<Vec<Printed>>, Failure> {
        if !self.0.store.begin_form(form).await? {
            return Ok(None);
        }
        let printed = self.carry_out(page, words, whole).await;
        if let Err(error) = &printed
            && can_be_repeated(&**error)
            && let Err(error) = self.0.store.forget_form(form).await
        {
            tracing::warn!(%error, "a form that failed cannot be sent again");
        }
        Ok(Some(printed?))
    }

    /// Carries out a command that reads a text.
    async fn read(
        &self,
        page: &'static Page,
        words: Vec<String>,
        (query, text): (Query, Text),
        mut said: Said,
        operator: &OperatorRow,
    ) -> Response {
        let unmasks = operator.rights.unmask && query.get("unmask").is_some();
        said.reads = Some(String::from_utf8_lossy(&text.typed).into_owned());
        let for_page = ForPage {
            unmasks,
            input: text.read(),
            ..ForPage::of(&operator.name, Extent::Whole)
        };
        let printed = match self.carry_out(page, words, for_page).await {
            Ok(printed) => printed,
            Err(error) => return self.failed(said, &*error),
        };
        let manner = Manner::of(page, &query, !unmasks);
        said.parts = parts(manner, printed);
        self.0.template.html(StatusCode::OK, &said)
    }
}

/// Whether a command that failed can be carried out again: the statement that failed has changed nothing, and a command of
/// several statements goes on where it stopped.
fn can_be_repeated(error: &(dyn std::error::Error + Send + Sync + 'static)) -> bool {
    match error.downcast_ref::<OperatorError>() {
        Some(OperatorError::Store(error)) => error.is_undone(),
        Some(_) => true,
        None => false,
    }
}

/// What a command would do, as a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.trim_end().chars();
    let first = letters.next().map(|letter| letter.to_uppercase());
    let mut sentence: String = first.into_iter().flatten().collect();
    sentence.push_str(letters.as_str());
    sentence.push('.');
    sentence
}
