//! A state that cannot be never becomes a plausible number. Arithmetic that saturates or wraps, and defaults, stand only where
//! this list says why.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that meets the unexpected should stop; it reads the sources"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What could hide a fault.
const METHODS: [&str; 5] = [
    "saturating_",
    "wrapping_",
    "overflowing_",
    "unwrap_or_default(",
    "unwrap_or(",
];

/// Where and how often such a method stands, and why it hides no fault.
const ALLOWED: &[(&str, &str, usize, &str)] = &[
    // Rules of the domain.
    ("account.rs", "unwrap_or(", 1, "a credit below zero is none"),
    (
        "compose/requests.rs",
        "unwrap_or(",
        1,
        "a key that is not there is null, and refused as such",
    ),
    (
        "facts/subscribers.rs",
        "unwrap_or(",
        1,
        "more than 4 GB of addresses are those of a batch, which uses none",
    ),
    (
        "facts/texts.rs",
        "unwrap_or(",
        1,
        "an empty address is misuse where it is used",
    ),
    (
        "http_send_mail/partial.rs",
        "unwrap_or(",
        2,
        "the content's violation comes first, and the content's standing is that of no facts",
    ),
    (
        "http_send_mail/recipients/same.rs",
        "unwrap_or(",
        1,
        "the only entry of an address so far is the first one",
    ),
    (
        "json/answers.rs",
        "unwrap_or(",
        1,
        "a transaction id that is no whole number is misuse, as 0 is",
    ),
    (
        "memory.rs",
        "saturating_",
        3,
        "a bound above all memory is no bound",
    ),
    (
        "operation.rs",
        "unwrap_or(",
        1,
        "a text that is not divided is its own first part",
    ),
    (
        "policy.rs",
        "saturating_",
        3,
        "a bound of memory beyond what can be addressed is all that can be addressed",
    ),
    (
        "policy.rs",
        "unwrap_or(",
        1,
        "more requests than can be counted are more than any body has room for",
    ),
    (
        "text/form.rs",
        "saturating_",
        1,
        "asking for more than can be addressed fails, which is what is answered",
    ),
    (
        "preflight.rs",
        "saturating_",
        1,
        "the last pointer of a list may be longer than what is left for it",
    ),
    (
        "send_mailer/content.rs",
        "unwrap_or(",
        1,
        "the list of a call that names none",
    ),
    (
        "send_mailer/personalization.rs",
        "unwrap_or_default(",
        1,
        "what is to be cleared has no text",
    ),
    (
        "text/address/list.rs",
        "unwrap_or(",
        1,
        "the last entry ends with the list",
    ),
    (
        "text/domain_set.rs",
        "unwrap_or(",
        1,
        "a text that is not divided is its own first part",
    ),
    (
        "transcript.rs",
        "unwrap_or(",
        1,
        "a call that was not decided is written as null",
    ),
    (
        "violation.rs",
        "unwrap_or(",
        4,
        "442 is the code that explains nothing, a rule's remedy is that of every field, and an element without `>` or a space is \
         all name",
    ),
    (
        "warning/names.rs",
        "unwrap_or(",
        1,
        "names that are too far apart have no distance",
    ),
    (
        "wire/entries.rs",
        "saturating_",
        1,
        "what ends before a list has all of the list after it",
    ),
    (
        "wire/answer.rs",
        "unwrap_or(",
        1,
        "a code without a meaning is an error",
    ),
    (
        "written.rs",
        "unwrap_or_default(",
        2,
        "an empty text is not JSON, which every reader refuses",
    ),
    // Nothing is what follows the end.
    (
        "bytes/bits.rs",
        "unwrap_or(",
        2,
        "after the last word there is no member",
    ),
    (
        "bytes/mod.rs",
        "unwrap_or_default(",
        2,
        "after the end of the items there are none",
    ),
    // Bits and hashes, of which no number is impossible.
    (
        "send_mailer/personalization.rs",
        "wrapping_",
        3,
        "takes the lowest bit out",
    ),
    (
        "text/address/window.rs",
        "wrapping_",
        8,
        "bits of a window and signed bytes; what comes of it is looked up by `get`",
    ),
    (
        "wire/field.rs",
        "wrapping_",
        4,
        "a hash, and lanes of a register; what comes of it is compared with the name",
    ),
    (
        "wire/json/marks.rs",
        "wrapping_",
        2,
        "backslashes carry into the next bit; a block that is not there is not found by `get`",
    ),
    (
        "wire/json/marks.rs",
        "overflowing_",
        1,
        "backslashes carry into the next block",
    ),
    (
        "wire/json/members.rs",
        "wrapping_",
        10,
        "the fast way for members, compared with the plain one; what comes of it is looked up by `get`",
    ),
    (
        "wire/json/text.rs",
        "wrapping_",
        5,
        "the fast way for escapes; what comes of it is looked up by `get`",
    ),
    (
        "wire/value.rs",
        "wrapping_",
        3,
        "digits that are not, and numbers that are too long, are refused in the same pass",
    ),
    // A body that lends other bytes when it is read again, which ends the call where its questions or its plan are made.
    (
        "domains/names.rs",
        "unwrap_or_default(",
        1,
        "read again from a body that may have changed",
    ),
    (
        "http_send_mail/questions.rs",
        "unwrap_or_default(",
        2,
        "read again from a body that may have changed",
    ),
    (
        "http_send_mail/recipients.rs",
        "unwrap_or(",
        1,
        "an entry that is not there lies after every body",
    ),
    (
        "http_send_mail/recipients/read.rs",
        "unwrap_or(",
        1,
        "read again from a body that may have changed",
    ),
    (
        "http_send_mail/recipients/read.rs",
        "unwrap_or_default(",
        1,
        "read again from a body that may have changed",
    ),
    (
        "http_send_mail/request.rs",
        "unwrap_or(",
        1,
        "an entry was noted while one of the lists was read",
    ),
    (
        "wire/entries.rs",
        "unwrap_or_default(",
        1,
        "read again from a body that may have changed",
    ),
    (
        "wire/json/text.rs",
        "unwrap_or_default(",
        2,
        "read again from a body that may have changed",
    ),
    // Indices by the position of a field, whose arrays have one place for each.
    (
        "http_send_mail/body.rs",
        "unwrap_or_default(",
        1,
        "there is a place for each field",
    ),
    (
        "send_mailer/body.rs",
        "unwrap_or_default(",
        1,
        "there is a place for each field",
    ),
];

