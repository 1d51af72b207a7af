//! The rows of plans, and the statements that write them. Statements that go out together are carried out in their order.

use std::collections::BTreeMap;

use super::session::{Params, Session};
use super::slices::slices;
use crate::store::asked::to_signed;
use crate::store::error::{Cause, StoreError};
use crate::store::group::{Plan, Stored};
use crate::store::idempotency::Record;
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

/// The rows of plans, by table. They can be more than one statement takes.
pub(super) struct Rows<'r> {
    plans: &'r [Plan<'r>],
    records: Vec<Of<'r, &'r Record>>,
    /// The lists that are missing, each with its account.
    lists: Vec<(i64, &'r str)>,
    /// HTML under its hash, in the order of the hashes.
    contents: Vec<(&'r [u8; 32], &'r String)>,
    subscribers: Vec<SubscriberRow<'r>>,
    fields: Vec<FieldRow<'r>>,
    members: Vec<MemberRow<'r>>,
    messages: Vec<MessageOf<'r>>,
    deliveries: Vec<DeliveryOf<'r>>,
    left_out: Vec<LeftOutOf<'r>>,
}

/// Collects a column of rows.
macro_rules! column {
    ($rows:expr, $row:pat => $value:expr) => {
        &$rows.iter().map(|$row| $value).collect::<Vec<_>>()
    };
}

