//! Bodies: read within limits of length, time and memory, or left unread so that the client can read the answer.

use std::sync::LazyLock;
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::http::header::{CONTENT_LENGTH, EXPECT};
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use franking::http::Outcome;
use franking::{Operation, Policy};
use http_body_util::BodyExt as _;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep_until, timeout, timeout_at};

use super::answer;
use super::budget::{Budget, Held};
use super::pace::Pace;
use super::problem::Problem;
use crate::telemetry;

/// The most bytes of an unwanted body that are read and dropped: many clients write all of it before they read the answer.
const DRAINED_BYTES: u64 = 64 << 20;
/// The longest time for which an unwanted body is read.
const DRAINED_TIME: Duration = Duration::from_secs(10);
/// The rate at which unwanted bodies are read, all of them together. All other work goes before them.
static DRAINED: LazyLock<Pace> = LazyLock::new(Pace::of_refused_bodies);
/// The most bytes that are reserved at once for an announced body. More are reserved only as the body comes.
const FIRST_BYTES: usize = 64 << 10;
/// The largest buffer that grows by copying. For a longer body, virtual memory for all of it is reserved at once, because
/// other calls wait while megabytes are copied. The system gives memory only to pages that are written.
pub(super) const COPIED_BYTES: usize = 1 << 20;
/// The number of bytes of a large or unwanted body after which reading pauses, so that all of them together are read at a
/// bounded rate.
const AT_ONCE: usize = 256 << 10;

/// The least number of bytes of a body that have to come within [`LEAST_TIME`], unless the body ends.
const LEAST_BYTES: usize = 8 << 10;
const LEAST_TIME: Duration = Duration::from_secs(5);

/// Why a body was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    /// It is longer than the limit.
    TooLong,
    /// It did not come in time.
    Slow,
    /// The connection or the chunks are broken.
    Broken,
    /// There is no memory for it at this moment.
    NoRoom,
}

/// Reads a body of at most `limit` bytes. A body that is too long, or for which the budget has too few bytes, is drained.
pub(super) async fn read(
    mut body: Body,
    headers: &HeaderMap,
    limit: u64,
    time: Duration,
    budget: &Budget,
) -> Result<(Vec<u8>, Held), Unread> {
    let kept = if body.size_hint().lower() > limit {
        Err(Unread::TooLong)
    } else {
        // clock: the setting says how long a body may take
        timeout(time, keep(&mut body, limit, budget))
            .await
            .unwrap_or(Err(Unread::Slow))
    };
    if matches!(kept, Err(Unread::TooLong | Unread::NoRoom)) {
        drain(body, headers);
    }
    kept
}

async fn keep(body: &mut Body, limit: u64, budget: &Budget) -> Result<(Vec<u8>, Held), Unread> {
    let mut held = budget.open().await.ok_or(Unread::NoRoom)?;
    let given_up = held.given_up();
    // clock: a body that comes slower than at its least rate is given up
    let (mut since, mut come, mut at_once) = (Instant::now(), 0_usize, 0_usize);
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    let most = match announced {
        0 => usize::try_from(limit).unwrap_or(usize::MAX),
        announced => announced,
    };
    // The bytes of the budget that the body holds.
    let mut reserved = announced.min(FIRST_BYTES);
    hold(reserved, &mut held).await?;
    let mut bytes = Vec::new();
    reserve(&mut bytes, reserved)?;
    loop {
        let data = tokio::select! {
            () = given_up.cancelled() => return Err(Unread::NoRoom),
            data = timeout_at(since + LEAST_TIME, next(body)) => data,
        };
        let Some(data) = data.unwrap_or(Err(Unread::Slow))? else {
            break;
        };
        held.comes();
        come = come.saturating_add(data.len());
        if come >= LEAST_BYTES {
            (since, come) = (Instant::now(), 0);
        }
        let length = bytes.len().saturating_add(data.len());
        if u64::try_from(length).map_or(true, |length| length > limit) {
            return Err(Unread::TooLong);
        }
        if length > reserved {
            // The capacity doubles, up to the announced length, or else to the limit.
            reserved = reserved.saturating_mul(2).min(most).max(length);
            hold(reserved, &mut held).await?;
            let is_copied = reserved <= COPIED_BYTES;
            reserve(
                &mut bytes,
                if is_copied {
                    reserved
                } else {
                    most.max(reserved)
                },
            )?;
        }
        bytes.extend_from_slice(&data);
        at_once = at_once.saturating_add(data.len());
        if bytes.len() > COPIED_BYTES && at_once >= AT_ONCE {
            held.pace(at_once).await;
            (since, come, at_once) = (Instant::now(), 0, 0);
        } else {
            // Without this, a thread would read up to a hundred pieces of a body before it looks at other connections.
            yield_now().await;
        }
    }
    held.is_whole();
    Ok((bytes, held))
}

