//! Reports of many programs, each in a file, and what is read from them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use franking_service::outcomes::{Action, Report, ReportKind};

/// The Message-ID of the email that the report is about.
const OURS: Option<&str> = Some("17@mail.example.com");

/// A file, what its report says with the codes of its recipients, and the Message-ID that it returns.
pub(crate) const FILES: &[(&str, &str, Option<&str>)] = &[
    ("arf_abuse", "complaint", OURS),
    ("arf_abuse_headers_only", "complaint", OURS),
    ("arf_auth_failure", "nothing", None),
    ("arf_not_spam", "nothing", None),
    ("code_only_in_the_returned_email", "failed alive", OURS),
    ("disposition_notification", "nothing", None),
    ("exchange_denied", "failed alive", OURS),
    ("exchange_full", "failed alive", OURS),
    ("exchange_not_found", "failed dead", OURS),
    ("exim_before_reports", "nothing", None),
    ("exim_unrouteable", "failed alive", OURS),
    ("exim_warning", "delayed alive", OURS),
    ("gmail_delayed", "delayed alive", OURS),
    ("gmail_not_found", "failed dead", OURS),
    ("kumomta_expired", "failed alive", OURS),
    ("mangled_in_base64", "failed dead", OURS),
    ("mangled_without_action", "nothing", None),
    ("mangled_without_boundary_end", "failed dead", OURS),
    ("nested_in_a_forwarded_email", "nothing", None),
    (
        "nested_in_what_a_delayed_report_returns",
        "delayed alive",
        Some("report-1@mx.example.net"),
    ),
    ("postfix_alias_of_two", "failed dead, relayed alive", OURS),
    ("postfix_delayed", "delayed alive", OURS),
    ("postfix_delivered", "delivered alive", OURS),
    ("postfix_expanded", "expanded alive", OURS),
    ("postfix_expired", "failed alive", OURS),
    ("postfix_headers_only", "failed alive", OURS),
    ("postfix_relayed", "relayed alive", OURS),
    ("postfix_unknown_user", "failed dead", OURS),
    ("qmail_quoted_by_a_person", "nothing", None),
    ("qmail_unknown_user", "failed dead", OURS),
    ("ses_suppressed", "failed dead", OURS),
    ("undeliverable_in_a_subject", "nothing", None),
    ("vacation_of_older_programs", "vacation", None),
    ("vacation_of_sieve", "vacation", None),
    ("yahoo_disabled", "failed dead", OURS),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reports")
}

pub(crate) fn read(name: &str) -> Vec<u8> {
    fs::read(folder().join(format!("{name}.eml"))).unwrap()
}

fn in_words(kind: &ReportKind) -> String {
    let recipients = match kind {
        ReportKind::Status(recipients) => recipients,
        ReportKind::Complaint => return "complaint".to_owned(),
        ReportKind::Vacation => return "vacation".to_owned(),
        ReportKind::Nothing => return "nothing".to_owned(),
    };
    let words = recipients.iter().map(|recipient| {
        let action = match recipient.action {
            Action::Failed => "failed",
            Action::Delayed => "delayed",
            Action::Delivered => "delivered",
            Action::Relayed => "relayed",
            Action::Expanded => "expanded",
        };
        let is_dead = recipient.code.unwrap().says_address_is_dead();
        format!("{action} {}", if is_dead { "dead" } else { "alive" })
    });
    words.collect::<Vec<String>>().join(", ")
}

#[test]
fn every_file_is_listed() {
    let files: BTreeSet<String> = fs::read_dir(folder())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    let listed = FILES.iter().map(|(name, ..)| format!("{name}.eml"));
    assert_eq!(files, listed.collect());
}

#[test]
fn each_report_says_what_its_own_parts_say() {
    for (name, says, returned) in FILES {
        let report = Report::read(&read(name));
        assert_eq!(in_words(&report.kind), *says, "{name}");
        let original = report.original.as_ref().map(|id| id.as_str());
        assert_eq!(original, *returned, "{name}");
    }
}

#[test]
fn each_report_says_the_same_with_either_line_end() {
    for (name, says, _) in FILES {
        let text = String::from_utf8(read(name)).unwrap().replace("\r\n", "\n");
        for text in [text.replace('\n', "\r\n"), text] {
            assert_eq!(
                in_words(&Report::read(text.as_bytes()).kind),
                *says,
                "{name}"
            );
        }
    }
}

#[test]
fn no_address_of_a_report_is_kept() {
    for (name, ..) in FILES {
        let kept = format!("{:?}", Report::read(&read(name)));
        assert!(!kept.contains("example.org>"), "{name}: {kept}");
        assert!(!kept.contains("reader"), "{name}: {kept}");
    }
}
