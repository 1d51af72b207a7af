//! Tracked links and images. Readers follow the links of an email through the service, and load its image from it. Such a
//! request changes nothing but the record of hits.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, LOCATION, REFERRER_POLICY, USER_AGENT,
};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::lookups::Lookups;
use super::problem::Problem;
use super::queues::{Unserved, holding};
use super::server::Peer;
use crate::outcomes::{HitReason, Shown, TRACKED, Tracked, TrackingLinks};
use crate::store::{NewHit, Reader, Store, StoreError};
use crate::telemetry;

/// The bytes of a User-Agent that are kept.
const AGENT_BYTES: usize = 512;

/// An image of one transparent pixel.
const PIXEL: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff\x21\xf9\x04\x01\0\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0\x3b";

#[derive(Clone)]
struct Tracking {
    store: Arc<dyn Store>,
    links: Arc<TrackingLinks>,
    /// Whether addresses and agents are kept.
    keeps_readers: bool,
    lookups: Lookups,
}

/// The route, if there are links to it.
pub(super) fn router(
    store: &Arc<dyn Store>,
    links: Option<Arc<TrackingLinks>>,
    keeps_readers: bool,
) -> Router {
    let Some(links) = links else {
        return Router::new();
    };
    let store = Arc::clone(store);
    Router::new()
        .route(&[TRACKED, "{token}"].concat(), get(follow))
        .with_state(Tracking {
            store,
            links,
            keeps_readers,
            lookups: Lookups::default(),
        })
}

/// Answers GET and also HEAD, which is a hit with a reason of its own.
async fn follow(
    State(state): State<Tracking>,
    Path(token): Path<String>,
    request: Request,
) -> Response {
    let Some(tracked) = state.links.read(&token) else {
        return unknown();
    };
    let hit = NewHit {
        tracked,
        reason: reason(&request),
        reader: state.reader(&request),
    };
    match state.follow(hit, &token).await {
        Ok(Some(Found::Image)) => {
            let kind = HeaderValue::from_static("image/gif");
            (StatusCode::OK, kept_nowhere([(CONTENT_TYPE, kind)]), PIXEL).into_response()
        }
        Ok(Some(Found::Target(url))) => {
            (StatusCode::FOUND, kept_nowhere([(LOCATION, url)])).into_response()
        }
        Ok(None) => unknown(),
        Err(Unserved::Store(error)) => {
            tracing::error!(%error, "a tracked link could not be followed");
            Problem::unavailable("The database does not answer. Try again a little later.")
                .into_response()
        }
        Err(Unserved::Busy) => {
            telemetry::turned_away("links");
            Problem::unavailable("Too many links are followed at once. Try again a little later.")
                .into_response()
        }
        Err(Unserved::Fault) => Problem::fault().into_response(),
    }
}

/// What a reader gets.
enum Found {
    Image,
    Target(HeaderValue),
}

impl Tracking {
    async fn follow(&self, hit: NewHit, token: &str) -> Result<Option<Found>, Unserved> {
        let found = match hit.tracked {
            Tracked::Image(delivery) => self.image(delivery).await?,
            Tracked::Link(delivery, place) => self.target(delivery, place, token).await?,
        };
        if found.is_some() {
            self.store.add_hit(hit).await?;
        }
        Ok(found)
    }

    async fn image(&self, delivery: u64) -> Result<Option<Found>, StoreError> {
        let Ok(delivery) = delivery.try_into() else {
            return Ok(None);
        };
        let has = self.store.has_tracked_image(delivery).await?;
        Ok(has.then_some(Found::Image))
    }

    /// Finds the target of a link in the HTML of its email.
    async fn target(
        &self,
        delivery: u64,
        place: u64,
        token: &str,
    ) -> Result<Option<Found>, Unserved> {
        let Ok(delivery) = delivery.try_into() else {
            return Ok(None);
        };
        // Requests that wait here hold no email yet.
        let turn = self.lookups.turn(delivery).await;
        let turn = turn.ok_or(Unserved::Busy)?;
        let store = Arc::clone(&self.store);
        // When the client has gone, the database goes on reading and the search goes on. The turn lasts until both have
        // finished.
        let found = holding(turn, async move {
            let Some(html) = store.tracked_html(delivery).await? else {
                return Ok(None);
            };
            let looked = tokio::task::spawn_blocking(move || html.target(place));
            looked.await.map_err(|_| Unserved::Fault)
        });
        let url = found.await??;
        let url = url.filter(|url| self.links.is_of(token, url));
        Ok(url
            .and_then(|url| HeaderValue::try_from(url).ok())
            .map(Found::Target))
    }

    fn reader(&self, request: &Request) -> Option<Reader> {
        let peer = request.extensions().get::<Peer>()?;
        // `to_str` takes only ASCII, so every index is that of a character.
        let agent = agent(request.headers());
        let agent = agent.map(|agent| agent.get(..AGENT_BYTES).unwrap_or(agent).to_owned());
        self.keeps_readers.then(|| Reader {
            address: peer.client(request.headers()).to_string(),
            agent,
        })
    }
}

fn reason(request: &Request) -> HitReason {
    let headers = request.headers();
    let purpose = [
        HeaderName::from_static("sec-purpose"),
        HeaderName::from_static("purpose"),
    ];
    let mut purpose = purpose.iter().filter_map(|name| headers.get(name));
    Shown {
        is_head: request.method() == Method::HEAD,
        purpose: purpose.next().and_then(|value| value.to_str().ok()),
        agent: agent(headers),
    }
    .reason()
}

fn agent(headers: &HeaderMap) -> Option<&str> {
    headers.get(USER_AGENT)?.to_str().ok()
}

/// Headers of an answer that is not cached, and after which the browser does not say where the reader came from.
fn kept_nowhere(more: [(HeaderName, HeaderValue); 1]) -> HeaderMap {
    let all = [
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    ];
    all.into_iter().chain(more).collect()
}

fn unknown() -> Response {
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    (
        StatusCode::NOT_FOUND,
        kept_nowhere([(CONTENT_TYPE, kind)]),
        "The link is not complete, or its email is no longer known.\n",
    )
        .into_response()
}
