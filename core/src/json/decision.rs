//! The JSON form of a decision.

use serde::Serialize;
use serde::ser::SerializeMap;

use super::{Sequence, Span};
use crate::code::Code;
use crate::decision::Decision;
use crate::operation::Deprecation;
use crate::violation::Violation;

impl Serialize for Decision<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let violation = self.violation();
        let violation = violation.as_ref();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", &self.code().map(Code::number))?;
        map.serialize_entry(
            "rule",
            &violation.map(|violation| violation.rule().identifier()),
        )?;
        map.serialize_entry("pointer", &violation.and_then(Violation::pointer))?;
        map.serialize_entry("span", &Span(violation.and_then(Violation::span)))?;
        map.serialize_entry("request", &violation.and_then(Violation::request))?;
        map.serialize_entry("response", &self.response())?;
        map.serialize_entry("plan", &self.plan())?;
        match self.failure() {
            None => map.serialize_entry("refused", &Sequence(|| self.refused().map(Refused)))?,
            Some(error) => {
                map.serialize_entry("refused", &())?;
                map.serialize_entry("error", error.name())?;
            }
        }
        map.serialize_entry("deprecation", &self.deprecation())?;
        map.serialize_entry("asked", &self.asked())?;
        map.end()
    }
}

/// A row of what a partial batch leaves out.
struct Refused<'c>(Violation<'c>);

impl Serialize for Refused<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(violation) = self;
        let mut map = serializer.serialize_map(Some(5))?;
        map.serialize_entry("request", &violation.request())?;
        map.serialize_entry("pointer", &violation.pointer())?;
        map.serialize_entry("span", &Span(violation.span()))?;
        map.serialize_entry("rule", violation.rule().identifier())?;
        map.serialize_entry("code", &violation.code().number())?;
        map.end()
    }
}

impl Serialize for Deprecation {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("last_day", self.last_day)?;
        map.serialize_entry("successor", self.successor)?;
        map.end()
    }
}
