//! The JSON form of a plan.

use serde::Serialize;

use super::{Object, Sequence, span};
use crate::operation::API_LIST;
use crate::plan::{Collapsed, Encoding, Message, NewSubscriber, Plan, Update};

object! { plan: Plan<'_> {
    "create": Sequence(|| plan.create()),
    "update": Sequence(|| plan.update()),
    "enlist": Sequence(|| plan.enlist().map(|id| Enlist { id, list: API_LIST })),
    "messages": Sequence(|| plan.messages()),
    "collapsed": Sequence(|| plan.collapsed()),
    "debit": plan.debit(),
}}

#[derive(Serialize)]
struct Enlist {
    id: u64,
    list: &'static str,
}

object! { created: NewSubscriber<'_> {
    "email": created.email(),
    "match_key": created.match_key(),
    "list": created.list(),
    "fields": Object(|| created.fields()),
}}

object! { update: Update<'_> {
    "id": update.id(),
    "fields": Object(|| update.fields()),
}}

object! { message: Message<'_> {
    "request": message.request(),
    "mailer": message.mailer(),
    "subject": message.subject(),
    "html": message.html(),
    "encoding": message.encoding().map(Encoding::name),
    "from": message.from(),
    "from_name": message.from_name(),
    "reply_to": message.reply_to(),
    "track_opens": message.track_opens(),
    "track_clicks": message.track_clicks(),
    "custom_field": message.custom_field(),
    "recipients": Sequence(|| message.recipients()),
}}

object! { collapsed: Collapsed<'_> {
    "request": collapsed.request(),
    "pointer": collapsed.pointer(),
    "span": span(Some(collapsed.span())),
    "to": collapsed.to(),
}}
