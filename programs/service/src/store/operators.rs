//! The operators who may look at the desk, and their sessions. The statements are the same on both databases.

use super::operator::{OperatorError, Reply};
use super::records::{list, one};
use super::statement::{HasStatements, Statement, Value, statement as of_file};

/// The length of a session, in seconds.
pub(crate) const SESSION_SECONDS: i64 = 12 * 60 * 60;

/// An operator who may look at the desk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperatorRow {
    /// The name.
    pub name: String,
    /// What they may do.
    pub rights: Rights,
    /// When the operator was added or, for an operator of a session, when the session began, in seconds since 1970.
    pub created: i64,
}

/// What an operator may do in addition to looking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rights {
    /// See personal data unmasked.
    pub unmask: bool,
    /// Change something.
    pub act: bool,
}

/// A session's token as it is stored: its SHA-256.
pub type TokenHash = [u8; 32];

/// The random number of a form.
pub type FormNumber = [u8; 16];

/// For how many seconds the database remembers that a form was carried out.
const FORM_SECONDS: i64 = 24 * 60 * 60;

/// Stores operators, their sessions and their forms.
pub trait Operators {
    /// Adds an operator with the hash of a password, or replaces the hash and the rights. This ends the sessions that were
    /// begun under the name.
    fn put_operator(&self, name: String, hash: String, rights: Rights) -> Reply<()>;
    /// Removes an operator.
    fn remove_operator(&self, name: String) -> Reply<()>;
    /// All operators.
    fn operators(&self) -> Reply<Vec<OperatorRow>>;
    /// Returns the operator with this name, if there is one.
    fn operator(&self, name: String) -> Reply<Option<OperatorRow>>;
    /// Returns the hash of an operator's password, if the operator exists.
    fn operator_hash(&self, name: String) -> Reply<Option<String>>;
    /// Begins a session, if the operator's password still has this hash, and ends sessions whose time is over. Returns whether
    /// it has begun.
    fn begin_session(&self, token: TokenHash, operator: String, hash: String) -> Reply<bool>;
    /// Returns the operator of a session, if the session is not over.
    fn session(&self, token: TokenHash) -> Reply<Option<OperatorRow>>;
    /// Ends a session.
    fn end_session(&self, token: TokenHash) -> Reply<()>;
    /// Notes that a form is carried out. Returns `false` if it was carried out before. This is forgotten after a day.
    fn begin_form(&self, form: FormNumber) -> Reply<bool>;
    /// Forgets a form that was not carried out, so that it can be sent again.
    fn forget_form(&self, form: FormNumber) -> Reply<()>;
}

fn statement(sql: &'static str, given: Vec<Value>) -> Statement {
    Statement { sql, given }
}

impl<T: HasStatements> Operators for T {
    fn put_operator(&self, name: String, hash: String, rights: Rights) -> Reply<()> {
        let end = "DELETE FROM operator_sessions WHERE operator = ?1";
        let put = "INSERT INTO operators (name, hash, unmask, act) VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, unmask = excluded.unmask, act = excluded.act";
        // The operator's row is locked first, as in `begin_session`. A session that begins at the same time waits and finds
        // another hash, or is ended here.
        let put = self.statements().write_rows(vec![
            statement(
                put,
                vec![
                    name.clone().into(),
                    hash.into(),
                    rights.unmask.into(),
                    rights.act.into(),
                ],
            ),
            statement(end, vec![name.into()]),
        ]);
        Box::pin(async move { put.await.map(drop) })
    }

    fn remove_operator(&self, name: String) -> Reply<()> {
        let sql = "DELETE FROM operators WHERE name = ?1 RETURNING name";
        let removed = self
            .statements()
            .write_rows(vec![statement(sql, vec![name.into()])]);
        Box::pin(async move { one(removed.await?, "operator").map(drop) })
    }

    fn operators(&self) -> Reply<Vec<OperatorRow>> {
        let sql = "SELECT name, unmask, act, created FROM operators ORDER BY name";
        list(self.statements().read_rows(statement(sql, Vec::new())), row)
    }