/// Grows a body's part of the budget to this number of bytes.
async fn hold(bytes: usize, held: &mut Held) -> Result<(), Unread> {
    let whole = u64::try_from(bytes).map_err(|_| Unread::NoRoom)?;
    held.grow(whole).await.ok_or(Unread::NoRoom)
}

/// Reserves virtual memory for a body of this number of bytes, unless the buffer has it already.
fn reserve(bytes: &mut Vec<u8>, capacity: usize) -> Result<(), Unread> {
    let more = capacity.saturating_sub(bytes.len());
    bytes.try_reserve_exact(more).map_err(|_| Unread::NoRoom)
}

/// The next data of a body; trailers are skipped.
pub(super) async fn next(body: &mut Body) -> Result<Option<Bytes>, Unread> {
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| Unread::Broken)?;
        if let Ok(data) = frame.into_data() {
            return Ok(Some(data));
        }
    }
    Ok(None)
}

/// Reads and drops the rest of a body, up to a bound, while the answer is sent.
pub(super) fn drain(mut body: Body, headers: &HeaderMap) {
    // A client that announces more than would be read, or waits for 100 Continue, is answered at once.
    let announced = headers
        .get(CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if body.is_end_stream()
        || headers.contains_key(EXPECT)
        || announced.is_some_and(|announced| announced > DRAINED_BYTES)
    {
        return;
    }
    tokio::spawn(async move {
        // clock: a client that writes for ever is not listened to for ever
        let _ = timeout(DRAINED_TIME, drop_rest(&mut body, &DRAINED)).await;
    });
}

/// Reads and drops a bounded number of bytes.
async fn drop_rest(body: &mut Body, pace: &Pace) {
    let (mut left, mut at_once) = (DRAINED_BYTES, 0_usize);
    while let Ok(Some(data)) = next(body).await {
        left = left.saturating_sub(u64::try_from(data.len()).unwrap_or(u64::MAX));
        if left == 0 {
            break;
        }
        at_once = at_once.saturating_add(data.len());
        // All bytes count, but a short body does not wait.
        let next = pace.count(data.len());
        if at_once >= AT_ONCE {
            // clock: how fast it is read, whatever it is
            sleep_until(next).await;
            at_once = 0;
        }
    }
}

impl Unread {
    /// The answer to a call whose body was not read.
    pub(super) fn respond(self, policy: &Policy, operation: Operation) -> Response {
        let (why, problem) = match self {
            Self::TooLong => {
                telemetry::turned_away("length");
                return answer::undecided(policy, operation, Outcome::TooLarge);
            }
            Self::Slow => {
                let detail = "The body did not come in time.";
                ("time", Problem::new(StatusCode::REQUEST_TIMEOUT, detail))
            }
            Self::Broken => {
                let detail = "The body is broken.";
                ("broken", Problem::new(StatusCode::BAD_REQUEST, detail))
            }
            Self::NoRoom => {
                let detail = "The service has too much to do. Nothing was done.";
                ("memory", Problem::unavailable(detail))
            }
        };
        telemetry::turned_away(why);
        answer::of_operation(operation, problem)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_rests_of_refused_bodies_share_a_rate() {
        let pace = Pace::of_refused_bodies();
        let begun = Instant::now();
        let drained = |pace: Pace| async move {
            let mut body = Body::from(vec![0_u8; 32 << 20]);
            drop_rest(&mut body, &pace).await;
        };
        tokio::join!(drained(pace.clone()), drained(pace.clone()), drained(pace));
        // The clock of the test moves only while something waits for it.
        let took = begun.elapsed();
        assert!(
            took.abs_diff(Duration::from_secs(6)) < Duration::from_millis(200),
            "{took:?}"
        );
    }
}
