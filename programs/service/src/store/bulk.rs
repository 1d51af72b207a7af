//! Bulk import and export, except the import of subscribers. The statements are the same on both databases.

use std::collections::{BTreeMap, HashMap};

use franking::DomainRoles;
use serde_json::json;

use super::Import;
use super::identity::AccountId;
use super::import::{NewReader, Progress};
use super::long_lists::roles;
use super::operator::{Address, Domain, OperatorError, Reply};
use super::records::list;
use super::statement::{HasStatements, Row, Statement, Value, statement};

/// A subscriber with everything that is stored about it.
#[derive(Clone)]
pub struct StoredReader {
    /// Its number.
    pub id: i64,
    /// Its address.
    pub email: String,
    /// Whether it would be INACTIVE without suppressions, which are exported separately.
    pub inactive: bool,
    /// Its personalization, by the names of the interface.
    pub fields: Vec<(String, String)>,
    /// The lists that it is in.
    pub lists: Vec<String>,
}

impl std::fmt::Debug for StoredReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("StoredReader")
    }
}

/// A suppression to import.
#[derive(Clone)]
pub struct NewSuppression {
    /// The address. Its subscriber is created if it does not exist.
    pub email: Address,
    /// `bounces` or `complaint`.
    pub cause: &'static str,
}

impl std::fmt::Debug for NewSuppression {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NewSuppression")
    }
}

/// A table that is exported with an account: one JSON object for each row.
#[derive(Clone, Copy, Debug)]
pub struct ExportedTable {
    /// Its name.
    pub name: &'static str,
    /// The names of its columns. The first is a number that orders the rows.
    pub columns: &'static [&'static str],
    /// Selects its rows of account ?1 after number ?2, up to 1,000 of them.
    sql: &'static str,
}

macro_rules! exported {
    ($($name:literal: $from:literal, $first:literal $(, $column:literal)*;)+) => {
        &[$(ExportedTable {
            name: $name,
            columns: &[$first $(, $column)*],
            sql: concat!(
                "SELECT ", $first, $(", ", $column,)* " FROM ", $from,
                " AND ", $first, " > ?2 ORDER BY ", $first, " LIMIT 1000",
            ),
        }),+]
    };
}

/// The tables that are exported with an account, in addition to its subscribers. Secrets are not exported: hashes of keys
/// and sealed texts.
pub const EXPORTED: &[ExportedTable] = exported! {
    "account": "(
            SELECT a.*, c.subscribers AS subscriber_credit, c.emails AS email_credit
            FROM accounts a JOIN credits c ON c.account = a.id
            WHERE a.id = ?1
        ) a WHERE true",
        "id", "name", "blocked", "expired", "deactivated", "subscriber_credit", "email_credit", "http_unsubscribe", "paused", "created";
    "keys": "keys WHERE account = ?1", "id", "label", "used", "created";
    "lists": "lists WHERE account = ?1", "id", "name";
    "mailers": "(SELECT m.*, c.html AS html FROM mailers m JOIN contents c ON c.hash = m.content WHERE m.account = ?1) m WHERE true",
        "id", "from_address", "from_name", "subject", "html", "list_unsubscribe", "unsubscribe", "revision";
    "calls": "calls WHERE account = ?1", "id", "operation", "emails", "subscribers", "created";
    "deliveries": "(
            SELECT d.*, m.request AS request, m.mailer AS mailer, m.subject AS subject, m.from_address AS from_address,
                m.custom_field AS custom_field
            FROM deliveries d JOIN messages m ON m.call = d.call AND m.position = d.message
            WHERE d.account = ?1
        ) d WHERE true",
        "id", "call", "request", "mailer", "subscriber", "to_address", "role", "from_address", "subject", "custom_field", "state",
        "reason", "attempts", "created", "ended";
    "events": "events WHERE account = ?1 AND number IS NOT NULL", "number", "kind", "subscriber", "delivery", "status", "reason",
        "happened";
    "suppressions": "suppressions WHERE account = ?1", "id", "subscriber", "cause", "reason", "created", "lifted", "lifted_reason";
    "unsubscribed": "unsubscribed WHERE account = ?1", "id", "subscriber", "scope", "mailer", "created", "lifted", "lifted_reason";
    "reports": "reports WHERE account = ?1", "id", "kind", "status", "reason", "subscriber", "delivery", "received";
    "webhooks": "webhooks WHERE account = ?1", "id", "url", "kinds", "position", "disabled", "created";
    "credit_changes": "credit_changes WHERE account = ?1", "id", "subscriber", "email", "operator", "changed";
    "refused_calls": "transcripts WHERE account = ?1 AND call IS NULL", "id", "operation", "code", "rule", "pointer", "bytes", "peer",
        "request", "received";
};

