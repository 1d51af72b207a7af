//! What a plan writes, in a transaction of its own.
//!
//! Statements go out in groups, each group at once: its answers are looked at before the next. Rows are taken in one order
//! by all transactions, the account first: it orders all who write for it, so that none waits for rows of another that
//! waits for it.

use std::collections::HashMap;

use deadpool_postgres::Pool;
use franking::Conflict;
use tokio_postgres::Row;

use super::failure::Doing as _;
use super::session::{Params, Session};
use super::slices::{SLICE, slices};
use crate::store::Committed;
use crate::store::asked::to_signed;
use crate::store::error::{Cause, StoreError};
use crate::store::idempotency::{KEPT_SECONDS, Kept};
use crate::store::identity::{AccountId, Authenticated, CallId};
use crate::store::work::{Ids, LeftOutRow, MessageRow, Work};

/// Carries a plan out.
pub(super) async fn carry_out(pool: &Pool, work: &Work) -> Result<Committed, StoreError> {
    let session = Session::open(pool).await?;
    match write(&session, work).await {
        Ok(Committed::Done) => {
            session.commit().await?;
            Ok(Committed::Done)
        }
        other => {
            session.roll_back().await;
            other
        }
    }
}

/// Writes everything but COMMIT, in a transaction that it begins.
async fn write(session: &Session, work: &Work) -> Result<Committed, StoreError> {
    let (begun, written) = tokio::join!(
        biased;
        session.run("beginning a transaction", "BEGIN"),
        write_within(session, work),
    );
    begun?;
    written
}

/// Writes everything within a transaction.
pub(super) async fn write_within(session: &Session, work: &Work) -> Result<Committed, StoreError> {
    let (debited, inserted, kept) = tokio::join!(
        biased;
        debit(session, work),
        insert_call(session, work),
        keep(session, work),
    );
    // After a failure the server answers whatever follows with another one.
    if let Err(failure @ (StoreError::Busy(_) | StoreError::Failed(_))) = debited {
        return Err(failure);
    }
    inserted?;
    // A call that is kept has taken its credits: whether there are others is of no account.
    if let Some(kept) = kept? {
        return Ok(Committed::Replayed(kept));
    }
    debited?;
    let ((), (), new, ()) = tokio::try_join!(
        biased;
        find_lists(session, work),
        insert_contents(session, work),
        insert_subscribers(session, work),
        lock_existing(session, work),
    )?;
    if work.rows() > SLICE {
        // Slices of one table refer to all of another.
        insert_fields(session, work, &new).await?;
        insert_members(session, work, &new).await?;
        insert_messages(session, work).await?;
        insert_deliveries(session, work, &new).await?;
        insert_left_out(session, work).await?;
        return Ok(Committed::Done);
    }
    tokio::try_join!(
        biased;
        insert_fields(session, work, &new),
        insert_members(session, work, &new),
        insert_messages(session, work),
        insert_deliveries(session, work, &new),
        insert_left_out(session, work),
    )?;
    Ok(Committed::Done)
}

async fn insert_call(session: &Session, work: &Work) -> Result<(), StoreError> {
    let sql = include_str!("sql/insert_call.sql");
    let (emails, subscribers) = (
        to_signed(work.debit.email),
        to_signed(work.debit.subscriber),
    );
    let id = to_signed(work.id.0);
    let params: Params<'_> = &[
        &id,
        &work.account.0,
        &work.operation.name(),
        &emails,
        &subscribers,
    ];
    match session.execute("inserting the call", sql, params).await? {
        0 => Err(StoreError::Conflict(Conflict::Other)),
        _ => Ok(()),
    }
}

/// Keeps the call under its idempotency key; the other call if there is one under it.
async fn keep(session: &Session, work: &Work) -> Result<Option<Kept>, StoreError> {
    let Some(record) = &work.record else {
        return Ok(None);
    };
    let doing = "inserting the idempotency key";
    let key = record.hold.key.as_str();
    let sql = include_str!("sql/insert_idempotency.sql");
    let (id, digest) = (to_signed(work.id.0), record.digest.as_slice());
    let params: Params<'_> = &[
        &work.account.0,
        &key,
        &id,
        &digest,
        &record.answer,
        &KEPT_SECONDS,
    ];
    if session.execute(doing, sql, params).await? > 0 {
        return Ok(None);
    }
    let kept = kept(session, work.account, key).await?;
    // Its time ended between the two statements.
    kept.map(Some).ok_or(StoreError::Conflict(Conflict::Other))
}

/// The call that is kept under a key.
pub(super) async fn kept(
    session: &Session,
    account: AccountId,
    key: &str,
) -> Result<Option<Kept>, StoreError> {
    let doing = "looking up an idempotency key";
    let sql = include_str!("sql/select_idempotency.sql");
    let params: Params<'_> = &[&account.0, &key, &KEPT_SECONDS];
    let rows = session.query(doing, sql, params).await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let digest: &[u8] = row.try_get(1).doing(doing)?;
    let digest = digest.try_into();
    Ok(Some(Kept {
        call: CallId(row.try_get::<_, i64>(0).doing(doing)?.unsigned_abs()),
        digest: digest.map_err(|_| StoreError::Failed(Cause::new(doing)))?,
        answer: row.try_get(2).doing(doing)?,
    }))
}

