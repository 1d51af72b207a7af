//! The rows of a plan, as its statements take them. There is one statement for each table, with all of its rows or a part of
//! them as JSON.

use std::iter::Peekable;

use rusqlite::{Connection, params};
use serde::Serialize;

use super::failure::Doing as _;
use crate::store::asked::to_signed;
use crate::store::error::{Cause, StoreError};
use crate::store::work::{Ids, Work};

/// A table that a plan has rows in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
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

impl Table {
    /// All tables, in the order in which they are written. Rows refer to rows of the tables before theirs.
    pub(super) const ALL: [Self; 7] = [
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
            Self::Contents => "contents",
            Self::Subscribers => "subscribers",
            Self::Fields => "subscriber_fields",
            Self::Members => "list_members",
            Self::Messages => "messages",
            Self::LeftOut => "left_out",
            Self::Deliveries => "deliveries",
        }
    }

    /// Returns the table with a name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|table| table.name() == name)
    }

    const fn doing(self) -> &'static str {
        match self {
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
            Self::Contents => include_str!("sql/insert_contents.sql"),
            Self::Subscribers => include_str!("sql/insert_subscribers.sql"),
            Self::Fields => include_str!("sql/insert_fields.sql"),
            Self::Members => include_str!("sql/insert_members.sql"),
            Self::Messages => include_str!("sql/insert_messages.sql"),
            Self::LeftOut => include_str!("sql/insert_left_out.sql"),
            Self::Deliveries => include_str!("sql/insert_deliveries.sql"),
        }
    }

    /// Inserts rows. Returns how many were not there before.
    pub(super) fn insert(self, connection: &Connection, rows: &str) -> Result<usize, StoreError> {
        let insert = || {
            let inserted = connection
                .prepare_cached(self.sql())?
                .execute(params![rows])?;
            if self == Self::Deliveries {
                // Their ids follow each other.
                let last = connection.last_insert_rowid();
                let before = last.saturating_sub(to_signed(inserted as u64));
                let mut queue = connection.prepare_cached(include_str!("sql/insert_queue.sql"))?;
                queue.execute(params![before])?;
            }
            Ok(inserted)
        };
        insert().doing(self.doing())
    }

    /// Returns the rows that a plan has in this table.
    pub(super) fn rows<'w>(
        self,
        work: &'w Work,
        ids: &'w Ids,
    ) -> Box<dyn Iterator<Item = Row> + Send + 'w> {
        let (call, account) = (to_signed(work.id.0), work.account.0);
        match self {
            Self::Contents => Box::new(work.contents.iter().map(|(hash, html)| {
                let hash = hex(hash);
                json(&(hash, html))
            })),
            Self::Subscribers => Box::new(
                work.create
                    .iter()
                    .zip(&ids.0)
                    .map(move |(new, id)| json(&(account, id, &new.match_key, &new.email))),
            ),
            Self::Fields => Box::new(
                work.fields()
                    .map(move |(who, name, value)| json(&(account, ids.of(who)?, name, value))),
            ),
            Self::Members => Box::new(
                work.members()
                    .map(move |(list, who)| json(&(account, list, ids.of(who)?))),
            ),
            Self::Messages => {
                let numbered = (0_i32..).zip(&work.messages);
                Box::new(numbered.map(move |(position, message)| {
                    let content = message.content.as_ref().map(|hash| hex(hash));
                    json(&(
                        call,
                        account,
                        position,
                        message.request,
                        message.mailer,
                        work.mailer_revision,
                        &message.subject,
                        content,
                        &message.from,
                        &message.from_name,
                        &message.reply_to,
                        &message.custom_field,
                        message.track_opens,
                        message.track_clicks,
                    ))
                }))
            }
            Self::LeftOut => {
                let numbered = (0_i32..).zip(&work.left_out);
                Box::new(numbered.map(move |(position, one)| {
                    let (start, stop) = one.span.unzip();
                    json(&(
                        call,
                        position,
                        one.request,
                        &one.pointer,
                        start,
                        stop,
                        one.rule,
                    ))
                }))
            }
            Self::Deliveries => Box::new(work.deliveries.iter().map(move |one| {
                let (subscriber, mailer) = (ids.of(one.subscriber)?, work.mailer_of(one));
                json(&(
                    call,
                    account,
                    one.message,
                    subscriber,
                    &one.to,
                    one.role,
                    mailer,
                ))
            })),
        }
    }
}

/// Rows of one table.
pub(super) struct Part {
    pub(super) rows: String,
    pub(super) count: usize,
}

/// Takes the next rows: at most `most` of them, and none after the one with which they reach `bytes` bytes. Returns `None`
/// if there are none.
pub(super) fn part(
    rows: &mut Peekable<impl Iterator<Item = Row>>,
    most: usize,
    bytes: usize,
) -> Result<Option<Part>, StoreError> {
    if rows.peek().is_none() {
        return Ok(None);
    }
    let mut part = Part {
        rows: "[".to_owned(),
        count: 0,
    };
    while part.count < most
        && part.rows.len() < bytes
        && let Some(row) = rows.next()
    {
        if part.count > 0 {
            part.rows.push(',');
        }
        part.rows.push_str(&row?);
        part.count = part.count.saturating_add(1);
    }
    part.rows.push(']');
    Ok(Some(part))
}

fn json(row: &impl Serialize) -> Row {
    let failed = |_| StoreError::Failed(Cause::new("writing a row as JSON"));
    serde_json::to_string(row).map_err(failed)
}

/// Writes bytes as SQLite's `unhex` takes them.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_all_rows_in_their_order_and_none_is_much_larger_than_asked()
    -> Result<(), StoreError> {
        let mut rows = (0..1000).map(|row| json(&[row])).peekable();
        let (mut all, mut parts) = (Vec::new(), 0);
        while let Some(part) = part(&mut rows, 64, 100)? {
            let read: Vec<[i32; 1]> = serde_json::from_str(&part.rows).unwrap_or_default();
            assert_eq!(read.len(), part.count);
            assert!(part.rows.len() < 110);
            all.extend(read);
            parts += 1;
        }
        assert!(all.iter().map(|row| row[0]).eq(0..1000));
        assert!(parts > 40);
        Ok(())
    }

    #[test]
    fn a_table_is_found_by_its_name() {
        for table in Table::ALL {
            assert_eq!(Table::named(table.name()), Some(table));
        }
        assert_eq!(Table::named("calls"), None);
    }
}
