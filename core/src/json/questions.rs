//! The JSON form of the questions: columns, each member once.

use alloc::borrow::Cow;

use serde::Serialize;
use serde::ser::SerializeMap;

use super::Sequence;
use crate::questions::Questions;
use crate::roles::DomainRoles;

impl Serialize for Questions<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(6))?;
        map.serialize_entry("mailers", &Sequence(|| self.mailers()))?;
        map.serialize_entry("senders", &Sequence(|| self.senders()))?;
        map.serialize_entry("subscriber_ids", &Sequence(|| self.subscriber_ids()))?;
        map.serialize_entry("subscribers", &Sequence(|| self.subscribers()))?;
        map.serialize_entry("lists", &Sequence(|| self.lists()))?;
        let domains = || {
            self.domains()
                .map(|(domain, roles)| Domain { domain, roles })
        };
        map.serialize_entry("domains", &Sequence(domains))?;
        map.end()
    }
}

#[derive(Serialize)]
struct Domain<'c> {
    domain: Cow<'c, str>,
    roles: DomainRoles,
}

impl Serialize for DomainRoles {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.names())
    }
}
