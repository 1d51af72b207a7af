//! The statements that remove people and accounts.

/// A statement that finds deliveries, and the one that removes them. A call may add a delivery between the two. It has a place
/// in the queue then, so it is left to the next round.
macro_rules! of_deliveries {
    ($which:literal) => {
        [
            $which,
            concat!(
                "DELETE FROM deliveries WHERE id IN (",
                $which,
                ") AND NOT EXISTS (SELECT 1 FROM queue q WHERE q.delivery = deliveries.id)
                RETURNING account, created, events, call, message"
            ),
        ]
    };
}

/// The statements that remove rows of a subscriber before its emails are removed. ?1 is the account, and ?2 is the subscriber.
pub(super) const TRACES: &[(&str, &str)] = &[
    (
        "reports",
        "DELETE FROM reports WHERE account = ?1 AND subscriber = ?2 RETURNING id",
    ),
    (
        "transcripts",
        "DELETE FROM transcripts WHERE call IN (SELECT call FROM deliveries WHERE account = ?1 AND subscriber = ?2) RETURNING id",
    ),
    (
        // A mail server's answer often quotes the address.
        "reasons of events",
        "UPDATE events SET reason = NULL WHERE account = ?1 AND subscriber = ?2 AND reason IS NOT NULL RETURNING account",
    ),
    (
        "suppressions",
        "DELETE FROM suppressions WHERE account = ?1 AND subscriber = ?2 RETURNING id",
    ),
    (
        "suppression_checks",
        "DELETE FROM suppression_checks WHERE account = ?1 AND subscriber = ?2 RETURNING id",
    ),
];

/// The statements that remove rows of a subscriber after its emails are removed. ?1 is the account, and ?2 is the subscriber.
pub(super) const READER: &[(&str, &str)] = &[
    (
        "subscriber_fields",
        "DELETE FROM subscriber_fields WHERE account = ?1 AND subscriber = ?2 RETURNING account",
    ),
    (
        "list_members",
        "DELETE FROM list_members WHERE account = ?1 AND subscriber = ?2 RETURNING account",
    ),
    (
        "subscribers",
        "DELETE FROM subscribers WHERE account = ?1 AND id = ?2 RETURNING id",
    ),
];

/// Up to 500 deliveries of account ?1, or of its subscriber ?2: the statement that finds them, and the one that removes
/// them.
pub(super) const DELIVERIES: [&str; 2] = of_deliveries!(
    "SELECT id FROM deliveries WHERE account = ?1 ORDER BY subscriber, id LIMIT 500"
);
pub(super) const DELIVERIES_OF_SUBSCRIBER: [&str; 2] = of_deliveries!(
    "SELECT id FROM deliveries WHERE account = ?1 AND subscriber = ?2 ORDER BY id LIMIT 500"
);
/// Removes the hits of delivery ?1, and its place in the queue.
pub(super) const OF_DELIVERY: [(&str, &str); 2] = [
    ("hits", "DELETE FROM hits WHERE delivery = ?1 RETURNING id"),
    (
        "queue",
        "DELETE FROM queue WHERE delivery = ?1 RETURNING delivery",
    ),
];

/// Removes message ?2 of call ?1 if it was sent to nobody else.
pub(super) const MESSAGE: &str = "DELETE FROM messages
WHERE call = ?1 AND position = ?2
    AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.call = messages.call AND d.message = messages.position)
RETURNING content";

/// Removes content ?1 if nothing else uses it.
pub(super) const CONTENT: &str = include_str!("../sql/forget_content.sql");

/// The statements that remove rows of account ?1 before its emails, 500 rows at a time where there can be many.
pub(super) const BEFORE_EMAILS: &[(&str, &str)] = &[
    (
        "transcripts",
        "DELETE FROM transcripts WHERE id IN (
            SELECT id FROM transcripts WHERE account = ?1 AND call IS NULL LIMIT 500
        ) RETURNING id",
    ),
    (
        "reports",
        "DELETE FROM reports WHERE id IN (SELECT id FROM reports WHERE account = ?1 LIMIT 500) RETURNING id",
    ),
    (
        "webhooks",
        "DELETE FROM webhooks WHERE account = ?1 RETURNING id",
    ),
];