/// Boolean columns, which SQLite stores as numbers.
const FLAGS: &[&str] = &[
    "blocked",
    "expired",
    "deactivated",
    "http_unsubscribe",
    "paused",
];

/// Imports and exports in bulk.
pub trait Bulk: Import {
    /// Returns how far the import of a file has come, or `None` if it has not begun or has ended.
    fn imported(&self, file: [u8; 32]) -> Reply<Option<Progress>>;
    /// Begins the import of a file.
    fn begin_import(&self, file: [u8; 32]) -> Reply<()>;
    /// Ends the import of a file.
    fn end_import(&self, file: [u8; 32]) -> Reply<()>;
    /// Blacklists domains, each for its roles. They replace the roles for which it was listed before.
    fn import_blacklist(
        &self,
        domains: Vec<(Domain, DomainRoles)>,
        progress: Progress,
    ) -> Reply<()>;
    /// Suppresses subscribers of an account, and creates those that do not exist.
    fn import_suppressions(
        &self,
        account: AccountId,
        suppressions: Vec<NewSuppression>,
        progress: Progress,
    ) -> Reply<()>;
    /// Returns at most 1,000 subscribers of an account after a number.
    fn readers_after(&self, account: AccountId, after: i64) -> Reply<Vec<StoredReader>>;
    /// Returns at most 1,000 rows of a table after a number: each with its number, and as a JSON object.
    fn exported(
        &self,
        table: &'static ExportedTable,
        account: AccountId,
        after: i64,
    ) -> Reply<Vec<(i64, serde_json::Value)>>;
    /// Returns the senders of an account, each as a JSON object.
    fn exported_senders(&self, account: AccountId) -> Reply<Vec<serde_json::Value>>;
    /// Returns at most 1,000 suppressed addresses after the number of a suppression: each with that number and its cause.
    fn suppressed_after(&self, account: AccountId, after: i64)
    -> Reply<Vec<(i64, String, String)>>;
    /// Returns the domains that are blacklisted, each with its roles.
    fn listed(&self, domains: Vec<String>) -> Reply<Vec<(String, DomainRoles)>>;
}

impl Progress {
    /// Makes the statement that stores the progress.
    pub(super) fn note(self) -> Statement {
        statement!(
            "note_import.sql",
            Value::Bytes(self.file.to_vec()),
            self.rows,
            self.refused
        )
    }
}

impl<T: HasStatements + Import> Bulk for T {
    fn imported(&self, file: [u8; 32]) -> Reply<Option<Progress>> {
        let sql = statement!("select_import.sql", Value::Bytes(file.to_vec()));
        let rows = self.statements().read_rows(sql);
        Box::pin(async move {
            let rows = rows.await?;
            let Some(row) = rows.first() else {
                return Ok(None);
            };
            Ok(Some(Progress {
                file,
                rows: row.integer(0)?,
                refused: row.integer(1)?,
            }))
        })
    }

    fn begin_import(&self, file: [u8; 32]) -> Reply<()> {
        let begun = Progress {
            file,
            rows: 0,
            refused: 0,
        };
        let noted = self.statements().write_rows(vec![begun.note()]);
        Box::pin(async move { noted.await.map(drop) })
    }

    fn end_import(&self, file: [u8; 32]) -> Reply<()> {
        let sql = statement!("end_import.sql", Value::Bytes(file.to_vec()));
        let rows = self.statements().write_rows(vec![sql]);
        Box::pin(async move { rows.await.map(drop) })
    }

    fn import_blacklist(
        &self,
        domains: Vec<(Domain, DomainRoles)>,
        progress: Progress,
    ) -> Reply<()> {
        // If a domain occurs twice, its last roles count.
        let domains: BTreeMap<String, u8> = domains
            .into_iter()
            .map(|(domain, roles)| (domain.0, roles.bits()))
            .collect();
        let rows = json!(domains.into_iter().collect::<Vec<_>>()).to_string();
        let sql = statement!("import_blacklist.sql", rows);
        let stored = self.statements().write_rows(vec![sql, progress.note()]);
        Box::pin(async move { stored.await.map(drop) })
    }

