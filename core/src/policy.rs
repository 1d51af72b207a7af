//! What a host may choose: limits and readings that the interface leaves open. Every default stands here, once.

mod json;

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::fmt;
use core::ops::Deref;

use serde::{Deserialize, Serialize};

use crate::memory::memory_bound;
use crate::text::date::Day;
use crate::text::form::HtmlEncoding;
use crate::text::placeholder::Pairs;
use crate::word::words;
use crate::written::to_json;

words! {
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Batch "Whether a call of many requests is accepted or refused as one."
    #[default]
    1 Whole "whole" "One violation refuses the whole call."
    2 Partial "partial" "A violation of one request, or of one recipient, refuses that one alone."
}

words! {
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum HiddenHosts "What becomes of HTML in which any host could be hidden."
    #[default]
    0 Refuse "refuse" "It is refused with 413, by the rule html-host-hidden."
    1 Ask "ask" "The host is asked about computed.invalid, as about a host that the HTML leads to."
}

words! {
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum AnswerValues "How an answer writes its code and its transaction id (interface, section 2.6: typed as strings, shown as numbers)."
    #[default]
    1 Strings "strings" "As strings: \"code\":\"200\"."
    2 Numbers "numbers" "As numbers: \"code\":200."
}

words! {
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum AnswerStatus "What the status of an answer says."
    #[default]
    1 Word "word" "Success or Error."
    2 Meaning "meaning" "The meaning of the code, as the interface's tables give it."
    3 Place "place" "The meaning, and for what the body alone shows also the place, as a JSON Pointer (RFC 6901)."
}

/// The settings of a host, checked when they are built and never at a call. Cloning is cheap.
///
/// ```
/// use franking::{Batch, Policy};
/// let policy = Policy::builder().batch(Batch::Partial).max_attempts(5).build()?;
/// assert_eq!(policy.max_attempts(), 5);
/// assert_eq!(Policy::default().max_requests(), 1000);
/// # Ok::<(), franking::PolicyError>(())
/// ```
#[derive(Clone, PartialEq)]
pub struct Policy(Shared);

/// Every call has a clone. One of the defaults counts no references: threads that share a count contend for its cache line.
#[derive(Clone)]
enum Shared {
    Default,
    Own(Arc<Settings>),
}

/// The settings, each with its type and default, as another macro takes them.
macro_rules! settings {
    ($to:ident) => {
        $to! {
            /// The most requests that one httpSendMail call may carry, 1 to 2,147,483,647; default 1000 (interface,
            /// section 8). Above 4096 they have a bound of memory of their own, [`Policy::memory_bound`].
            max_requests: u64 = 1000;
            /// The most bytes that the body of an httpSendMail call may have, 1 to 2,147,483,647; default 33,554,432
            /// (interface, section 8).
            max_bytes: u64 = 33_554_432;
            /// How often a plan is handed out for one call before a conflict becomes its answer, 1 to 2,147,483,647;
            /// default 3.
            max_attempts: u64 = 3;
            /// The host's day, by which httpSendMail is retired after its last day; default none: it is never retired.
            today: Option<Day> = None;
            /// Whether a batch stands or falls as one; default [`Batch::Whole`].
            batch: Batch = Batch::Whole;
            /// Whether an empty string clears a stored personalization value; default `false`: it means absent.
            empty_clears: bool = false;
            /// Whether a `body` that was sent plain is recognised; default [`HtmlEncoding::Detect`].
            html_encoding: HtmlEncoding = HtmlEncoding::Detect;
            /// How answers write numbers; default [`AnswerValues::Strings`].
            answer_values: AnswerValues = AnswerValues::Strings;
            /// What the status of an answer says; default [`AnswerStatus::Word`].
            answer_status: AnswerStatus = AnswerStatus::Word;
            /// What becomes of HTML in which any host could be hidden; default [`HiddenHosts::Refuse`].
            hidden_hosts: HiddenHosts = HiddenHosts::Refuse;
            /// Whether a bare domain in text (`shop.example`) counts as a link, which many mail readers make of it; default
            /// `false`.
            bare_domains: bool = false;
        }
    };
}

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $default:expr;)*) => {
        #[derive(Clone, Debug, PartialEq)]
        struct Settings {
            $($name: $type,)*
            placeholders: Pairs,
        }

        impl Settings {
            const DEFAULT: Self = Self {
                $($name: $default,)*
                placeholders: Pairs::DEFAULT,
            };
        }
    };
}

/// How a policy shows each.
macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $default:expr;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(&self) -> $type {
            self.0.$name
        }
    )*};
}

/// How a builder takes each.
macro_rules! setters {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $default:expr;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(mut self, value: $type) -> Self {
            self.settings.$name = value;
            self
        }
    )*};
}

settings!(fields);

impl Default for Settings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self(Shared::Default)
    }
}

impl Deref for Shared {
    type Target = Settings;

