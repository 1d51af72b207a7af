//! Checks whether the data in a database is consistent. The statements are the same on both databases.

use super::identity::AccountId;
use super::operator::Reply;
use super::records::list;
use super::statement::{HasStatements, Statement, Value};

/// A condition that holds for every consistent database.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The condition, in words.
    pub says: &'static str,
    /// Selects up to ten rows for which the condition does not hold.
    sql: &'static str,
}

macro_rules! checks {
    ($($says:literal: $sql:literal;)+) => {
        &[$(Check { says: $says, sql: concat!($sql, " LIMIT 10") }),+]
    };
}

/// The conditions that statements alone can check.
pub const CHECKS: &[Check] = checks! {
    "each key has its account":
        "SELECT id FROM keys k WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = k.account)";
    "each stored email has its content":
        "SELECT id FROM mailers m WHERE NOT EXISTS (SELECT 1 FROM contents c WHERE c.hash = m.content)";
    "each member of a list has its list and its subscriber":
        "SELECT m.subscriber FROM list_members m
        WHERE NOT EXISTS (SELECT 1 FROM lists l WHERE l.id = m.list AND l.account = m.account)
            OR NOT EXISTS (SELECT 1 FROM subscribers s WHERE s.account = m.account AND s.id = m.subscriber)";
    "all personalization has its subscriber":
        "SELECT f.subscriber FROM subscriber_fields f
        WHERE NOT EXISTS (SELECT 1 FROM subscribers s WHERE s.account = f.account AND s.id = f.subscriber)";
    "each call has its account":
        "SELECT id FROM calls c WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = c.account)";
    "each message has its call":
        "SELECT m.call FROM messages m WHERE NOT EXISTS (SELECT 1 FROM calls c WHERE c.id = m.call)";
    "each message has its content, unless its time is over":
        "SELECT m.call FROM messages m
        WHERE m.content IS NOT NULL AND NOT EXISTS (SELECT 1 FROM contents c WHERE c.hash = m.content)";
    "each delivery has its message":
        "SELECT d.id FROM deliveries d
        WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.call = d.call AND m.position = d.message)";
    "each delivery is of the account of its call":
        "SELECT d.id FROM deliveries d JOIN calls c ON c.id = d.call WHERE d.account <> c.account";
    "each delivery that waits has its content":
        "SELECT d.id FROM deliveries d JOIN messages m ON m.call = d.call AND m.position = d.message
        WHERE d.state = 'queued' AND m.content IS NULL";
    "each delivery that waits is in the queue":
        "SELECT d.id FROM deliveries d
        WHERE d.state = 'queued' AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.delivery = d.id)";
    "each delivery in the queue waits, and is of its account":
        "SELECT q.delivery FROM queue q
        WHERE NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.id = q.delivery AND d.account = q.account AND d.state = 'queued')";
    "each delivery that has ended has its time, and no other delivery has one":
        "SELECT id FROM deliveries WHERE (state = 'queued') <> (ended IS NULL)";
    "each delivery that was delivered has that event":
        "SELECT id FROM deliveries WHERE state = 'delivered' AND events / 2 % 2 = 0";
    "emails of stored emails go before others":
        "SELECT q.delivery FROM queue q
        JOIN deliveries d ON d.id = q.delivery
        JOIN messages m ON m.call = d.call AND m.position = d.message
        WHERE (m.mailer IS NULL) <> (q.traffic_class = 1)";
    "each attempt has its delivery":
        "SELECT t.id FROM attempts t WHERE NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.id = t.delivery)";
    "what was left out has its call":
        "SELECT l.call FROM left_out l WHERE NOT EXISTS (SELECT 1 FROM calls c WHERE c.id = l.call)";
    "each idempotency key has its call":
        "SELECT i.call FROM idempotency i WHERE NOT EXISTS (SELECT 1 FROM calls c WHERE c.id = i.call)";
    "each account has its credits":
        "SELECT id FROM accounts a WHERE NOT EXISTS (SELECT 1 FROM credits c WHERE c.account = a.id)";
    "email credits are what was given less what calls cost":
        "SELECT b.account FROM credits b
        WHERE b.emails IS NOT NULL AND b.emails
            <> (SELECT coalesce(sum(g.email), 0) FROM credit_changes g WHERE g.account = b.account)
            - (SELECT coalesce(sum(c.emails), 0) FROM calls c WHERE c.account = b.account)
            - (SELECT coalesce(sum(p.emails), 0) FROM past_debits p WHERE p.account = b.account)";
    "subscriber credits are what was given less what calls cost":
        "SELECT b.account FROM credits b
        WHERE b.subscribers IS NOT NULL AND b.subscribers
            <> (SELECT coalesce(sum(g.subscriber), 0) FROM credit_changes g WHERE g.account = b.account)
            - (SELECT coalesce(sum(c.subscribers), 0) FROM calls c WHERE c.account = b.account)
            - (SELECT coalesce(sum(p.subscribers), 0) FROM past_debits p WHERE p.account = b.account)";
    "no event has the number of a deleted event":
        "SELECT number FROM events WHERE number IS NOT NULL AND number <= (SELECT gone FROM event_numbers)";
    "each event has a number of its own":
        "SELECT number FROM events WHERE number IS NOT NULL GROUP BY number HAVING count(*) > 1";
    "each event with a number is counted in its day":
        "SELECT e.account FROM
            (SELECT account, kind, count(*) AS events FROM events WHERE number IS NOT NULL GROUP BY account, kind) e
        WHERE e.events > coalesce((SELECT sum(c.events) FROM event_counts c WHERE c.account = e.account AND c.kind = e.kind), 0)";
    "the counts of events of all accounts are the sums of each account's counts":
        "SELECT t.day FROM event_totals t
        WHERE t.events <> (SELECT coalesce(sum(c.events), 0) FROM event_counts c WHERE c.day = t.day AND c.kind = t.kind)";
    "each suppressed subscriber is INACTIVE":
        "SELECT x.id FROM suppressions x JOIN subscribers s ON s.account = x.account AND s.id = x.subscriber
        WHERE x.lifted IS NULL AND NOT s.inactive";
    "each reader who has unsubscribed has a hash":
        "SELECT id FROM unsubscribed WHERE length(reader) <> 32";
    "there is one state of sending, with its keys":
        "SELECT count(*) FROM outbox HAVING count(*) <> 1 OR min(length(secret)) < 32 OR min(length(reader_key)) < 32";
    "there is one count of events":
        "SELECT count(*) FROM event_numbers HAVING count(*) <> 1";
    "each webhook has its account":
        "SELECT w.id FROM webhooks w WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = w.account)";
};

