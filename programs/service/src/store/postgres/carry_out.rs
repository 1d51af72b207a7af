//! Writes a group of plans in one transaction. Their accounts are locked first, in the order of their numbers, so
//! that all who write for an account do so one after another. However many plans there are, three round trips are needed: to
//! look up, to write, and to commit.
//!
//! One statement for each table writes the rows of all plans. Statements that go out together are carried out in their
//! order.

use std::collections::BTreeMap;

use deadpool_postgres::Pool;

use super::session::{Params, Session};
use super::slices::{SLICE, slices};
use super::stored::{self, Found, Lock, look_up};
use super::{ATTEMPTS, find_call};
use crate::store::asked::to_signed;
use crate::store::error::{Cause, StoreError};
use crate::store::group::{Plan, Verdict, debits, judge};
use crate::store::work::{Ids, LeftOutRow, MessageRow, Work};

/// The statements that write.
const STATEMENTS: &[&str] = &[
    include_str!("sql/debit.sql"),
    include_str!("sql/insert_calls.sql"),
    include_str!("sql/insert_idempotency.sql"),
    include_str!("sql/insert_lists.sql"),
    include_str!("sql/insert_contents.sql"),
    include_str!("sql/insert_subscribers.sql"),
    include_str!("sql/insert_fields.sql"),
    include_str!("sql/insert_members.sql"),
    include_str!("sql/insert_messages.sql"),
    include_str!("sql/insert_deliveries.sql"),
    include_str!("sql/insert_left_out.sql"),
];

/// Carries out all plans that can be carried out, in a transaction of their own. Tries again if other transactions
/// interfered. If the answer to COMMIT is lost, one of the plans is looked up: all of them are stored, or none.
pub(super) async fn carry_out(
    own: &Pool,
    pool: &Pool,
    works: &[&Work],
    lock: Lock,
) -> Result<Vec<Verdict>, StoreError> {
    let mut attempts = ATTEMPTS;
    loop {
        attempts = attempts.saturating_sub(1);
        let session = open(own).await?;
        let (begun, written) = tokio::join!(
            biased;
            session.run("beginning a transaction", lock.begins()),
            write_within(&session, works, lock),
        );
        let verdicts = match begun.and(written) {
            Err(StoreError::Busy(_)) if attempts > 0 => {
                session.roll_back().await;
                continue;
            }
            Err(failure) => {
                session.roll_back().await;
                return Err(failure);
            }
            Ok(verdicts) => verdicts,
        };
        let mut all = works.iter().zip(&verdicts);
        let Some((done, _)) = all.find(|(_, verdict)| verdict.is_done()) else {
            session.roll_back().await;
            return Ok(verdicts);
        };
        match session.commit().await {
            Ok(()) => return Ok(verdicts),
            Err(StoreError::Busy(_)) if attempts > 0 => {}
            Err(StoreError::Unknown(cause)) => match find_call(pool, done.id).await {
                Ok(true) => return Ok(verdicts),
                Ok(false) if attempts > 0 => {}
                Ok(false) => return Err(StoreError::Failed(cause)),
                Err(_) => return Err(StoreError::Unknown(cause)),
            },
            Err(failure) => return Err(failure),
        }
    }
}

/// Opens a session in which plans can be carried out.
pub(super) async fn open(pool: &Pool) -> Result<Session, StoreError> {
    let session = Session::open(pool).await?;
    session.prepare(stored::STATEMENTS).await?;
    session.prepare(STATEMENTS).await?;
    Ok(session)
}

