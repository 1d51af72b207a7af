//! The rows of plans, as their statements take them. There is one statement for each table, with the rows of all plans or a
//! part of them as JSON.

use std::collections::BTreeMap;
use std::iter::once;

use rusqlite::{Connection, params};
use serde::Serialize;

use super::carry_out::execute;
use crate::hex;
use crate::store::asked::to_signed;
use crate::store::error::{Cause, StoreError};
use crate::store::group::Plan;

/// The number of bytes that a statement's rows may have. One row may have more.
pub(super) const BYTES: usize = 1 << 20;

/// A table that plans have rows in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    Calls,
    Idempotency,
    Lists,
    Contents,
    Subscribers,
    Fields,
    Members,
    Messages,
    LeftOut,
    Deliveries,
}

/// A row as JSON.
type Row = Result<String, StoreError>;
type Rows<'g> = Box<dyn Iterator<Item = Row> + Send + 'g>;

impl Table {
    /// The tables that say that a plan is accepted, in the order in which they are written.
    pub(super) const ACCEPTED: [Self; 3] = [Self::Calls, Self::Idempotency, Self::Lists];
    /// The other tables, which are written after these. Rows refer to rows of the tables before theirs.
    pub(super) const ROWS: [Self; 7] = [
        Self::Contents,
        Self::Subscribers,
        Self::Fields,
        Self::Members,
        Self::Messages,
        Self::LeftOut,
        Self::Deliveries,
    ];

    /// Its name in the database.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Idempotency => "idempotency",
            Self::Lists => "lists",
            Self::Contents => "contents",
            Self::Subscribers => "subscribers",
            Self::Fields => "subscriber_fields",
            Self::Members => "list_members",
            Self::Messages => "messages",
            Self::LeftOut => "left_out",
            Self::Deliveries => "deliveries",
        }
    }

    /// Returns the table of [`Table::ROWS`] with a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ROWS.into_iter().find(|table| table.name() == name)
    }

    const fn doing(self) -> &'static str {
        match self {
            Self::Calls => "inserting calls",
            Self::Idempotency => "inserting idempotency keys",
            Self::Lists => "inserting lists",
            Self::Contents => "inserting contents",
            Self::Subscribers => "inserting subscribers",
            Self::Fields => "inserting personalization",
            Self::Members => "inserting members of lists",
            Self::Messages => "inserting messages",
            Self::LeftOut => "inserting what was left out",
            Self::Deliveries => "inserting deliveries",
        }
    }

    const fn sql(self) -> &'static str {
        match self {
            Self::Calls => include_str!("sql/insert_calls.sql"),
            Self::Idempotency => include_str!("sql/insert_idempotency.sql"),
            Self::Lists => include_str!("sql/insert_lists.sql"),
            Self::Contents => include_str!("sql/insert_contents.sql"),
            Self::Subscribers => include_str!("sql/insert_subscribers.sql"),
            Self::Fields => include_str!("sql/insert_fields.sql"),
            Self::Members => include_str!("sql/insert_members.sql"),
            Self::Messages => include_str!("sql/insert_messages.sql"),
            Self::LeftOut => include_str!("sql/insert_left_out.sql"),
            Self::Deliveries => include_str!("sql/insert_deliveries.sql"),
        }
    }

    pub(super) fn insert(self, connection: &Connection, rows: &str) -> Result<(), StoreError> {
        let inserted = execute(connection, self.doing(), self.sql(), params![rows])?;
        if self == Self::Deliveries {
            // Their ids follow each other.
            let last = connection.last_insert_rowid();
            let before = last.saturating_sub(to_signed(inserted as u64));
            let sql = include_str!("sql/insert_queue.sql");
            execute(connection, "queueing deliveries", sql, params![before])?;
        }
        Ok(())
    }

    /// Returns the rows that plans have in this table.
    pub(super) fn rows<'g>(self, group: &'g [Plan<'g>]) -> Rows<'g> {
        match self {
            Self::Calls => each(group, |plan| {
                let work = plan.work;
                let (emails, subscribers) = (work.debit.email, work.debit.subscriber);
                let operation = work.operation.name();
                once(json(&(
                    plan.id(),
                    plan.account(),
                    operation,
                    emails,
                    subscribers,
                )))
            }),
            Self::Idempotency => each(group, |plan| {
                let records = plan.work.record.iter();
                records.map(|record| {
                    let (key, digest) = (record.hold.key.as_str(), hex::digits(&record.digest));
                    json(&(plan.account(), key, plan.id(), digest, &record.answer))
                })
            }),
            Self::Lists => each(group, |plan| {
                let made = plan.work.made_lists();
                made.map(|name| json(&(plan.account(), name)))
            }),
            Self::Contents => {
                // HTML that several plans send is written once.
                let plans = group.iter().flat_map(|plan| &plan.work.contents);
                let all: BTreeMap<&[u8; 32], &String> = plans.collect();
                let all = all.into_iter();
                Box::new(all.map(|(hash, html)| json(&(hex::digits(hash), html))))
            }
            Self::Subscribers => each(group, |plan| {
                let new = plan.work.create.iter().zip(&plan.ids.0);
                new.map(|(new, id)| json(&(plan.account(), id, &new.match_key, &new.email)))
            }),
            Self::Fields => each(group, |plan| {
                let fields = plan.work.fields();
                fields.map(|(who, name, value)| {
                    json(&(plan.account(), plan.ids.of(who)?, name, value))
                })
            }),
            Self::Members => each(group, |plan| {
                let members = plan.work.members();
                members.map(|(list, who)| json(&(plan.account(), list, plan.ids.of(who)?)))
            }),
            Self::Messages => each(group, |plan| {
                let numbered = (0_i32..).zip(&plan.work.messages);
                numbered.map(|(position, message)| {
                    json(&(
                        plan.id(),
                        plan.account(),
                        position,
                        message.request,
                        message.mailer,
                        &message.subject,
                        message.content.as_ref().map(hex::digits),
                        &message.from,
                        &message.from_name,
                        &message.reply_to,
                        &message.custom_field,
                        message.track_opens,
                        message.track_clicks,
                    ))
                })
            }),
            Self::LeftOut => each(group, |plan| {
                let numbered = (0_i32..).zip(&plan.work.left_out);
                numbered.map(|(position, one)| {
                    let (start, stop) = one.span.unzip();
                    json(&(
                        plan.id(),
                        position,
                        one.request,
                        &one.pointer,
                        start,
                        stop,
                        one.rule,
                    ))
                })
            }),
            Self::Deliveries => each(group, |plan| {
                plan.work.deliveries.iter().map(|one| {
                    json(&(
                        plan.id(),
                        plan.account(),
                        one.message,
                        plan.ids.of(one.subscriber)?,
                        &one.to,
                        one.role,
                        plan.work.mailer_of(one),
                    ))
                })
            }),
        }
    }
}

