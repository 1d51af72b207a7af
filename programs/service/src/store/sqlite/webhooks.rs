//! Webhooks on SQLite.

use std::sync::Arc;

use rusqlite::{Connection, Row, params};
use serde_json::json;

use super::Sqlite;
use super::carry_out::{array, execute};
use super::events::{self, read_event};
use super::failure::Doing as _;
use super::reports::{row, rows};
use super::writer::Written;
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
const LISTING: &str = "listing webhooks";

impl Webhooks for Sqlite {
    fn add_webhook(&self, account: AccountId, webhook: NewWebhook) -> Reply<i64> {
        self.change(move |change| {
            change.account(account)?;
            let sql = include_str!("sql/insert_webhook.sql");
            let params = params![
                account.0,
                webhook.url,
                webhook.kinds(),
                webhook.secret,
                webhook.after,
                MOST_WEBHOOKS
            ];
            let id = change.row(sql, params, |row| row.get(0))?;
            id.ok_or(OperatorError::TooManyWebhooks)
        })
    }

    fn webhooks(&self, account: AccountId) -> Reply<Vec<WebhookRow>> {
        self.readers.operators.read(move |connection| {
            let sql = include_str!("sql/select_webhooks.sql");
            let read = rows(connection, sql, params![account.0], |row: &Row<'_>| {
                Ok(WebhookRow {
                    id: row.get(0)?,
                    url: row.get(1)?,
                    kinds: row.get(2)?,
                    has_two_secrets: row.get(3)?,
                    position: row.get(4)?,
                    waiting: row.get(5)?,
                    retries: row.get(6)?,
                    succeeded: row.get(7)?,
                    disabled: row.get(8)?,
                })
            });
            Ok(read.doing(LISTING)?)
        })
    }

    fn rotate_webhook(&self, account: AccountId, id: i64, secret: Vec<u8>) -> Reply<()> {
        self.change(move |change| {
            let sql = include_str!("sql/rotate_webhook.sql");
            let params = params![account.0, id, secret];
            match change.row(sql, params, |row| row.get(0))? {
                None => Err(OperatorError::NotFound("webhook")),
                Some(false) => Err(OperatorError::TwoSecrets),
                Some(true) => Ok(()),
            }
        })
    }

    fn retire_webhook_secret(&self, account: AccountId, id: i64) -> Reply<()> {
        self.change(move |change| {
            let sql = include_str!("sql/retire_webhook_secret.sql");
            change.one("webhook", sql, params![account.0, id])
        })
    }

    fn set_webhook_disabled(&self, account: AccountId, id: i64, why: Option<String>) -> Reply<()> {
        self.change(move |change| {
            let sql = include_str!("sql/set_webhook_disabled.sql");
            change.one("webhook", sql, params![account.0, id, why])?;
            if why.is_none() {
                change.run(include_str!("sql/retry_webhook.sql"), params![id])?;
            }
            Ok(())
        })
    }

    fn replay_webhook(&self, account: AccountId, id: i64, after: i64) -> Reply<()> {
        self.change(move |change| {
            let sql = include_str!("sql/replay_webhook.sql");
            change.one("webhook", sql, params![account.0, id, after])?;
            let sql = include_str!("sql/delete_webhook_retries_after.sql");
            change.run(sql, params![id, after])?;
            Ok(())
        })
    }

    fn remove_webhook(&self, account: AccountId, id: i64) -> Reply<()> {
        self.change(move |change| {
            let sql = include_str!("sql/delete_webhook.sql");
            change.one("webhook", sql, params![account.0, id])
        })
    }

    fn webhook_attempts(&self, account: AccountId, id: i64) -> Reply<Vec<AttemptRow>> {
        self.readers.operators.read(move |connection| {
            let sql = include_str!("sql/select_webhook_attempts.sql");
            let read = rows(connection, sql, params![account.0, id], |row: &Row<'_>| {
                Ok(AttemptRow {
                    number: row.get(0)?,
                    attempt: row.get(1)?,
                    status: row.get(2)?,
                    problem: row.get(3)?,
                    milliseconds: row.get(4)?,
                    happened: row.get(5)?,
                })
            });
            Ok(read.doing(LISTING)?)
        })
    }

    fn claim_webhooks(&self, at_most: u32) -> Answer<Vec<Webhook>> {
        let writer = Arc::clone(&self.writer);
        let due: Answer<Vec<i64>> = self.readers.served.read(move |connection| {
            let sql = include_str!("sql/due_webhooks.sql");
            let params = params![at_most, MOST_RETRIES];
            rows(connection, sql, params, |row: &Row<'_>| row.get(0)).doing(CLAIMING)
        });
        Box::pin(async move {
            let due = due.await?;
            // Usually there is nothing to do, and nobody has to wait for the writer.
            if due.is_empty() {
                return Ok(Vec::new());
            }
            let claimed = writer.run(move |connection| {
                let sql = include_str!("sql/claim_webhooks.sql");
                let params = params![array(due.iter().map(|id| json!(id))), LEASE_SECONDS];
                let tells = rows(connection, sql, params, read_webhook).doing(CLAIMING);
                Written {
                    keeps: tells.is_ok(),
                    rows: due.len(),
                    tells,
                }
            });
            claimed.await
        })
    }

    fn webhook_retries(&self, webhook: i64, at_most: u32) -> Answer<Vec<ToPost>> {
        self.readers.served.read(move |connection| {
            let sql = include_str!("sql/select_webhook_retries.sql");
            let read = |row: &Row<'_>| {
                let (attempts, first) = (row.get(0)?, row.get(1)?);
                let event = read_event(row)?;
                Ok(event.map(|event| ToPost {
                    event,
                    attempts,
                    first,
                }))
            };
            let read = rows(connection, sql, params![webhook, at_most], read).doing(READING)?;
            Ok(read.into_iter().flatten().collect())
        })
    }

    fn settle_webhook(&self, round: Round) -> Answer<bool> {
        self.write(move |connection| settle(connection, &round))
    }

    fn release_webhook(&self, webhook: i64) -> Answer<()> {
        self.write(move |connection| {
            let sql = include_str!("sql/release_webhook.sql");
            execute(connection, SETTLING, sql, params![webhook]).map(drop)
        })
    }
}

