//! `GET /events`: the events of an account's emails, in the order of their numbers.

mod turns;
mod waiting;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    ALLOW, AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, HeaderMap, HeaderValue, WWW_AUTHENTICATE,
};
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use serde_json::{Value, json};
// clock: the caller says how long it waits
use tokio::time::{Instant, sleep_until};

use super::leave;
use super::problem::Problem;
use super::queues::{Turn, Unserved, holding};
use crate::events::notice;
use crate::store::{AccountId, EventPage, EventRow, KeyHash, Store};
use crate::telemetry;
use turns::Turns;
pub use waiting::Feed;
use waiting::Waiting;

/// The most events of a page, and their number without `limit`.
const MOST: u32 = 1_000;
const USUAL: u32 = 100;
/// The most seconds that a reader waits.
const MOST_SECONDS: u64 = 30;

#[derive(Clone)]
struct Readers {
    store: Arc<dyn Store>,
    waiting: Waiting,
    turns: Turns,
}

/// The route.
pub(super) fn router<S: Clone + Send + Sync + 'static>(
    store: &Arc<dyn Store>,
    feed: Feed,
) -> Router<S> {
    let readers = Readers {
        store: Arc::clone(store),
        waiting: Waiting::new(feed),
        turns: Turns::default(),
    };
    Router::new()
        .route("/events", any(read))
        .with_state(readers)
}

async fn read(State(readers): State<Readers>, request: Request) -> Response {
    let is_get = *request.method() == Method::GET;
    let asked = Asked::of(request.uri().query().unwrap_or_default());
    let key = bearer(request.headers()).map(KeyHash::of);
    leave(request);
    if !is_get {
        let allowed = (ALLOW, HeaderValue::from_static("GET"));
        let problem = Problem::new(StatusCode::METHOD_NOT_ALLOWED, "Events are read by GET.");
        return ([allowed], problem).into_response();
    }
    let asked = match asked {
        Ok(asked) => asked,
        Err(problem) => return problem.into_response(),
    };
    match readers.page(key, asked).await {
        Ok(answer) => answer,
        Err(Unserved::Store(error)) => {
            tracing::error!(%error, "events could not be read");
            Problem::unavailable("The database does not answer. Try again a little later.")
                .into_response()
        }
        Err(Unserved::Busy) => {
            telemetry::turned_away("events");
            Problem::unavailable("Too many pages are read at once. Try again a little later.")
                .into_response()
        }
        Err(Unserved::Fault) => Problem::fault().into_response(),
    }
}

/// The key of `Authorization: Bearer` (RFC 6750, section 2.1).
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, key) = value.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("Bearer")
        .then_some(key.trim())
        .filter(|key| !key.is_empty())
}

/// What a reader asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Asked {
    /// The number of the last event that was read. `None` begins at the oldest event that is kept.
    after: Option<i64>,
    /// The most events of the page.
    limit: u32,
    /// The time to wait for the first event.
    wait: Duration,
}

impl Asked {
    fn of(query: &str) -> Result<Self, Problem> {
        let bad = |detail| Problem::new(StatusCode::BAD_REQUEST, detail);
        let mut asked = Self {
            after: None,
            limit: USUAL,
            wait: Duration::ZERO,
        };
        for part in query.split('&').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            // Only digits: `parse` would also take a sign.
            let number = value
                .bytes()
                .all(|byte| byte.is_ascii_digit())
                .then(|| value.parse::<i64>().ok())
                .flatten();
            match (name, number) {
                ("after", Some(number)) => asked.after = Some(number),
                ("after", None) => {
                    return Err(bad("after has to be the next of an earlier answer."));
                }
                ("limit", Some(number)) if (1..=i64::from(MOST)).contains(&number) => {
                    asked.limit = u32::try_from(number).unwrap_or(MOST);
                }
                ("limit", _) => return Err(bad("limit has to be a number from 1 to 1000.")),
                ("wait", Some(number)) if number.unsigned_abs() <= MOST_SECONDS => {
                    asked.wait = Duration::from_secs(number.unsigned_abs());
                }
                ("wait", _) => return Err(bad("wait has to be a number of seconds up to 30.")),
                _ => {
                    return Err(bad(
                        "The query can have only after, limit and wait. The API key belongs in the header Authorization: Bearer.",
                    ));
                }
            }
        }
        Ok(asked)
    }
}