    fn operator(&self, name: String) -> Reply<Option<OperatorRow>> {
        let sql = "SELECT name, unmask, act, created FROM operators WHERE name = ?1";
        let found = self
            .statements()
            .read_rows(statement(sql, vec![name.into()]));
        Box::pin(async move { found.await?.first().map(row).transpose() })
    }

    fn operator_hash(&self, name: String) -> Reply<Option<String>> {
        let sql = "SELECT hash FROM operators WHERE name = ?1";
        let found = self
            .statements()
            .read_rows(statement(sql, vec![name.into()]));
        Box::pin(async move { found.await?.first().map(|row| row.text(0)).transpose() })
    }

    fn begin_session(&self, token: TokenHash, operator: String, hash: String) -> Reply<bool> {
        let store = self.statements();
        Box::pin(async move {
            let now = store.read_rows(of_file!("time.sql"));
            let now = one(now.await?, "time")?.integer(0)?;
            let over = now.saturating_sub(SESSION_SECONDS);
            let end = "DELETE FROM operator_sessions WHERE created <= ?1";
            // This changes nothing. It locks the row, so that the hash stays the same until the session is there.
            let lock = "UPDATE operators SET hash = hash WHERE name = ?1";
            let begin = "INSERT INTO operator_sessions (token, operator)
                SELECT ?1, name FROM operators WHERE name = ?2 AND hash = ?3
                RETURNING operator";
            let token = Value::Bytes(token.to_vec());
            let begun = store.write_rows(vec![
                statement(lock, vec![operator.clone().into()]),
                statement(end, vec![over.into()]),
                statement(begin, vec![token, operator.into(), hash.into()]),
            ]);
            Ok(!begun.await?.is_empty())
        })
    }

    fn session(&self, token: TokenHash) -> Reply<Option<OperatorRow>> {
        let sql = "SELECT o.name, o.unmask, o.act, s.created, now()
            FROM operator_sessions s JOIN operators o ON o.name = s.operator
            WHERE s.token = ?1";
        let found = statement(sql, vec![Value::Bytes(token.to_vec())]);
        let found = self.statements().read_rows(found);
        Box::pin(async move {
            let Some(found) = found.await?.into_iter().next() else {
                return Ok(None);
            };
            let age = found.integer(4)?.saturating_sub(found.integer(3)?);
            let is_over = age >= SESSION_SECONDS;
            (!is_over).then(|| row(&found)).transpose()
        })
    }

    fn end_session(&self, token: TokenHash) -> Reply<()> {
        let sql = "DELETE FROM operator_sessions WHERE token = ?1";
        let token = vec![Value::Bytes(token.to_vec())];
        let ended = self.statements().write_rows(vec![statement(sql, token)]);
        Box::pin(async move { ended.await.map(drop) })
    }

    fn begin_form(&self, form: FormNumber) -> Reply<bool> {
        let forget = "DELETE FROM operator_forms WHERE carried_out <= ?1";
        let note = "INSERT INTO operator_forms (form) VALUES (?1) ON CONFLICT (form) DO NOTHING RETURNING 1";
        let store = self.statements();
        Box::pin(async move {
            let now = store.read_rows(of_file!("time.sql"));
            let over = one(now.await?, "time")?
                .integer(0)?
                .saturating_sub(FORM_SECONDS);
            let noted = store.write_rows(vec![
                statement(forget, vec![over.into()]),
                statement(note, vec![Value::Bytes(form.to_vec())]),
            ]);
            Ok(!noted.await?.is_empty())
        })
    }

    fn forget_form(&self, form: FormNumber) -> Reply<()> {
        let sql = "DELETE FROM operator_forms WHERE form = ?1";
        let form = vec![Value::Bytes(form.to_vec())];
        let forgotten = self.statements().write_rows(vec![statement(sql, form)]);
        Box::pin(async move { forgotten.await.map(drop) })
    }
}

fn row(row: &super::statement::Row) -> Result<OperatorRow, OperatorError> {
    Ok(OperatorRow {
        name: row.text(0)?,
        rights: Rights {
            unmask: row.flag(1)?,
            act: row.flag(2)?,
        },
        created: row.integer(3)?,
    })
}