    fn import_suppressions(
        &self,
        account: AccountId,
        suppressions: Vec<NewSuppression>,
        progress: Progress,
    ) -> Reply<()> {
        let new = suppressions.iter().map(|one| NewReader {
            id: None,
            email: one.email.clone(),
            // The subscriber is active until it is suppressed, so lifting the suppression makes it active again.
            inactive: false,
            fields: Vec::new(),
            lists: Vec::new(),
        });
        // The progress is stored with the suppressions. If the import is interrupted before that, the subscribers that were
        // created are found when it is repeated.
        let made = self.import_readers(account, new.collect(), None, false);
        let store = self.statements();
        Box::pin(async move {
            made.await?;
            let rows = suppressions
                .iter()
                .map(|one| json!([one.email.spellings()[1], one.cause]));
            let rows = json!(rows.collect::<Vec<_>>()).to_string();
            let stored = store.write_rows(vec![
                statement!("import_suppressions.sql", account.0, rows.clone()),
                statement!("deactivate_suppressed.sql", account.0, rows),
                progress.note(),
            ]);
            stored.await.map(drop)
        })
    }

    fn readers_after(&self, account: AccountId, after: i64) -> Reply<Vec<StoredReader>> {
        let store = self.statements();
        Box::pin(async move {
            let sql = statement!("export_subscribers.sql", account.0, after);
            let rows = store.read_rows(sql).await?;
            let Some(last) = rows.last() else {
                return Ok(Vec::new());
            };
            let last = last.integer(0)?;
            let fields = statement!("export_fields.sql", account.0, after, last);
            let fields = by_subscriber(store.read_rows(fields).await?, |row| {
                Ok((row.text(1)?, row.text(2)?))
            })?;
            let lists = statement!("export_members.sql", account.0, after, last);
            let lists = by_subscriber(store.read_rows(lists).await?, |row| row.text(1))?;
            let (mut fields, mut lists) = (fields, lists);
            rows.iter()
                .map(|row| {
                    let id = row.integer(0)?;
                    Ok(StoredReader {
                        id,
                        email: row.text(1)?,
                        inactive: row.flag(2)?,
                        fields: fields.remove(&id).unwrap_or_default(),
                        lists: lists.remove(&id).unwrap_or_default(),
                    })
                })
                .collect()
        })
    }

    fn exported(
        &self,
        table: &'static ExportedTable,
        account: AccountId,
        after: i64,
    ) -> Reply<Vec<(i64, serde_json::Value)>> {
        let rows = self.statements().read_rows(Statement {
            sql: table.sql,
            given: vec![account.0.into(), after.into()],
        });
        Box::pin(async move {
            let rows = rows.await?;
            rows.iter()
                .map(|row| Ok((row.integer(0)?, row.to_json(table.columns, FLAGS))))
                .collect()
        })
    }

    fn exported_senders(&self, account: AccountId) -> Reply<Vec<serde_json::Value>> {
        let sql = "SELECT address, active FROM senders WHERE account = ?1 ORDER BY match_key";
        let rows = self.statements().read_rows(Statement {
            sql,
            given: vec![account.0.into()],
        });
        list(rows, |row| {
            Ok(row.to_json(&["address", "active"], &["active"]))
        })
    }

    fn suppressed_after(
        &self,
        account: AccountId,
        after: i64,
    ) -> Reply<Vec<(i64, String, String)>> {
        let rows = statement!("export_suppressions.sql", account.0, after);
        list(self.statements().read_rows(rows), |row| {
            Ok((row.integer(0)?, row.text(1)?, row.text(2)?))
        })
    }

    fn listed(&self, domains: Vec<String>) -> Reply<Vec<(String, DomainRoles)>> {
        let rows: Vec<[String; 1]> = domains.into_iter().map(|domain| [domain]).collect();
        let sql = statement!("select_listed.sql", json!(rows).to_string());
        list(self.statements().read_rows(sql), |row| {
            Ok((row.text(0)?, roles(row, 1)?))
        })
    }
}

/// Groups rows by the subscriber in their first column.
fn by_subscriber<R>(
    rows: Vec<Row>,
    read: impl Fn(&Row) -> Result<R, OperatorError>,
) -> Result<HashMap<i64, Vec<R>>, OperatorError> {
    let mut all = HashMap::<i64, Vec<R>>::new();
    for row in &rows {
        all.entry(row.integer(0)?).or_default().push(read(row)?);
    }
    Ok(all)
}