/// The answer to a reader.
struct Page {
    answer: Response,
    /// Whether no event has come yet.
    is_empty: bool,
}

impl Readers {
    async fn page(&self, key: Option<KeyHash>, asked: Asked) -> Result<Response, Unserved> {
        let account = match key {
            Some(key) => self.store.account(key).await?,
            None => None,
        };
        let Some(account) = account.map(|found| found.id) else {
            let asks = (WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            let problem = Problem::new(
                StatusCode::UNAUTHORIZED,
                "Events are read with the API key of their account, in the header Authorization: Bearer.",
            );
            return Ok(([asks], problem).into_response());
        };
        self.events(account, asked).await
    }

    /// Reads a page, and waits for its first event until the time is over. Whoever waits for an event has no turn.
    async fn events(&self, account: AccountId, asked: Asked) -> Result<Response, Unserved> {
        let ends = Instant::now() + asked.wait;
        let place = match asked.wait.is_zero() {
            true => None,
            false => self.waiting.place(account),
        };
        loop {
            let turn = self.turns.of(account).await.ok_or(Unserved::Busy)?;
            let mut feed = self.waiting.feed();
            feed.see();
            let page = self.in_turn(turn, account, asked).await?;
            if !page.is_empty || place.is_none() {
                return Ok(page.answer);
            }
            tokio::select! {
                is_on = feed.news() => {
                    if !is_on {
                        return Ok(page.answer);
                    }
                }
                () = sleep_until(ends) => return Ok(page.answer),
            }
        }
    }

    /// Reads a page. When the client has gone, the database goes on reading, and the turn lasts until it has finished.
    async fn in_turn(
        &self,
        turn: Turn,
        account: AccountId,
        asked: Asked,
    ) -> Result<Page, Unserved> {
        let read = self.store.events(account, asked.after, asked.limit);
        let page = holding(turn, async move { read.await.map(answer) });
        Ok(page.await??)
    }
}

fn answer(page: EventPage) -> Page {
    match page {
        EventPage::Events(events, next) => Page {
            answer: events_answer(&events, next),
            is_empty: events.is_empty(),
        },
        EventPage::Gone => Page {
            answer: Problem::new(
                StatusCode::GONE,
                "Events after this number have been deleted, because their time was over. Leave after out to begin with the oldest event that is kept.",
            )
            .into_response(),
            is_empty: false,
        },
    }
}

fn events_answer(events: &[EventRow], next: i64) -> Response {
    let events: Vec<Value> = events.iter().map(notice).collect();
    let body = json!({"events": events, "next": next.to_string()});
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (headers, body.to_string()).into_response()
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]
mod tests {
    use super::*;

    #[test]
    fn a_query_says_from_where_how_many_and_how_long() {
        let usual = Asked::of("").unwrap();
        assert_eq!(
            (usual.after, usual.limit, usual.wait),
            (None, 100, Duration::ZERO)
        );
        let asked = Asked::of("after=17&wait=30&limit=1000").unwrap();
        assert_eq!((asked.after, asked.limit), (Some(17), 1000));
        assert_eq!(asked.wait, Duration::from_secs(30));
        for query in [
            "after=-1",
            "after=x",
            "after=",
            "after=%31",
            "after=99999999999999999999",
            "limit=0",
            "limit=1001",
            "wait=31",
            "wait=-1",
            "wait=1.5",
            "apiKey=secret",
            "key",
            "After=1",
        ] {
            assert!(Asked::of(query).is_err(), "{query}");
        }
    }

    #[test]
    fn a_key_is_read_from_its_header_alone() {
        let header = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(AUTHORIZATION, value.parse().unwrap());
            bearer(&headers).map(str::to_owned)
        };
        assert_eq!(header("Bearer k"), Some("k".into()));
        assert_eq!(header("bearer  k "), Some("k".into()));
        for value in ["Bearer ", "Bearer", "Basic k", "k"] {
            assert_eq!(header(value), None, "{value}");
        }
        assert_eq!(bearer(&HeaderMap::new()), None);
    }
}
