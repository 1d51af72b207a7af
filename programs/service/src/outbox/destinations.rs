//! Counts the emails in flight to each domain that has a limit, and estimates when the domain can take more.

use std::collections::HashMap;
use std::num::NonZeroU16;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tokio::time::Instant;

use crate::mail::Delivery;
use crate::store::Domain;

/// The assumed time of an email to a domain, until the first one has ended.
const FIRST: Duration = Duration::from_secs(10);
/// The longest time after which an email that was given back is due again.
const LONGEST: Duration = Duration::from_secs(3600);

/// The limit of emails that are sent at once to each domain that a pattern matches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DomainLimit {
    /// The domains.
    pub domain: DomainPattern,
    /// The maximum number of emails that are sent at once to one of them.
    pub max_sends: NonZeroU16,
}

/// A pattern of domains. `shop.example` matches this domain, `*.example` matches all domains below `example`, and `*`
/// matches all domains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DomainPattern {
    /// This domain.
    One(Domain),
    /// All domains below this domain, but not the domain itself.
    Below(Domain),
    /// All domains.
    All,
}

impl DomainPattern {
    fn names(&self, domain: &str) -> bool {
        match self {
            Self::One(one) => one.as_str() == domain,
            Self::Below(parent) => domain
                .strip_suffix(parent.as_str())
                .is_some_and(|rest| rest.ends_with('.')),
            Self::All => true,
        }
    }
}

impl FromStr for DomainPattern {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let parse = |name: &str| {
            let plain = Some(name).filter(|name| !name.contains('*'));
            let domain = plain.and_then(|name| Domain::parse(name).ok());
            domain.ok_or_else(|| "expected a domain, *.domain or *".to_owned())
        };
        match text.strip_prefix("*.") {
            _ if text == "*" => Ok(Self::All),
            Some(parent) => parse(parent).map(Self::Below),
            None => parse(text).map(Self::One),
        }
    }
}

impl<'de> Deserialize<'de> for DomainPattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

impl Serialize for DomainPattern {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::One(domain) => serializer.serialize_str(domain.as_str()),
            Self::Below(parent) => serializer.collect_str(&format_args!("*.{}", parent.as_str())),
            Self::All => serializer.serialize_str("*"),
        }
    }
}

/// Returns the recipient's domain, or an empty text if the address is not valid.
pub(super) fn domain(delivery: &Delivery) -> String {
    let address = franking::address::parse(&delivery.to);
    address.map_or_else(|_| String::new(), |address| address.domain().into_owned())
}

/// The domains with a limit to which emails are being sent, or were sent a short while ago.
#[derive(Debug)]
pub(super) struct Destinations {
    limits: Vec<DomainLimit>,
    all: HashMap<String, Destination>,
}

#[derive(Debug)]
struct Destination {
    most: u16,
    sends: u16,
    /// The time that an email takes, as a moving average.
    takes: Duration,
    /// When the domain can take another email, after those that were given back.
    room_at: Instant,
}

impl Destinations {
    pub(super) fn new(limits: Vec<DomainLimit>) -> Self {
        Self {
            limits,
            all: HashMap::new(),
        }
    }

    /// Whether one more email may be sent to a domain.
    pub(super) fn has_room(&self, domain: &str) -> bool {
        let found = self.all.get(domain);
        found.is_none_or(|found| found.sends < found.most)
    }

    /// Counts an email that is being sent to a domain.
    pub(super) fn begin(&mut self, domain: &str) {
        let limit = self.limits.iter().find(|limit| limit.domain.names(domain));
        let Some(limit) = limit else {
            return;
        };
        let now = Instant::now();
        // A domain to which nothing is sent and for which nothing waits is forgotten.
        self.all.retain(|_, one| one.sends > 0 || one.room_at > now);
        let all = self.all.entry(domain.to_owned());
        let destination = all.or_insert_with(|| Destination {
            most: limit.max_sends.get(),
            sends: 0,
            takes: FIRST,
            room_at: now,
        });
        destination.sends = destination.sends.saturating_add(1);
    }

    /// Counts an email that has ended, and the time that it took.
    pub(super) fn end(&mut self, domain: &str, took: Duration) {
        if let Some(destination) = self.all.get_mut(domain) {
            destination.sends = destination.sends.saturating_sub(1);
            destination.takes = match destination.takes {
                FIRST => took,
                takes => (takes.saturating_mul(7).saturating_add(took)) / 8,
            };
        }
    }

    /// Returns the time after which the domain can take one more waiting email, after those for which this was called
    /// before.
    pub(super) fn room_after(&mut self, domain: &str) -> Duration {
        let now = Instant::now();
        let Some(destination) = self.all.get_mut(domain) else {
            return Duration::ZERO;
        };
        let after = destination.room_at.max(now + destination.takes) - now;
        let step = destination.takes / u32::from(destination.most.max(1));
        if after < LONGEST {
            destination.room_at = now + after + step;
        }
        after.min(LONGEST)
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    fn limit(domain: &str, most: u16) -> DomainLimit {
        DomainLimit {
            domain: domain.parse().unwrap(),
            max_sends: most.try_into().unwrap(),
        }
    }

    #[test]
    fn the_first_pattern_that_fits_limits_a_domain_and_others_have_no_limit() {
        let limits = vec![limit("a.mail.example", 1), limit("*.mail.example", 2)];
        let mut destinations = Destinations::new(limits);
        for (domain, most) in [
            ("a.mail.example", 1),
            ("b.mail.example", 2),
            ("c.b.mail.example", 2),
        ] {
            for _ in 0..most {
                assert!(destinations.has_room(domain));
                destinations.begin(domain);
            }
            assert!(!destinations.has_room(domain), "{domain}");
            destinations.end(domain, Duration::ZERO);
            assert!(destinations.has_room(domain), "{domain}");
        }
        for domain in ["mail.example", "xmail.example", ""] {
            for _ in 0..100 {
                destinations.begin(domain);
            }
            assert!(destinations.has_room(domain), "{domain}");
        }
        let mut all = Destinations::new(vec![limit("*", 1)]);
        all.begin("any.example");
        assert!(!all.has_room("any.example"));
    }

    #[test]
    fn what_is_out_of_the_way_comes_back_at_the_rate_at_which_the_domain_takes_it() {
        let mut destinations = Destinations::new(vec![limit("slow.example", 2)]);
        destinations.begin("slow.example");
        destinations.begin("slow.example");
        destinations.end("slow.example", Duration::from_secs(4));
        let after: Vec<Duration> = (0..1000)
            .map(|_| destinations.room_after("slow.example"))
            .collect();
        // Two emails at once that take four seconds each are one email every two seconds.
        let tenth = after.get(10).unwrap().as_secs_f64();
        assert!((23.0..25.0).contains(&tenth), "{tenth}");
        let last = after.last().unwrap().as_secs_f64();
        assert!((1990.0..2010.0).contains(&last), "{last}");
    }

    #[test]
    fn a_pattern_is_a_domain_or_all_below_one_or_all() {
        for text in ["shop.example", "*.example", "*"] {
            let pattern: DomainPattern = text.parse().unwrap();
            let json = serde_json::to_string(&pattern).unwrap();
            assert_eq!(json, format!("\"{text}\""));
        }
        for text in ["", "*.", "a*b.example", "**", "a b"] {
            assert!(text.parse::<DomainPattern>().is_err(), "{text}");
        }
        let unicode: DomainPattern = "B\u{fc}cher.example".parse().unwrap();
        assert!(unicode.names("xn--bcher-kva.example"));
    }
}