impl<'r> Rows<'r> {
    /// Collects the rows of plans that were judged by the stored data.
    pub(super) fn of(plans: &'r [Plan<'r>], stored: &Stored) -> Result<Self, StoreError> {
        let has_ids = |plan: &Plan<'_>| plan.ids.0.len() == plan.work.create.len();
        if !plans.iter().all(has_ids) {
            let few = Cause::with_code("inserting subscribers", "the database gave too few ids");
            return Err(StoreError::Failed(few));
        }
        let mut lists = Vec::new();
        for plan in plans {
            for name in plan.work.made_lists() {
                if !stored.lists.contains(&(plan.account(), name.clone())) {
                    lists.push((plan.account(), name.as_str()));
                }
            }
        }
        let contents: BTreeMap<&[u8; 32], &String> =
            plans.iter().flat_map(|plan| &plan.work.contents).collect();
        Ok(Self {
            plans,
            records: rows(plans, |plan| {
                let records = plan.work.record.iter();
                records.map(move |record| Ok((plan, record)))
            })?,
            lists,
            contents: contents.into_iter().collect(),
            subscribers: rows(plans, |plan| {
                let created = plan.work.create.iter().zip(&plan.ids.0);
                created.map(move |(new, id)| {
                    let (key, email) = (new.match_key.as_str(), new.email.as_str());
                    Ok((plan.account(), *id, key, email))
                })
            })?,
            fields: rows(plans, |plan| {
                let fields = plan.work.fields();
                fields.map(move |(who, name, value)| {
                    Ok((plan.account(), plan.ids.of(who)?, name, value))
                })
            })?,
            members: rows(plans, |plan| {
                let members = plan.work.members();
                members.map(move |(list, who)| Ok((plan.account(), list, plan.ids.of(who)?)))
            })?,
            messages: rows(plans, |plan| {
                let messages = (0_i32..).zip(&plan.work.messages);
                messages.map(move |message| Ok((plan, message)))
            })?,
            deliveries: rows(plans, |plan| {
                let deliveries = plan.work.deliveries.iter();
                deliveries.map(move |one| Ok((plan, (one, plan.ids.of(one.subscriber)?))))
            })?,
            left_out: rows(plans, |plan| {
                let left_out = (0_i32..).zip(&plan.work.left_out);
                left_out.map(move |one| Ok((plan, one)))
            })?,
        })
    }

    /// Writes all rows. `end` goes out last. If one statement for each kind takes all rows, all statements go out together
    /// with `end`, before they are answered. If one of them cannot be sent, those after it are not sent either.
    ///
    /// # Errors
    /// The answer of a statement can be lost, and what goes out with the statement can have been carried out. This is
    /// [`StoreError::Unknown`].
    pub(super) async fn write(
        &self,
        session: &Session,
        end: impl Future<Output = Result<(), StoreError>>,
    ) -> Result<(), StoreError> {
        let contents = cut(&self.contents, |(_, html)| html.len());
        let subscribers = cut(&self.subscribers, |(_, _, _, email)| email.len());
        let fields = cut(&self.fields, |(_, _, _, value)| value.len());
        let members = cut(&self.members, |_| 0);
        let messages = cut(&self.messages, |(_, (_, message))| texts(message));
        let deliveries = cut(&self.deliveries, |(_, (one, _))| one.to.len());
        let left_out = cut(&self.left_out, |(_, (_, one))| length(one.pointer.as_ref()));
        let slices = [
            contents.len(),
            subscribers.len(),
            fields.len(),
            members.len(),
            messages.len(),
            deliveries.len(),
            left_out.len(),
        ];
        if slices.into_iter().all(|count| count <= 1) {
            let all = Part {
                calls: self.plans,
                subscribers: &self.subscribers,
                fields: &self.fields,
                members: &self.members,
                messages: &self.messages,
            };
            tokio::try_join!(
                biased;
                self.keep(session),
                self.insert_lists(session),
                insert_contents(session, &contents),
                accept(session, all),
                insert_deliveries(session, &deliveries),
                insert_left_out(session, &left_out),
                end,
            )?;
            return Ok(());
        }
        // The slices of one table are written before those of the next table, which refer to them.
        let none = Part::default();
        let one_by_one = async {
            self.keep(session).await?;
            self.insert_lists(session).await?;
            insert_contents(session, &contents).await?;
            let calls = self.plans;
            accept(session, Part { calls, ..none }).await?;
            for subscribers in subscribers {
                accept(
                    session,
                    Part {
                        subscribers,
                        ..none
                    },
                )
                .await?;
            }
            for fields in fields {
                accept(session, Part { fields, ..none }).await?;
            }
            for members in members {
                accept(session, Part { members, ..none }).await?;
            }
            for messages in messages {
                accept(session, Part { messages, ..none }).await?;
            }
            insert_deliveries(session, &deliveries).await?;
            insert_left_out(session, &left_out).await
        };
        one_by_one.await.map_err(before_commit)?;
        end.await
    }

    /// Keeps calls under their idempotency keys.
    async fn keep(&self, session: &Session) -> Result<(), StoreError> {
        if self.records.is_empty() {
            return Ok(());
        }
        let params: Params<'_> = &[
            column!(self.records, (plan, _) => plan.account()),
            column!(self.records, (_, record) => record.hold.key.as_str()),
            column!(self.records, (plan, _) => plan.id()),
            column!(self.records, (_, record) => record.digest.as_slice()),
            column!(self.records, (_, record) => record.answer.as_str()),
        ];
        let sql = include_str!("sql/insert_idempotency.sql");
        let kept = session.write("inserting idempotency keys", sql, params);
        kept.await.map(drop)
    }

    /// Creates the lists that are missing.
    async fn insert_lists(&self, session: &Session) -> Result<(), StoreError> {
        if self.lists.is_empty() {
            return Ok(());
        }
        let params: Params<'_> = &[
            column!(self.lists, (account, _) => *account),
            column!(self.lists, (_, name) => *name),
        ];
        let sql = include_str!("sql/insert_lists.sql");
        let inserted = session.write("inserting lists", sql, params);
        inserted.await.map(drop)
    }
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

async fn insert_contents(
    session: &Session,
    parts: &[&[(&[u8; 32], &String)]],
) -> Result<(), StoreError> {
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

/// Cuts rows into slices.
fn cut<T>(rows: &[T], bytes: impl Fn(&T) -> usize) -> Vec<&[T]> {
    slices(rows, bytes).collect()
}

/// The length of a message's texts.
fn texts(message: &MessageRow) -> usize {
    let texts = [&message.subject, &message.custom_field, &message.from_name];
    let lengths = texts.map(|text| length(text.as_ref()));
    lengths.into_iter().fold(0, usize::saturating_add)
}

fn length(text: Option<&String>) -> usize {
    text.map_or(0, String::len)
}
