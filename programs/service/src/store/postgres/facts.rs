//! The facts of calls. One statement looks up all calls that wait. For calls of sendMailer, one more in the same snapshot is
//! needed, unless the domains of their stored addresses were guessed.

use std::collections::{HashMap, HashSet};

use deadpool_postgres::Pool;
use franking::DomainRoles;
use tokio_postgres::Row;

use super::failure::Doing as _;
use super::guesses::Guesses;
use super::session::{Params, Session};
use super::slices::{self, SLICE, parts};
use crate::store::asked::Asked;
use crate::store::error::{Cause, StoreError};
use crate::store::identity::AccountId;
use crate::store::known::{Found, Known, MailerFact, SubscriberFact};

const DOING: &str = "looking facts up";
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

const STATEMENTS: &[&str] = &[
    include_str!("sql/facts.sql"),
    include_str!("sql/blacklisted.sql"),
];

/// The questions of one call.
pub(super) type Call<'a> = (AccountId, &'a Asked);

/// Looks up the facts of calls that wait together, in one snapshot. A fault in the facts of one call does not fail the
/// others.
pub(super) async fn facts(
    pool: &Pool,
    calls: &[Call<'_>],
    guesses: &Guesses,
) -> Result<Vec<Result<Found, StoreError>>, StoreError> {
    let session = Session::open(pool).await?;
    // Statements that go out together are carried out in their order only if they are prepared.
    session.prepare(STATEMENTS).await?;
    let guessed = match guesses.of(calls) {
        Some(guessed) => look_up_at_once(&session, calls, guessed).await?,
        None => None,
    };
    let found = if let Some(found) = guessed {
        found
    } else {
        let found = look_up(&session, calls, true).await?;
        guesses.note(calls, &found);
        found
    };
    session.close();
    Ok(found)
}

/// Looks everything up by one statement, with the domains that stored addresses are guessed to have, in ascending order. `None`
/// if an address has another domain, or if there are too many questions for one statement.
async fn look_up_at_once(
    session: &Session,
    calls: &[Call<'_>],
    guessed: Vec<String>,
) -> Result<Option<Vec<Result<Found, StoreError>>>, StoreError> {
    let questions = Questions {
        guessed,
        ..Questions::of(calls)
    };
    if questions.parts() > 1 {
        return Ok(None);
    }
    let rows = questions.look_up(session, 0).await?;
    let mut all: Vec<Known> = calls.iter().map(|_| Known::default()).collect();
    let mut listed = HashMap::new();
    questions.read(&rows, 0, &mut all, &mut listed)?;
    let (names, failed) = stored_domains(&all, calls);
    let is_guessed = |name: &String| questions.guessed.binary_search(name).is_ok();
    match names.iter().all(is_guessed) {
        true => Ok(Some(into_found(all, calls, &listed, failed))),
        false => Ok(None),
    }
}

/// Looks everything up, a slice of each column at a time. If this takes several statements and `is_alone`, it is done in a
/// snapshot of its own. Otherwise it is done within the transaction of the session.
pub(super) async fn look_up(
    session: &Session,
    calls: &[Call<'_>],
    is_alone: bool,
) -> Result<Vec<Result<Found, StoreError>>, StoreError> {
    let questions = Questions::of(calls);
    let parts = questions.parts();
    let wants_addresses = calls.iter().any(|(_, asked)| asked.wants_addresses);
    let has_snapshot = is_alone && (wants_addresses || parts > 1);
    let run = async |statement| match has_snapshot {
        true => session.run(DOING, statement).await,
        false => Ok(()),
    };
    let mut all: Vec<Known> = calls.iter().map(|_| Known::default()).collect();
    // Joined statements go out together.
    let first = questions.look_up(session, 0);
    let ((), rows) = tokio::try_join!(biased; run(BEGIN), first)?;
    let mut listed = HashMap::new();
    questions.read(&rows, 0, &mut all, &mut listed)?;
    for part in 1..parts {
        let rows = questions.look_up(session, part).await?;
        questions.read(&rows, part, &mut all, &mut listed)?;
    }
    let (names, failed) = stored_domains(&all, calls);
    if wants_addresses {
        let names: Vec<String> = names.into_iter().collect();
        let params: Params<'_> = &[&names];
        let sql = include_str!("sql/blacklisted.sql");
        let (rows, ()) =
            tokio::try_join!(biased; session.query(DOING, sql, params), run("COMMIT"))?;
        for row in &rows {
            let name: String = row.try_get(0).doing(DOING)?;
            listed.insert(name, roles(row.try_get::<_, i16>(1).doing(DOING)?)?);
        }
    } else {
        run("COMMIT").await?;
    }
    Ok(into_found(all, calls, &listed, failed))
}

/// Returns the domains of stored addresses that the calls are judged by, with their parents, and the failure of each call.
fn stored_domains(all: &[Known], calls: &[Call<'_>]) -> (HashSet<String>, Vec<Option<StoreError>>) {
    let (mut names, mut failed) = (HashSet::new(), Vec::new());
    for (known, (_, asked)) in all.iter().zip(calls) {
        let stored = match asked.wants_addresses {
            true => known.stored_domains(),
            false => Ok(Vec::new()),
        };
        failed.push(stored.map(|stored| names.extend(stored)).err());
    }
    (names, failed)
}

/// Converts what is known to the facts of each call. `listed` has the roles of the listed domains of stored addresses.
fn into_found(
    mut all: Vec<Known>,
    calls: &[Call<'_>],
    listed: &HashMap<String, DomainRoles>,
    failed: Vec<Option<StoreError>>,
) -> Vec<Result<Found, StoreError>> {
    if !listed.is_empty() {
        for known in &mut all {
            known.stored.clone_from(listed);
        }
    }
    let all = all.into_iter().zip(calls).zip(failed);
    all.map(|((known, (_, asked)), failed)| match failed {
        Some(failure) => Err(failure),
        None => known.into_found(asked),
    })
    .collect()
}

/// A question, with the call that asks it and its position in the call.
struct Question<T> {
    call: usize,
    place: usize,
    account: i64,
    of: T,
}

/// The match key of a subscriber, whether its address is read, and the stored email that is sent.
type Key<'a> = (&'a str, (bool, Option<i64>));

/// The questions of calls, column by column.
struct Questions<'a> {
    mailers: Vec<Question<i64>>,
    senders: Vec<Question<&'a str>>,
    /// Each with the stored email that is sent.
    subscriber_ids: Vec<Question<(i64, Option<i64>)>>,
    subscribers: Vec<Question<Key<'a>>>,
    lists: Vec<Question<Option<&'a str>>>,
    domains: Vec<Question<&'a str>>,
    /// Domains that no call asks about, in ascending order. They are looked up after the others.
    guessed: Vec<String>,
}

impl<'a> Questions<'a> {
    fn of(calls: &[Call<'a>]) -> Self {
        // PostgreSQL does not store a text with NUL, so no list has such a name. NULL equals no name.
        let list = |name: &'a String| Some(name.as_str()).filter(|name| !name.contains('\0'));
        Self {
            mailers: column(calls, |asked| asked.mailers.iter().copied()),
            senders: column(calls, |asked| asked.senders.iter().map(String::as_str)),
            subscriber_ids: column(calls, |asked| {
                let ids = asked.subscriber_ids.iter();
                ids.map(|id| (*id, asked.mailer()))
            }),
            subscribers: column(calls, |asked| {
                let keys = asked.subscribers.iter();
                keys.map(|key| (key.as_str(), (asked.wants_addresses, asked.mailer())))
            }),
            lists: column(calls, |asked| asked.lists.iter().map(list)),
            domains: column(calls, |asked| {
                asked.domains.iter().map(|(name, _)| name.as_str())
            }),
            guessed: Vec::new(),
        }
    }

    /// Returns the number of slices in which they are looked up.
    fn parts(&self) -> usize {
        let lengths = [
            self.mailers.len(),
            self.senders.len(),
            self.subscriber_ids.len(),
            self.subscribers.len(),
            self.lists.len(),
            self.domains.len().saturating_add(self.guessed.len()),
        ];
        parts(&lengths)
    }

    /// Looks up a slice of each column.
    async fn look_up(&self, session: &Session, part: usize) -> Result<Vec<Row>, StoreError> {
        fn of<T: Copy>(column: &[Question<T>], part: usize) -> (Vec<i64>, Vec<T>) {
            let slice = slices::part(column, part);
            slice.iter().map(|one| (one.account, one.of)).unzip()
        }
        let mailers = of(&self.mailers, part);
        let senders = of(&self.senders, part);
        let (id_accounts, ids) = of(&self.subscriber_ids, part);
        let (ids, id_mailers): (Vec<i64>, Vec<Option<i64>>) = ids.into_iter().unzip();
        let (accounts, subscribers) = of(&self.subscribers, part);
        let (keys, with): (Vec<&str>, Vec<_>) = subscribers.into_iter().unzip();
        let (wants, mailers_of_keys): (Vec<bool>, Vec<Option<i64>>) = with.into_iter().unzip();
        let lists = of(&self.lists, part);
        let (_, mut domains) = of(&self.domains, part);
        if part == 0 {
            domains.extend(self.guessed.iter().map(String::as_str));
        }
        let params: Params<'_> = &[
            &mailers.0,
            &mailers.1,
            &senders.0,
            &senders.1,
            &id_accounts,
            &ids,
            &accounts,
            &keys,
            &wants,
            &lists.0,
            &lists.1,
            &domains,
            &id_mailers,
            &mailers_of_keys,
        ];
        let sql = include_str!("sql/facts.sql");
        session.query(DOING, sql, params).await
    }

    /// Assigns the rows of a slice to the calls that asked, and the guessed domains to `listed`.
    fn read(
        &self,
        rows: &[Row],
        part: usize,
        all: &mut [Known],
        listed: &mut HashMap<String, DomainRoles>,
    ) -> Result<(), StoreError> {
        let first = part.saturating_mul(SLICE);
        for row in rows {
            let place: i64 = row.try_get(1).doing(DOING)?;
            let place = usize::try_from(place)
                .ok()
                .and_then(|place| place.checked_sub(1)?.checked_add(first))
                .ok_or_else(impossible)?;
            self.read_row(row, place, all, listed)?;
        }
        Ok(())
    }

    fn read_row(
        &self,
        row: &Row,
        place: usize,
        all: &mut [Known],
        listed: &mut HashMap<String, DomainRoles>,
    ) -> Result<(), StoreError> {
        match row.try_get::<_, i32>(0).doing(DOING)? {
            0 => {
                let mailer = MailerFact {
                    from: row.try_get(3).doing(DOING)?,
                    from_name: row.try_get(4).doing(DOING)?,
                    revision: row.try_get(2).doing(DOING)?,
                };
                let (known, place) = asker(&self.mailers, place, all)?;
                known.mailers.insert(place, mailer);
            }
            1 => {
                let (known, place) = asker(&self.senders, place, all)?;
                known.senders.push(place);
            }
            2 => {
                let (known, place) = asker(&self.subscriber_ids, place, all)?;
                known.subscriber_ids.insert(place, subscriber(row)?);
            }
            3 => {
                let (known, place) = asker(&self.subscribers, place, all)?;
                known.subscribers.insert(place, subscriber(row)?);
            }
            4 => {
                let (known, place) = asker(&self.lists, place, all)?;
                known.lists.push(place);
            }
            5 => {
                let bits: i64 = row.try_get(2).doing(DOING)?;
                let roles = roles(bits)?;
                if let Some(place) = place.checked_sub(self.domains.len()) {
                    let name = self.guessed.get(place).ok_or_else(impossible)?;
                    listed.insert(name.clone(), roles);
                } else {
                    let (known, place) = asker(&self.domains, place, all)?;
                    known.domains.push((place, roles));
                }
            }
            _ => return Err(impossible()),
        }
        Ok(())
    }
}

/// Collects a column of all calls.
fn column<'a, T, I>(calls: &[Call<'a>], of: impl Fn(&'a Asked) -> I) -> Vec<Question<T>>
where
    I: Iterator<Item = T>,
{
    let of_call = |(call, (account, asked)): (usize, &Call<'a>)| {
        let account = account.0;
        of(asked).enumerate().map(move |(place, of)| Question {
            call,
            place,
            account,
            of,
        })
    };
    calls.iter().enumerate().flat_map(of_call).collect()
}

/// Returns what is known to the call that has asked a question, and the question's position in the call.
fn asker<'k, T>(
    column: &[Question<T>],
    place: usize,
    all: &'k mut [Known],
) -> Result<(&'k mut Known, usize), StoreError> {
    let question = column.get(place).ok_or_else(impossible)?;
    let known = all.get_mut(question.call).ok_or_else(impossible)?;
    Ok((known, question.place))
}

fn subscriber(row: &Row) -> Result<SubscriberFact, StoreError> {
    let read = || {
        Ok(SubscriberFact {
            id: row.try_get(2)?,
            email: row.try_get(3)?,
            inactive: row.try_get(5)?,
        })
    };
    read().doing(DOING)
}

/// Reads roles as they are stored.
pub(super) fn roles(bits: impl TryInto<u8>) -> Result<DomainRoles, StoreError> {
    let bits = bits.try_into().map_err(|_| impossible())?;
    Ok(DomainRoles::from_bits(bits))
}

/// The error for an answer of the database that is impossible.
fn impossible() -> StoreError {
    StoreError::Failed(Cause::with_code(
        DOING,
        "the database gave an impossible answer",
    ))
}
