//! The rows of plans, and the statements that write them. Statements that go out together are carried out in their order.

use std::collections::BTreeMap;

use super::session::{Params, Session};
use super::slices::{SLICE, slices};
use crate::store::asked::to_signed;
use crate::store::error::{Cause, StoreError};
use crate::store::group::{Plan, Stored};
use crate::store::work::{DeliveryRow, LeftOutRow, MessageRow};

/// The statements that write.
pub(super) const STATEMENTS: &[&str] = &[
    include_str!("sql/insert_idempotency.sql"),
    include_str!("sql/insert_lists.sql"),
    include_str!("sql/insert_contents.sql"),
    include_str!("sql/accept.sql"),
    include_str!("sql/insert_deliveries.sql"),
    include_str!("sql/insert_left_out.sql"),
];

/// A row with its plan.
type Of<'r, T> = (&'r Plan<'r>, T);
/// HTML under its hash.
type ContentRow<'r> = (&'r [u8; 32], &'r String);
/// A new subscriber: account, id, match key and address.
type SubscriberRow<'r> = (i64, i64, &'r str, &'r str);
/// A value of a subscriber's personalization: account, subscriber, name and text.
pub(super) type FieldRow<'r> = (i64, i64, &'r str, &'r str);
/// A member of a list: account, name of the list, and subscriber.
pub(super) type MemberRow<'r> = (i64, &'r str, i64);
/// A message with its position in the plan.
type MessageOf<'r> = Of<'r, (i32, &'r MessageRow)>;
/// A delivery with the id of its subscriber.
type DeliveryOf<'r> = Of<'r, (&'r DeliveryRow, i64)>;
/// What was left out, with its position in the plan.
type LeftOutOf<'r> = Of<'r, (i32, &'r LeftOutRow)>;

/// The rows that are written by one statement: see [`accept`].
#[derive(Clone, Copy, Default)]
pub(super) struct Part<'r> {
    /// The plans whose calls are written, for which their accounts pay.
    pub(super) calls: &'r [Plan<'r>],
    pub(super) subscribers: &'r [SubscriberRow<'r>],
    pub(super) fields: &'r [FieldRow<'r>],
    pub(super) members: &'r [MemberRow<'r>],
    pub(super) messages: &'r [MessageOf<'r>],
}

/// Collects a column of rows.
macro_rules! column {
    ($rows:expr, $row:pat => $value:expr) => {
        &$rows.iter().map(|$row| $value).collect::<Vec<_>>()
    };
}

