//! Lists calls and emails for an operator, on SQLite.

use franking::Operation;
use rusqlite::{Connection, Row, ToSql, params};

use super::Sqlite;
use super::failure::Doing as _;
use super::reports::{row, rows};
use crate::store::asked::to_signed;
use crate::store::identity::{AccountId, CallId};
use crate::store::inspect::{
    Became, CallFilter, Deliveries, DeliveryFilter, Inspect, LOOKED_THROUGH, ListedCall,
    ListedDelivery, SearchEnd, Searched, ShownCall,
};
use crate::store::operator::{OperatorError, Reply};

const LISTING: &str = "listing calls and emails";

/// A statement about deliveries.
macro_rules! of_deliveries {
    ($sql:literal) => {
        concat!(
            include_str!("sql/select_deliveries.sql"),
            include_str!($sql)
        )
    };
}

impl Inspect for Sqlite {
    fn list_calls(
        &self,
        account: AccountId,
        filter: CallFilter,
        at_most: u32,
    ) -> Reply<Vec<ListedCall>> {
        self.readers.operators.read(move |connection| {
            let sql = include_str!("sql/list_calls.sql");
            let before = filter.before.map(|call| to_signed(call.number()));
            let (since, until) = (filter.since.unwrap_or(0), filter.until.unwrap_or(i64::MAX));
            let params = params![account.0, before, at_most, since, until];
            Ok(rows(connection, sql, params, read_call).doing(LISTING)?)
        })
    }

    fn show_call(&self, call: CallId) -> Reply<ShownCall> {
        self.readers.operators.read(move |connection| {
            let sql = include_str!("sql/show_call.sql");
            let params = params![to_signed(call.number())];
            let found = row(connection, sql, params, |row| {
                Ok(ShownCall {
                    call: read_call(row)?,
                    account: AccountId(row.get(5)?),
                    states: [row.get(6)?, row.get(7)?, row.get(8)?],
                    left_out: row.get(9)?,
                })
            });
            found.doing(LISTING)?.ok_or(OperatorError::NotFound("call"))
        })
    }

    fn deliveries(&self, which: Deliveries, at_most: u32) -> Reply<Vec<ListedDelivery>> {
        self.readers.operators.read(move |connection| {
            let last = |before: &Option<i64>| before.unwrap_or(i64::MAX);
            let (sql, given): (&str, Vec<Box<dyn ToSql>>) = match &which {
                Deliveries::OfCall(account, call, before) => (
                    of_deliveries!("sql/deliveries_of_call.sql"),
                    vec![
                        Box::new(account.0),
                        Box::new(to_signed(call.number())),
                        Box::new(last(before)),
                        Box::new(at_most),
                    ],
                ),
                Deliveries::OfRecipient(account, address, before) => (
                    of_deliveries!("sql/deliveries_of_recipient.sql"),
                    vec![
                        Box::new(account.0),
                        Box::new(address.match_key.clone()),
                        Box::new(last(before)),
                        Box::new(at_most),
                    ],
                ),
                Deliveries::Queued(account) => (
                    of_deliveries!("sql/deliveries_queued.sql"),
                    vec![Box::new(account.0), Box::new(at_most)],
                ),
                Deliveries::One(id) => (
                    of_deliveries!("sql/delivery_of_id.sql"),
                    vec![Box::new(*id)],
                ),
            };
            let params: Vec<&dyn ToSql> = given.iter().map(|value| &**value).collect();
            Ok(rows(connection, sql, &params, read_delivery).doing(LISTING)?)
        })
    }

    fn search(&self, account: AccountId, filter: DeliveryFilter, at_most: u32) -> Reply<Searched> {
        self.readers.operators.read(move |connection| {
            Ok(search(connection, account, &filter, at_most).doing(LISTING)?)
        })
    }

    fn became(&self, deliveries: Vec<i64>) -> Reply<Vec<Became>> {
        let deliveries = serde_json::json!(deliveries).to_string();
        self.readers.operators.read(move |connection| {
            let sql = include_str!("sql/events_of_deliveries.sql");
            let read = rows(connection, sql, params![deliveries], |row: &Row<'_>| {
                Ok(Became {
                    delivery: row.get(0)?,
                    kind: row.get(1)?,
                    status: row.get(2)?,
                    reason: row.get(3)?,
                    happened: row.get(4)?,
                })
            });
            Ok(read.doing(LISTING)?)
        })
    }
}

