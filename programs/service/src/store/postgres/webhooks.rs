//! Webhooks on PostgreSQL.

use tokio_postgres::{Error, Row};

use super::Postgres;
use super::command::{found, given};
use super::events::{self, read_event};
use super::failure::Doing as _;
use super::reports::{in_transaction, list};
use super::session::Session;
use crate::store::Answer;
use crate::store::error::StoreError;
use crate::store::identity::AccountId;
use crate::store::operator::{OperatorError, Reply};
use crate::store::webhooks::{
    AttemptRow, KEPT_ATTEMPTS, LEASE_SECONDS, MOST_RETRIES, MOST_WEBHOOKS, NewWebhook, Round,
    ToPost, Webhook, WebhookRow, Webhooks, read_kinds,
};

const CLAIMING: &str = "claiming webhooks";
const READING: &str = "reading events to post again";
const SETTLING: &str = "settling a webhook";

impl Webhooks for Postgres {
    fn add_webhook(&self, account: AccountId, webhook: NewWebhook) -> Reply<i64> {
        let given = given![
            account.0,
            webhook.url.clone(),
            webhook.kinds(),
            webhook.secret.clone(),
            webhook.after,
            MOST_WEBHOOKS
        ];
        let sql = include_str!("sql/insert_webhook.sql");
        self.change_of(account, sql, given, |rows| {
            let id = rows.first().map(|row| row.try_get(0)).transpose();
            id.doing(SETTLING)?.ok_or(OperatorError::TooManyWebhooks)
        })
    }

    fn webhooks(&self, account: AccountId) -> Reply<Vec<WebhookRow>> {
        self.look(move |pool| async move {
            let read = |row: &Row| {
                Ok(WebhookRow {
                    id: row.try_get(0)?,
                    url: row.try_get(1)?,
                    kinds: row.try_get(2)?,
                    has_two_secrets: row.try_get(3)?,
                    position: row.try_get(4)?,
                    waiting: row.try_get(5)?,
                    retries: row.try_get(6)?,
                    succeeded: row.try_get(7)?,
                    disabled: row.try_get(8)?,
                })
            };
            let sql = include_str!("sql/select_webhooks.sql");
            Ok(list(&pool, sql, &[&account.0], read).await?)
        })
    }

    fn rotate_webhook(&self, account: AccountId, id: i64, secret: Vec<u8>) -> Reply<()> {
        let sql = include_str!("sql/rotate_webhook.sql");
        self.change(sql, given![account.0, id, secret], |rows| {
            let rotated = rows.first().map(|row| row.try_get(0)).transpose();
            match rotated.doing(SETTLING)? {
                None => Err(OperatorError::NotFound("webhook")),
                Some(false) => Err(OperatorError::TwoSecrets),
                Some(true) => Ok(()),
            }
        })
    }

    fn retire_webhook_secret(&self, account: AccountId, id: i64) -> Reply<()> {
        let sql = include_str!("sql/retire_webhook_secret.sql");
        self.change(sql, given![account.0, id], found("webhook"))
    }

    fn set_webhook_disabled(&self, account: AccountId, id: i64, why: Option<String>) -> Reply<()> {
        let sql = include_str!("sql/set_webhook_disabled.sql");
        self.change(sql, given![account.0, id, why], found("webhook"))
    }

    fn replay_webhook(&self, account: AccountId, id: i64, after: i64) -> Reply<()> {
        let sql = include_str!("sql/replay_webhook.sql");
        self.change(sql, given![account.0, id, after], found("webhook"))
    }

    fn remove_webhook(&self, account: AccountId, id: i64) -> Reply<()> {
        let sql = include_str!("sql/delete_webhook.sql");
        self.change(sql, given![account.0, id], found("webhook"))
    }

    fn webhook_attempts(&self, account: AccountId, id: i64) -> Reply<Vec<AttemptRow>> {
        self.look(move |pool| async move {
            let read = |row: &Row| {
                Ok(AttemptRow {
                    number: row.try_get(0)?,
                    attempt: row.try_get(1)?,
                    status: row.try_get(2)?,
                    problem: row.try_get(3)?,
                    milliseconds: row.try_get(4)?,
                    happened: row.try_get(5)?,
                })
            };
            let sql = include_str!("sql/select_webhook_attempts.sql");
            Ok(list(&pool, sql, &[&account.0, &id], read).await?)
        })
    }

