//! The first page: what is wrong at this moment, in words, and the refusals of today and yesterday.

// clock: how long an email has waited
use std::time::Duration;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;

use super::access::SignedIn;
use super::cells::Manner;
use super::html::{Part, Said};
use super::pages::Page;
use super::query::Query;
use super::{Desk, part};
use crate::command::listing::Printed;
use crate::store::{Measure, OperatorError, OperatorRow};

/// How many rules are shown.
const RULES: u32 = 20;
/// How many days before today are drawn.
const DAYS: u16 = 13;
/// The time for which an email may be due before the page says so.
const LATE: Duration = Duration::from_secs(60);

pub(super) async fn now(State(desk): State<Desk>, SignedIn(operator): SignedIn) -> Response {
    // The queue is only asked for the email that has waited longest: nothing is counted.
    let store = &desk.0.store;
    let read = tokio::try_join!(store.queue(1), store.measure(), desk.refused());
    let (queue, measure, refused) = match read {
        Ok(read) => read,
        Err(error) => return desk.0.template.failed(&error),
    };
    let mut problems = problems(&measure, queue.oldest());
    let trouble = desk.0.sending.trouble();
    problems.extend(trouble.map(|trouble| trouble.sentence().to_owned()));
    let (about, problem) = match problems.is_empty() {
        true => (Some("Nothing is wrong at this moment.".to_owned()), None),
        false => (None, Some(problems.join(" "))),
    };
    let mut parts: Vec<_> = refused.into_iter().collect();
    parts.extend(desk.days(&operator).await);
    parts.extend(desk.queue(&operator).await);
    let said = Said {
        title: "Now".to_owned(),
        about,
        problem,
        parts,
        ..desk.said_to(&operator)
    };
    desk.0.template.html(StatusCode::OK, &said)
}

/// A sentence for each thing that is wrong.
fn problems(measure: &Measure, oldest: Option<Duration>) -> Vec<String> {
    let mut problems = Vec::new();
    if measure.is_paused {
        problems.push("Sending is paused for all accounts.".to_owned());
    }
    if !measure.paused_accounts.is_empty() {
        problems.push(format!(
            "Accounts whose sending is paused: {}.",
            measure.paused_accounts.len()
        ));
    }
    if let Some(oldest) = oldest.filter(|oldest| *oldest > LATE) {
        problems.push(format!(
            "The oldest email that is due has waited for {} seconds.",
            oldest.as_secs()
        ));
    }
    if measure.disabled_webhooks > 0 {
        problems.push(format!(
            "Webhooks that are disabled: {}.",
            measure.disabled_webhooks
        ));
    }
    problems
}

impl Desk {
    /// The refusals of today and yesterday, by rule.
    async fn refused(&self) -> Result<Option<Part>, OperatorError> {
        let rules = self.0.store.refused_by_rule(RULES).await?.into_iter();
        let rows = rules.map(|rule| {
            vec![
                rule.rule.into(),
                rule.code.into(),
                rule.today.into(),
                rule.yesterday.into(),
            ]
        });
        let printed = Printed::List {
            columns: &["rule", "code", "today", "yesterday"],
            rows: rows.collect(),
        };
        let page = Page::find("refused", "count");
        let query = Query::default();
        let title = "Calls refused today and yesterday, in UTC";
        Ok(page.map(|page| Part {
            title: Some(title.to_owned()),
            label: title.to_owned(),
            ..part(Manner::of(page, &query, true), printed)
        }))
    }

    /// A plot of the calls of the last days.
    async fn days(&self, operator: &OperatorRow) -> Option<Part> {
        let query = Query::of_pairs([("days".to_owned(), DAYS.to_string())]);
        let manner = Manner::of(Page::find("call", "count")?, &query, true);
        let drawn = self.shown("Calls by day and code", manner, operator).await;
        let has_plot = drawn.plot.is_some();
        Some(Part {
            columns: drawn.columns.filter(|_| !has_plot),
            ..drawn
        })
    }

    async fn queue(&self, operator: &OperatorRow) -> Option<Part> {
        let query = Query::default();
        let manner = Manner::of(Page::find("queue", "show")?, &query, true);
        Some(self.shown("Queue", manner, operator).await)
    }
}
