//! Bulk import of subscribers and stored emails, on PostgreSQL.

use std::collections::HashSet;

use sha2::{Digest as _, Sha256};
use tokio_postgres::Error;

use super::Postgres;
use super::command::{Given, given, lock, query};
use super::failure::Doing as _;
use super::rows::{FieldRow, MemberRow, Part, accept, before_commit};
use super::session::{PATIENCE, Params, Session};
use crate::store::asked::to_signed;
use crate::store::error::{Cause, StoreError};
use crate::store::identity::AccountId;
use crate::store::import::{Import, Imported, NewReader, Progress, are_stored};
use crate::store::operator::{LAST_COUNTED, NewMailer, OperatorError, Reply};
use crate::store::unsubscribed::UnsubscribeScope;

const DOING: &str = "importing";

impl Import for Postgres {
    fn import_readers(
        &self,
        account: AccountId,
        readers: Vec<NewReader>,
        progress: Option<Progress>,
        tries: bool,
    ) -> Reply<Vec<Imported>> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            session.run(DOING, "BEGIN").await?;
            match import(&session, account, &readers, progress, tries).await {
                Ok(imported) if are_stored(&imported, progress, tries) => {
                    session.commit().await?;
                    Ok(imported)
                }
                tried => {
                    session.roll_back().await;
                    tried
                }
            }
        })
    }

    fn import_mailers(
        &self,
        account: AccountId,
        mailers: Vec<NewMailer>,
        progress: Progress,
    ) -> Reply<()> {
        self.run(move |pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            session.run(DOING, "BEGIN").await?;
            match put_mailers(&session, account, mailers, progress).await {
                Ok(()) => Ok(session.commit().await?),
                Err(failure) => {
                    session.roll_back().await;
                    Err(failure)
                }
            }
        })
    }
}

/// The parameters of the statement that stores an email.
pub(super) fn of_mailer(account: AccountId, mailer: NewMailer) -> Given {
    let template = mailer.template;
    given![
        account.0,
        mailer.id.map(to_signed),
        mailer.from.text,
        mailer.from_name,
        template.subject().to_owned(),
        Sha256::digest(template.html().as_bytes()).to_vec(),
        template.html().as_bytes().to_vec(),
        template.list_unsubscribe().map(str::to_owned),
        template.names().map(str::to_owned).collect::<Vec<_>>(),
        mailer.unsubscribe.map(UnsubscribeScope::name),
    ]
}

async fn put_mailers(
    session: &Session,
    account: AccountId,
    mailers: Vec<NewMailer>,
    progress: Progress,
) -> Result<(), OperatorError> {
    lock(session, DOING, account).await?;
    for mailer in mailers {
        let sql = include_str!("sql/upsert_mailer.sql");
        query(session, sql, &of_mailer(account, mailer)).await?;
    }
    super::statement::run(session, &progress.note()).await?;
    Ok(())
}

async fn import(
    session: &Session,
    account: AccountId,
    readers: &[NewReader],
    progress: Option<Progress>,
    tries: bool,
) -> Result<Vec<Imported>, OperatorError> {
    lock(session, DOING, account).await?;
    let chosen = readers.iter().filter_map(|reader| reader.id.map(to_signed));
    if let Some(last) = chosen.filter(|id| *id < LAST_COUNTED).max() {
        let sql = include_str!("sql/count_on_from.sql");
        session.query(DOING, sql, &[&last]).await?;
    }
    // Of several rows with the same address, the first one is stored.
    let mut keys = HashSet::new();
    let first: Vec<bool> = readers
        .iter()
        .map(|reader| keys.insert(reader.email.spellings()[1]))
        .collect();
    let known = match_keys(session, account, readers).await?;
    let new = readers.iter().filter(|reader| reader.id.is_none()).count();
    let sql = include_str!("sql/new_ids.sql");
    let ids = session.query(DOING, sql, &[&(new as i64)]).await?;
    let ids: Result<Vec<i64>, Error> = ids.iter().map(|row| row.try_get(0)).collect();
    let mut ids = ids.doing(DOING)?.into_iter();
    let few = || StoreError::Failed(Cause::with_code(DOING, "the database gave too few ids"));
    let mut rows = Vec::new();
    for (reader, is_first) in readers.iter().zip(&first) {
        let id = match reader.id.map(to_signed) {
            Some(id) => id,
            None => ids.next().ok_or_else(few)?,
        };
        if *is_first && !known.contains(reader.email.spellings()[1]) {
            rows.push((id, reader));
        }
    }
    let stored = insert(session, account, &rows).await?;
    let imported = readers.iter().zip(&first).map(|(reader, is_first)| {
        let key = reader.email.spellings()[1];
        if known.contains(key) {
            return Imported::SameAddress;
        }
        match (stored.contains(key), is_first) {
            (true, true) => Imported::New,
            (true, false) => Imported::SameAddress,
            (false, true) => Imported::SameNumber,
            // The first row with this address has a number that is taken, so this one could be stored.
            (false, false) => Imported::New,
        }
    });
    let imported: Vec<Imported> = imported.collect();
    // What is only tried is written as well and then rolled back, because the database may refuse it.
    if !tries && !are_stored(&imported, progress, tries) {
        return Ok(imported);
    }
    rows.retain(|(_, reader)| stored.contains(reader.email.spellings()[1]));
    insert_values(session, account, &rows).await?;
    if let Some(progress) = progress {
        super::statement::run(session, &progress.note()).await?;
    }
    Ok(imported)
}

