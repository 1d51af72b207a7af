//! A host over SQLite: facts from one snapshot, and a plan in one transaction.
//!
//! The emails of a plan are rows of the table `emails`, written in the same transaction. A worker of yours sends them. So no
//! email of an accepted call is lost, and a call that was rolled back sends none.

use std::path::Path;

use franking::{
    Account, Blacklists, Commit, Conflict, DomainRoles, Facts, Host, Mailer, Plan, Questions,
    Subscriber,
};
use rusqlite::{
    Connection, OptionalExtension as _, Row, ToSql, Transaction, TransactionBehavior, params,
};

const TABLES: &str = "
    CREATE TABLE accounts (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, blocked INTEGER NOT NULL DEFAULT 0,
        expired INTEGER NOT NULL DEFAULT 0, deactivated INTEGER NOT NULL DEFAULT 0,
        subscriber_credit INTEGER, email_credit INTEGER); -- NULL: without a limit
    CREATE TABLE senders (account INTEGER NOT NULL, match_key TEXT NOT NULL, PRIMARY KEY (account, match_key));
    CREATE TABLE mailers (id INTEGER PRIMARY KEY, account INTEGER NOT NULL, sender TEXT NOT NULL, sender_name TEXT,
        subject TEXT NOT NULL, html TEXT NOT NULL);
    CREATE TABLE lists (account INTEGER NOT NULL, name TEXT NOT NULL, PRIMARY KEY (account, name));
    -- Of two calls that create one subscriber at once, the second meets this unique key.
    CREATE TABLE subscribers (id INTEGER PRIMARY KEY, account INTEGER NOT NULL, match_key TEXT NOT NULL,
        email TEXT NOT NULL, inactive INTEGER NOT NULL DEFAULT 0, UNIQUE (account, match_key));
    CREATE TABLE fields (subscriber INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (subscriber, name));
    CREATE TABLE members (list TEXT NOT NULL, subscriber INTEGER NOT NULL, PRIMARY KEY (list, subscriber));
    CREATE TABLE blacklist (domain TEXT PRIMARY KEY, roles INTEGER NOT NULL); -- DomainRoles::bits
    CREATE TABLE calls (id INTEGER PRIMARY KEY AUTOINCREMENT, account INTEGER NOT NULL, emails INTEGER NOT NULL);
    CREATE TABLE emails (id INTEGER PRIMARY KEY, call INTEGER NOT NULL, sender TEXT NOT NULL, sender_name TEXT,
        recipient TEXT NOT NULL, subject TEXT NOT NULL, html TEXT NOT NULL);
";

/// A database, and the account of the call that is decided.
#[derive(Debug)]
pub struct Store {
    database: Connection,
    /// The blacklists answer for all domains: those of the call, and those of stored addresses, which are stored as they
    /// came.
    blacklists: Blacklists,
    account: i64,
}

impl Store {
    /// Opens a database. A new one is filled with an account, a sender, a stored email, a list and two subscribers.
    ///
    /// # Errors
    /// The file cannot be opened, or is not such a database.
    pub fn open(path: &Path) -> rusqlite::Result<Self> {
        let database = Connection::open(path)?;
        let tables: i64 =
            database.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        if tables == 0 {
            database.execute_batch(TABLES)?;
            database.execute_batch(
                "INSERT INTO accounts (id, key, subscriber_credit, email_credit) VALUES (1, 'demo-key', 100, 100);
                 INSERT INTO senders VALUES (1, 'shop@example.com');
                 INSERT INTO mailers VALUES (42, 1, 'shop@example.com', 'The Shop', 'Welcome', '<p>Welcome!</p>');
                 INSERT INTO lists VALUES (1, 'Customers');
                 INSERT INTO subscribers VALUES (7, 1, 'known@example.org', 'known@example.org', 0);
                 INSERT INTO subscribers VALUES (8, 1, 'asleep@example.org', 'asleep@example.org', 1);
                 INSERT INTO blacklist VALUES ('spam.example', 15);",
            )?;
        }
        Ok(Self {
            blacklists: blacklists(&database)?,
            database,
            account: 0,
        })
    }

    /// The recipients and subjects of the emails that wait to be sent.
    ///
    /// # Errors
    /// The database does not answer.
    pub fn emails(&self) -> rusqlite::Result<Vec<(String, String)>> {
        let mut select = self
            .database
            .prepare("SELECT recipient, subject FROM emails ORDER BY id")?;
        let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect()
    }
}