/// Creates the lists that need not exist beforehand, and looks for the others.
async fn find_lists(session: &Session, work: &Work) -> Result<(), StoreError> {
    if work.lists.is_empty() {
        return Ok(());
    }
    let made: Vec<&String> = work.made_lists().collect();
    let (doing, account) = ("inserting lists", &work.account.0);
    let (insert, count) = (
        include_str!("sql/insert_lists.sql"),
        include_str!("sql/count_lists.sql"),
    );
    let insert_params: Params<'_> = &[account, &made];
    let count_params: Params<'_> = &[account, &work.lists];
    let (_, rows) = tokio::try_join!(
        biased;
        session.execute(doing, insert, insert_params),
        session.query(doing, count, count_params),
    )?;
    let found: i64 = rows
        .first()
        .map_or(Ok(0), |row| row.try_get(0))
        .doing(doing)?;
    if found < to_signed(work.lists.len() as u64) {
        // One was deleted since the facts were given.
        return Err(StoreError::Conflict(Conflict::Other));
    }
    Ok(())
}

async fn insert_contents(session: &Session, work: &Work) -> Result<(), StoreError> {
    let all: Vec<(&[u8; 32], &String)> = work.contents.iter().collect();
    let sql = include_str!("sql/insert_contents.sql");
    for (_, part) in slices(&all, |(_, html)| html.len()) {
        let hashes: Vec<&[u8]> = part.iter().map(|(hash, _)| hash.as_slice()).collect();
        let texts: Vec<&[u8]> = part.iter().map(|(_, html)| html.as_bytes()).collect();
        let params: Params<'_> = &[&hashes, &texts];
        session.execute("inserting contents", sql, params).await?;
    }
    Ok(())
}

async fn insert_subscribers(session: &Session, work: &Work) -> Result<Ids, StoreError> {
    let doing = "inserting subscribers";
    let sql = include_str!("sql/insert_subscribers.sql");
    let read = |row: &Row| Ok((row.try_get::<_, String>(1)?, row.try_get::<_, i64>(0)?));
    let mut all = Vec::with_capacity(work.create.len());
    for (_, part) in slices(&work.create, |new| new.email.len()) {
        let keys: Vec<&str> = part.iter().map(|new| new.match_key.as_str()).collect();
        let emails: Vec<&str> = part.iter().map(|new| new.email.as_str()).collect();
        let params: Params<'_> = &[&work.account.0, &keys, &emails];
        let rows = session.query(doing, sql, params).await?;
        let ids: Result<HashMap<String, i64>, tokio_postgres::Error> =
            rows.iter().map(read).collect();
        let ids = ids.doing(doing)?;
        for key in keys {
            let exists = StoreError::Conflict(Conflict::SubscriberExists);
            all.push(ids.get(key).copied().ok_or(exists)?);
        }
    }
    Ok(Ids(all))
}

/// Checks that all existing recipients are still there and not INACTIVE, and locks them so.
async fn lock_existing(session: &Session, work: &Work) -> Result<(), StoreError> {
    let doing = "looking for subscribers";
    let sql = include_str!("sql/lock_subscribers.sql");
    for (_, part) in slices(&work.existing, |_| 0) {
        let rows = session.query(doing, sql, &[&work.account.0, &part]).await?;
        if rows.len() < part.len() {
            return Err(StoreError::Conflict(work.gone()));
        }
        for row in &rows {
            if row.try_get(0).doing(doing)? {
                return Err(StoreError::Conflict(Conflict::SubscriberInactive));
            }
        }
    }
    Ok(())
}

async fn insert_fields(session: &Session, work: &Work, new: &Ids) -> Result<(), StoreError> {
    let fields = work.fields();
    let fields = fields.map(|(who, name, value)| Ok((new.of(who)?, name, value)));
    let fields = fields.collect::<Result<Vec<_>, StoreError>>()?;
    let sql = include_str!("sql/insert_fields.sql");
    for (_, part) in slices(&fields, |(_, _, value)| value.len()) {
        let ids: Vec<i64> = part.iter().map(|(id, _, _)| *id).collect();
        let names: Vec<&str> = part.iter().map(|(_, name, _)| *name).collect();
        let values: Vec<&[u8]> = part.iter().map(|(_, _, value)| value.as_bytes()).collect();
        let params: Params<'_> = &[&work.account.0, &ids, &names, &values];
        let inserted = session.execute("inserting personalization", sql, params);
        inserted.await?;
    }
    Ok(())
}

async fn insert_members(session: &Session, work: &Work, new: &Ids) -> Result<(), StoreError> {
    let members = work.members().map(|(list, who)| Ok((list, new.of(who)?)));
    let members = members.collect::<Result<Vec<_>, StoreError>>()?;
    let sql = include_str!("sql/insert_members.sql");
    for (_, part) in slices(&members, |_| 0) {
        let (lists, ids): (Vec<&str>, Vec<i64>) = part.iter().copied().unzip();
        let params: Params<'_> = &[&work.account.0, &lists, &ids];
        let inserted = session.execute("inserting members of lists", sql, params);
        inserted.await?;
    }
    Ok(())
}

