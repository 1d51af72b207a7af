//! Readers who have unsubscribed, on PostgreSQL.

use super::Postgres;
use super::events;
use super::failure::Doing as _;
use super::reports::in_transaction;
use super::session::{Session, one};
use crate::store::Answer;
use crate::store::error::StoreError;
use crate::store::identity::AccountId;
use crate::store::operator::{OperatorError, Reply};
use crate::store::unsubscribed::{Unsubscribing, Unsubscription, left, lifted};

const LOOKING: &str = "looking for a reader";
const LEAVING: &str = "unsubscribing a reader";
const LIFTING: &str = "lifting an unsubscription";

impl Unsubscribing for Postgres {
    fn has_unsubscribe(&self, delivery: i64) -> Answer<bool> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?;
            let sql = include_str!("sql/has_unsubscribe.sql");
            let has = one(&session, LOOKING, sql, &[&delivery]).await?;
            session.close();
            Ok(has)
        })
    }

    fn unsubscribe(&self, delivery: i64) -> Answer<Unsubscription> {
        self.run(move |pool| async move {
            in_transaction(&pool, delivery, |session, delivery| {
                Box::pin(unsubscribe(session, *delivery))
            })
            .await
        })
    }

    fn lift_unsubscribed(&self, account: AccountId, id: i64, why: String) -> Reply<()> {
        self.run(move |pool| async move {
            let given = (account, id, why);
            let found = in_transaction(&pool, given, |session, (account, id, why)| {
                Box::pin(lift(session, *account, *id, why))
            });
            match found.await? {
                true => Ok(()),
                false => Err(OperatorError::NotFound("entry in force")),
            }
        })
    }

    fn set_http_unsubscribe(&self, account: AccountId, has: bool) -> Reply<()> {
        self.set_of_account(
            include_str!("sql/update_http_unsubscribe.sql"),
            account,
            has,
        )
    }
}

async fn unsubscribe(session: &Session, delivery: i64) -> Result<Unsubscription, StoreError> {
    let sql = include_str!("sql/unsubscribe.sql");
    if session.execute(LEAVING, sql, &[&delivery]).await? > 0 {
        events::record(session, &[left(delivery)]).await?;
        return Ok(Unsubscription::New);
    }
    let sql = include_str!("sql/has_unsubscribe.sql");
    Ok(match one(session, LOOKING, sql, &[&delivery]).await? {
        true => Unsubscription::Repeated,
        false => Unsubscription::Unknown,
    })
}

/// Lifts an entry. Returns whether there was one.
async fn lift(
    session: &Session,
    account: AccountId,
    id: i64,
    why: &str,
) -> Result<bool, StoreError> {
    let sql = include_str!("sql/lift_unsubscribed.sql");
    let rows = session
        .query(LIFTING, sql, &[&account.0, &id, &why])
        .await?;
    let Some(row) = rows.first() else {
        return Ok(false);
    };
    let subscriber = row.try_get(0).doing(LIFTING)?;
    events::record(session, &[lifted(account, subscriber, why)]).await?;
    Ok(true)
}
