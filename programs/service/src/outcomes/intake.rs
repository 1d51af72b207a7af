//! Handles a message that comes to the address for reports.

use std::io::{self, Read, Write};
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::mime::Part;
use super::report::READ_BYTES;
use super::{Action, RecipientStatus, Report, ReportKind, ReturnPaths, SuppressionRule};
use crate::mail::{EnhancedCode, Reason};
use crate::store::{KeptKind, KeptReport, NewReport, Original, Store, StoreError};
use crate::telemetry;

/// How many subscribers are judged at once.
const JUDGED: u32 = 100;

/// The headers in which mail servers note to whom they delivered a message, and `To`, in which its sender named the
/// recipient.
const RECIPIENT_HEADERS: [&str; 5] = [
    "Delivered-To",
    "X-Original-To",
    "Envelope-To",
    "X-Envelope-To",
    "To",
];

/// Takes messages in: reads them, finds the emails that they are about, and has them recorded.
pub struct Intake {
    store: Arc<dyn Store>,
    return_paths: Option<Arc<ReturnPaths>>,
    rule: SuppressionRule,
}

/// A message that comes piece by piece. All of it is hashed, and only its beginning is kept.
#[derive(Default)]
pub struct Incoming {
    beginning: Vec<u8>,
    digest: Sha256,
}

/// The result of taking a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is a report, and is kept.
    Report(KeptKind, KeptReport),
    /// It came to a return path that the service has not made. Nothing is kept.
    Forged,
    /// It is not a report. Nothing is kept.
    Nothing,
}

impl Incoming {
    /// Reads a message to its end.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(mut from: impl Read) -> io::Result<Self> {
        let mut message = Self::default();
        io::copy(&mut from, &mut message)?;
        Ok(message)
    }

    /// Adds the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        let room = READ_BYTES.saturating_sub(self.beginning.len());
        let kept = piece.get(..room).unwrap_or(piece);
        self.beginning.extend_from_slice(kept);
        self.digest.update(piece);
    }
}

impl Write for Incoming {
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        self.push(piece);
        Ok(piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Intake {
    /// Takes in reports about the emails of a store. Without return paths, emails are found by their Message-ID alone.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        return_paths: Option<Arc<ReturnPaths>>,
        rule: SuppressionRule,
    ) -> Self {
        Self {
            store,
            return_paths,
            rule,
        }
    }

    /// Takes a message in. `to` is the address that it was delivered to, if that is known; otherwise it is looked for in the
    /// message's headers.
    ///
    /// # Errors
    /// The database's. The same message can be handed over again then, and is kept once.
    pub async fn take(&self, to: Option<&str>, message: Incoming) -> Result<Taken, StoreError> {
        let taken = self.read(to, message);
        let taken = match taken {
            Ok(report) => {
                let kind = report.kind;
                let kept = self.store.keep_report(report).await?;
                if kept.is_new {
                    self.judge().await?;
                }
                Taken::Report(kind, kept)
            }
            Err(taken) => taken,
        };
        telemetry::reported(&taken);
        Ok(taken)
    }

    /// Judges the subscribers about whom something was recorded.
    ///
    /// # Errors
    /// The database's.
    pub async fn judge(&self) -> Result<(), StoreError> {
        while self.store.judge(self.rule, JUDGED).await? > 0 {}
        Ok(())
    }

    /// Reads the report of a message, or returns what to do with a message that is not a report.
    fn read(&self, to: Option<&str>, message: Incoming) -> Result<NewReport, Taken> {
        let report = Report::read(&message.beginning);
        let (kind, reason) = says(&report.kind).ok_or(Taken::Nothing)?;
        let named = report.mail_from.iter().map(|path| path.as_str().to_owned());
        let addresses: Vec<String> = match to {
            Some(to) => named.chain([to.to_owned()]).collect(),
            None => named.chain(recipients(&message.beginning)).collect(),
        };
        let by_path = self.of_return_path(addresses.iter().map(String::as_str))?;
        let by_id = report
            .original
            .map(|id| Original::MessageId(id.as_str().to_owned()));
        Ok(NewReport {
            digest: message.digest.finalize().into(),
            kind,
            reason,
            original: by_path.or(by_id).unwrap_or(Original::Unknown),
        })
    }

    /// The delivery whose return path is among `addresses`: the addresses that a message was sent to, and those in its headers.
    ///
    /// # Errors
    /// [`Taken::Forged`] if an address has the domain of return paths, and no address is a return path.
    fn of_return_path<'a>(
        &self,
        addresses: impl Iterator<Item = &'a str> + Clone,
    ) -> Result<Option<Original>, Taken> {
        let Some(paths) = &self.return_paths else {
            return Ok(None);
        };
        let found = addresses.clone().find_map(|address| paths.read(address));
        let delivery = found.and_then(|delivery| i64::try_from(delivery).ok());
        let is_forged = |address: &str| paths.has_domain(address);
        match delivery {
            Some(delivery) => Ok(Some(Original::ReturnPath(delivery))),
            None if addresses.into_iter().any(is_forged) => Err(Taken::Forged),
            None => Ok(None),
        }
    }
}

