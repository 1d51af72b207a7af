//! Values of settings. Each is parsed at the place where it is given, so that an error knows the place.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use axum::http::Uri;
use axum::http::uri::Authority;
use franking::Policy;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::mail::secret_text;
use crate::store::Domain;

/// A number between two bounds, read alike from text and from TOML.
macro_rules! bounded {
    ($(#[$doc:meta])* $name:ident, $number:ty, $from:literal ..= $to:literal, $unit:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
        #[serde(transparent)]
        pub struct $name($number);

        impl $name {
            pub(super) const fn new(number: $number) -> Self {
                Self(number)
            }

            /// The number itself.
            #[must_use]
            pub const fn get(self) -> $number {
                self.0
            }

            fn parse(number: Option<u64>) -> Result<Self, String> {
                const LEAST: u64 = $from;
                const MOST: u64 = $to;
                number
                    .filter(|number| (LEAST..=MOST).contains(number))
                    .and_then(|number| <$number>::try_from(number).ok())
                    .map(Self)
                    .ok_or_else(|| format!("expected {LEAST} to {MOST}{}", $unit))
            }
        }

        impl FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> Result<Self, String> {
                Self::parse(text.parse().ok())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let number = i64::deserialize(deserializer)?;
                Self::parse(u64::try_from(number).ok()).map_err(serde::de::Error::custom)
            }
        }
    };
}

bounded!(
    /// A number of things.
    Count, usize, 1..=1_000_000, ""
);
bounded!(
    /// A length in bytes.
    Bytes, u64, 1..=17_179_869_184, " bytes"
);
bounded!(
    /// A time in seconds.
    Seconds, u64, 1..=86_400, " seconds"
);

bounded!(
    /// A time in hours.
    Hours, u64, 1..=720, " hours"
);

bounded!(
    /// A time in days.
    Days, u16, 1..=3_650, " days"
);

bounded!(
    /// The number of bounced emails after which a subscriber becomes INACTIVE; 0 means never.
    Bounces, u16, 0..=1_000, " bounces"
);

impl FromStr for Domain {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Self::parse(text).map_err(|error| error.to_string())
    }
}

impl<'de> Deserialize<'de> for Domain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

impl Serialize for Domain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_str().serialize(serializer)
    }
}

impl From<Hours> for Duration {
    fn from(hours: Hours) -> Self {
        Self::from_secs(hours.0.saturating_mul(3600))
    }
}

impl From<Seconds> for Duration {
    fn from(seconds: Seconds) -> Self {
        Self::from_secs(seconds.0)
    }
}

/// A name as in a `Host` header, without a port, in lower case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct HostName(String);

impl HostName {
    /// Whether the value of a `Host` header is this name, with any port.
    #[must_use]
    pub fn is(&self, header: &str) -> bool {
        Self::without_port(header).eq_ignore_ascii_case(&self.0)
    }

    /// The value of a `Host` header without its port.
    pub(crate) fn without_port(header: &str) -> &str {
        match header.rsplit_once(':') {
            // The colons of an IPv6 address are within its brackets.
            Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
            _ => header,
        }
    }

    /// The name.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// The name, or the address without its brackets.
    pub(super) fn without_brackets(&self) -> &str {
        let inner = self
            .0
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'));
        inner.unwrap_or(&self.0)
    }
}

impl FromStr for HostName {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let is_address = text.starts_with('[') && text.ends_with(']');
        let is_name = !text.is_empty()
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'));
        if is_name || is_address {
            Ok(Self(text.to_ascii_lowercase()))
        } else {
            Err("expected a host's name or address without scheme and port".into())
        }
    }
}

impl<'de> Deserialize<'de> for HostName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// The name of a header field (RFC 9110, section 5.1), in lower case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct FieldName(String);

impl FieldName {
    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for FieldName {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let name = axum::http::HeaderName::from_bytes(text.as_bytes());
        let name = name.map_err(|_| "expected the name of a header field".to_owned())?;
        Ok(Self(name.as_str().to_owned()))
    }
}

impl<'de> Deserialize<'de> for FieldName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// The name of a process: 1 to 255 visible characters of ASCII.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct InstanceName(String);