/// Rooms that have their own list.
const APART: &[&str] = &["text/links"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_test = path.to_str().unwrap().contains("tests");
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            found.push(path);
        }
    }
}

/// The code of a file, without its tests and comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
}

#[test]
fn what_could_hide_a_fault_stands_where_the_list_says_why_and_nowhere_else() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut found: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for file in files {
        let name = file
            .strip_prefix(&root)
            .unwrap()
            .to_str()
            .unwrap()
            .to_string();
        if APART.iter().any(|room| name.starts_with(room)) {
            continue;
        }
        let text = std::fs::read_to_string(&file).unwrap();
        for line in code(&text) {
            for method in METHODS {
                let count = line.matches(method).count();
                if count > 0 {
                    *found.entry((name.clone(), method)).or_default() += count;
                }
            }
        }
    }
    let allowed: BTreeMap<(String, &str), usize> = ALLOWED
        .iter()
        .map(|(file, method, count, _)| (((*file).to_string(), *method), *count))
        .collect();
    assert_eq!(allowed.len(), ALLOWED.len(), "a place is listed twice");
    assert!(ALLOWED.iter().all(|(.., reason)| !reason.is_empty()));
    assert_eq!(
        found, allowed,
        "use `?` up to a place that says `Fault`, or plain arithmetic; a rule of the domain is listed here with its reason"
    );
}
