//! The facts of a call: one statement, and for sendMailer one more in the same snapshot.

use deadpool_postgres::Pool;
use franking::DomainRoles;
use tokio_postgres::Row;

use super::failure::Doing as _;
use super::session::{Params, Session};
use super::slices::SLICE;
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
    let found = look_up(&session, account, asked, true).await?;
    session.close();
    Ok(found)
}

/// Looks everything up, a slice of each column at a time: in a snapshot of its own where it takes several statements and
/// `is_alone`, or else within the transaction of the session.
pub(super) async fn look_up(
    session: &Session,
    account: AccountId,
    asked: &Asked,
    is_alone: bool,
) -> Result<Found, StoreError> {
    let lengths = [
        asked.mailers.len(),
        asked.senders.len(),
        asked.subscriber_ids.len(),
        asked.subscribers.len(),
        asked.lists.len(),
        asked.domains.len(),
    ];
    let parts = lengths.map(|length| length.div_ceil(SLICE));
    let parts = parts.into_iter().max().unwrap_or(0).max(1);
    let has_snapshot = is_alone && (asked.wants_addresses || parts > 1);
    let run = async |statement| match has_snapshot {
        true => session.run(DOING, statement).await,
        false => Ok(()),
    };
    // What is joined goes out together.
    let first = look_up_part(session, account, asked, 0);
    let ((), rows) = tokio::try_join!(biased; run(BEGIN), first)?;
    let mut known = Known::default();
    read(&rows, 0, &mut known)?;
    for part in 1..parts {
        let rows = look_up_part(session, account, asked, part).await?;
        read(&rows, part.saturating_mul(SLICE), &mut known)?;
    }
    if asked.wants_addresses {
        let stored = known.stored_domains()?;
        let names: Params<'_> = &[&stored];
        let sql = include_str!("sql/blacklisted.sql");
        let (rows, ()) = tokio::try_join!(biased; session.query(DOING, sql, names), run("COMMIT"))?;
        for row in &rows {
            known.stored.insert(
                row.try_get(0).doing(DOING)?,
                roles(row.try_get::<_, i16>(1).doing(DOING)?)?,
            );
        }
    } else {
        run("COMMIT").await?;
    }
    known.into_found(asked)
}

/// Looks a slice of each column up.
async fn look_up_part(
    session: &Session,
    account: AccountId,
    asked: &Asked,
    part: usize,
) -> Result<Vec<Row>, StoreError> {
    fn slice<T>(column: &[T], part: usize) -> &[T] {
        column.chunks(SLICE).nth(part).unwrap_or_default()
    }
    let domains = slice(&asked.domains, part);
    let domains: Vec<&str> = domains.iter().map(|(name, _)| name.as_str()).collect();
    // The database stores no text with NUL, so that no list has such a name. NULL equals no name.
    let lists: Vec<Option<&str>> = slice(&asked.lists, part)
        .iter()
        .map(|name| Some(name.as_str()).filter(|name| !name.contains('\0')))
        .collect();
    let params: Params<'_> = &[
        &account.0,
        &slice(&asked.mailers, part),
        &slice(&asked.senders, part),
        &slice(&asked.subscriber_ids, part),
        &slice(&asked.subscribers, part),
        &lists,
        &domains,
        &asked.wants_addresses,
    ];
    session
        .query(DOING, include_str!("sql/facts.sql"), params)
        .await
}

/// Reads the rows of a slice whose first question has that place.
fn read(rows: &[Row], first: usize, known: &mut Known) -> Result<(), StoreError> {
    rows.iter().try_for_each(|row| read_row(row, first, known))
}

/// Puts a row where it belongs.
fn read_row(row: &Row, first: usize, known: &mut Known) -> Result<(), StoreError> {
    let asked: i32 = row.try_get(0).doing(DOING)?;
    let place: i64 = row.try_get(1).doing(DOING)?;
    let place = usize::try_from(place)
        .ok()
        .and_then(|place| place.checked_sub(1)?.checked_add(first))
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