/// The hash of a text, and the text.
pub type Content = (Vec<u8>, Vec<u8>);

/// Checks whether the data in a database is consistent.
pub trait Verify {
    /// Returns up to ten rows for which a condition does not hold.
    fn check(&self, check: &'static Check) -> Reply<Vec<String>>;
    /// Returns what the database itself finds wrong.
    fn own_checks(&self) -> Reply<Vec<String>>;
    /// Returns the tables and indexes of the schema that are missing.
    fn missing(&self) -> Reply<Vec<String>>;
    /// Returns at most 20 contents after a hash.
    fn contents_after(&self, hash: Vec<u8>) -> Reply<Vec<Content>>;
    /// Returns at most 1,000 match keys of an account's subscribers after a number: each with that number and the address.
    fn match_keys_after(&self, account: AccountId, after: i64)
    -> Reply<Vec<(i64, String, String)>>;
    /// Returns at most 20 stored emails after an account and a number.
    fn templates_after(&self, after: (i64, i64)) -> Reply<Vec<StoredTemplate>>;
    /// Returns the sealed secrets of webhooks, each with the numbers of its webhook and of its account.
    fn sealed_secrets(&self) -> Reply<Vec<(i64, i64, Vec<u8>)>>;
    /// Returns the senders of all accounts: their match keys, and their addresses.
    fn all_senders(&self) -> Reply<Vec<(String, String)>>;
}

/// A stored email as it is checked.
pub struct StoredTemplate {
    /// Its account and its number.
    pub id: (i64, i64),
    /// The subject.
    pub subject: String,
    /// The template of a URL.
    pub list_unsubscribe: Option<String>,
    /// The HTML.
    pub html: String,
}

fn without(sql: &'static str) -> Statement {
    Statement {
        sql,
        given: Vec::new(),
    }
}

impl<T: HasStatements> Verify for T {
    fn check(&self, check: &'static Check) -> Reply<Vec<String>> {
        let rows = self.statements().read_at_length(without(check.sql));
        list(rows, |row| Ok(row.integer(0)?.to_string()))
    }

