//! Hits: followed links and loaded images of emails, and which of them become events.

use super::Answer;
use super::error::{Cause, StoreError};
use super::events::{About, NewEvent};
use crate::mail::SentHtml;
use crate::outcomes::{Hit, HitKind, HitReason, Tracked, judge};
use franking::EventType;

/// The maximum number of hits that are kept of one email. A reader who follows a link more often is still led to its target.
pub const MOST_HITS: u32 = 1_000;

/// A hit to keep. `Debug` shows nothing about the reader.
#[derive(Clone, Debug)]
pub struct NewHit {
    /// The link that was followed, or the image that was loaded.
    pub tracked: Tracked,
    /// The reason that the request alone gives for what kind of reader it is.
    pub reason: HitReason,
    /// The reader, if readers are kept.
    pub reader: Option<Reader>,
}

/// A reader who has followed a link or loaded an image.
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

/// Keeps and decides hits.
pub trait Tracking {
    /// Whether the call of a delivery asked for opens to be tracked, and the reader is still stored.
    fn has_tracked_image(&self, delivery: i64) -> Answer<bool>;

    /// Returns the parts of a delivery's HTML if its call asked for clicks to be tracked, and its reader and content are
    /// still stored.
    fn tracked_html(&self, delivery: i64) -> Answer<Option<SentHtml>>;

    /// Keeps a hit, unless its email has [`MOST_HITS`].
    fn add_hit(&self, hit: NewHit) -> Answer<()>;

    /// Decides whether hits that came more than [`crate::outcomes::DECIDED_AFTER`] seconds ago are of a person or of a
    /// machine, for at most `at_most` emails, the oldest first. A hit that is not of a machine becomes an event, once for
    /// each email and kind. Returns how many hits were decided.
    ///
    /// Does nothing while another process decides hits.
    fn decide_hits(&self, at_most: u32) -> Answer<u64>;
}

impl NewHit {
    pub(super) fn address(&self) -> Option<&str> {
        self.reader.as_ref().map(|reader| &*reader.address)
    }

    pub(super) fn agent(&self) -> Option<&str> {
        self.reader.as_ref()?.agent.as_deref()
    }

    /// The delivery, and the position of the link. `None` for numbers that no database has.
    pub(super) fn place(&self) -> Option<(i64, Option<i64>)> {
        match self.tracked {
            Tracked::Image(delivery) => Some((delivery.try_into().ok()?, None)),
            Tracked::Link(delivery, link) => {
                Some((delivery.try_into().ok()?, Some(link.try_into().ok()?)))
            }
        }
    }
}

/// A stored hit.
pub(super) struct HitRow {
    pub(super) id: i64,
    pub(super) delivery: i64,
    pub(super) link: Option<i64>,
    pub(super) reason: String,
    pub(super) happened: i64,
    /// Whether it is decided already, or too young to be decided.
    pub(super) stays: bool,
    pub(super) delivered: Option<i64>,
}

/// The decisions: the reason for each hit, by its number, and the events that follow.
#[derive(Default)]
pub(super) struct Decided {
    pub(super) reasons: Vec<(i64, HitReason)>,
    pub(super) events: Vec<NewEvent>,
}

/// Decides hits, which have to be in the order of their deliveries and times.
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