/// Collects a column of rows.
fn column<'a, R, T>(rows: &'a [R], of: impl Fn(&'a R) -> T) -> Vec<T> {
    rows.iter().map(of).collect()
}

/// Returns the match keys of subscribers that are stored already.
async fn match_keys(
    session: &Session,
    account: AccountId,
    readers: &[NewReader],
) -> Result<HashSet<String>, StoreError> {
    let accounts = column(readers, |_| account.0);
    let keys = column(readers, |reader| reader.email.spellings()[1]);
    let sql = include_str!("sql/find_match_keys.sql");
    let rows = session.query(DOING, sql, &[&accounts, &keys]).await?;
    let keys: Result<HashSet<String>, Error> = rows.iter().map(|row| row.try_get(1)).collect();
    keys.doing(DOING)
}

/// Inserts subscribers with their numbers. Returns the match keys of those whose number was free.
async fn insert(
    session: &Session,
    account: AccountId,
    rows: &[(i64, &NewReader)],
) -> Result<HashSet<String>, StoreError> {
    let ids = column(rows, |(id, _)| *id);
    let keys = column(rows, |(_, reader)| reader.email.spellings()[1]);
    let emails = column(rows, |(_, reader)| reader.email.spellings()[0]);
    let inactive = column(rows, |(_, reader)| reader.inactive);
    let params: Params<'_> = &[&account.0, &ids, &keys, &emails, &inactive];
    let sql = include_str!("sql/import_subscribers.sql");
    let stored = session.query(DOING, sql, params).await?;
    let stored: Result<HashSet<String>, Error> = stored.iter().map(|row| row.try_get(0)).collect();
    stored.doing(DOING)
}

/// Inserts the personalization and the lists of subscribers that were inserted.
async fn insert_values(
    session: &Session,
    account: AccountId,
    rows: &[(i64, &NewReader)],
) -> Result<(), StoreError> {
    let account = account.0;
    let fields: Vec<FieldRow<'_>> = rows
        .iter()
        .flat_map(|(id, reader)| {
            let fields = reader.fields.iter();
            fields.map(move |(name, value)| (account, *id, *name, value.as_str()))
        })
        .collect();
    let members: Vec<MemberRow<'_>> = rows
        .iter()
        .flat_map(|(id, reader)| {
            let lists = reader.lists.iter();
            lists.map(move |list| (account, list.as_str(), *id))
        })
        .collect();
    if !members.is_empty() {
        let accounts = column(&members, |(account, _, _)| *account);
        let lists = column(&members, |(_, list, _)| *list);
        let sql = include_str!("sql/insert_lists.sql");
        session.execute(DOING, sql, &[&accounts, &lists]).await?;
    }
    if !(fields.is_empty() && members.is_empty()) {
        let part = Part {
            fields: &fields,
            members: &members,
            ..Part::default()
        };
        accept(session, part).await.map_err(before_commit)?;
    }
    Ok(())
}
