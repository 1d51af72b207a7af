//! The facts of a call, within a transaction: one statement for each column that is asked about.

use franking::DomainRoles;
use rusqlite::{Connection, Row, ToSql, params};
use serde_json::json;

use super::carry_out::{array, query};
use crate::store::asked::Asked;
use crate::store::error::StoreError;
use crate::store::identity::AccountId;
use crate::store::known::{Found, Known, MailerFact, SubscriberFact};

const DOING: &str = "looking facts up";

/// Looks everything up. The snapshot is the transaction's.
pub(super) fn facts(
    connection: &Connection,
    account: AccountId,
    asked: &Asked,
) -> Result<Found, StoreError> {
    let account = account.0;
    let numbers = |ids: &[i64]| array(ids.iter().map(|id| json!(id)));
    let texts = |texts: &[String]| array(texts.iter().map(|text| json!(text)));
    let mut known = Known::default();
    if !asked.mailers.is_empty() {
        let sql = include_str!("sql/facts_mailers.sql");
        let rows = each(
            connection,
            sql,
            params![account, numbers(&asked.mailers)],
            |row| {
                let mailer = MailerFact {
                    from: row.get(1)?,
                    from_name: row.get(2)?,
                    revision: row.get(3)?,
                };
                Ok((place(row)?, mailer))
            },
        )?;
        known.mailers = rows.into_iter().collect();
    }
    if !asked.senders.is_empty() {
        let sql = include_str!("sql/facts_senders.sql");
        known.senders = each(
            connection,
            sql,
            params![account, texts(&asked.senders)],
            place,
        )?;
    }
    let subscriber = |row: &Row<'_>| {
        let subscriber = SubscriberFact {
            id: row.get(1)?,
            email: match asked.wants_addresses {
                true => Some(row.get(2)?),
                false => None,
            },
            inactive: row.get(3)?,
        };
        Ok((place(row)?, subscriber))
    };
    if !asked.subscriber_ids.is_empty() {
        let sql = include_str!("sql/facts_subscriber_ids.sql");
        let ids = numbers(&asked.subscriber_ids);
        let params = params![account, ids, asked.mailer()];
        let rows = each(connection, sql, params, subscriber)?;
        known.subscriber_ids = rows.into_iter().collect();
    }
    if !asked.subscribers.is_empty() {
        let sql = include_str!("sql/facts_subscribers.sql");
        let keys = texts(&asked.subscribers);
        let params = params![account, keys, asked.mailer()];
        let rows = each(connection, sql, params, subscriber)?;
        known.subscribers = rows.into_iter().collect();
    }
    if !asked.lists.is_empty() {
        let sql = include_str!("sql/facts_lists.sql");
        known.lists = each(
            connection,
            sql,
            params![account, texts(&asked.lists)],
            place,
        )?;
    }
    if !asked.domains.is_empty() {
        let names = array(asked.domains.iter().map(|(name, _)| json!(name)));
        known.domains = blacklisted(connection, &names)?;
    }
    let stored = known.stored_domains()?;
    if !stored.is_empty() {
        let rows = blacklisted(connection, &texts(&stored))?;
        let named = rows
            .into_iter()
            .filter_map(|(place, roles)| Some((stored.get(place)?.clone(), roles)));
        known.stored = named.collect();
    }
    known.into_found(asked)
}

/// Returns the blacklisted names, each by its position and with its roles.
fn blacklisted(
    connection: &Connection,
    names: &str,
) -> Result<Vec<(usize, DomainRoles)>, StoreError> {
    let sql = include_str!("sql/facts_domains.sql");
    each(connection, sql, params![names], |row| {
        Ok((place(row)?, DomainRoles::from_bits(row.get(1)?)))
    })
}

/// Returns the position of the question that a row answers.
fn place(row: &Row<'_>) -> rusqlite::Result<usize> {
    let place: i64 = row.get(0)?;
    usize::try_from(place).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(0, place))
}

fn each<T>(
    connection: &Connection,
    sql: &str,
    params: &[&dyn ToSql],
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, StoreError> {
    query(connection, DOING, sql, params, read)
}