/// Carries out all plans that can be carried out, within a transaction of a session from [`open`].
pub(super) async fn write_within(
    session: &Session,
    works: &[&Work],
    lock: Lock,
) -> Result<Vec<Verdict>, StoreError> {
    let Found {
        mut stored,
        new_ids,
    } = look_up(session, works, lock).await?;
    let verdicts = judge(works.iter().copied(), &mut stored);
    let mut new_ids = new_ids.into_iter();
    let mut group = Vec::new();
    for (work, verdict) in works.iter().zip(&verdicts) {
        let ids = Ids(new_ids.by_ref().take(work.create.len()).collect());
        if verdict.is_done() {
            group.push(Plan { work, ids });
        }
    }
    if !group.is_empty() {
        write(session, &group).await?;
    }
    Ok(verdicts)
}

async fn write(session: &Session, group: &[Plan<'_>]) -> Result<(), StoreError> {
    let rows = group.iter().map(|plan| plan.work.rows());
    if rows.fold(0, usize::saturating_add) > SLICE {
        // The slices of one table are written before those of the next table, which refer to them.
        debit(session, group).await?;
        insert_calls(session, group).await?;
        keep(session, group).await?;
        insert_lists(session, group).await?;
        insert_contents(session, group).await?;
        insert_subscribers(session, group).await?;
        insert_fields(session, group).await?;
        insert_members(session, group).await?;
        insert_messages(session, group).await?;
        insert_deliveries(session, group).await?;
        return insert_left_out(session, group).await;
    }
    tokio::try_join!(
        biased;
        debit(session, group),
        insert_calls(session, group),
        keep(session, group),
        insert_lists(session, group),
        insert_contents(session, group),
        insert_subscribers(session, group),
        insert_fields(session, group),
        insert_members(session, group),
        insert_messages(session, group),
        insert_deliveries(session, group),
        insert_left_out(session, group),
    )?;
    Ok(())
}

/// Collects a column of rows.
macro_rules! column {
    ($rows:expr, $row:pat => $value:expr) => {
        &$rows.iter().map(|$row| $value).collect::<Vec<_>>()
    };
}

/// Collects the rows of all plans, each with its plan.
fn rows<'g, T, I>(
    group: &'g [Plan<'g>],
    of: impl Fn(&'g Plan<'g>) -> I,
) -> Result<Vec<(&'g Plan<'g>, T)>, StoreError>
where
    I: Iterator<Item = Result<T, StoreError>>,
{
    let of_plan = |plan: &'g Plan<'g>| of(plan).map(move |row| Ok((plan, row?)));
    group.iter().flat_map(of_plan).collect()
}

/// Takes the credits. The verdicts have made sure that the accounts have them.
async fn debit(session: &Session, group: &[Plan<'_>]) -> Result<(), StoreError> {
    let debits = debits(group);
    let params: Params<'_> = &[
        column!(debits, (account, _, _) => *account),
        column!(debits, (_, subscribers, _) => *subscribers),
        column!(debits, (_, _, emails) => *emails),
    ];
    let sql = include_str!("sql/debit.sql");
    session
        .execute("taking credits", sql, params)
        .await
        .map(drop)
}

async fn insert_calls(session: &Session, group: &[Plan<'_>]) -> Result<(), StoreError> {
    let params: Params<'_> = &[
        column!(group, plan => plan.id()),
        column!(group, plan => plan.account()),
        column!(group, plan => plan.work.operation.name()),
        column!(group, plan => to_signed(plan.work.debit.email)),
        column!(group, plan => to_signed(plan.work.debit.subscriber)),
    ];
    let sql = include_str!("sql/insert_calls.sql");
    session
        .execute("inserting calls", sql, params)
        .await
        .map(drop)
}

/// Keeps calls under their idempotency keys.
async fn keep(session: &Session, group: &[Plan<'_>]) -> Result<(), StoreError> {
    let all = rows(group, |plan| plan.work.record.iter().map(Ok))?;
    if all.is_empty() {
        return Ok(());
    }
    let params: Params<'_> = &[
        column!(all, (plan, _) => plan.account()),
        column!(all, (_, record) => record.hold.key.as_str()),
        column!(all, (plan, _) => plan.id()),
        column!(all, (_, record) => record.digest.as_slice()),
        column!(all, (_, record) => record.answer.as_str()),
    ];
    let sql = include_str!("sql/insert_idempotency.sql");
    let kept = session.execute("inserting idempotency keys", sql, params);
    kept.await.map(drop)
}