    #[inline]
    fn deref(&self) -> &Settings {
        static DEFAULT: Settings = Settings::DEFAULT;
        match self {
            Self::Default => &DEFAULT,
            Self::Own(settings) => settings,
        }
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// The largest `max_bytes` and `max_requests`: offsets in a body are kept in 31 bits.
pub(crate) const MAX_BODY: u64 = 0x7fff_ffff;

/// The records of this many requests fit into the 2 MiB of [`memory_bound`].
const FEW_REQUESTS: usize = 4096;

/// The bytes that are kept of each further request. The shortest request, a value of one digit and its comma, has two bytes.
const REQUEST: usize = 512;
const SHORTEST_REQUEST: usize = 2;

impl Policy {
    /// The most memory that deciding or checking a call takes at once under this policy, beside a body of this many bytes and
    /// beside what a host answers.
    ///
    /// This is [`memory_bound`] under a policy that allows 4,096 requests or fewer, as the interface does. Where a policy allows
    /// more, and the body has room for them, it is 512 bytes larger for each of them.
    #[must_use]
    pub fn memory_bound(&self, bytes: usize) -> usize {
        // More requests than can be counted are more than the body has room for.
        let allowed = usize::try_from(self.max_requests()).unwrap_or(usize::MAX);
        let requests = allowed.min(bytes / SHORTEST_REQUEST);
        let further = requests.saturating_sub(FEW_REQUESTS);
        memory_bound(bytes).saturating_add(further.saturating_mul(REQUEST))
    }
}

/// A setting that cannot be. Nothing was built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the policy's {key} cannot be used: {reason}")]
pub struct PolicyError {
    key: &'static str,
    reason: String,
}

impl PolicyError {
    fn new(key: &'static str, reason: impl ToString) -> Self {
        let reason = reason.to_string();
        Self { key, reason }
    }

    /// The key of the setting, as the JSON form spells it; `policy` when the whole is of the wrong form.
    #[must_use]
    pub fn key(&self) -> &'static str {
        self.key
    }
}

impl Policy {
    /// Starts from the defaults.
    #[must_use]
    pub fn builder() -> PolicyBuilder {
        PolicyBuilder::default()
    }

    /// Starts from these settings, for a policy that differs in some.
    #[must_use]
    pub fn to_builder(&self) -> PolicyBuilder {
        PolicyBuilder {
            settings: (*self.0).clone(),
            error: None,
        }
    }

    /// Reads the JSON form: an object with any of the keys that the builder has, `null` meaning the default.
    ///
    /// # Errors
    /// [`PolicyError`] that names the key when the text is not JSON, a key is unknown, or a value cannot be.
    pub fn from_json(text: &str) -> Result<Self, PolicyError> {
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|error| PolicyError::new("policy", error))?;
        Self::from_value(&value)
    }

    pub(crate) fn from_value(value: &serde_json::Value) -> Result<Self, PolicyError> {
        let serde_json::Value::Object(members) = value else {
            return Err(PolicyError::new("policy", "it is not a JSON object"));
        };
        let mut builder = Self::builder();
        for (name, value) in members {
            builder = builder.json_member(name, value)?;
        }
        builder.build()
    }

    settings!(getters);

    /// The marks between which a text is a personalization placeholder.
    #[must_use]
    pub fn placeholders(&self) -> &Pairs {
        &self.0.placeholders
    }

    /// The JSON form, with every key, as [`Policy::from_json`] reads it.
    #[must_use]
    pub fn to_json(&self) -> String {
        to_json(self)
    }
}

impl fmt::Debug for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Policy({})", self.to_json())
    }
}

/// Collects settings for a [`Policy`]. Each method takes the place of the default.
#[derive(Clone, Debug, Default)]
pub struct PolicyBuilder {
    settings: Settings,
    error: Option<PolicyError>,
}

impl PolicyBuilder {
    settings!(setters);

    /// See [`Policy::placeholders`]: pairs of an opening and a closing mark, which may be equal. No pairs: nothing is
    /// a placeholder. An empty mark is refused when the policy is built.
    #[must_use]
    pub fn placeholders<'a>(mut self, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        match Pairs::new(pairs) {
            Ok(pairs) => self.settings.placeholders = pairs,
            Err(error) => self.error = Some(PolicyError::new("placeholders", error)),
        }
        self
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// [`PolicyError`] that names the first setting that cannot be.
    pub fn build(self) -> Result<Policy, PolicyError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let limits = [
            ("max_requests", self.settings.max_requests),
            ("max_bytes", self.settings.max_bytes),
            ("max_attempts", self.settings.max_attempts),
        ];
        for (key, value) in limits {
            if value == 0 || value > MAX_BODY {
                let reason = "give a whole number from 1 to 2147483647";
                return Err(PolicyError::new(key, reason));
            }
        }
        Ok(Policy(if self.settings == Settings::DEFAULT {
            Shared::Default
        } else {
            Shared::Own(Arc::new(self.settings))
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::{Policy, Shared};

    #[test]
    fn a_policy_of_the_defaults_is_shared_however_it_was_made() {
        let from_json = Policy::from_json("{}").expect("no setting is wrong");
        let built = from_json.to_builder().build().expect("no setting is wrong");
        for policy in [Policy::default(), from_json, built] {
            assert!(matches!(policy.0, Shared::Default), "{policy:?}");
        }
    }

    #[test]
    fn a_policy_that_differs_keeps_its_own_settings() {
        let differs = Policy::builder().max_attempts(5).build();
        let differs = differs.expect("no setting is wrong");
        assert!(matches!(differs.0, Shared::Own(_)));
        assert_eq!(differs.max_attempts(), 5);
        assert_eq!(Policy::default().max_attempts(), 3);
        assert_ne!(differs, Policy::default());
    }
}
