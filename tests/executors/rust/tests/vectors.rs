//! The vectors, run in this process, so that a debugger, a measurement of coverage and mutation testing can look into it.
//!
//! `FRANKING_WITHOUT=subject,...` leaves out files. The test stops after a few differences; `tests/conformance.py` shows
//! all.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop"
)]

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};

const SHOWN: usize = 5;

struct Vector {
    name: String,
    line: Vec<u8>,
    expect: Value,
}

/// The value with its recipes expanded (tests/vectors/README.md). Matchers stay as they are.
fn expand(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(expand).collect(),
        Value::Object(members) => match recipe(members) {
            Some(("$parts", parts)) => parts.iter().map(repeat_text).collect::<String>().into(),
            Some(("$items", items)) => items.iter().flat_map(repeat_item).collect(),
            _ => members
                .iter()
                .map(|(key, value)| (key.clone(), expand(value)))
                .collect(),
        },
        _ => value.clone(),
    }
}

fn recipe(members: &Map<String, Value>) -> Option<(&str, &Vec<Value>)> {
    let (name, value) = members.iter().next()?;
    (members.len() == 1)
        .then_some(name.as_str())
        .zip(value.as_array())
}

fn repeat_text(part: &Value) -> String {
    let text = part[0].as_str().unwrap();
    let count = part[1].as_u64().unwrap();
    match part.get(2).and_then(Value::as_u64) {
        None => text.repeat(usize::try_from(count).unwrap()),
        Some(from) => (from..from + count)
            .map(|number| text.replace('#', &number.to_string()))
            .collect(),
    }
}

fn repeat_item(item: &Value) -> Vec<Value> {
    let value = expand(&item[0]);
    let count = item[1].as_u64().unwrap();
    (0..count).map(|index| numbered(&value, index)).collect()
}

fn numbered(value: &Value, index: u64) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| numbered(item, index)).collect(),
        Value::Object(members) if members.len() == 1 && members.contains_key("$number") => {
            (members["$number"].as_u64().unwrap() + index).into()
        }
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| (key.clone(), numbered(value, index)))
            .collect(),
        _ => value.clone(),
    }
}

/// The first place where an answer differs from the expected one.
fn difference(expected: &Value, got: &Value, place: &str) -> Option<String> {
    match (expected, got) {
        (Value::Object(expected), _) if expected.len() == 1 && expected.contains_key("$text") => {
            let wanted = expected["$text"].as_str().unwrap();
            let fits = got
                .as_str()
                .is_some_and(|got| !got.trim().is_empty() && got.contains(wanted));
            (!fits).then(|| format!("{place}: expected a text with {wanted:?}, got {got}"))
        }
        (Value::Object(expected), Value::Object(got)) => {
            if let Some(key) = got.keys().find(|key| !expected.contains_key(*key)) {
                return Some(format!("{place}/{key}: not expected"));
            }
            expected.iter().find_map(|(key, expected)| {
                let place = format!("{place}/{key}");
                match got.get(key) {
                    Some(got) => difference(expected, got, &place),
                    None => Some(format!("{place}: missing")),
                }
            })
        }
        (Value::Array(expected), Value::Array(got)) if expected.len() == got.len() => expected
            .iter()
            .zip(got)
            .enumerate()
            .find_map(|(index, (expected, got))| {
                difference(expected, got, &format!("{place}/{index}"))
            }),
        _ => (expected != got).then(|| format!("{place}: expected {expected}, got {got}")),
    }
}

fn load(without: &str) -> Vec<Vector> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors");
    let mut vectors = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let subject = path.file_stem().unwrap().to_string_lossy().into_owned();
        if without.split(',').any(|name| name == subject) {
            continue;
        }
        let content: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        for vector in content["cases"].as_array().unwrap() {
            let line = match vector["case"].get("$line") {
                Some(line) => expand(line).as_str().unwrap().as_bytes().to_vec(),
                None => serde_json::to_vec(&expand(&vector["case"])).unwrap(),
            };
            vectors.push(Vector {
                name: format!("{subject}: {}", vector["name"]),
                line,
                expect: expand(&vector["expect"]),
            });
        }
    }
    vectors
}

#[test]
fn every_vector_is_answered_as_expected() {
    let vectors = load(&std::env::var("FRANKING_WITHOUT").unwrap_or_default());
    assert!(vectors.len() > 4000);
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    let work = || {
        while let Some(vector) = vectors.get(next.fetch_add(1, Ordering::Relaxed)) {
            let got = franking_executor::answer(&vector.line);
            if let Some(why) = difference(&vector.expect, &got, "") {
                let mut wrong = wrong.lock().unwrap_or_else(PoisonError::into_inner);
                wrong.push(format!("{}: {why}", vector.name));
                if wrong.len() >= SHOWN {
                    next.store(vectors.len(), Ordering::Relaxed);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(
        wrong.is_empty(),
        "these differ, and perhaps more:\n{}",
        wrong.join("\n")
    );
}
