//! An impossible state must not turn into a plausible number. Saturating and wrapping arithmetic, and defaults, are allowed
//! only in the places that this list has, each with its reason.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The methods that could hide a fault.
const METHODS: [&str; 5] = [
    "saturating_",
    "wrapping_",
    "overflowing_",
    "unwrap_or_default(",
    "unwrap_or(",
];

/// The file, the method, how often it is there, and why it does not hide a fault.
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
        "beyond 4 GB an address reads as empty, which is a misuse where it is used",
    ),
    (
        "facts/texts.rs",
        "unwrap_or(",
        1,
        "an empty address is a misuse where it is used",
    ),
    (
        "http_send_mail/partial.rs",
        "unwrap_or(",
        1,
        "a violation of phase 4 comes first",
    ),
    (
        "json/answers.rs",
        "unwrap_or(",
        1,
        "a transaction id that is not a whole number is a misuse, as 0 is",
    ),
    (
        "memory.rs",
        "saturating_",
        3,
        "a bound above all memory does not limit anything",
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
        "asking for more memory than can be addressed fails, and that is reported",
    ),
    (
        "preflight.rs",
        "saturating_",
        1,
        "the last pointer of a list may be longer than the room that is left",
    ),
    (
        "send_mailer/content.rs",
        "unwrap_or(",
        1,
        "a call that does not name a list uses the default list",
    ),
    (
        "send_mailer/personalization.rs",
        "unwrap_or_default(",
        1,
        "a field to be cleared has no text",
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
        "only rules that have a code are judged, a field without a remedy of its own has the rule's, and an element without \
         `>` or a space is all name",
    ),
    (
        "warning/names.rs",
        "unwrap_or(",
        1,
        "names that are too far apart may have any large distance",
    ),
    (
        "wire/entries.rs",
        "saturating_",
        1,
        "an entry that ends before a list has all of the list after it",
    ),
    (
        "wire/answer.rs",
        "unwrap_or(",
        1,
        "a code without a meaning is an error",
    ),
    (
        "serialize.rs",
        "unwrap_or_default(",
        2,
        "an empty text is not JSON, and every reader rejects it",
    ),
    // There is nothing after the end.
    (
        "bytes/bits.rs",
        "unwrap_or(",
        1,
        "after the last word there is no member",
    ),
    (
        "bytes/mod.rs",
        "unwrap_or_default(",
        2,
        "after the end of the items there are none",
    ),
    // Bits and hashes: every number is possible.
    (
        "send_mailer/personalization.rs",
        "wrapping_",
        3,
        "removes the lowest bit",
    ),
    (
        "text/address/window.rs",
        "wrapping_",
        8,
        "bits of a window and signed bytes; the result is looked up by `get`",
    ),
    (
        "wire/field.rs",
        "wrapping_",
        4,
        "a hash, and lanes of a register; the result is compared with the name",
    ),
    (
        "wire/json/marks.rs",
        "wrapping_",
        2,
        "backslashes carry into the next bit; a missing block is not found by `get`",
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
        "the fast path for members, tested against the slow one; the result is looked up by `get`",
    ),
    (
        "wire/json/text.rs",
        "wrapping_",
        5,
        "the fast path for escapes; the result is looked up by `get`",
    ),
    // The body may lend other bytes when it is read again. The call then ends where its questions or its plan are made.
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
        "a missing entry is after the end of every body",
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
    // Indices by field: the array has an item for each field.
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

/// Folders that have their own list.
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
fn methods_that_could_hide_a_fault_are_only_where_the_list_says_why() {
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