impl InstanceName {
    /// The host's name; `None` if it is not a valid name of a process.
    #[must_use]
    pub fn of_host() -> Option<Self> {
        let host = rustix::system::uname();
        host.nodename().to_str().ok()?.parse().ok()
    }

    /// The name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for InstanceName {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let fits = (1..=255).contains(&text.len());
        match fits && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            true => Ok(Self(text.to_owned())),
            false => Err("expected 1 to 255 visible ASCII characters".into()),
        }
    }
}

impl<'de> Deserialize<'de> for InstanceName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// The URL of a database. It may hold a password, so `Debug` shows nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Url(String);

impl Url {
    /// The URL itself, a secret.
    #[must_use]
    pub fn secret(&self) -> &str {
        &self.0
    }

    pub(super) fn is_postgres(&self) -> bool {
        self.0.parse::<tokio_postgres::Config>().is_ok()
    }
}

impl FromStr for Url {
    type Err = std::convert::Infallible;
    /// Takes any text: an error from here would be shown together with the text, which may hold a password.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for Url {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        secret_text(deserializer).map(Self)
    }
}

impl fmt::Debug for Url {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Url")
    }
}

/// The beginning of links in emails: `https:` or `http:`, a host, and perhaps a path, without a slash at its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct BaseUrl(String);

impl BaseUrl {
    /// The URL, without a slash at its end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for BaseUrl {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        // A header line has to hold the URL with a token after it.
        const MOST: usize = 500;
        let uri = text.parse::<Uri>().ok();
        let fits = uri.is_some_and(|uri| {
            let host = uri.authority().map(Authority::as_str);
            matches!(uri.scheme_str(), Some("https" | "http"))
                && host.is_some_and(|host| !host.contains('@'))
                && uri.query().is_none()
        });
        // The characters at which a header or HTML would end a link.
        let ends =
            |c: char| matches!(c, '<' | '>' | '"' | '\'' | ',' | '#') || !c.is_ascii_graphic();
        match fits && text.len() <= MOST && !text.contains(ends) {
            true => Ok(Self(text.trim_end_matches('/').to_owned())),
            false => Err("expected https:// with a host and, if needed, a path: no user, no query, and at most 500 characters".into()),
        }
    }
}

impl<'de> Deserialize<'de> for BaseUrl {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(serde::de::Error::custom)
    }
}

/// How log lines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Where emails go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum TransportKind {
    /// To a mail server.
    Smtp,
    /// Into files.
    Maildir,
    /// Nowhere.
    None,
}

/// Serializes a policy without the fields that are not set, because TOML has no null.
pub(super) fn policy<S: Serializer>(policy: &Policy, serializer: S) -> Result<S::Ok, S::Error> {
    use serde::ser::Error as _;
    let mut value: serde_json::Value =
        serde_json::from_str(&policy.to_json()).map_err(S::Error::custom)?;
    if let Some(fields) = value.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    value.serialize(serializer)
}

#[cfg(test)]
mod tests {
    use super::BaseUrl;

    #[test]
    fn links_begin_with_a_scheme_a_host_and_perhaps_a_path() {
        for (text, expected) in [
            ("https://mail.shop.example", "https://mail.shop.example"),
            ("https://mail.shop.example/", "https://mail.shop.example"),
            ("http://127.0.0.1:8484/m/", "http://127.0.0.1:8484/m"),
        ] {
            let parsed = text.parse::<BaseUrl>();
            assert_eq!(parsed.as_ref().map(BaseUrl::as_str), Ok(expected), "{text}");
        }
        let long = format!("https://mail.shop.example/{}", "a".repeat(500));
        for text in [
            "",
            "mail.shop.example",
            "/m",
            "ftp://mail.shop.example",
            "https://user@mail.shop.example",
            "https://mail.shop.example/?a",
            "https://mail.shop.example/#a",
            "https://mail.shop.example/>",
            "https://mail.shop.example/a b",
            "https://mail.shop.example/\r\nX: y",
            &long,
        ] {
            assert!(text.parse::<BaseUrl>().is_err(), "{text}");
        }
    }
}