/// Collects the rows of plans.
fn each<'g, I>(group: &'g [Plan<'g>], rows: impl Fn(&'g Plan<'g>) -> I + Send + 'g) -> Rows<'g>
where
    I: Iterator<Item = Row> + Send + 'g,
{
    Box::new(group.iter().flat_map(rows))
}

/// Takes the next rows: at most `most` of them, up to the row with which they reach `bytes` bytes. Returns `None` if no row is
/// left.
pub(super) fn part(
    rows: &mut impl Iterator<Item = Row>,
    most: usize,
    bytes: usize,
) -> Result<Option<String>, StoreError> {
    let mut part = String::new();
    let mut count = 0_usize;
    while count < most
        && part.len() < bytes
        && let Some(row) = rows.next()
    {
        part.push(if count == 0 { '[' } else { ',' });
        part.push_str(&row?);
        count = count.saturating_add(1);
    }
    part.push(']');
    Ok((count > 0).then_some(part))
}

/// Writes a row, or several as an array, as JSON.
pub(super) fn json(row: &(impl Serialize + ?Sized)) -> Row {
    let failed = |_| StoreError::Failed(Cause::new("writing a row as JSON"));
    serde_json::to_string(row).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_rows_in_their_order_and_none_is_much_larger_than_asked()
    -> Result<(), StoreError> {
        let mut rows = (0..1000).map(|row| json(&[row]));
        let (mut all, mut parts) = (Vec::new(), 0);
        while let Some(part) = part(&mut rows, 64, 100)? {
            let read: Vec<[i32; 1]> = serde_json::from_str(&part).unwrap_or_default();
            assert!(!read.is_empty() && part.len() < 110);
            all.extend(read);
            parts += 1;
        }
        assert!(all.iter().map(|row| row[0]).eq(0..1000));
        assert!(parts > 40);
        Ok(())
    }

    #[test]
    fn a_table_is_found_by_its_name() {
        for table in Table::ROWS {
            assert_eq!(Table::named(table.name()), Some(table));
        }
        assert_eq!(Table::named("calls"), None);
    }
}