async fn insert_messages(session: &Session, work: &Work) -> Result<(), StoreError> {
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let bytes = |message: &MessageRow| {
        let texts = [&message.subject, &message.custom_field, &message.from_name];
        texts.map(length).into_iter().fold(0, usize::saturating_add)
    };
    for (first, messages) in slices(&work.messages, bytes) {
        /// A column of these messages.
        macro_rules! column {
            ($message:ident => $value:expr) => {
                &messages.iter().map(|$message| $value).collect::<Vec<_>>()
            };
        }
        let params: Params<'_> = &[
            &to_signed(work.id.0),
            &work.account.0,
            column!(message => message.request),
            column!(message => message.mailer),
            column!(message => message.subject.as_deref()),
            column!(message => message.content.as_ref().map(<[u8; 32]>::as_slice)),
            column!(message => message.from.as_str()),
            column!(message => message.from_name.as_deref()),
            column!(message => message.reply_to.as_deref()),
            column!(message => message.custom_field.as_deref().map(str::as_bytes)),
            column!(message => message.track_opens),
            column!(message => message.track_clicks),
            &work.mailer_revision,
            &first,
        ];
        let sql = include_str!("sql/insert_messages.sql");
        let inserted = session.execute("inserting messages", sql, params).await?;
        if inserted < messages.len() as u64 {
            // The stored email was changed or deleted since the facts were given.
            return Err(StoreError::Conflict(Conflict::Other));
        }
    }
    Ok(())
}

async fn insert_deliveries(session: &Session, work: &Work, new: &Ids) -> Result<(), StoreError> {
    let sql = include_str!("sql/insert_deliveries.sql");
    for (_, deliveries) in slices(&work.deliveries, |delivery| delivery.to.len()) {
        let subscribers = deliveries.iter().map(|one| new.of(one.subscriber));
        let subscribers = subscribers.collect::<Result<Vec<i64>, StoreError>>()?;
        let messages: Vec<i32> = deliveries.iter().map(|one| one.message).collect();
        let to: Vec<&str> = deliveries.iter().map(|one| one.to.as_str()).collect();
        let roles: Vec<Option<&str>> = deliveries.iter().map(|one| one.role).collect();
        let mailers = deliveries.iter().map(|one| work.mailer_of(one));
        let mailers: Vec<Option<i64>> = mailers.collect();
        let params: Params<'_> = &[
            &to_signed(work.id.0),
            &work.account.0,
            &messages,
            &subscribers,
            &to,
            &roles,
            &mailers,
        ];
        session.execute("inserting deliveries", sql, params).await?;
    }
    Ok(())
}

async fn insert_left_out(session: &Session, work: &Work) -> Result<(), StoreError> {
    let sql = include_str!("sql/insert_left_out.sql");
    let length = |one: &LeftOutRow| one.pointer.as_ref().map_or(0, String::len);
    for (first, rows) in slices(&work.left_out, length) {
        let requests: Vec<Option<i32>> = rows.iter().map(|one| one.request).collect();
        let pointers: Vec<Option<&str>> = rows.iter().map(|one| one.pointer.as_deref()).collect();
        let (starts, stops): (Vec<_>, Vec<_>) = rows.iter().map(|one| one.span.unzip()).unzip();
        let rules: Vec<&str> = rows.iter().map(|one| one.rule).collect();
        let id = to_signed(work.id.0);
        let params: Params<'_> = &[&id, &requests, &pointers, &starts, &stops, &rules, &first];
        let inserted = session.execute("inserting what was left out", sql, params);
        inserted.await?;
    }
    Ok(())
}

/// Takes the credits, if the account may still send and has enough.
async fn debit(session: &Session, work: &Work) -> Result<(), StoreError> {
    let (subscriber, email) = (
        to_signed(work.debit.subscriber),
        to_signed(work.debit.email),
    );
    let account = &work.account.0;
    let sql = include_str!("sql/debit.sql");
    let debited = session
        .execute("taking credits", sql, &[account, &subscriber, &email])
        .await?;
    if debited > 0 {
        return Ok(());
    }
    let doing = "looking for the account";
    let rows = session
        .query(doing, include_str!("sql/account_by_id.sql"), &[account])
        .await?;
    let row = rows.first().ok_or(StoreError::Conflict(Conflict::Other))?;
    let found = read_account(row).doing(doing)?;
    Err(StoreError::Conflict(work.undebited(&found.account)))
}

pub(super) fn read_account(row: &Row) -> Result<Authenticated, tokio_postgres::Error> {
    Ok(Authenticated {
        id: AccountId(row.try_get(0)?),
        account: franking::Account {
            blocked: row.try_get(1)?,
            expired: row.try_get(2)?,
            deactivated: row.try_get(3)?,
            subscriber_credit: row.try_get(4)?,
            email_credit: row.try_get(5)?,
        },
    })
}