fn search(
    connection: &Connection,
    account: AccountId,
    filter: &DeliveryFilter,
    at_most: u32,
) -> rusqlite::Result<Searched> {
    let is_bounced = filter.is_bounced();
    let since = filter.since.unwrap_or(0);
    // The search covers what is before this time and number. With the number 0, nothing of that time is included.
    let mut newest: (i64, i64) = (filter.until.unwrap_or(i64::MAX), 0);
    if let Some(before) = filter.before {
        let sql = include_str!("sql/time_of_delivery.sql");
        let time = |row: &Row<'_>| row.get(usize::from(is_bounced));
        let Some(time) = row(connection, sql, params![before], time)? else {
            return Ok((Vec::new(), None));
        };
        newest = newest.min((time, before));
    }
    let (time, number) = newest;
    let domain = filter.domain.as_ref().map(|domain| &domain.0);
    let custom_field = &filter.custom_field;
    let (found, end) = if is_bounced {
        let sql = include_str!("sql/end_of_bounced.sql");
        let others = LOOKED_THROUGH - 1;
        let params = params![account.0, since, time, number, others];
        let end = row(connection, sql, params, |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
        let (first, last) = end.unwrap_or((since, 0));
        let sql = include_str!("sql/deliveries_bounced.sql");
        let params = params![
            account.0,
            first,
            time,
            number,
            last,
            domain,
            custom_field,
            at_most
        ];
        let found = rows(connection, sql, params, read_delivery)?;
        (found, end.map(|(_, last)| SearchEnd::Before(last)))
    } else {
        let end = end_of_search(connection, account, since, time)?;
        let end = end.filter(|end| *end > since);
        let sql = include_str!("sql/deliveries_such.sql");
        let params = params![
            account.0,
            end.unwrap_or(since),
            time,
            number,
            filter.state,
            domain,
            custom_field,
            at_most
        ];
        let found = rows(connection, sql, params, read_delivery)?;
        (found, end.map(SearchEnd::Until))
    };
    let is_full = found.len() >= at_most as usize;
    Ok((found, end.filter(|_| !is_full)))
}

/// Adds up the emails of an account's calls, from the newest before `until` back to `since`. Returns the time of the call with
/// which the sum reaches [`LOOKED_THROUGH`], in seconds since 1970. `None` if the sum stays below it.
fn end_of_search(
    connection: &Connection,
    account: AccountId,
    since: i64,
    until: i64,
) -> rusqlite::Result<Option<i64>> {
    let sql = include_str!("sql/calls_to_search.sql");
    let mut statement = connection.prepare_cached(sql)?;
    let mut calls = statement.query(params![account.0, since, until])?;
    let mut emails = 0_i64;
    while let Some(call) = calls.next()? {
        emails = emails.saturating_add(call.get(1)?);
        if emails >= i64::from(LOOKED_THROUGH) {
            return call.get(0).map(Some);
        }
    }
    Ok(None)
}

fn read_call(row: &Row<'_>) -> rusqlite::Result<ListedCall> {
    let (id, operation): (i64, String) = (row.get(0)?, row.get(2)?);
    let unknown = || rusqlite::Error::InvalidColumnName("operation".to_owned());
    Ok(ListedCall {
        id: CallId(id.unsigned_abs()),
        created: row.get(1)?,
        operation: Operation::from_name(&operation).ok_or_else(unknown)?,
        emails: row.get(3)?,
        subscribers: row.get(4)?,
    })
}

fn read_delivery(row: &Row<'_>) -> rusqlite::Result<ListedDelivery> {
    let call: i64 = row.get(2)?;
    Ok(ListedDelivery {
        id: row.get(0)?,
        account: AccountId(row.get(1)?),
        call: CallId(call.unsigned_abs()),
        created: row.get(3)?,
        recipient: row.get(4)?,
        from: row.get(5)?,
        mailer: row.get(6)?,
        custom_field: row.get(7)?,
        state: row.get(8)?,
        is_cancelled: row.get(9)?,
        attempts: row.get(10)?,
        due: row.get(11)?,
        ended: row.get(12)?,
        reason: row.get(13)?,
    })
}
