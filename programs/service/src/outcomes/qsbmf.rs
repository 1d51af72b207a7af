//! The reports of qmail, which are plain text of a fixed form: the qmail-send Bounce Message Format (QSBMF).
//!
//! Paragraphs are separated by blank lines. The first introduces the report. Each one that begins with `<` is about a
//! recipient whose email failed for good. One that begins with `-` comes before the returned email.

use super::report::{Action, MessageId, RecipientStatus, Report, ReportKind};
use super::returned_id;
use crate::mail::{EnhancedCode, Reason};

/// How each report begins.
const BEGINNING: &str = "Hi. This is the";

/// Reads the text of a message. `None` if it is not one of these reports.
pub(super) fn read(text: &str) -> Option<Report> {
    let text = text.trim_start();
    if !text.starts_with(BEGINNING) {
        return None;
    }
    let mut recipients = Vec::new();
    let mut paragraph = String::new();
    let mut rest = text;
    while let Some((line, after)) = split_line(rest) {
        rest = after;
        if paragraph.is_empty() && line.starts_with('-') {
            break;
        }
        if line.trim().is_empty() {
            recipients.extend(recipient(&paragraph));
            paragraph.clear();
        } else {
            paragraph.push_str(line);
        }
    }
    // A last paragraph without a blank line after it was cut off, and does not count.
    let original = returned_id(rest.trim_start().as_bytes()).map(MessageId::new);
    (!recipients.is_empty()).then_some(Report {
        kind: ReportKind::Status(recipients),
        original,
        mail_from: None,
    })
}

/// The first line with its end, and what follows it.
fn split_line(text: &str) -> Option<(&str, &str)> {
    let line = text.split_inclusive('\n').next()?;
    text.split_at_checked(line.len())
}

/// `<address>:`, then lines that say why. The code is in the last of them, as `(#5.1.1)`.
fn recipient(paragraph: &str) -> Option<RecipientStatus> {
    let (head, why) = split_line(paragraph)?;
    let head = head.trim_end();
    if !(head.starts_with('<') && head.ends_with(">:")) {
        return None;
    }
    let code = why
        .rsplit_once("(#")
        .and_then(|(_, code)| EnhancedCode::parse(code.split(')').next()?));
    Some(RecipientStatus {
        action: Action::Failed,
        code,
        diagnostic: Some(Reason::new(why)),
    })
}