/// The statements that remove rows of account ?1 after its emails, 500 rows at a time where there can be many.
pub(super) const AFTER_EMAILS: &[(&str, &str)] = &[
    (
        "idempotency",
        "DELETE FROM idempotency WHERE (account, key) IN (
            SELECT account, key FROM idempotency WHERE account = ?1 LIMIT 500
        ) RETURNING account",
    ),
    (
        "events",
        "DELETE FROM events WHERE number IN (
            SELECT number FROM events WHERE account = ?1 AND number IS NOT NULL LIMIT 500
        ) RETURNING number",
    ),
    (
        // The events without a number.
        "events",
        "DELETE FROM events WHERE account = ?1 RETURNING account",
    ),
    (
        "suppressions",
        "DELETE FROM suppressions WHERE account = ?1 RETURNING id",
    ),
    (
        "suppression_checks",
        "DELETE FROM suppression_checks WHERE account = ?1 RETURNING id",
    ),
    (
        "unsubscribed",
        "DELETE FROM unsubscribed WHERE id IN (SELECT id FROM unsubscribed WHERE account = ?1 LIMIT 500) RETURNING id",
    ),
    (
        "list_members",
        "DELETE FROM list_members WHERE (list, subscriber) IN (
            SELECT list, subscriber FROM list_members WHERE account = ?1 LIMIT 500
        ) RETURNING list",
    ),
    ("lists", "DELETE FROM lists WHERE account = ?1 RETURNING id"),
    (
        "subscribers",
        "DELETE FROM subscribers WHERE account = ?1 AND id IN (
            SELECT id FROM subscribers WHERE account = ?1 LIMIT 500
        ) RETURNING id",
    ),
    (
        "senders",
        "DELETE FROM senders WHERE account = ?1 RETURNING account",
    ),
    ("keys", "DELETE FROM keys WHERE account = ?1 RETURNING id"),
    (
        "credit_changes",
        "DELETE FROM credit_changes WHERE account = ?1 RETURNING id",
    ),
    (
        "past_debits",
        "DELETE FROM past_debits WHERE account = ?1 RETURNING account",
    ),
];

/// The statements that remove account ?1 itself. Its credits come first, because whoever writes for an account locks them
/// first.
pub(super) const ACCOUNT: &[(&str, &str)] = &[
    (
        "credits",
        "DELETE FROM credits WHERE account = ?1 RETURNING account",
    ),
    (
        "accounts",
        "DELETE FROM accounts WHERE id = ?1 RETURNING id",
    ),
];

/// Finds up to 500 calls of account ?1. `OF_CALL` removes the rows of each.
pub(super) const CALLS: &str = "SELECT id FROM calls WHERE account = ?1 ORDER BY created LIMIT 500";
pub(super) const OF_CALL: [(&str, &str); 2] = [
    (
        "transcripts",
        "DELETE FROM transcripts WHERE call = ?1 RETURNING id",
    ),
    ("calls", "DELETE FROM calls WHERE id = ?1 RETURNING id"),
];

/// Finds the next sealed calls after number ?1, of account ?2 or of all if ?2 is NULL. A call is found if those before it have
/// less than 4 MB together, so a longer call is found as well.
pub(super) const SEALED: &str = "WITH next_ones AS (
        SELECT id, length(sealed) AS size FROM transcripts
        WHERE id > ?1 AND (CAST(?2 AS bigint) IS NULL OR account = ?2) AND sealed IS NOT NULL ORDER BY id LIMIT 100
    ), placed AS (
        SELECT id, sum(size) OVER (ORDER BY id) - size AS place FROM next_ones
    )
    SELECT t.id, t.account, t.sealed FROM placed p JOIN transcripts t ON t.id = p.id WHERE p.place < 4194304 ORDER BY t.id";

pub(super) const MAILERS: &str = "DELETE FROM mailers WHERE account = ?1 RETURNING content";

/// All statements that remove people and accounts, each with its table.
#[must_use]
pub fn erasing() -> Vec<(&'static str, &'static str)> {
    let lists = [
        TRACES,
        READER,
        BEFORE_EMAILS,
        AFTER_EMAILS,
        ACCOUNT,
        &OF_CALL,
        &OF_DELIVERY,
    ];
    let lists = lists.into_iter();
    let of_deliveries = DELIVERIES.into_iter().chain(DELIVERIES_OF_SUBSCRIBER);
    let of_deliveries = of_deliveries.map(|sql| ("deliveries", sql));
    let others = [
        ("messages", MESSAGE),
        ("mailers", MAILERS),
        ("calls", CALLS),
    ];
    let all = lists.flatten().copied().chain(of_deliveries);
    all.chain(others).collect()
}
