//! Hits: who has followed a link of an email or loaded its image, and what of it becomes an event.

use super::Answer;
use super::error::{Cause, StoreError};
use super::events::{About, NewEvent};
use crate::mail::SentHtml;
use crate::outcomes::{Hit, HitKind, HitReason, Tracked, judge};
use franking::EventType;

/// How many hits of one email are kept. Who follows a link more often is led to where it leads, and that is all.
pub const MOST_HITS: u32 = 1_000;

/// A hit to keep. `Debug` shows nothing of who it was.
#[derive(Clone, Debug)]
pub struct NewHit {
    /// What was followed or loaded.
    pub tracked: Tracked,
    /// What its request says by itself.
    pub reason: HitReason,
    /// Of whoever it was, where that is kept.
    pub reader: Option<Reader>,
}

/// Whoever has followed a link or loaded an image.
#[derive(Clone)]
pub struct Reader {
    /// The address that the request came from.
    pub address: String,
    /// The header `User-Agent`, up to 512 bytes of it.
    pub agent: Option<String>,
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Reader")
    }
}

/// What is asked about who follows links and loads images.
pub trait Tracking {
    /// Whether the call of a delivery has asked for its opens, and its reader is still stored.
    fn has_tracked_image(&self, delivery: i64) -> Answer<bool>;

    /// What the HTML of a delivery is made of, if its call has asked for its clicks and its reader and content are still stored.
    fn tracked_html(&self, delivery: i64) -> Answer<Option<SentHtml>>;

    /// Keeps a hit, unless its email has [`MOST_HITS`].
    fn add_hit(&self, hit: NewHit) -> Answer<()>;

    /// Decides who hits are of that came more than [`crate::outcomes::DECIDED_AFTER`] seconds ago, of at most that many emails, the
    /// oldest first. What is not of a machine becomes an event, once. Answers with how many were decided.
    ///
    /// While another process is at it, nothing is done.
    fn decide_hits(&self, at_most: u32) -> Answer<u64>;
}

impl NewHit {
    pub(super) fn address(&self) -> Option<&str> {
        self.reader.as_ref().map(|reader| &*reader.address)
    }

    pub(super) fn agent(&self) -> Option<&str> {
        self.reader.as_ref()?.agent.as_deref()
    }

    /// The delivery, and the link's place. `None` for numbers that no database has.
    pub(super) fn place(&self) -> Option<(i64, Option<i64>)> {
        match self.tracked {
            Tracked::Image(delivery) => Some((delivery.try_into().ok()?, None)),
            Tracked::Link(delivery, link) => {
                Some((delivery.try_into().ok()?, Some(link.try_into().ok()?)))
            }
        }
    }
}

/// A hit as it is kept.
pub(super) struct HitRow {
    pub(super) id: i64,
    pub(super) delivery: i64,
    pub(super) link: Option<i64>,
    pub(super) reason: String,
    pub(super) happened: i64,
    /// Whether it is decided, or has to wait.
    pub(super) stays: bool,
    pub(super) delivered: Option<i64>,
}

/// What is decided: why each hit is thought to be what it is, by its number, and what becomes of that.
#[derive(Default)]
pub(super) struct Decided {
    pub(super) reasons: Vec<(i64, HitReason)>,
    pub(super) events: Vec<NewEvent>,
}

/// Decides hits, which are in the order of their deliveries and times.
pub(super) fn decide(rows: &[HitRow]) -> Result<Decided, StoreError> {
    let mut decided = Decided::default();
    for of_email in rows.chunk_by(|one, next| one.delivery == next.delivery) {
        let hits: Vec<Hit> = of_email.iter().map(hit).collect::<Result<_, _>>()?;
        let delivered = of_email.first().and_then(|row| row.delivered);
        for (row, reason) in of_email.iter().zip(judge(&hits, delivered)) {
            if row.stays {
                continue;
            }
            decided.reasons.push((row.id, reason));
            if reason.kind() == HitKind::Machine {
                continue;
            }
            let kind = match row.link {
                Some(_) => EventType::Clicked,
                None => EventType::Opened,
            };
            decided.events.push(NewEvent {
                happened: Some(row.happened),
                ..NewEvent::new(About::Delivery(row.delivery), kind)
            });
        }
    }
    Ok(decided)
}

fn hit(row: &HitRow) -> Result<Hit, StoreError> {
    let unreadable = || StoreError::Failed(Cause::new("reading a hit"));
    let link = row.link.map(u64::try_from).transpose();
    Ok(Hit {
        link: link.map_err(|_| unreadable())?,
        shown: HitReason::of(&row.reason).ok_or_else(unreadable)?,
        happened: row.happened,
    })
}