    fn own_checks(&self) -> Reply<Vec<String>> {
        let store = self.statements();
        Box::pin(async move {
            let mut found = Vec::new();
            for statement in store.own_checks() {
                for row in store.read_at_length(statement).await? {
                    found.push(row.text(0)?);
                }
            }
            Ok(found)
        })
    }

    fn missing(&self) -> Reply<Vec<String>> {
        let store = self.statements();
        Box::pin(async move {
            let (names, schema) = store.schema();
            let there = store.read_rows(names).await?;
            let there: Result<Vec<String>, _> = there.iter().map(|row| row.text(0)).collect();
            let there = there?;
            let lines = schema.lines().filter_map(|line| {
                let rest = line
                    .strip_prefix("CREATE TABLE ")
                    .or_else(|| line.strip_prefix("CREATE INDEX "))
                    .or_else(|| line.strip_prefix("CREATE UNIQUE INDEX "))?;
                rest.split_whitespace().next()
            });
            let missing = lines.filter(|name| !there.iter().any(|there| there == name));
            Ok(missing.map(str::to_owned).collect())
        })
    }

    fn contents_after(&self, hash: Vec<u8>) -> Reply<Vec<Content>> {
        let rows = self.statements().read_rows(Statement {
            sql: "SELECT hash, html FROM contents WHERE hash > ?1 ORDER BY hash LIMIT 20",
            given: vec![Value::Bytes(hash)],
        });
        list(rows, |row| Ok((row.bytes(0)?, row.bytes(1)?)))
    }

    fn match_keys_after(
        &self,
        account: AccountId,
        after: i64,
    ) -> Reply<Vec<(i64, String, String)>> {
        let rows = self.statements().read_rows(Statement {
            sql: "SELECT id, match_key, email FROM subscribers WHERE account = ?1 AND id > ?2 ORDER BY id LIMIT 1000",
            given: vec![account.0.into(), after.into()],
        });
        list(rows, |row| {
            Ok((row.integer(0)?, row.text(1)?, row.text(2)?))
        })
    }

    fn templates_after(&self, (account, id): (i64, i64)) -> Reply<Vec<StoredTemplate>> {
        let rows = self.statements().read_rows(Statement {
            sql: "SELECT m.account, m.id, m.subject, m.list_unsubscribe, c.html
                FROM mailers m JOIN contents c ON c.hash = m.content
                WHERE (m.account, m.id) > (?1, ?2)
                ORDER BY m.account, m.id
                LIMIT 20",
            given: vec![account.into(), id.into()],
        });
        list(rows, |row| {
            Ok(StoredTemplate {
                id: (row.integer(0)?, row.integer(1)?),
                subject: row.text(2)?,
                list_unsubscribe: row.optional_text(3)?,
                html: row.text(4)?,
            })
        })
    }

    fn sealed_secrets(&self) -> Reply<Vec<(i64, i64, Vec<u8>)>> {
        let rows = self.statements().read_rows(without(
            "SELECT id, account, secret FROM webhooks ORDER BY id",
        ));
        list(rows, |row| {
            Ok((row.integer(0)?, row.integer(1)?, row.bytes(2)?))
        })
    }

    fn all_senders(&self) -> Reply<Vec<(String, String)>> {
        let rows = self.statements().read_rows(without(
            "SELECT match_key, address FROM senders ORDER BY account, match_key",
        ));
        list(rows, |row| Ok((row.text(0)?, row.text(1)?)))
    }
}

impl std::fmt::Debug for StoredTemplate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredTemplate")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