    fn claim_webhooks(&self, at_most: u32) -> Answer<Vec<Webhook>> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?;
            let sql = include_str!("sql/claim_webhooks.sql");
            let (most, lease) = (i64::from(at_most), LEASE_SECONDS as f64);
            let rows = session
                .query(CLAIMING, sql, &[&most, &lease, &MOST_RETRIES])
                .await?;
            session.close();
            let read: Result<Vec<Webhook>, Error> = rows.iter().map(read_webhook).collect();
            read.doing(CLAIMING)
        })
    }

    fn webhook_retries(&self, webhook: i64, at_most: u32) -> Answer<Vec<ToPost>> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?;
            let sql = include_str!("sql/select_webhook_retries.sql");
            let most = i64::from(at_most);
            let rows = session.query(READING, sql, &[&webhook, &most]).await?;
            session.close();
            let read = |row: &Row| {
                let (attempts, first) = (row.try_get(0)?, row.try_get(1)?);
                let event = read_event(row)?;
                Ok(event.map(|event| ToPost {
                    event,
                    attempts,
                    first,
                }))
            };
            let read: Result<Vec<Option<ToPost>>, Error> = rows.iter().map(read).collect();
            Ok(read.doing(READING)?.into_iter().flatten().collect())
        })
    }

    fn settle_webhook(&self, round: Round) -> Answer<bool> {
        self.run(move |pool| async move {
            in_transaction(&pool, round, |session, round| {
                Box::pin(settle(session, round))
            })
            .await
        })
    }

    fn release_webhook(&self, webhook: i64) -> Answer<()> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?;
            let sql = include_str!("sql/release_webhook.sql");
            session.execute(SETTLING, sql, &[&webhook]).await?;
            session.close();
            Ok(())
        })
    }
}

fn read_webhook(row: &Row) -> Result<Webhook, Error> {
    let secrets: [Option<Vec<u8>>; 2] = [row.try_get(4)?, row.try_get(5)?];
    Ok(Webhook {
        id: row.try_get(0)?,
        account: AccountId(row.try_get(1)?),
        url: row.try_get(2)?,
        kinds: read_kinds(row.try_get(3)?),
        secrets: secrets.into_iter().flatten().collect(),
        position: row.try_get(6)?,
        is_failing: row.try_get(7)?,
        succeeded: row.try_get(8)?,
        retries: row.try_get(9)?,
    })
}

async fn settle(session: &Session, round: &Round) -> Result<bool, StoreError> {
    let (id, (before, after)) = (round.webhook, round.position);
    let (is_taken, lease) = (round.is_taken(), LEASE_SECONDS as f64);
    let sql = include_str!("sql/settle_webhook.sql");
    let rows = session
        .query(
            SETTLING,
            sql,
            &[&id, &before, &after, &is_taken, &round.disabled, &lease],
        )
        .await?;
    // The webhook may have been removed in the meantime.
    let Some(row) = rows.first() else {
        return Ok(false);
    };
    let account = AccountId(row.try_get(0).doing(SETTLING)?);
    let goes_on = row.try_get(1).doing(SETTLING)?;
    let done: Vec<i64> = round.done().collect();
    let again: Vec<_> = round.again().collect();
    let again_numbers: Vec<i64> = again.iter().map(|(attempt, _)| attempt.number).collect();
    let again_attempts: Vec<i32> = again.iter().map(|(attempt, _)| attempt.attempt).collect();
    let seconds: Vec<f64> = again
        .iter()
        .map(|(_, seconds)| f64::from(*seconds))
        .collect();
    let attempts = &round.attempts;
    let numbers: Vec<i64> = attempts.iter().map(|attempt| attempt.number).collect();
    let counts: Vec<i32> = attempts.iter().map(|attempt| attempt.attempt).collect();
    let statuses = attempts.iter().map(|attempt| attempt.status.map(i32::from));
    let statuses: Vec<Option<i32>> = statuses.collect();
    let problems = attempts.iter().map(|attempt| attempt.problem.as_deref());
    let problems: Vec<Option<&str>> = problems.collect();
    let times: Vec<i64> = attempts
        .iter()
        .map(|attempt| attempt.milliseconds)
        .collect();
    let sql = include_str!("sql/note_webhook_attempts.sql");
    session
        .execute(
            SETTLING,
            sql,
            &[
                &id,
                &done,
                &again_numbers,
                &again_attempts,
                &seconds,
                &numbers,
                &counts,
                &statuses,
                &problems,
                &times,
                &KEPT_ATTEMPTS,
            ],
        )
        .await?;
    if let Some(event) = round.event(account) {
        events::record(session, &[event]).await?;
    }
    Ok(goes_on)
}
