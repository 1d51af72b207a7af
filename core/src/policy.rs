//! The settings of a host: limits, and choices that the interface leaves open. This file has every default.

use alloc::string::{String, ToString};
use alloc::sync::Arc;
use core::fmt;

use serde::{Deserialize, Serialize};

use crate::memory::memory_bound;
use crate::serialize::to_json;
use crate::text::date::Day;
use crate::text::form::HtmlEncoding;
use crate::text::placeholder::Pairs;
use crate::word::words;

words! {
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Batch "Whether a batch is accepted or refused as a whole."
    #[default]
    1 Whole "whole" "One violation refuses the whole call."
    2 Partial "partial" "A violation by one request or one recipient refuses only that one."
}

words! {
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum HiddenHosts "How HTML is treated in which any host could be hidden."
    #[default]
    0 Refuse "refuse" "It is refused with 413, by the rule html-host-hidden."
    1 Ask "ask" "The host is asked about computed.invalid, as about a host that the HTML leads to. HTML with more hosts than can be read is refused."
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

/// The settings of a host. They are checked once, when they are built. Cloning is cheap.
///
/// ```
/// use franking::{Batch, Policy};
/// let policy = Policy::builder().batch(Batch::Partial).max_attempts(5).build()?;
/// assert_eq!(policy.max_attempts(), 5);
/// assert_eq!(Policy::default().max_requests(), 1000);
/// # Ok::<(), franking::PolicyError>(())
/// ```
#[derive(Clone, Default, PartialEq)]
pub struct Policy(
    /// `None` for the default settings. Every call has a clone, and threads that share a reference count contend for its
    /// cache line, so the default settings have none.
    Option<Arc<Settings>>,
);

/// Passes every setting, with its type and default, to another macro.
macro_rules! settings {
    ($to:ident) => {
        $to! {
            /// The most requests that one httpSendMail call may carry, 1 to 2,147,483,647; default 1000 (interface,
            /// section 8). Above 4096, the memory that a call takes is bounded by [`Policy::memory_bound`].
            max_requests: u64 = 1000;
            /// The most bytes that the body of an httpSendMail call may have, 1 to 2,147,483,647; default 33,554,432
            /// (interface, section 8).
            max_bytes: u64 = 33_554_432;
            /// The number of plans of one call that are handed out before a conflict decides it, 1 to 2,147,483,647;
            /// default 3.
            max_attempts: u64 = 3;
            /// The host's current day. httpSendMail is retired when it is after the operation's last day; default none, so
            /// that the operation is never retired.
            today: Option<Day> = None;
            /// Whether a batch is accepted or refused as a whole; default [`Batch::Whole`].
            batch: Batch = Batch::Whole;
            /// Whether an empty string clears a stored personalization value; default `false`, so that it counts as absent.
            empty_clears: bool = false;
            /// Whether a `body` that was not URL-encoded is recognized; default [`HtmlEncoding::Detect`].
            html_encoding: HtmlEncoding = HtmlEncoding::Detect;
            /// How answers write numbers; default [`AnswerValues::Strings`].
            answer_values: AnswerValues = AnswerValues::Strings;
            /// What the status of an answer says; default [`AnswerStatus::Word`].
            answer_status: AnswerStatus = AnswerStatus::Word;
            /// How to treat HTML in which any host could be hidden; default [`HiddenHosts::Refuse`]. HTML with more hosts than
            /// can be read is refused in any case.
            hidden_hosts: HiddenHosts = HiddenHosts::Refuse;
            /// Whether a bare domain in text (`shop.example`) counts as a link, because many mail readers make it one;
            /// default `false`.
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

/// A getter of the policy for each setting.
macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $default:expr;)*) => {$(
        $(#[$doc])*
        #[must_use]
        pub fn $name(&self) -> $type {
            self.settings().$name
        }
    )*};
}

/// A setter of the builder for each setting.
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

// After the list of settings, from which it makes the members of the JSON form.
mod json;

impl Default for Settings {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The largest value of every limit. Offsets in a body are kept in 31 bits.
pub(crate) const MAX_BODY: u64 = 0x7fff_ffff;

/// The number of requests whose records fit into the 2 MiB of [`memory_bound`].
const REQUESTS_IN_BOUND: usize = 4096;

/// The size of the record of each further request, in bytes.
const REQUEST: usize = 512;
/// The length of the shortest entry of `requests`, in bytes: a digit and a comma.
const SHORTEST_REQUEST: usize = 2;

impl Policy {
    /// The most memory, in bytes, that deciding or checking a call takes at once under this policy. The body, which has
    /// `bytes` bytes, and the host's answers are not counted.
    ///
    /// Under a policy that allows 4,096 requests or fewer, as the interface does, this is [`memory_bound`]. A policy that
    /// allows more adds 512 bytes for each further request that fits into the body.
    #[must_use]
    pub fn memory_bound(&self, bytes: usize) -> usize {
        // More requests than a `usize` can count do not fit into any body.
        let allowed = usize::try_from(self.max_requests()).unwrap_or(usize::MAX);
        let requests = allowed.min(bytes / SHORTEST_REQUEST);
        let further = requests.saturating_sub(REQUESTS_IN_BOUND);
        memory_bound(bytes).saturating_add(further.saturating_mul(REQUEST))
    }
}

/// An invalid setting. No policy was built.
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

    /// The key of the setting in the JSON form; `policy` when the text is not a JSON object, or a key is unknown.
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

    /// Starts from the settings of this policy.
    #[must_use]
    pub fn to_builder(&self) -> PolicyBuilder {
        PolicyBuilder {
            settings: self.settings().clone(),
            error: None,
        }
    }

    /// Reads the JSON form: an object with any of the builder's settings as keys. `null` means the default.
    ///
    /// # Errors
    /// [`PolicyError`] when the text is not JSON, a key is unknown, or a value is invalid.
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

    #[inline]
    fn settings(&self) -> &Settings {
        static DEFAULT: Settings = Settings::DEFAULT;
        match &self.0 {
            Some(own) => own,
            None => &DEFAULT,
        }
    }

    settings!(getters);

    /// The pairs of marks that enclose a personalization placeholder.
    #[must_use]
    pub fn placeholders(&self) -> &Pairs {
        &self.settings().placeholders
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

/// Collects settings for a [`Policy`]. Each method replaces one setting.
#[derive(Clone, Debug, Default)]
pub struct PolicyBuilder {
    settings: Settings,
    error: Option<PolicyError>,
}

impl PolicyBuilder {
    settings!(setters);

    /// The pairs of marks that enclose a personalization placeholder: an opening and a closing mark, which may be equal.
    /// Without pairs, nothing is a placeholder. [`PolicyBuilder::build`] refuses a mark that is empty or only white space.
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
    /// [`PolicyError`] with the key of the setting that is invalid: a limit that is not 1 to 2,147,483,647, or placeholders
    /// with a blank mark.
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
        let is_default = self.settings == Settings::DEFAULT;
        Ok(Policy((!is_default).then(|| Arc::new(self.settings))))
    }
}

#[cfg(test)]
mod tests;