/// Carries out a plan in a transaction, which the caller commits.
fn carry_out(on: &Transaction<'_>, account: i64, plan: &Plan<'_>) -> Result<i64, Stopped> {
    check_readers(on, account, plan)?;
    for new in plan.create() {
        let insert = "INSERT INTO subscribers (account, match_key, email) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
        let row = params![account, new.match_key(), new.email()];
        if on.execute(insert, row)? == 0 {
            return Err(Stopped(Conflict::SubscriberExists));
        }
        let subscriber = on.last_insert_rowid();
        set_fields(on, subscriber, new.fields())?;
        on.execute(
            "INSERT INTO members VALUES (?1, ?2)",
            params![new.list(), subscriber],
        )?;
    }
    for update in plan.update() {
        set_fields(on, number(update.id()), update.fields())?;
    }
    for list in plan.lists() {
        on.execute(
            "INSERT OR IGNORE INTO lists VALUES (?1, ?2)",
            params![account, list],
        )?;
    }
    for subscriber in plan.enlist() {
        on.execute(
            "INSERT OR IGNORE INTO members VALUES ('API_EMAILS', ?1)",
            [number(subscriber)],
        )?;
    }
    debit(on, account, plan)?;
    on.execute(
        "INSERT INTO calls (account, emails) VALUES (?1, ?2)",
        params![account, number(plan.email_count())],
    )?;
    let call = on.last_insert_rowid();
    for message in plan.messages() {
        // The content of a stored email is in the database. A call of httpSendMail has its own.
        let (subject, html) = match message.mailer() {
            Some(mailer) => {
                let find = "SELECT subject, html FROM mailers WHERE id = ?1";
                on.query_row(find, [number(mailer)], |row| Ok((row.get(0)?, row.get(1)?)))?
            }
            None => {
                let text =
                    |text: Option<std::borrow::Cow<'_, str>>| text.unwrap_or_default().into_owned();
                (text(message.subject()), text(message.html()))
            }
        };
        for recipient in message.recipients() {
            let insert = "INSERT INTO emails (call, sender, sender_name, recipient, subject, html)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let (from, name) = (message.from(), message.from_name());
            on.execute(
                insert,
                params![call, from, name, recipient.to(), subject, html],
            )?;
        }
    }
    Ok(call)
}

/// Checks that the recipients still exist and are active, because they may have changed since the facts were read.
fn check_readers(on: &Transaction<'_>, account: i64, plan: &Plan<'_>) -> Result<(), Stopped> {
    for message in plan.messages() {
        for subscriber in message.recipients().filter_map(|one| one.subscriber()) {
            let find = "SELECT inactive FROM subscribers WHERE id = ?1 AND account = ?2";
            let row = params![number(subscriber), account];
            let inactive = on.query_row(find, row, |row| row.get(0)).optional()?;
            match (inactive, message.mailer()) {
                (Some(false), _) => {}
                (Some(true), _) => return Err(Stopped(Conflict::SubscriberInactive)),
                (None, Some(_)) => return Err(Stopped(Conflict::SubscriberGone)),
                // httpSendMail has no code for it.
                (None, None) => return Err(Stopped(Conflict::Other)),
            }
        }
    }
    Ok(())
}

fn set_fields<'c>(
    on: &Transaction<'_>,
    subscriber: i64,
    fields: impl Iterator<Item = (&'static str, std::borrow::Cow<'c, str>)>,
) -> rusqlite::Result<()> {
    for (name, value) in fields {
        on.execute(
            "INSERT OR REPLACE INTO fields VALUES (?1, ?2, ?3)",
            params![subscriber, name, value],
        )?;
    }
    Ok(())
}

/// Debits the credits, on the condition that enough is left.
fn debit(on: &Transaction<'_>, account: i64, plan: &Plan<'_>) -> Result<(), Stopped> {
    let debit = plan.debit();
    for (column, taken, conflict) in [
        (
            "subscriber_credit",
            debit.subscriber,
            Conflict::SubscriberCredit,
        ),
        ("email_credit", debit.email, Conflict::EmailCredit),
    ] {
        let update = format!(
            "UPDATE accounts SET {column} = {column} - ?1
                WHERE id = ?2 AND (?1 = 0 OR {column} IS NULL OR {column} >= ?1)"
        );
        if on.execute(&update, params![number(taken), account])? == 0 {
            return Err(Stopped(conflict));
        }
    }
    Ok(())
}

/// Converts a number to a signed one, as SQLite has it. Ids and counts are at most 2^63 - 1.
const fn number(number: u64) -> i64 {
    number.cast_signed()
}

/// The conflict that prevented a plan from being carried out.
struct Stopped(Conflict);

impl From<rusqlite::Error> for Stopped {
    /// Any error of the database rolls the transaction back.
    fn from(error: rusqlite::Error) -> Self {
        eprintln!("a plan was rolled back: {error}");
        Self(Conflict::Other)
    }
}

impl Host for Store {
    type Error = rusqlite::Error;

