//! The texts of the vectors, from which new input is made.

use std::collections::BTreeSet;
use std::path::Path;

use franking::Operation;
use serde_json::Value;

use crate::rng::Rng;

/// Longer texts would take all the time.
const LONGEST: usize = 16_384;

/// The texts of the vectors, by their use.
#[derive(Debug, Default)]
pub(crate) struct Corpus {
    /// Bodies of calls.
    pub(crate) bodies: Vec<(Operation, Vec<u8>)>,
    /// HTML, body fields, addresses, days, answers.
    pub(crate) texts: Vec<String>,
    /// Policies, in JSON.
    pub(crate) policies: Vec<String>,
    /// Transcripts, in JSON.
    pub(crate) transcripts: Vec<String>,
    /// Fields for composing, in JSON.
    pub(crate) fields: Vec<(Operation, String)>,
}

impl Corpus {
    /// Reads the vectors in a folder.
    ///
    /// # Errors
    /// What could not be read.
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let mut corpus = Self::default();
        let mut policies = BTreeSet::new();
        let name = |error: &dyn ToString| format!("{}: {}", folder.display(), error.to_string());
        let entries = std::fs::read_dir(folder).map_err(|error| name(&error))?;
        let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths
            .iter()
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
        {
            let text = std::fs::read_to_string(path).map_err(|error| name(&error))?;
            let file: Value = serde_json::from_str(&text).map_err(|error| name(&error))?;
            let cases = file
                .get("cases")
                .and_then(Value::as_array)
                .ok_or_else(|| name(&"no cases"))?;
            for case in cases.iter().filter_map(|vector| vector.get("case")) {
                corpus.take(case, &mut policies);
            }
        }
        corpus.policies = policies.into_iter().collect();
        if corpus.bodies.is_empty() || corpus.texts.is_empty() {
            return Err(name(&"no vectors"));
        }
        Ok(corpus)
    }

    fn take(&mut self, case: &Value, policies: &mut BTreeSet<String>) {
        let text = |name: &str| {
            let text = case.get(name).and_then(Value::as_str);
            text.filter(|text| text.len() <= LONGEST)
        };
        let operation = text("operation").and_then(Operation::from_name);
        if let (Some(operation), Some(body)) = (operation, text("body")) {
            self.bodies.push((operation, body.as_bytes().to_vec()));
        }
        if let (Some(operation), Some(fields)) = (operation, case.get("fields")) {
            self.fields.push((operation, fields.to_string()));
        }
        self.texts.extend(
            ["text", "html", "domain"]
                .into_iter()
                .filter_map(text)
                .map(str::to_string),
        );
        policies.extend(case.get("policy").map(Value::to_string));
        self.transcripts.extend(
            case.get("transcript")
                .map(Value::to_string)
                .filter(|text| text.len() <= LONGEST),
        );
    }

    /// The bytes of a body or another text.
    pub(crate) fn any(&self, rng: &mut Rng) -> &[u8] {
        if rng.one_in(2) {
            return rng
                .pick(&self.texts)
                .map(String::as_bytes)
                .unwrap_or_default();
        }
        rng.pick(&self.bodies)
            .map(|(_, body)| &**body)
            .unwrap_or_default()
    }

    /// Some bytes, changed in a few places or joined with others.
    pub(crate) fn mutated(&self, rng: &mut Rng, bytes: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        let times = [0, 1, 1, 1, 2, 3, 8]
            .get(rng.below(7))
            .copied()
            .unwrap_or(1);
        for _ in 0..times {
            self.mutate(rng, &mut bytes);
        }
        bytes
    }

    fn mutate(&self, rng: &mut Rng, bytes: &mut Vec<u8>) {
        let start = rng.below(bytes.len().saturating_add(1));
        let longest = [1, 1, 2, 4, 16, 64, 1024]
            .get(rng.below(7))
            .copied()
            .unwrap_or(1);
        let length = rng.below(longest).saturating_add(1);
        let end = start.saturating_add(length).min(bytes.len());
        let piece: Vec<u8> = match rng.below(7) {
            0 => Vec::new(),
            1 => bytes
                .get(start..end)
                .unwrap_or_default()
                .repeat(rng.below(40).saturating_add(2)),
            2 => (0..length.min(4))
                .map(|_| rng.next().to_le_bytes()[0])
                .collect(),
            3 => {
                let flipped = 1_u8 << rng.below(8);
                let range = bytes.get(start..end.min(start.saturating_add(1)));
                range
                    .unwrap_or_default()
                    .iter()
                    .map(|byte| byte ^ flipped)
                    .collect()
            }
            4 | 5 => {
                let mut token = rng.pick(TOKENS).copied().unwrap_or_default().to_vec();
                token.extend(bytes.get(start..end).unwrap_or_default());
                token
            }
            _ => {
                let other = self.any(rng);
                let from = rng.below(other.len());
                let to = from
                    .saturating_add(rng.below(200).saturating_add(1))
                    .min(other.len());
                other.get(from..to).unwrap_or_default().to_vec()
            }
        };
        let replaced = if rng.one_in(3) {
            start..start
        } else {
            start..end
        };
        bytes.splice(replaced, piece);
    }

    /// A text, changed.
    pub(crate) fn text(&self, rng: &mut Rng) -> String {
        let bytes = self.any(rng).to_vec();
        String::from_utf8_lossy(&self.mutated(rng, &bytes)).into_owned()
    }
}

const TOKENS: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
    b"\\",
    b"\\u0000",
    b"\\ud83d\\ude00",
    b"\\ud800",
    b"null",
    b"true",
    b"-",
    b"0",
    b"1e999",
    b"9223372036854775808",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc3\xa9",
    b"\xe2\x80\xa8",
    b"%",
    b"%41",
    b"%FF",
    b"+",
    b" ",
    b"\n",
    b"\0",
    b"@",
    b".",
    b"..",
    b"@example.com",
    b"xn--",
    b"[::1]",
    b"<",
    b">",
    b"</",
    b"<!--",
    b"-->",
    b"<!--[if mso]>",
    b"<![endif]-->",
    b"<svg>",
    b"<style>",
    b"</style>",
    b"<a href=",
    b"url(",
    b"@import ",
    b"&#x2f;",
    b"&amp",
    b"http://",
    b"https:",
    b"//bad.example/",
    b"www.",
    b"mailto:",
    b"data:text/html,",
    b"<base href=",
    b"srcdoc=",
    b"\"to\":\"a@example.com\",",
    b"\"subID\":0,",
    b"\"apiKey\":\"\",",
    b"{{",
    b"}}",
    b"<table>",
    b"<template>",
    b"<select>",
    b"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
];
