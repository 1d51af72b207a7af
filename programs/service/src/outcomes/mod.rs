//! The reactions to an email that was sent: reports, opens and clicks, and readers who unsubscribe.

mod intake;
mod maildir;
mod mime;
mod qsbmf;
mod report;
mod return_path;
mod signed;
mod suppression;
mod tracking;
mod unsubscribe;

pub use intake::{Incoming, Intake, Taken};
pub use maildir::watch;
pub use report::{Action, MessageId, RecipientStatus, Report, ReportKind, ReturnPath};
pub use return_path::ReturnPaths;
pub use signed::{KEY_BYTES, SignedNumbers, SigningKey};
pub use suppression::{PastEvent, PastKind, SuppressionRule, Verdict};
pub use tracking::{
    DECIDED_AFTER, Found, Hit, HitKind, HitReason, MOST_LINKS, Shown, TRACKED, Target, Tracked,
    TrackingLinks, Wanted, judge, rewritten, targets,
};
pub use unsubscribe::{UNSUBSCRIBE, UnsubscribeLinks};

/// The Message-ID of headers that a report returns.
fn returned_id(headers: &[u8]) -> Option<String> {
    let returned = mime::fields(headers)?;
    returned.message_id().map(str::to_owned)
}
