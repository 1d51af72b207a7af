//! The facts of a call: one statement, and for sendMailer one more in the same snapshot.

use deadpool_postgres::Pool;
use franking::DomainRoles;
use tokio_postgres::Row;

use super::failure::Doing as _;
use super::session::{Params, Session};
use crate::store::asked::Asked;
use crate::store::error::{Cause, StoreError};
use crate::store::identity::AccountId;
use crate::store::known::{Found, Known, MailerFact, SubscriberFact};

const DOING: &str = "looking facts up";
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

pub(super) async fn facts(
    pool: &Pool,
    account: AccountId,
    asked: &Asked,
) -> Result<Found, StoreError> {
    let session = Session::open(pool).await?;
    let found = look_up(&session, account, asked, asked.wants_addresses).await?;
    session.close();
    Ok(found)
}

/// Looks everything up: in a snapshot of its own where it takes two statements and `is_alone`, or else within the transaction
/// of the session.
pub(super) async fn look_up(
    session: &Session,
    account: AccountId,
    asked: &Asked,
    is_alone: bool,
) -> Result<Found, StoreError> {
    let begin = async {
        match is_alone {
            true => session.run(DOING, BEGIN).await,
            false => Ok(()),
        }
    };
    let end = async {
        match is_alone {
            true => session.run(DOING, "COMMIT").await,
            false => Ok(()),
        }
    };
    let domains: Vec<&str> = asked
        .domains
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    // The database stores no text with NUL, so that no list has such a name. NULL equals no name.
    let lists: Vec<Option<&str>> = asked
        .lists
        .iter()
        .map(|name| Some(name.as_str()).filter(|name| !name.contains('\0')))
        .collect();
    let sql = include_str!("sql/facts.sql");
    let params: Params<'_> = &[
        &account.0,
        &asked.mailers,
        &asked.senders,
        &asked.subscriber_ids,
        &asked.subscribers,
        &lists,
        &domains,
        &asked.wants_addresses,
    ];
    // What is joined goes out together.
    let ((), rows) = tokio::try_join!(biased; begin, session.query(DOING, sql, params))?;
    let mut known = read(&rows)?;
    if asked.wants_addresses {
        let stored = known.stored_domains()?;
        let names: Params<'_> = &[&stored];
        let sql = include_str!("sql/blacklisted.sql");
        let (rows, ()) = tokio::try_join!(biased; session.query(DOING, sql, names), end)?;
        for row in &rows {
            known.stored.insert(
                row.try_get(0).doing(DOING)?,
                roles(row.try_get::<_, i16>(1).doing(DOING)?)?,
            );
        }
    }
    known.into_found(asked)
}

fn read(rows: &[Row]) -> Result<Known, StoreError> {
    let mut known = Known::default();
    for row in rows {
        read_row(row, &mut known)?;
    }
    Ok(known)
}

/// Puts a row where it belongs.
fn read_row(row: &Row, known: &mut Known) -> Result<(), StoreError> {
    let asked: i32 = row.try_get(0).doing(DOING)?;
    let place: i64 = row.try_get(1).doing(DOING)?;
    let place = usize::try_from(place)
        .ok()
        .and_then(|place| place.checked_sub(1))
        .ok_or_else(impossible)?;
    let subscriber = || {
        let read = || {
            Ok(SubscriberFact {
                id: row.try_get(2)?,
                email: row.try_get(3)?,
                inactive: row.try_get(5)?,
            })
        };
        read().doing(DOING)
    };
    match asked {
        0 => {
            let mailer = MailerFact {
                from: row.try_get(3).doing(DOING)?,
                from_name: row.try_get(4).doing(DOING)?,
                revision: row.try_get(2).doing(DOING)?,
            };
            known.mailers.insert(place, mailer);
        }
        1 => known.senders.push(place),
        2 => {
            known.subscriber_ids.insert(place, subscriber()?);
        }
        3 => {
            known.subscribers.insert(place, subscriber()?);
        }
        4 => known.lists.push(place),
        5 => {
            let bits: i64 = row.try_get(2).doing(DOING)?;
            known.domains.push((place, roles(bits)?));
        }
        _ => return Err(impossible()),
    }
    Ok(())
}

/// Roles as they are stored.
pub(super) fn roles(bits: impl TryInto<u8>) -> Result<DomainRoles, StoreError> {
    let bits = bits.try_into().map_err(|_| impossible())?;
    Ok(DomainRoles::from_bits(bits))
}

/// An answer of the database's that cannot be.
fn impossible() -> StoreError {
    StoreError::Failed(Cause::with_code(DOING, "an answer that cannot be"))
}