/// Creates the lists that need not exist beforehand.
async fn insert_lists(session: &Session, group: &[Plan<'_>]) -> Result<(), StoreError> {
    let all = rows(group, |plan| plan.work.made_lists().map(Ok))?;
    if all.is_empty() {
        return Ok(());
    }
    let params: Params<'_> = &[
        column!(all, (plan, _) => plan.account()),
        column!(all, (_, name) => name.as_str()),
    ];
    let sql = include_str!("sql/insert_lists.sql");
    session
        .execute("inserting lists", sql, params)
        .await
        .map(drop)
}

async fn insert_contents(session: &Session, group: &[Plan<'_>]) -> Result<(), StoreError> {
    let all: BTreeMap<&[u8; 32], &String> =
        group.iter().flat_map(|plan| &plan.work.contents).collect();
    let all: Vec<(&[u8; 32], &String)> = all.into_iter().collect();
    let sql = include_str!("sql/insert_contents.sql");
    for (_, part) in slices(&all, |(_, html)| html.len()) {
        let params: Params<'_> = &[
            column!(part, (hash, _) => hash.as_slice()),
            column!(part, (_, html) => html.as_bytes()),
        ];
        session.execute("inserting contents", sql, params).await?;
    }
    Ok(())
}

async fn insert_subscribers(session: &Session, group: &[Plan<'_>]) -> Result<(), StoreError> {
    let doing = "inserting subscribers";
    let without = || StoreError::Failed(Cause::with_code(doing, "the database gave too few ids"));
    if group
        .iter()
        .any(|plan| plan.ids.0.len() != plan.work.create.len())
    {
        return Err(without());
    }
    let all = rows(group, |plan| {
        plan.work.create.iter().zip(&plan.ids.0).map(Ok)
    })?;
    let sql = include_str!("sql/insert_subscribers.sql");
    for (_, part) in slices(&all, |(_, (new, _))| new.email.len()) {
        let params: Params<'_> = &[
            column!(part, (plan, _) => plan.account()),
            column!(part, (_, (_, id))  => **id),
            column!(part, (_, (new, _)) => new.match_key.as_str()),
            column!(part, (_, (new, _)) => new.email.as_str()),
        ];
        session.execute(doing, sql, params).await?;
    }
    Ok(())
}

async fn insert_fields(session: &Session, group: &[Plan<'_>]) -> Result<(), StoreError> {
    let all = rows(group, |plan| {
        let fields = plan.work.fields();
        fields.map(|(who, name, value)| Ok((plan.ids.of(who)?, name, value)))
    })?;
    let sql = include_str!("sql/insert_fields.sql");
    for (_, part) in slices(&all, |(_, (_, _, value))| value.len()) {
        let params: Params<'_> = &[
            column!(part, (plan, _) => plan.account()),
            column!(part, (_, (id, _, _)) => *id),
            column!(part, (_, (_, name, _)) => *name),
            column!(part, (_, (_, _, value)) => value.as_bytes()),
        ];
        let inserted = session.execute("inserting personalization", sql, params);
        inserted.await?;
    }
    Ok(())
}

async fn insert_members(session: &Session, group: &[Plan<'_>]) -> Result<(), StoreError> {
    let all = rows(group, |plan| {
        let members = plan.work.members();
        members.map(|(list, who)| Ok((list, plan.ids.of(who)?)))
    })?;
    let sql = include_str!("sql/insert_members.sql");
    for (_, part) in slices(&all, |_| 0) {
        let params: Params<'_> = &[
            column!(part, (plan, _) => plan.account()),
            column!(part, (_, (list, _)) => *list),
            column!(part, (_, (_, id)) => *id),
        ];
        let inserted = session.execute("inserting members of lists", sql, params);
        inserted.await?;
    }
    Ok(())
}

