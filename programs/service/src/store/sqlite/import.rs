//! Bulk import of subscribers and stored emails, on SQLite.

use rusqlite::params;
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::Sqlite;
use super::carry_out::array;
use super::operator::{Change, impossible};
use super::writer::Written;
use crate::store::asked::to_signed;
use crate::store::identity::AccountId;
use crate::store::import::{Import, Imported, NewReader, Progress, are_stored};
use crate::store::operator::{LAST_COUNTED, NewMailer, OperatorError, Reply};
use crate::store::unsubscribed::UnsubscribeScope;

impl Import for Sqlite {
    fn import_readers(
        &self,
        account: AccountId,
        readers: Vec<NewReader>,
        progress: Option<Progress>,
        tries: bool,
    ) -> Reply<Vec<Imported>> {
        self.writer.run(move |connection| {
            let change = Change::on(connection);
            let tells = import(&change, account, &readers, progress, tries);
            Written {
                keeps: tells
                    .as_ref()
                    .is_ok_and(|imported| are_stored(imported, progress, tries)),
                rows: readers.len(),
                tells,
            }
        })
    }

    fn import_mailers(
        &self,
        account: AccountId,
        mailers: Vec<NewMailer>,
        progress: Progress,
    ) -> Reply<()> {
        self.change(move |change| {
            change.account(account)?;
            for mailer in mailers {
                put_mailer(change, account, mailer)?;
            }
            note(change, progress)
        })
    }
}

/// Creates a stored email, or replaces the one with its id. Returns its id.
pub(super) fn put_mailer(
    change: &Change<'_>,
    account: AccountId,
    mailer: NewMailer,
) -> Result<u64, OperatorError> {
    let template = mailer.template;
    let html = template.html().as_bytes();
    let hash: [u8; 32] = Sha256::digest(html).into();
    let sql = include_str!("sql/insert_content.sql");
    change.run(sql, params![hash, html])?;
    let id = mailer.id.map(to_signed);
    let params = params![
        account.0,
        id,
        mailer.from.text,
        mailer.from_name,
        template.subject(),
        hash,
        template.list_unsubscribe(),
        array(template.names().map(|name| json!(name))),
        mailer.unsubscribe.map(UnsubscribeScope::name),
    ];
    let put = change.row(include_str!("sql/upsert_mailer.sql"), params, |row| {
        row.get(0)
    })?;
    put.map(i64::unsigned_abs).ok_or_else(impossible)
}

fn note(change: &Change<'_>, progress: Progress) -> Result<(), OperatorError> {
    let sql = include_str!("../sql/note_import.sql");
    let params = params![progress.file, progress.rows, progress.refused];
    change.run(sql, params).map(drop)
}

fn import(
    change: &Change<'_>,
    account: AccountId,
    readers: &[NewReader],
    progress: Option<Progress>,
    tries: bool,
) -> Result<Vec<Imported>, OperatorError> {
    change.account(account)?;
    change.no_large_call(account)?;
    let chosen = readers.iter().filter_map(|reader| reader.id.map(to_signed));
    if let Some(last) = chosen.filter(|id| *id < LAST_COUNTED).max() {
        let sql = include_str!("sql/raise_next_subscriber.sql");
        change.run(sql, params![account.0, last])?;
    }
    let new = readers.iter().filter(|reader| reader.id.is_none()).count();
    let sql = include_str!("sql/next_subscriber.sql");
    let first: Option<i64> = change.row(sql, params![account.0, new as i64], |row| row.get(0))?;
    let mut next = first.ok_or_else(impossible)?..;
    let (mut fields, mut members, mut lists) = (Vec::new(), Vec::new(), Vec::new());
    let mut imported = Vec::new();
    for reader in readers {
        let id = match reader.id.map(to_signed) {
            Some(id) => id,
            None => next.next().ok_or_else(impossible)?,
        };
        let [email, match_key] = reader.email.spellings();
        let params = params![account.0, id, match_key, email, reader.inactive];
        if change.run(include_str!("sql/insert_subscriber.sql"), params)? == 0 {
            let sql = include_str!("sql/has_match_key.sql");
            let has = change.row(sql, params![account.0, match_key], |row| row.get(0))?;
            imported.push(match has.unwrap_or(false) {
                true => Imported::SameAddress,
                false => Imported::SameNumber,
            });
            continue;
        }
        let values = reader.fields.iter();
        fields.extend(values.map(|(name, value)| json!([account.0, id, name, value])));
        let named = reader.lists.iter();
        members.extend(named.map(|list| json!([account.0, list, id])));
        lists.extend(reader.lists.iter().map(|list| json!([account.0, list])));
        imported.push(Imported::New);
    }
    // What is only tried is written as well and then rolled back, because the database may refuse it.
    if !tries && !are_stored(&imported, progress, tries) {
        return Ok(imported);
    }
    if !fields.is_empty() {
        let sql = include_str!("sql/insert_fields.sql");
        change.run(sql, params![array(fields.into_iter())])?;
    }
    if !members.is_empty() {
        let sql = include_str!("sql/insert_lists.sql");
        change.run(sql, params![array(lists.into_iter())])?;
        let sql = include_str!("sql/insert_members.sql");
        change.run(sql, params![array(members.into_iter())])?;
    }
    if let Some(progress) = progress {
        note(change, progress)?;
    }
    Ok(imported)
}
