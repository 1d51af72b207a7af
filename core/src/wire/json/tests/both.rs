//! Compares the reader with `serde_json`, on generated, mutated and cut JSON.
//!
//! The two differ by design: `serde_json` takes 127 levels and this reader 128, it refuses numbers that are too large for
//! a float, and it does not skip a byte-order mark. Repeated names are not an error for either.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use super::generated::{Random, mutate, object, value};
use super::*;
use crate::wire::repeats::Repeats;

/// A value as `serde_json` reads it, with every member of every object.
#[derive(Debug, PartialEq)]
enum Node {
    Scalar(serde_json::Value),
    Array(Vec<Node>),
    Object(Vec<(String, Node)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> core::result::Result<Self, D::Error> {
        struct Nodes;
        impl<'de> Visitor<'de> for Nodes {
            type Value = Node;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }
            fn visit_unit<E>(self) -> core::result::Result<Node, E> {
                Ok(Node::Scalar(serde_json::Value::Null))
            }
            fn visit_bool<E>(self, value: bool) -> core::result::Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_i64<E>(self, value: i64) -> core::result::Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_u64<E>(self, value: u64) -> core::result::Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_f64<E>(self, value: f64) -> core::result::Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_str<E>(self, value: &str) -> core::result::Result<Node, E> {
                Ok(Node::Scalar(value.into()))
            }
            fn visit_seq<A: SeqAccess<'de>>(
                self,
                mut access: A,
            ) -> core::result::Result<Node, A::Error> {
                let mut items = vec![];
                while let Some(item) = access.next_element()? {
                    items.push(item);
                }
                Ok(Node::Array(items))
            }
            fn visit_map<A: MapAccess<'de>>(
                self,
                mut access: A,
            ) -> core::result::Result<Node, A::Error> {
                let mut members = vec![];
                while let Some(member) = access.next_entry()? {
                    members.push(member);
                }
                Ok(Node::Object(members))
            }
        }
        deserializer.deserialize_any(Nodes)
    }
}

impl Node {
    /// The number of names that are repeated in an object, at any depth. Two spellings of a top-level field count as one
    /// name.
    fn repeated(&self, is_top: bool) -> usize {
        match self {
            Self::Scalar(_) => 0,
            Self::Array(items) => items.iter().map(|item| item.repeated(false)).sum(),
            Self::Object(members) => {
                let mut counts: BTreeMap<String, usize> = BTreeMap::new();
                for (name, _) in members {
                    let field = SendMailerField::find(name.as_bytes()).filter(|_| is_top);
                    let name = field.map_or(name.as_str(), |(field, _)| field.name());
                    *counts.entry(name.to_string()).or_default() += 1;
                }
                let own = counts.values().filter(|count| **count > 1).count();
                own + members
                    .iter()
                    .map(|(_, value)| value.repeated(false))
                    .sum::<usize>()
            }
        }
    }

    /// A field's first value that is not absent, else its first value; `None` when it has none.
    fn field(&self, field: SendMailerField) -> Option<&Self> {
        let Self::Object(members) = self else {
            return None;
        };
        let own = || {
            let own = members.iter().filter(move |(name, _)| {
                SendMailerField::find(name.as_bytes()).is_some_and(|(found, _)| found == field)
            });
            own.map(|(_, value)| value)
        };
        own()
            .find(|value| !value.is_absent())
            .or_else(|| own().next())
    }

    fn is_absent(&self) -> bool {
        match self {
            Self::Scalar(serde_json::Value::Null) => true,
            Self::Scalar(serde_json::Value::String(text)) => text.chars().all(char::is_whitespace),
            _ => false,
        }
    }
}