/// Writes plans that were judged by the stored data. `end` goes out last. Unless the plans are large, all statements go out
/// together with `end`, before they are answered. If one of them cannot be sent, those after it are not sent either.
///
/// # Errors
/// The answer of a statement can be lost, while what goes out with the statement is carried out. This is
/// [`StoreError::Unknown`].
pub(super) async fn write(
    session: &Session,
    plans: &[Plan<'_>],
    stored: &Stored,
    end: impl Future<Output = Result<(), StoreError>>,
) -> Result<(), StoreError> {
    let has_ids = |plan: &Plan<'_>| plan.ids.0.len() == plan.work.create.len();
    if !plans.iter().all(has_ids) {
        let few = Cause::with_code("inserting subscribers", "the database gave too few ids");
        return Err(StoreError::Failed(few));
    }
    let count = plans.iter().map(|plan| plan.work.rows());
    if count.fold(0, usize::saturating_add) <= SLICE {
        let (contents, subscribers, fields, members, messages, deliveries, left_out) = (
            contents(plans),
            subscribers(plans)?,
            fields(plans)?,
            members(plans)?,
            messages(plans)?,
            deliveries(plans)?,
            left_out(plans)?,
        );
        let (contents, deliveries, left_out) = (
            cut(&contents, of_content),
            cut(&deliveries, of_delivery),
            cut(&left_out, of_left_out),
        );
        let slices = [
            contents.len(),
            cut(&subscribers, of_subscriber).len(),
            cut(&fields, of_field).len(),
            cut(&members, |_| 0).len(),
            cut(&messages, of_message).len(),
            deliveries.len(),
            left_out.len(),
        ];
        if slices.into_iter().all(|count| count <= 1) {
            let all = Part {
                calls: plans,
                subscribers: &subscribers,
                fields: &fields,
                members: &members,
                messages: &messages,
            };
            tokio::try_join!(
                biased;
                keep(session, plans),
                insert_lists(session, plans, stored),
                insert_contents(session, &contents),
                accept(session, all),
                insert_deliveries(session, &deliveries),
                insert_left_out(session, &left_out),
                end,
            )?;
            return Ok(());
        }
    }
    let written = write_one_by_one(session, plans, stored).await;
    written.map_err(before_commit)?;
    end.await
}

/// Writes the slices of one table before those of the next table, which refer to them or read them.
async fn write_one_by_one(
    session: &Session,
    plans: &[Plan<'_>],
    stored: &Stored,
) -> Result<(), StoreError> {
    keep(session, plans).await?;
    insert_lists(session, plans, stored).await?;
    insert_contents(session, &cut(&contents(plans), of_content)).await?;
    let (calls, none) = (plans, Part::default());
    accept(session, Part { calls, ..none }).await?;
    for subscribers in cut(&subscribers(plans)?, of_subscriber) {
        let part = Part {
            subscribers,
            ..none
        };
        accept(session, part).await?;
    }
    for fields in cut(&fields(plans)?, of_field) {
        accept(session, Part { fields, ..none }).await?;
    }
    for members in cut(&members(plans)?, |_| 0) {
        accept(session, Part { members, ..none }).await?;
    }
    for messages in cut(&messages(plans)?, of_message) {
        accept(session, Part { messages, ..none }).await?;
    }
    insert_deliveries(session, &cut(&deliveries(plans)?, of_delivery)).await?;
    insert_left_out(session, &cut(&left_out(plans)?, of_left_out)).await
}

/// What a failure means if COMMIT was not sent: nothing was done.
pub(super) fn before_commit(failure: StoreError) -> StoreError {
    match failure {
        StoreError::Unknown(cause) => StoreError::Failed(cause),
        failure => failure,
    }
}

/// Writes calls, subscribers, personalization, members of lists and messages by one statement, and takes the credits for the
/// calls. The verdicts have made sure that the accounts have the credits.
pub(super) async fn accept(session: &Session, part: Part<'_>) -> Result<(), StoreError> {
    let Part {
        calls,
        subscribers,
        fields,
        members,
        messages,
    } = part;
    let params: Params<'_> = &[
        column!(calls, plan => plan.id()),
        column!(calls, plan => plan.account()),
        column!(calls, plan => plan.work.operation.name()),
        column!(calls, plan => to_signed(plan.work.debit.email)),
        column!(calls, plan => to_signed(plan.work.debit.subscriber)),
        column!(subscribers, (account, _, _, _) => *account),
        column!(subscribers, (_, id, _, _) => *id),
        column!(subscribers, (_, _, key, _) => *key),
        column!(subscribers, (_, _, _, email) => *email),
        column!(fields, (account, _, _, _) => *account),
        column!(fields, (_, subscriber, _, _) => *subscriber),
        column!(fields, (_, _, name, _) => *name),
        column!(fields, (_, _, _, value) => value.as_bytes()),
        column!(members, (account, _, _) => *account),
        column!(members, (_, list, _) => *list),
        column!(members, (_, _, subscriber) => *subscriber),
        column!(messages, (plan, _) => plan.id()),
        column!(messages, (plan, _) => plan.account()),
        column!(messages, (_, (position, _)) => *position),
        column!(messages, (_, (_, message)) => message.request),
        column!(messages, (_, (_, message)) => message.mailer),
        column!(messages, (_, (_, message)) => message.subject.as_deref()),
        column!(messages, (_, (_, message)) => message.content.as_ref().map(<[u8; 32]>::as_slice)),
        column!(messages, (_, (_, message)) => message.from.as_str()),
        column!(messages, (_, (_, message)) => message.from_name.as_deref()),
        column!(messages, (_, (_, message)) => message.reply_to.as_deref()),
        column!(messages, (_, (_, message)) => message.custom_field.as_deref().map(str::as_bytes)),
        column!(messages, (_, (_, message)) => message.track_opens),
        column!(messages, (_, (_, message)) => message.track_clicks),
    ];
    let sql = include_str!("sql/accept.sql");
    session.write("writing plans", sql, params).await.map(drop)
}

/// Keeps calls under their idempotency keys.
async fn keep(session: &Session, plans: &[Plan<'_>]) -> Result<(), StoreError> {
    let records = rows(plans, |plan| {
        let records = plan.work.record.iter();
        records.map(move |record| Ok((plan, record)))
    })?;
    if records.is_empty() {
        return Ok(());
    }
    let params: Params<'_> = &[
        column!(records, (plan, _) => plan.account()),
        column!(records, (_, record) => record.hold.key.as_str()),
        column!(records, (plan, _) => plan.id()),
        column!(records, (_, record) => record.digest.as_slice()),
        column!(records, (_, record) => record.answer.as_str()),
    ];
    let sql = include_str!("sql/insert_idempotency.sql");
    let kept = session.write("inserting idempotency keys", sql, params);
    kept.await.map(drop)
}

/// Creates the lists that are missing and need not exist beforehand.
async fn insert_lists(
    session: &Session,
    plans: &[Plan<'_>],
    stored: &Stored,
) -> Result<(), StoreError> {
    let mut lists = Vec::new();
    for plan in plans {
        for name in plan.work.made_lists() {
            if !stored.lists.contains(&(plan.account(), name.clone())) {
                lists.push((plan.account(), name.as_str()));
            }
        }
    }
    if lists.is_empty() {
        return Ok(());
    }
    let params: Params<'_> = &[
        column!(lists, (account, _) => *account),
        column!(lists, (_, name) => *name),
    ];
    let sql = include_str!("sql/insert_lists.sql");
    let inserted = session.write("inserting lists", sql, params);
    inserted.await.map(drop)
}

async fn insert_contents(session: &Session, parts: &[&[ContentRow<'_>]]) -> Result<(), StoreError> {
    let sql = include_str!("sql/insert_contents.sql");
    for part in parts {
        let params: Params<'_> = &[
            column!(part, (hash, _) => hash.as_slice()),
            column!(part, (_, html) => html.as_bytes()),
        ];
        session.write("inserting contents", sql, params).await?;
    }
    Ok(())
}

async fn insert_deliveries(
    session: &Session,
    parts: &[&[DeliveryOf<'_>]],
) -> Result<(), StoreError> {
    let sql = include_str!("sql/insert_deliveries.sql");
    for part in parts {
        let params: Params<'_> = &[
            column!(part, (plan, _) => plan.id()),
            column!(part, (plan, _) => plan.account()),
            column!(part, (_, (one, _)) => one.message),
            column!(part, (_, (_, subscriber)) => *subscriber),
            column!(part, (_, (one, _)) => one.to.as_str()),
            column!(part, (_, (one, _)) => one.role),
            column!(part, (plan, (one, _)) => plan.work.mailer_of(one)),
        ];
        session.write("inserting deliveries", sql, params).await?;
    }
    Ok(())
}

async fn insert_left_out(session: &Session, parts: &[&[LeftOutOf<'_>]]) -> Result<(), StoreError> {
    let sql = include_str!("sql/insert_left_out.sql");
    for part in parts {
        let params: Params<'_> = &[
            column!(part, (plan, _) => plan.id()),
            column!(part, (_, (position, _)) => *position),
            column!(part, (_, (_, one)) => one.request),
            column!(part, (_, (_, one)) => one.pointer.as_deref()),
            column!(part, (_, (_, one)) => one.span.map(|(start, _)| start)),
            column!(part, (_, (_, one)) => one.span.map(|(_, stop)| stop)),
            column!(part, (_, (_, one)) => one.rule),
        ];
        let inserted = session.write("inserting what was left out", sql, params);
        inserted.await?;
    }
    Ok(())
}

/// Collects the rows of all plans.
fn rows<'r, T, I>(
    plans: &'r [Plan<'r>],
    of: impl Fn(&'r Plan<'r>) -> I,
) -> Result<Vec<T>, StoreError>
where
    I: Iterator<Item = Result<T, StoreError>>,
{
    plans.iter().flat_map(of).collect()
}

/// HTML in the order of the hashes, each once.
fn contents<'r>(plans: &'r [Plan<'r>]) -> Vec<ContentRow<'r>> {
    let all: BTreeMap<&[u8; 32], &String> =
        plans.iter().flat_map(|plan| &plan.work.contents).collect();
    all.into_iter().collect()
}

fn subscribers<'r>(plans: &'r [Plan<'r>]) -> Result<Vec<SubscriberRow<'r>>, StoreError> {
    rows(plans, |plan| {
        let created = plan.work.create.iter().zip(&plan.ids.0);
        created.map(move |(new, id)| {
            let (key, email) = (new.match_key.as_str(), new.email.as_str());
            Ok((plan.account(), *id, key, email))
        })
    })
}

fn fields<'r>(plans: &'r [Plan<'r>]) -> Result<Vec<FieldRow<'r>>, StoreError> {
    rows(plans, |plan| {
        let fields = plan.work.fields();
        fields.map(move |(who, name, value)| Ok((plan.account(), plan.ids.of(who)?, name, value)))
    })
}

fn members<'r>(plans: &'r [Plan<'r>]) -> Result<Vec<MemberRow<'r>>, StoreError> {
    rows(plans, |plan| {
        let members = plan.work.members();
        members.map(move |(list, who)| Ok((plan.account(), list, plan.ids.of(who)?)))
    })
}

fn messages<'r>(plans: &'r [Plan<'r>]) -> Result<Vec<MessageOf<'r>>, StoreError> {
    rows(plans, |plan| {
        let messages = (0_i32..).zip(&plan.work.messages);
        messages.map(move |message| Ok((plan, message)))
    })
}

fn deliveries<'r>(plans: &'r [Plan<'r>]) -> Result<Vec<DeliveryOf<'r>>, StoreError> {
    rows(plans, |plan| {
        let deliveries = plan.work.deliveries.iter();
        deliveries.map(move |one| Ok((plan, (one, plan.ids.of(one.subscriber)?))))
    })
}

fn left_out<'r>(plans: &'r [Plan<'r>]) -> Result<Vec<LeftOutOf<'r>>, StoreError> {
    rows(plans, |plan| {
        let left_out = (0_i32..).zip(&plan.work.left_out);
        left_out.map(move |one| Ok((plan, one)))
    })
}

/// Cuts rows into slices. `bytes` returns the length of a row's texts.
fn cut<T>(rows: &[T], bytes: impl Fn(&T) -> usize) -> Vec<&[T]> {
    slices(rows, bytes).collect()
}

fn of_content((_, html): &ContentRow<'_>) -> usize {
    html.len()
}

fn of_subscriber((_, _, _, email): &SubscriberRow<'_>) -> usize {
    email.len()
}

fn of_field((_, _, _, value): &FieldRow<'_>) -> usize {
    value.len()
}

fn of_message((_, (_, message)): &MessageOf<'_>) -> usize {
    let texts = [&message.subject, &message.custom_field, &message.from_name];
    let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    texts.map(length).into_iter().fold(0, usize::saturating_add)
}

fn of_delivery((_, (one, _)): &DeliveryOf<'_>) -> usize {
    one.to.len()
}

fn of_left_out((_, (_, one)): &LeftOutOf<'_>) -> usize {
    one.pointer.as_ref().map_or(0, String::len)
}
