//! The JSON form of a policy.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use serde::de::Error as _;
use serde::{Deserialize, Serialize};

use super::{Policy, PolicyBuilder, PolicyError};
use crate::debug::expected;
use crate::text::date::parse_day;
use crate::text::form::HtmlEncoding;

impl Serialize for Policy {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let settings = &*self.0;
        let pairs: Vec<(&str, &str)> = settings.placeholders.iter().collect();
        let mut out = serializer.serialize_struct("Policy", 12)?;
        out.serialize_field("max_requests", &settings.max_requests)?;
        out.serialize_field("max_bytes", &settings.max_bytes)?;
        out.serialize_field("max_attempts", &settings.max_attempts)?;
        out.serialize_field("today", &settings.today.map(|day| day.to_string()))?;
        out.serialize_field("batch", &settings.batch)?;
        out.serialize_field("empty_clears", &settings.empty_clears)?;
        out.serialize_field("html_encoding", settings.html_encoding.name())?;
        out.serialize_field("placeholders", &pairs)?;
        out.serialize_field("answer_values", &settings.answer_values)?;
        out.serialize_field("answer_status", &settings.answer_status)?;
        out.serialize_field("hidden_hosts", &settings.hidden_hosts)?;
        out.serialize_field("bare_domains", &settings.bare_domains)?;
        out.end()
    }
}

impl<'de> Deserialize<'de> for Policy {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        Self::from_value(&value).map_err(D::Error::custom)
    }
}

impl PolicyBuilder {
    pub(super) fn json_member(
        self,
        name: &str,
        value: &serde_json::Value,
    ) -> Result<Self, PolicyError> {
        fn read<T: for<'a> Deserialize<'a>>(
            key: &'static str,
            value: &serde_json::Value,
        ) -> Result<T, PolicyError> {
            T::deserialize(value).map_err(|error| PolicyError::new(key, expected(&error)))
        }
        if value.is_null() && KEYS.contains(&name) {
            return Ok(self);
        }
        Ok(match name {
            "max_requests" => self.max_requests(read("max_requests", value)?),
            "max_bytes" => self.max_bytes(read("max_bytes", value)?),
            "max_attempts" => self.max_attempts(read("max_attempts", value)?),
            "today" => {
                let text: String = read("today", value)?;
                let day = parse_day(&text).map_err(|error| PolicyError::new("today", error))?;
                self.today(Some(day))
            }
            "batch" => self.batch(read("batch", value)?),
            "empty_clears" => self.empty_clears(read("empty_clears", value)?),
            "html_encoding" => {
                let text: String = read("html_encoding", value)?;
                let setting = HtmlEncoding::from_name(&text);
                let unknown = || PolicyError::new("html_encoding", "give detect or always");
                self.html_encoding(setting.ok_or_else(unknown)?)
            }
            "placeholders" => {
                let pairs: Vec<(String, String)> = read("placeholders", value)?;
                self.placeholders(
                    pairs
                        .iter()
                        .map(|(open, close)| (open.as_str(), close.as_str())),
                )
            }
            "answer_values" => self.answer_values(read("answer_values", value)?),
            "answer_status" => self.answer_status(read("answer_status", value)?),
            "hidden_hosts" => self.hidden_hosts(read("hidden_hosts", value)?),
            "bare_domains" => self.bare_domains(read("bare_domains", value)?),
            unknown => {
                let known = KEYS.join(", ");
                let reason = alloc::format!("there is no setting {unknown:?}; known are {known}");
                return Err(PolicyError::new("policy", reason));
            }
        })
    }
}

const KEYS: [&str; 12] = [
    "max_requests",
    "max_bytes",
    "max_attempts",
    "today",
    "batch",
    "empty_clears",
    "html_encoding",
    "placeholders",
    "answer_values",
    "answer_status",
    "hidden_hosts",
    "bare_domains",
];