/// Numbers rows by their positions in their plan.
fn numbered<T>(rows: &[T]) -> impl Iterator<Item = Result<(i32, &T), StoreError>> {
    (0_i32..).zip(rows).map(Ok)
}

async fn insert_messages(session: &Session, group: &[Plan<'_>]) -> Result<(), StoreError> {
    let all = rows(group, |plan| numbered(&plan.work.messages))?;
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let bytes = |message: &MessageRow| {
        let texts = [&message.subject, &message.custom_field, &message.from_name];
        texts.map(length).into_iter().fold(0, usize::saturating_add)
    };
    let sql = include_str!("sql/insert_messages.sql");
    for (_, part) in slices(&all, |(_, (_, message))| bytes(message)) {
        let params: Params<'_> = &[
            column!(part, (plan, _) => plan.id()),
            column!(part, (plan, _) => plan.account()),
            column!(part, (_, (position, _)) => *position),
            column!(part, (_, (_, message)) => message.request),
            column!(part, (_, (_, message)) => message.mailer),
            column!(part, (_, (_, message)) => message.subject.as_deref()),
            column!(part, (_, (_, message)) => message.content.as_ref().map(<[u8; 32]>::as_slice)),
            column!(part, (_, (_, message)) => message.from.as_str()),
            column!(part, (_, (_, message)) => message.from_name.as_deref()),
            column!(part, (_, (_, message)) => message.reply_to.as_deref()),
            column!(part, (_, (_, message)) => message.custom_field.as_deref().map(str::as_bytes)),
            column!(part, (_, (_, message)) => message.track_opens),
            column!(part, (_, (_, message)) => message.track_clicks),
        ];
        session.execute("inserting messages", sql, params).await?;
    }
    Ok(())
}

async fn insert_deliveries(session: &Session, group: &[Plan<'_>]) -> Result<(), StoreError> {
    let all = rows(group, |plan| {
        let deliveries = plan.work.deliveries.iter();
        deliveries.map(|one| Ok((one, plan.ids.of(one.subscriber)?)))
    })?;
    let sql = include_str!("sql/insert_deliveries.sql");
    for (_, part) in slices(&all, |(_, (one, _))| one.to.len()) {
        let params: Params<'_> = &[
            column!(part, (plan, _) => plan.id()),
            column!(part, (plan, _) => plan.account()),
            column!(part, (_, (one, _)) => one.message),
            column!(part, (_, (_, subscriber)) => *subscriber),
            column!(part, (_, (one, _)) => one.to.as_str()),
            column!(part, (_, (one, _)) => one.role),
            column!(part, (plan, (one, _)) => plan.work.mailer_of(one)),
        ];
        session.execute("inserting deliveries", sql, params).await?;
    }
    Ok(())
}

async fn insert_left_out(session: &Session, group: &[Plan<'_>]) -> Result<(), StoreError> {
    let all = rows(group, |plan| numbered(&plan.work.left_out))?;
    let sql = include_str!("sql/insert_left_out.sql");
    let length = |one: &LeftOutRow| one.pointer.as_ref().map_or(0, String::len);
    for (_, part) in slices(&all, |(_, (_, one))| length(one)) {
        let params: Params<'_> = &[
            column!(part, (plan, _) => plan.id()),
            column!(part, (_, (position, _)) => *position),
            column!(part, (_, (_, one)) => one.request),
            column!(part, (_, (_, one)) => one.pointer.as_deref()),
            column!(part, (_, (_, one)) => one.span.map(|(start, _)| start)),
            column!(part, (_, (_, one)) => one.span.map(|(_, stop)| stop)),
            column!(part, (_, (_, one)) => one.rule),
        ];
        let inserted = session.execute("inserting what was left out", sql, params);
        inserted.await?;
    }
    Ok(())
}
