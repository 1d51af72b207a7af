//! Keeps calls so that they can be explained, and counts calls, on PostgreSQL.

use super::Postgres;
use super::reports::in_transaction;
use super::session::Session;
use crate::store::Answer;
use crate::store::asked::to_signed;
use crate::store::error::StoreError;
use crate::store::identity::CallId;
use crate::store::transcripts::{CountOf, NewTranscript, Transcripts, totals};

const KEEPING: &str = "keeping calls";

impl Transcripts for Postgres {
    fn keep_transcripts(
        &self,
        kept: Vec<NewTranscript>,
        counted: Vec<(CountOf, u64)>,
    ) -> Answer<()> {
        self.run(move |pool| async move {
            in_transaction(&pool, (kept, counted), |session, (kept, counted)| {
                Box::pin(async move {
                    keep(session, kept).await?;
                    count(session, counted).await
                })
            })
            .await
        })
    }
}

/// Collects a column of rows that are written together.
fn column<R, T>(rows: &[R], of: impl Fn(&R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

async fn keep(session: &Session, kept: &[NewTranscript]) -> Result<(), StoreError> {
    if kept.is_empty() {
        return Ok(());
    }
    let sql = include_str!("sql/insert_transcripts.sql");
    let signed = |call: CallId| to_signed(call.number());
    session
        .execute(
            KEEPING,
            sql,
            &[
                &column(kept, |kept| kept.account.0),
                &column(kept, |kept| kept.call.map(signed)),
                &column(kept, |kept| kept.operation.name()),
                &column(kept, |kept| i64::from(kept.code)),
                &column(kept, |kept| kept.rule),
                &column(kept, |kept| kept.pointer.clone()),
                &column(kept, |kept| to_signed(kept.bytes)),
                &column(kept, |kept| to_signed(kept.milliseconds)),
                &column(kept, |kept| kept.peer.clone()),
                &column(kept, |kept| kept.request.clone()),
                &column(kept, |kept| kept.sealed.clone()),
            ],
        )
        .await?;
    Ok(())
}

async fn count(session: &Session, counted: &[(CountOf, u64)]) -> Result<(), StoreError> {
    if counted.is_empty() {
        return Ok(());
    }
    let sql = include_str!("sql/count_calls.sql");
    session
        .execute(
            KEEPING,
            sql,
            &[
                &column(counted, |(of, _)| of.account.map_or(0, |account| account.0)),
                &column(counted, |(of, _)| of.operation.name()),
                &column(counted, |(of, _)| i64::from(of.code)),
                &column(counted, |(of, _)| of.rule.unwrap_or_default()),
                &column(counted, |(of, _)| of.peer.clone().unwrap_or_default()),
                &column(counted, |(_, calls)| to_signed(*calls)),
            ],
        )
        .await?;
    // The totals are sorted, so that two processes that count at once do not deadlock.
    let totals = totals(counted);
    let sql = include_str!("sql/count_all_calls.sql");
    session
        .execute(
            KEEPING,
            sql,
            &[
                &column(&totals, |((operation, _, _), _)| operation.name()),
                &column(&totals, |((_, code, _), _)| i64::from(*code)),
                &column(&totals, |((_, _, rule), _)| rule.unwrap_or_default()),
                &column(&totals, |(_, calls)| to_signed(*calls)),
            ],
        )
        .await?;
    Ok(())
}
