//! The JSON form of a plan.

use serde::Serialize;
use serde::ser::SerializeMap;

use super::{Object, Sequence, Span};
use crate::facts::Debit;
use crate::operation::API_LIST;
use crate::plan::{
    Collapsed, Encoding, Message, NewSubscriber, Plan, Recipient, RecipientRole, Update,
};

impl Serialize for Plan<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(6))?;
        map.serialize_entry("create", &Sequence(|| self.create()))?;
        map.serialize_entry("update", &Sequence(|| self.update()))?;
        map.serialize_entry(
            "enlist",
            &Sequence(|| self.enlist().map(|id| Enlist { id, list: API_LIST })),
        )?;
        map.serialize_entry("messages", &Sequence(|| self.messages()))?;
        map.serialize_entry("collapsed", &Sequence(|| self.collapsed()))?;
        map.serialize_entry("debit", &self.debit())?;
        map.end()
    }
}

#[derive(Serialize)]
struct Enlist {
    id: u64,
    list: &'static str,
}

impl Serialize for Debit {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("email", &self.email)?;
        map.serialize_entry("subscriber", &self.subscriber)?;
        map.end()
    }
}

impl Serialize for NewSubscriber<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("email", &self.email())?;
        map.serialize_entry("match_key", &self.match_key())?;
        map.serialize_entry("list", &self.list())?;
        map.serialize_entry("fields", &Object(|| self.fields()))?;
        map.end()
    }
}

impl Serialize for Update<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("id", &self.id())?;
        map.serialize_entry("fields", &Object(|| self.fields()))?;
        map.end()
    }
}

impl Serialize for Message<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(12))?;
        map.serialize_entry("request", &self.request())?;
        map.serialize_entry("mailer", &self.mailer())?;
        map.serialize_entry("subject", &self.subject())?;
        map.serialize_entry("html", &self.html())?;
        map.serialize_entry("encoding", &self.encoding().map(Encoding::name))?;
        map.serialize_entry("from", &self.from())?;
        map.serialize_entry("from_name", &self.from_name())?;
        map.serialize_entry("reply_to", &self.reply_to())?;
        map.serialize_entry("track_opens", &self.track_opens())?;
        map.serialize_entry("track_clicks", &self.track_clicks())?;
        map.serialize_entry("custom_field", &self.custom_field())?;
        map.serialize_entry("recipients", &Sequence(|| self.recipients()))?;
        map.end()
    }
}

impl Serialize for Recipient<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry("to", &self.to())?;
        map.serialize_entry("role", &self.role().map(RecipientRole::name))?;
        map.serialize_entry("subscriber", &self.subscriber())?;
        map.end()
    }
}

impl Serialize for Collapsed<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(4))?;
        map.serialize_entry("request", &self.request())?;
        map.serialize_entry("pointer", &self.pointer())?;
        map.serialize_entry("span", &Span(Some(self.span())))?;
        map.serialize_entry("to", &self.to())?;
        map.end()
    }
}