    fn account(&mut self, key: &str) -> rusqlite::Result<Option<Account>> {
        let find = "SELECT id, blocked, expired, deactivated, subscriber_credit, email_credit FROM accounts WHERE key = ?1";
        let read = |row: &Row<'_>| {
            let account = Account {
                blocked: row.get(1)?,
                expired: row.get(2)?,
                deactivated: row.get(3)?,
                subscriber_credit: row.get(4)?,
                email_credit: row.get(5)?,
            };
            Ok((row.get(0)?, account))
        };
        let found = self.database.query_row(find, [key], read).optional()?;
        let Some((id, account)) = found else {
            return Ok(None);
        };
        self.account = id;
        Ok(Some(account))
    }

    fn facts(&mut self, questions: &Questions<'_>, facts: &mut Facts) -> rusqlite::Result<()> {
        // One transaction, so that all answers are from the same moment.
        let account = self.account;
        let snapshot = self.database.transaction()?;
        for id in questions.mailers() {
            let find = "SELECT sender, sender_name FROM mailers WHERE id = ?1 AND account = ?2";
            let read =
                |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, Option<String>>(1)?));
            let found = snapshot
                .query_row(find, params![number(id), account], read)
                .optional()?;
            match &found {
                Some((from, from_name)) => facts.mailers.push(Some(Mailer {
                    from,
                    from_name: from_name.as_deref(),
                    blacklisted: None, // The blacklists fill it in below.
                })),
                None => facts.mailers.push(None),
            }
        }
        let has = |find: &str, text: &str| {
            let found = snapshot.query_row(find, params![account, text], |_| Ok(()));
            found.optional().map(|found| found.is_some())
        };
        for key in questions.senders() {
            let find = "SELECT 1 FROM senders WHERE account = ?1 AND match_key = ?2";
            facts.senders.push(has(find, &key)?);
        }
        for name in questions.lists() {
            let find = "SELECT 1 FROM lists WHERE account = ?1 AND name = ?2";
            facts.lists.push(has(find, &name)?);
        }
        let find = |condition: &str, value: &dyn ToSql| {
            let find = format!(
                "SELECT id, email, inactive FROM subscribers WHERE account = ?1 AND {condition} = ?2"
            );
            let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
            let found = snapshot.query_row(&find, params![account, value], read);
            found.optional()
        };
        for id in questions.subscriber_ids() {
            let found = find("id", &number(id))?;
            facts.subscriber_ids.push(found.as_ref().map(subscriber));
        }
        for key in questions.subscribers() {
            let found = find("match_key", &key)?;
            facts.subscribers.push(found.as_ref().map(subscriber));
        }
        self.blacklists.answer(questions, facts);
        Ok(())
    }

    fn commit(&mut self, plan: &Plan<'_>) -> rusqlite::Result<Commit> {
        // IMMEDIATE: no other connection writes between the checks of this transaction and its end.
        let begun = self
            .database
            .transaction_with_behavior(TransactionBehavior::Immediate);
        let done = begun.map_err(Stopped::from).and_then(|transaction| {
            let call = carry_out(&transaction, self.account, plan)?;
            Ok((transaction, call))
        });
        match done {
            Ok((transaction, call)) => {
                // An error here becomes an error of commit, since it is not known whether the plan was carried out.
                transaction.commit()?;
                Ok(Commit::Done {
                    transaction_id: call.cast_unsigned(),
                })
            }
            // The transaction was dropped, which rolls it back.
            Err(Stopped(conflict)) => Ok(Commit::Conflict(conflict)),
        }
    }
}

/// The domains on the blacklist, for each role.
fn blacklists(database: &Connection) -> rusqlite::Result<Blacklists> {
    let mut blacklists = Blacklists::default();
    let mut select = database.prepare("SELECT domain, roles FROM blacklist")?;
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        let (domain, roles): (String, u8) = (row.get(0)?, row.get(1)?);
        let roles = DomainRoles::from_bits(roles);
        for (role, set) in [
            (DomainRoles::SENDER, &mut blacklists.sender),
            (DomainRoles::REPLY_TO, &mut blacklists.reply_to),
            (DomainRoles::RECIPIENT, &mut blacklists.recipient),
            (DomainRoles::CONTENT, &mut blacklists.content),
        ] {
            if roles.contains(role) && set.insert(&domain).is_err() {
                eprintln!("the blacklist has an entry that is not a domain");
            }
        }
    }
    Ok(blacklists)
}

/// A subscriber from the database. `blacklisted` is left open, for the blacklists to fill in.
fn subscriber((id, email, inactive): &(i64, String, bool)) -> Subscriber<'_> {
    Subscriber {
        id: id.cast_unsigned(),
        email,
        inactive: *inactive,
        blacklisted: None,
    }
}