/// The part of a report that is kept. `None` if it is not a report.
fn says(kind: &ReportKind) -> Option<(KeptKind, Option<Reason>)> {
    Some(match kind {
        ReportKind::Status(recipients) => {
            let (recipient, code) = failed(recipients).or_else(|| {
                let first = recipients.first()?;
                Some((first, first.code))
            })?;
            (kept(recipient.action), Some(reason(recipient, code)))
        }
        ReportKind::Complaint => (KeptKind::Complaint, None),
        ReportKind::Vacation => (KeptKind::Vacation, None),
        ReportKind::Nothing => return None,
    })
}

/// The recipient for whom an email failed, with the code that counts. An email has one recipient, and a report that names
/// several is about an alias. The address counts as dead if all recipients are dead: otherwise somebody reads the email.
fn failed(recipients: &[RecipientStatus]) -> Option<(&RecipientStatus, Option<EnhancedCode>)> {
    let failed = |one: &&RecipientStatus| one.action == Action::Failed;
    let is_dead = |one: &RecipientStatus| {
        failed(&one) && one.code.is_some_and(EnhancedCode::says_address_is_dead)
    };
    let first = recipients.iter().find(failed)?;
    let alive = recipients.iter().find(|one| !is_dead(one));
    Some(match alive {
        None => (first, first.code),
        Some(alive) if alive.action == Action::Failed => (alive, alive.code),
        Some(_) => (first, None),
    })
}

const fn kept(action: Action) -> KeptKind {
    match action {
        Action::Failed => KeptKind::Failed,
        Action::Delayed => KeptKind::Delayed,
        Action::Delivered => KeptKind::Delivered,
        Action::Relayed => KeptKind::Relayed,
        Action::Expanded => KeptKind::Expanded,
    }
}

fn reason(recipient: &RecipientStatus, code: Option<EnhancedCode>) -> Reason {
    let unexplained = || Reason::new("the report gives no reason");
    let diagnostic = recipient.diagnostic.clone();
    diagnostic.unwrap_or_else(unexplained).with_code(code)
}

/// The addresses in the headers that say to whom a message was delivered. They are compared with addresses that the service
/// has signed, so it does no harm to include words that are not addresses.
fn recipients(message: &[u8]) -> Vec<String> {
    let (_, fields) = Part::read(message);
    let Some(fields) = fields else {
        return Vec::new();
    };
    let is_break = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '<' | '>' | '"');
    let headers = fields.headers_raw().filter(|(name, _)| {
        let mut names = RECIPIENT_HEADERS.iter();
        names.any(|one| one.eq_ignore_ascii_case(name))
    });
    let words = headers.flat_map(|(_, value)| value.split(is_break));
    words
        .filter(|word| word.contains('@'))
        .map(str::to_owned)
        .collect()
}

impl std::fmt::Debug for Intake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Intake")
            .field("rule", &self.rule)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Incoming {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Incoming")
    }
}