/// Releases all webhooks, because nobody holds them when the process that serves the database begins.
pub(super) fn release_all(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(include_str!("sql/release_webhooks.sql"))
}

fn read_webhook(row: &Row<'_>) -> rusqlite::Result<Webhook> {
    let secrets: [Option<Vec<u8>>; 2] = [row.get(4)?, row.get(5)?];
    Ok(Webhook {
        id: row.get(0)?,
        account: AccountId(row.get(1)?),
        url: row.get(2)?,
        kinds: read_kinds(row.get(3)?),
        secrets: secrets.into_iter().flatten().collect(),
        position: row.get(6)?,
        is_failing: row.get(7)?,
        succeeded: row.get(8)?,
        retries: row.get(9)?,
    })
}

fn settle(connection: &Connection, round: &Round) -> Result<bool, StoreError> {
    let (id, (before, after)) = (round.webhook, round.position);
    let sql = include_str!("sql/settle_webhook.sql");
    let params = params![
        id,
        before,
        after,
        round.is_taken(),
        round.disabled,
        LEASE_SECONDS
    ];
    let settled = row(connection, sql, params, |row| {
        Ok((AccountId(row.get(0)?), row.get(1)?))
    });
    // The webhook may have been removed in the meantime.
    let Some((account, goes_on)) = settled.doing(SETTLING)? else {
        return Ok(false);
    };
    let again = array(
        round
            .again()
            .map(|(attempt, seconds)| json!([attempt.number, attempt.attempt, seconds])),
    );
    let attempts = array(round.attempts.iter().map(|attempt| {
        json!([
            attempt.number,
            attempt.attempt,
            attempt.status,
            attempt.problem,
            attempt.milliseconds
        ])
    }));
    let done = array(round.done().map(|number| json!(number)));
    for (sql, rows) in [
        (include_str!("sql/delete_webhook_retries.sql"), done),
        (include_str!("sql/upsert_webhook_retries.sql"), again),
        (include_str!("sql/insert_webhook_attempts.sql"), attempts),
    ] {
        execute(connection, SETTLING, sql, params![id, rows])?;
    }
    let sql = include_str!("sql/delete_webhook_attempts.sql");
    execute(connection, SETTLING, sql, params![id, KEPT_ATTEMPTS])?;
    if let Some(event) = round.event(account) {
        events::record(connection, &[event])?;
    }
    Ok(goes_on)
}
