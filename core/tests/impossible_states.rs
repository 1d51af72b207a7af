//! An impossible state must not turn into a plausible number. Saturating and wrapping arithmetic, and defaults, are allowed
//! only in the places that this list has, each with its reason.

use std::path::{Path, PathBuf};

/// The methods that could hide a fault.
const METHODS: [&str; 9] = [
    "saturating_",
    "wrapping_",
    "overflowing_",
    "unwrap_or_default(",
    "unwrap_or(",
    "unwrap_or_else(",
    "map_or(0",
    "map_or(\"",
    "Default::default()",
];

/// The file, the places in it, and why they do not hide a fault. A place is a part of the code without line breaks. Where the
/// same code is there twice, the list has it twice.
const ALLOWED: &[(&str, &[&str], &str)] = &[
    // Rules of the domain.
    (
        "account.rs",
        &["u64::try_from(credit).unwrap_or(0)"],
        "a credit below zero is none",
    ),
    (
        "call.rs",
        &["asked.unwrap_or_else(|| Step::Done(self.ended()))"],
        "a call that asks nothing has ended, and `ended` says with what",
    ),
    (
        "check/order.rs",
        &["_ => Default::default()"],
        "the compiler has seen an arm for each rule of the level; a rule of another level is not broken at this one",
    ),
    (
        "compose/requests.rs",
        &["api_key.unwrap_or(Node::Null)"],
        "a key that is not there is null, and refused as such",
    ),
    (
        "facts/subscribers.rs",
        &["u32::try_from(self.emails.len()).unwrap_or(0)"],
        "beyond 4 GB an address reads as empty, which is a misuse where it is used",
    ),
    (
        "facts/subscribers.rs",
        &[
            "self.rows.get(row).map_or(0, |row| row.email_end as usize)",
            "index.checked_sub(1).map_or(0, end)",
        ],
        "the first address starts at 0, and a row that is not there has an empty one",
    ),
    (
        "facts/mailers.rs",
        &["mailer.from_name.unwrap_or_default()"],
        "a name that is not there takes no text",
    ),
    (
        "facts.rs",
        &[r#"texts.get(place).unwrap_or("")"#],
        "an empty address is a misuse where it is used",
    ),
    (
        "http_send_mail/partial.rs",
        &["self.checked.first.unwrap_or(first)"],
        "a violation of phase 4 comes first",
    ),
    (
        "json/answers.rs",
        &["transaction_id.as_u64().unwrap_or(0)"],
        "a transaction id that is not a whole number is a misuse, as 0 is",
    ),
    (
        "memory.rs",
        &[
            "bytes.saturating_mul(8).saturating_add(2 << 20)",
            "memory_bound(bytes).saturating_mul(3)",
        ],
        "a bound above all memory does not limit anything",
    ),
    (
        "operation.rs",
        &["path.split(['?', '#']).next().unwrap_or(path)"],
        "a text that is not divided is its own first part",
    ),
    (
        "policy.rs",
        &["memory_bound(bytes).saturating_add(further.saturating_mul(REQUEST))"],
        "a bound of memory beyond what can be addressed is all that can be addressed",
    ),
    (
        "policy.rs",
        &["requests.saturating_sub(REQUESTS_IN_BOUND)"],
        "requests up to this number are in the bound",
    ),
    (
        "policy.rs",
        &["usize::try_from(self.max_requests()).unwrap_or(usize::MAX)"],
        "more requests than can be counted are more than any body has room for",
    ),
    (
        "preflight.rs",
        &[
            "violation.pointer();let length = violation.pointer.as_ref().map_or(0,",
            "self.pointer_bytes_left.saturating_sub(length)",
        ],
        "a violation without a pointer has none that takes room; the last pointer of a list may be longer than the room that is left",
    ),
    (
        "send_mailer/content.rs",
        &["self.text(Field::ListName, sent).unwrap_or(DEFAULT_LIST)"],
        "a call that does not name a list uses the default list",
    ),
    (
        "send_mailer/personalization.rs",
        &["text.unwrap_or_default()"],
        "a field to be cleared has no text",
    ),
    (
        "serialize.rs",
        &[
            "serde_json::to_string(form).unwrap_or_default()",
            "serde_json::to_value(form).unwrap_or_default()",
        ],
        "every reader rejects an empty text and null",
    ),
    (
        "text/address/list.rs",
        &["memchr::memchr(b',', rest).unwrap_or(rest.len())"],
        "the last entry ends with the list",
    ),
    (
        "text/domain_set.rs",
        &["entry.split(END).next().unwrap_or(entry)"],
        "a text that is not divided is its own first part",
    ),
    (
        "text/form.rs",
        &["pieces().map(str::len).sum::<usize>().saturating_add(1)"],
        "asking for more memory than can be addressed fails, and that is reported",
    ),
    (
        "transcript.rs",
        &[r#"members.remove("decision").unwrap_or(Value::Null)"#],
        "a call that was not decided is written as null",
    ),
    (
        "violation.rs",
        &[".unwrap_or(Code::UNEXPLAINED)"],
        "`check/order.rs` stops the build where a rule is judged that has no code there",
    ),
    (
        "violation.rs",
        &["self.remedy_of_kind().unwrap_or(remedy)"],
        "a field without a remedy of its own has the rule's",
    ),
    (
        "warning/names.rs",
        &["row.get(right.len()).copied().unwrap_or(usize::MAX)"],
        "names that are too far apart may have any large distance",
    ),
    (
        "wire/answer.rs",
        &[r#"code.meaning(operation).unwrap_or("Error")"#],
        "a code without a meaning is an error",
    ),
    (
        "wire/entries.rs",
        &["end.saturating_sub(self.offset)"],
        "an entry that ends before a list has all of the list after it",
    ),
    // There is nothing after the end.
    (
        "bytes/mod.rs",
        &["items.get(at..).unwrap_or_default()"],
        "after the end of the items there are none",
    ),
    (
        "http_send_mail/recipients.rs",
        &["offset.unwrap_or(u32::MAX)"],
        "a missing entry is after the end of every body, where no text is taken from",
    ),
    (
        "http_send_mail/recipients.rs",
        &["self.numbers.get(entry as usize).copied().unwrap_or(entry)"],
        "if entries are not numbered, no address is repeated, and each entry has its own number",
    ),
    // Bits and hashes: every number is possible.
    (
        "text/address/window.rs",
        &[
            "i8::MIN.wrapping_sub(first.cast_signed())",
            "i8::MIN.wrapping_add(count)",
            "other &= other.wrapping_sub(1)",
            "let after_at = other & other.wrapping_sub(1)",
            "after_at & after_at.wrapping_neg()",
            "end.wrapping_sub(1)",
            "at_bit.wrapping_sub(1)",
            "window.get(len.wrapping_sub(1))?",
        ],
        "bits of a window and signed bytes; the result is looked up by `get`",
    ),
    (
        "wire/field.rs",
        &[
            ".wrapping_add(length as u64).wrapping_mul(0xb7c2_2657_a6ab_6a41)",
            "ALL_LANES.wrapping_shl(length as u32 + 1)",
            "Self::spelled(name, length.wrapping_sub(1))?",
        ],
        "a hash, and lanes of a register; the result is compared with the name",
    ),
    (
        "wire/json/marks.rs",
        &[
            "backslashes.wrapping_add(starts & EVEN)",
            "backslashes.overflowing_add(starts & !EVEN)",
        ],
        "backslashes carry into the next bit, and into the next block",
    ),
    (
        "wire/json/marks.rs",
        &["at.wrapping_sub(self.start)"],
        "a missing block is not found by `get`",
    ),
    (
        "wire/json/members.rs",
        &[
            "open.wrapping_add(length)",
            "close.wrapping_add(2 + SPACES)",
            "open.wrapping_add(to_end.trailing_zeros())",
            "last.wrapping_add(1)",
            "end.wrapping_add(1 + SPACES)",
            "after_colon.wrapping_add(1)",
            r#"[b',', b'"', _] => Some(end.wrapping_add(1))"#,
            r#"[b',', b' ', b'"'] => Some(end.wrapping_add(2))"#,
            "!bits & bits.wrapping_sub(1)",
            "bits & bits.wrapping_sub(1)",
        ],
        "the fast path for members, tested against the slow one; the result is looked up by `get`",
    ),
    (
        "wire/json/text.rs",
        &[
            "to.wrapping_add(left)",
            "at.wrapping_add(plain)",
            "to.wrapping_add(plain)",
            "to.wrapping_add(written)",
            "at.wrapping_add(length)",
        ],
        "the fast path for escapes; the result is looked up by `get`",
    ),
    (
        "text/links/search.rs",
        &["ends.wrapping_sub(1)", "ends.wrapping_sub(1)"],
        "all bits below the lowest one; all bits if there is none",
    ),
    (
        "text/links/words.rs",
        &[
            "self.0.wrapping_mul(multiplier)",
            "((end & end.wrapping_neg()) >> 7).wrapping_sub(1)",
            "word.wrapping_sub(EACH * 0x40)",
            "word.wrapping_add(EACH)",
        ],
        "a hash, and lanes of a register",
    ),
    // Links: the end of a text, and signs that a text may lack.
    (
        "text/links/span.rs",
        &[
            "pub(super) fn of(self, text: &str) -> &str {text.get(self.range()).unwrap_or_default()",
            "pub(super) fn bytes(self, text: &[u8]) -> &[u8] {text.get(self.range()).unwrap_or_default()",
        ],
        "the end of a text is read like a character after which there is nothing",
    ),
    (
        "text/links/css/tokens.rs",
        &["good.unwrap_or(at)"],
        "a URL that is not bad is good up to its end",
    ),
    (
        "text/links/host.rs",
        &["end.unwrap_or(text.len())"],
        "what is not found ends with the text",
    ),
    (
        "text/links/host/name.rs",
        &[".find(|at| name.is_char_boundary(*at)).unwrap_or(name.len())"],
        "what is not found ends with the text",
    ),
    (
        "text/links/lists.rs",
        &["filter(|last| *last > end).unwrap_or(end)"],
        "without a later quote, the first one is the last",
    ),
    (
        "text/links/search.rs",
        &["find(html, at, quote).unwrap_or(html.len())"],
        "what is not found ends with the text",
    ),
    (
        "text/links/soup/hosts.rs",
        &["change.unwrap_or(bytes.len())"],
        "what is not found ends with the text",
    ),
    (
        "text/links/soup/style.rs",
        &["markup.unwrap_or(end)"],
        "what is not found ends with the text",
    ),
    (
        "text/links/soup/hosts.rs",
        &["next.unwrap_or(usize::MAX)"],
        "without a further change, none is before any place",
    ),
    (
        "text/links/host.rs",
        &[
            "text.split(ends).next().unwrap_or(text)",
            r#"rest.split_once('?').unwrap_or((rest, ""))"#,
            r#"field.split_once('=').unwrap_or((field, ""))"#,
        ],
        "a text that is not divided is its own first part",
    ),
    (
        "text/links/lists.rs",
        &["kind.split(|byte| *byte == b';').next().unwrap_or(kind)"],
        "a text that is not divided is its own first part",
    ),
    (
        "text/links/run.rs",
        &["rest.split(is_end).next().unwrap_or(rest)"],
        "a text that is not divided is its own first part",
    ),
    (
        "text/links/soup/data.rs",
        &["value.split(ends).next().unwrap_or(value)"],
        "a text that is not divided is its own first part",
    ),
    (
        "text/links/soup/hosts/addresses.rs",
        &["text.split(ends).next().unwrap_or(text)"],
        "a text that is not divided is its own first part",
    ),
    (
        "text/links/host/text.rs",
        &["memrchr(b'@', trimmed).map_or(0, |at| at + 1)"],
        "a text without the sign begins at its own beginning",
    ),
    (
        "text/links/soup/data.rs",
        &[r#"value.strip_prefix(b"\"").unwrap_or(value)"#],
        "a text without the sign begins at its own beginning",
    ),
    (
        "text/links/soup/hosts.rs",
        &["map_or(0, |last| last.end.min(since))"],
        "where nothing was read, nothing is alike",
    ),
    (
        "text/links/soup/hosts/ends.rs",
        &[".rposition(|byte| !is_trimmed(*byte));last.map_or(0, |last| last + 1)"],
        "a text of nothing but punctuation has nothing before it",
    ),
    (
        "text/links/soup/hosts/region.rs",
        &["user.map_or(0, |at| at + 1)"],
        "a text without the sign begins at its own beginning",
    ),
    (
        "text/links/soup/hosts/visit.rs",
        &["refused.unwrap_or(0)"],
        "a text without the sign begins at its own beginning",
    ),
    (
        "text/links/soup/style/beginning.rs",
        &[r#"memmem::rfind(comment, b"*/").map_or(0, |at| at + 2)"#],
        "a text without the sign begins at its own beginning",
    ),
    (
        "text/links/soup/words.rs",
        &[
            r#"label.strip_prefix(b"=").unwrap_or(label)"#,
            r#".or_else(|| label.strip_prefix(b"'")).unwrap_or(label)"#,
        ],
        "a text without the sign begins at its own beginning",
    ),
    (
        "text/links/soup/hosts.rs",
        &[
            "from.saturating_sub(LONGEST_SCHEME)",
            "begin.saturating_sub(LONGEST_SCHEME).max(from)",
            "begin.saturating_sub(LONGEST_SCHEME)",
        ],
        "a scheme before it has no more bytes than the text",
    ),
    (
        "text/links/soup/hosts/addresses.rs",
        &[r#"begin.saturating_sub(b"mailto:".len())"#],
        "a scheme before it has no more bytes than the text",
    ),
    (
        "text/links/soup/linked_data.rs",
        &[r#"rest[UNIT..].strip_prefix(b"\\").unwrap_or_default()"#],
        "without a backslash, there is no second code unit",
    ),
    (
        "text/links/soup/find.rs",
        &[
            ".find(|length| end >= *length && space_at(&text[end - length..end]) == *length).unwrap_or(0)",
        ],
        "no length is that of white space",
    ),
    // Links: what the standards say, and what is new or unknown.
    (
        "text/links/css/syntax.rs",
        &[r"value.unwrap_or('\u{fffd}')"],
        "the standards read U+FFFD for what is not a character",
    ),
    (
        "text/links/references.rs",
        &[r"one.unwrap_or('\u{fffd}')"],
        "the standards read U+FFFD for what is not a character",
    ),
    (
        "text/links/soup/linked_data.rs",
        &[r"pair.or(char::from_u32(unit.into())).unwrap_or('\u{fffd}')"],
        "the standards read U+FFFD for what is not a character",
    ),
    (
        "text/links/soup/texts.rs",
        &[r"value.unwrap_or('\u{fffd}')"],
        "the standards read U+FFFD for what is not a character",
    ),
    (
        "text/links/references.rs",
        &["code.saturating_mul(radix).saturating_add(digit)"],
        "a number that is too large for a character stays so",
    ),
    (
        "text/links/element.rs",
        &["WORDS.find(word, name).unwrap_or(Self::Ordinary)"],
        "a name without a meaning is that of an ordinary element",
    ),
    (
        "text/links/words.rs",
        &["Self::LENGTH.saturating_sub(length)"],
        "a longer name fills its word",
    ),
    (
        "text/links/soup/texts.rs",
        &["place.unwrap_or(byte)", "mark.copied().unwrap_or(*byte)"],
        "a byte that is no mark stays",
    ),
    (
        "text/links/soup/texts.rs",
        &["left.unwrap_or(text)"],
        "a text of which nothing is left out stays",
    ),
    (
        "text/links/soup.rs",
        &["changes.unwrap_or_default()"],
        "a text as written has no changes",
    ),
    (
        "text/links/soup.rs",
        &["left.unwrap_or(0)"],
        "what is used up is noted before, and 0 is left",
    ),
    (
        "text/links/soup/hosts/visit.rs",
        &["self.looked.get(&part).unwrap_or_else(|| {"],
        "it is found out where it is not known yet",
    ),
    (
        "text/links/soup/style.rs",
        &["known.unwrap_or_else(begun)"],
        "without a sheet to go on with, a new one",
    ),
    // Links: what `work::count` counts, in tests only.
    (
        "text/links/raw.rs",
        &["found.unwrap_or(tail.len())"],
        "without an end, all was looked at",
    ),
    (
        "text/links/scan/document.rs",
        &["found.unwrap_or(rest.len())"],
        "what is not found ends with the text",
    ),
    (
        "text/links/scan/document.rs",
        &["after.unwrap_or(bytes.len())"],
        "without an end, all was looked at",
    ),
    (
        "text/links/search.rs",
        &["length.unwrap_or(rest.len())"],
        "without an end, all was looked at",
    ),
    (
        "text/links/tokenizer.rs",
        &["found.unwrap_or(bytes.len())"],
        "without an end, all was looked at",
    ),
    // Read again from the body, in which it was found before.
    (
        "http_send_mail/questions.rs",
        &["key.unwrap_or_default()"],
        "each sender was read when the senders were numbered",
    ),
    (
        "http_send_mail/recipients/read.rs",
        &[
            "Some(address::parse(text).ok()?.match_key())).unwrap_or_default()",
            "found.unwrap_or(Entry {",
        ],
        "an entry that is not found again ends the call as a fault before anything is asked about it",
    ),
    (
        "wire/json/text.rs",
        &[
            "unescape_to(&mut text, 0, raw, 0..raw.len()).unwrap_or_default()",
            "String::from_utf8(text).unwrap_or_default()",
        ],
        "the string was found well-formed when it was read",
    ),
    // The item is there: it was stored together with what names it.
    (
        "http_send_mail/body.rs",
        &["self.values.get(field as usize).copied().unwrap_or_default()"],
        "there is a place for each field",
    ),
    (
        "http_send_mail/questions.rs",
        &["key.unwrap_or_default()"],
        "each distinct address has a first entry",
    ),
    (
        "send_mailer/body.rs",
        &["self.values.0.get(index).copied().unwrap_or_default()"],
        "there is a place for each field",
    ),
    (
        "text/domain_set.rs",
        &["entry.map_or(0, |entry| hash("],
        "each place is that of an entry",
    ),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if name.contains("tests") {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
        } else if name.ends_with(".rs") {
            found.push(path);
        }
    }
}

/// The code of a file, without comments and line breaks.
fn code(text: &str) -> String {
    assert!(
        !text.contains("mod tests {"),
        "the tests of a module are in a file of their own, and are not searched"
    );
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.starts_with("//")).collect()
}

#[test]
fn methods_that_could_hide_a_fault_are_only_where_the_list_says_why() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut faults = Vec::new();
    let mut listed = 0;
    for file in files {
        let name = file.strip_prefix(&root).unwrap().to_str().unwrap();
        let mut code = code(&std::fs::read_to_string(&file).unwrap());
        let of_file = ALLOWED.iter().filter(|(listed, ..)| *listed == name);
        for (_, places, reason) in of_file {
            assert!(!places.is_empty() && !reason.is_empty());
            listed += 1;
            for place in *places {
                assert!(METHODS.iter().any(|method| place.contains(method)));
                match code.find(place) {
                    // What is left of the code is searched for other places.
                    Some(at) => code.replace_range(at..at + place.len(), "~"),
                    None => faults.push(format!("{name} no longer has {place}")),
                }
            }
        }
        for method in METHODS {
            for (at, _) in code.match_indices(method) {
                let before = code.get(at.saturating_sub(60)..at).unwrap_or_default();
                faults.push(format!("{name} has {before}{method}, which is not listed"));
            }
        }
    }
    assert_eq!(listed, ALLOWED.len(), "a listed file is not there");
    assert!(
        faults.is_empty(),
        "use `?` up to a place that says `Fault`, or plain arithmetic; a rule of the domain is listed here with its reason:\n{}",
        faults.join("\n")
    );
}