/// Reads both ways and compares. `false` when the two differ by design.
fn compare(text: &[u8]) -> bool {
    let ours = read(text);
    let theirs: core::result::Result<Node, _> = serde_json::from_slice(text);
    let about = || format!("{:?}\n{ours:?}\n{theirs:?}", String::from_utf8_lossy(text));
    let theirs = match &theirs {
        Ok(node @ Node::Object(_)) => node,
        Ok(_) => {
            assert_eq!(
                ours.as_ref().unwrap_err().reason,
                SyntaxReason::NotObject,
                "{}",
                about()
            );
            return true;
        }
        Err(error) => {
            let by_design = ["out of range", "recursion limit"];
            let message = error.to_string();
            if by_design.iter().any(|reason| message.contains(reason))
                || text.starts_with(b"\xef\xbb\xbf")
            {
                return false;
            }
            assert!(ours.is_err(), "{}", about());
            assert!(ours.as_ref().unwrap_err().at <= text.len(), "{}", about());
            return true;
        }
    };
    let Ok(body) = &ours else {
        panic!("refused: {}", about());
    };
    assert_eq!(body.repeats.len(), theirs.repeated(true), "{}", about());
    assert!(
        body.repeats.windows(2).all(|pair| pair[0] < pair[1]),
        "{}",
        about()
    );
    // The places of repetitions are those of values.
    for offset in &body.repeats {
        let mut reader = Reader::at(text, *offset as usize);
        reader.value(0, &mut Repeats::default()).unwrap();
    }
    let object: Node = serde_json::from_slice(&text[body.object.span()]).unwrap();
    assert_eq!(object, *theirs, "{}", about());
    for field in SendMailerField::ALL {
        let ours = body.get(*field);
        let theirs = theirs.field(*field);
        assert_eq!(ours.is_there(), theirs.is_some(), "{field:?} {}", about());
        let Some(theirs) = theirs else {
            continue;
        };
        assert_eq!(
            ours.is_absent(),
            theirs.is_absent(),
            "{field:?} {}",
            about()
        );
        let span = &text[ours.span()];
        let read: Node = serde_json::from_slice(span).unwrap();
        assert_eq!(read, *theirs, "{field:?} {}", about());
        let is_spaced = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\n' | b'\r' | b'\t'));
        assert!(
            !is_spaced(span.first()) && !is_spaced(span.last()),
            "{}",
            about()
        );
        match theirs {
            Node::Scalar(serde_json::Value::String(string)) if !ours.is_absent() => {
                assert_eq!(text_of(ours, text), Some(string.clone()), "{}", about());
            }
            Node::Scalar(serde_json::Value::Number(_)) => {
                // The number has exactly the digits as written.
                assert_eq!(text_of(ours, text).unwrap().as_bytes(), span, "{}", about());
            }
            _ => {}
        }
    }
    true
}

#[test]
fn generated_json_is_read_as_serde_json_reads_it() {
    let mut random = Random(1);
    let mut compared = 0;
    for _ in 0..8_000 {
        let mut text = String::new();
        object(&mut random, 4, &mut text);
        compared += usize::from(compare(text.as_bytes()));
    }
    assert!(compared > 7_900, "{compared}");
}

#[test]
fn mutated_json_is_accepted_or_refused_as_serde_json_does() {
    let mut random = Random(2);
    let (mut compared, mut accepted) = (0, 0);
    for _ in 0..40_000 {
        let mut text = String::new();
        object(&mut random, 2, &mut text);
        let mut text = text.into_bytes();
        mutate(&mut random, &mut text);
        compared += usize::from(compare(&text));
        accepted += usize::from(read(&text).is_ok());
    }
    assert!(compared > 39_000, "{compared}");
    assert!(accepted > 4_000 && accepted < 36_000, "{accepted}");
}

#[test]
fn anything_but_an_object_is_refused_as_such_or_for_its_syntax() {
    let mut random = Random(3);
    for _ in 0..4_000 {
        let mut text = String::new();
        value(&mut random, 2, &mut text);
        compare(text.as_bytes());
    }
}

#[test]
fn a_body_that_is_cut_off_anywhere_is_refused_within_it() {
    for escape in ["", r"\/", "é"] {
        let value = |index: usize| format!("{escape}{}", "x".repeat(index));
        let members = SendMailerField::ALL.iter().enumerate();
        let members =
            members.map(|(index, field)| format!(r#""{}":"{}""#, field.name(), value(index)));
        let body = format!("{{{}}}", members.collect::<Vec<_>>().join(","));
        assert!(body.len() > 1200 && compare(body.as_bytes()));
        for cut in 0..body.len() {
            assert!(compare(&body.as_bytes()[..cut]), "{cut}");
        }
    }
}
