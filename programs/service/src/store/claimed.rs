//! The rows of a claimed batch, and the emails that are made of them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use super::identity::AccountId;
use super::message_id;
use super::outbox::{Ask, Claimed, Lease, Unsendable};
use crate::mail::{Delivery, SentHtml};

/// A row of a batch, before its HTML is read.
pub(super) struct ClaimedRow {
    pub(super) lease: Lease,
    pub(super) attempts: u32,
    pub(super) tried: Duration,
    pub(super) created: i64,
    pub(super) account: i64,
    /// The values that its email is filled in with.
    pub(super) fields: Result<Vec<(String, String)>, Unsendable>,
    pub(super) to: String,
    /// Whether the recipient is INACTIVE by now, or has unsubscribed.
    pub(super) inactive: bool,
    pub(super) from: String,
    pub(super) from_name: Option<String>,
    pub(super) reply_to: Option<String>,
    pub(super) subject: String,
    pub(super) mailer: Option<i64>,
    pub(super) list_unsubscribe: Option<String>,
    /// Whether it has the service's own List-Unsubscribe.
    pub(super) unsubscribe: bool,
    /// Whether its call asked for opens and for clicks to be tracked.
    pub(super) track_opens: bool,
    pub(super) track_clicks: bool,
    /// The HTML's hash and length.
    pub(super) content: Option<(Vec<u8>, u64)>,
    /// The key of its Message-ID.
    pub(super) secret: Vec<u8>,
}

/// The rows of a batch, and where the next batch begins in the round of accounts.
pub(super) struct Share {
    pub(super) rows: Vec<ClaimedRow>,
    /// The rows that do not fit.
    pub(super) beyond: Vec<ClaimedRow>,
    /// The account after which the next batch begins.
    pub(super) after: i64,
}

/// Takes the rows whose HTML fits into the length that is asked for, and one longer row if that is asked for. Each text
/// counts once. The rows have to be in this order: the first row of each account, in the order of accounts, then the second
/// rows, and so on.
pub(super) fn share(rows: Vec<ClaimedRow>, ask: Ask) -> Share {
    let accounts = |rows: &[ClaimedRow]| rows.iter().map(|row| row.account).collect();
    let all: BTreeSet<i64> = accounts(&rows);
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let (mut free, mut longer) = (ask.bytes, ask.longer);
    let fits = |row: &ClaimedRow| {
        let Some((hash, length)) = &row.content else {
            return true;
        };
        if seen.contains(hash) {
            return true;
        }
        match free.checked_sub(*length) {
            Some(rest) => free = rest,
            None if longer => longer = false,
            None => return false,
        }
        seen.insert(hash.clone());
        true
    };
    let (rows, beyond): (Vec<_>, Vec<_>) = rows.into_iter().partition(fits);
    let taken: BTreeSet<i64> = accounts(&rows);
    // If the batch had room for more accounts than there are, the round is at its end.
    let is_whole = taken == all && all.len() < usize::from(ask.most);
    let after = taken.last().copied().filter(|_| !is_whole).unwrap_or(0);
    Share {
        rows,
        beyond,
        after,
    }
}

/// Converts a number of seconds from a database. A time in the past becomes zero.
pub(super) fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or(Duration::MAX)
}

/// Returns the hashes of the texts that rows point to, each once.
pub(super) fn hashes(rows: &[ClaimedRow]) -> Vec<&[u8]> {
    let hashes: HashSet<&[u8]> = rows
        .iter()
        .filter_map(|row| row.content.as_ref().map(|(hash, _)| hash.as_slice()))
        .collect();
    hashes.into_iter().collect()
}

/// The HTML of a batch, by its hash. `None` for a text that is not UTF-8.
pub(super) type Contents = HashMap<Vec<u8>, Option<Arc<str>>>;

impl ClaimedRow {
    pub(super) fn into_claimed(self, contents: &Contents) -> Claimed {
        let (lease, attempts, tried) = (self.lease, self.attempts, self.tried);
        Claimed {
            lease,
            account: AccountId(self.account),
            attempts,
            tried,
            delivery: self.into_delivery(contents),
        }
    }

    fn into_delivery(self, contents: &Contents) -> Result<Delivery, Unsendable> {
        if self.inactive {
            return Err(Unsendable::Inactive);
        }
        // Subjects and bodies of httpSendMail are not templates.
        let fields = self.mailer.map(|_| self.fields).transpose()?;
        let message_id = message_id::make(&self.secret, self.lease.delivery);
        let html = self.content.and_then(|(hash, _)| contents.get(&hash));
        let html = html.ok_or(Unsendable::Lacks("content"))?.clone();
        Ok(Delivery {
            id: self.lease.delivery,
            message_id,
            created: self.created,
            from: self.from,
            from_name: self.from_name,
            reply_to: self.reply_to,
            to: self.to,
            subject: self.subject,
            html: html.ok_or(Unsendable::Lacks("content in UTF-8"))?,
            fields,
            list_unsubscribe: self.list_unsubscribe,
            unsubscribe: self.unsubscribe,
            track_opens: self.track_opens,
            track_clicks: self.track_clicks,
        })
    }
}

/// Returns the parts of a stored delivery's HTML, or `None` if they cannot be read any more.
pub(super) fn sent_html(
    to: String,
    html: Vec<u8>,
    mailer: Option<i64>,
    stored: Option<String>,
    decode: impl Fn(String) -> Option<String>,
) -> Option<SentHtml> {
    let fields = mailer.map(|_| fields(stored.as_deref(), decode));
    Some(SentHtml {
        to,
        html: String::from_utf8(html).ok()?.into(),
        fields: fields.transpose().ok()?,
    })
}

/// Reads the values that an email is filled in with. They are stored as JSON, and `decode` reads each value.
pub(super) fn fields(
    stored: Option<&str>,
    decode: impl Fn(String) -> Option<String>,
) -> Result<Vec<(String, String)>, Unsendable> {
    let Some(stored) = stored else {
        return Ok(Vec::new());
    };
    let values: Option<BTreeMap<String, String>> = serde_json::from_str(stored).ok();
    let decoded = |(name, value)| Some((name, decode(value)?));
    let fields = values.and_then(|values| values.into_iter().map(decoded).collect());
    fields.ok_or(Unsendable::Lacks("readable values"))
}
