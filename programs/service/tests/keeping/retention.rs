//! Data is deleted when its time is over, and nothing else is.

use franking_service::operate::retention::{Kept, Retention};
use tokio_util::sync::CancellationToken;

use super::{calls, filled, rows_of};
use crate::support::database::{Database, on_both};
use crate::support::runtime;
use crate::transcripts::{run, serve, try_run};

/// Settings that keep each kind of data for `days` days.
const fn all(days: u16) -> Kept {
    Kept {
        contents: days,
        deliveries: days,
        calls: days,
        transcripts: days,
        events: days,
        reports: days,
        readers: Some(days),
        hits: days,
        audit: days,
    }
}

/// Runs the retention as if this number of days had passed.
fn pass(database: &Database, kept: Kept, days: i64) {
    runtime().block_on(async {
        let store = database.store().await;
        let now = store.time().await.unwrap() + days * 86_400;
        Retention::new(store, kept)
            .without_rest()
            .round(now, &CancellationToken::new())
            .await;
    });
}

/// The tables that grow with calls.
const GROWING: [&str; 12] = [
    "idempotency",
    "calls",
    "messages",
    "left_out",
    "deliveries",
    "attempts",
    "transcripts",
    "events",
    "reports",
    "hits",
    "webhook_retries",
    "audit",
];

fn sums(database: &Database) -> [i64; 4] {
    [
        "SELECT coalesce(sum(emails), 0) FROM email_counts WHERE code = 418 AND account = 1",
        "SELECT coalesce(sum(calls), 0) FROM call_counts WHERE account = 1",
        "SELECT coalesce(sum(emails), 0) FROM past_debits",
        "SELECT coalesce(sum(subscribers), 0) FROM past_debits",
    ]
    .map(|sql| {
        database.number(
            &sql.replace("coalesce(sum", "CAST(coalesce(sum")
                .replace(", 0)", ", 0) AS bigint)"),
        )
    })
}

on_both! {
    fn of_what_has_expired_nothing_is_left_but_counts(database: &Database) {
        filled(database);
        let spent = [1_000_000; 2];
        let credits = |column| database.number(&format!("SELECT {column} FROM credits"));
        let left = ["emails", "subscribers"].map(credits);
        pass(database, all(5), 10);
        for table in GROWING {
            assert_eq!(rows_of(database, table), 0, "{table}");
        }
        // The content of the stored email is still in use.
        assert_eq!(rows_of(database, "contents"), 1);
        assert_eq!(rows_of(database, "subscribers"), 3);
        assert_eq!(sums(database), [4, 4, spent[0] - left[0], spent[1] - left[1]]);
        assert_eq!(database.number("SELECT count(*) FROM call_counts WHERE account = 0"), 0);
        let verified = try_run(database, &["verify"]);
        assert!(verified.status.success(), "{verified:?}");
    }

    fn what_is_young_is_kept_and_each_kind_goes_by_its_own_days(database: &Database) {
        filled(database);
        let count = || GROWING.map(|table| rows_of(database, table));
        let before = count();
        pass(database, all(5), 4);
        // Idempotency keys are kept for a day.
        assert_eq!(count()[0], 0);
        assert_eq!(count()[1..], before[1..]);
        let addresses = "SELECT count(*) FROM hits WHERE address IS NOT NULL";
        assert_ne!(database.number(addresses), 0);
        pass(database, Kept { readers: None, ..all(5) }, 1);
        assert_eq!(database.number(addresses), 0);
        assert_eq!(count()[1..], before[1..]);
        pass(database, Kept { contents: 1, ..all(5) }, 4);
        let kept = "SELECT count(*) FROM messages WHERE content IS NOT NULL OR subject <> ''";
        assert_eq!(database.number(kept), 0);
        assert_eq!(database.number("SELECT count(*) FROM deliveries WHERE fields IS NOT NULL"), 0);
        assert_eq!(rows_of(database, "contents"), 1);
        // The recipient is still shown, but the email cannot be sent again.
        assert_eq!(count()[1..], before[1..]);
        let listed = run(database, &["delivery", "list", "1", "--recipient", "ada@reader.example"]);
        assert_eq!(listed.lines().filter(|line| line.contains("delivered")).count(), 3, "{listed}");
        let resent = try_run(database, &["delivery", "resend", "1", "--yes"]);
        assert_eq!(resent.status.code(), Some(1), "{resent:?}");
        pass(database, Kept { contents: 1, deliveries: 2, ..all(5) }, 4);
        assert_eq!([rows_of(database, "deliveries"), rows_of(database, "messages")], [0, 0]);
        assert_eq!(rows_of(database, "calls"), before[1]);
    }

    fn what_still_waits_is_kept_whole_however_old_it_is(database: &Database) {
        let service = serve(database, &["--tracking-url", "https://t.example"]);
        calls(&service);
        service.end();
        pass(database, all(1), 1000);
        assert_eq!([rows_of(database, "calls"), rows_of(database, "messages"), rows_of(database, "deliveries")], [3, 3, 4]);
        assert_eq!(database.number("SELECT count(*) FROM messages WHERE content IS NULL OR subject = ''"), 0);
        assert_eq!(sums(database)[0], 0);
        let verified = try_run(database, &["verify"]);
        assert!(verified.status.success(), "{verified:?}");
    }

    fn many_more_rows_than_a_step_has_are_deleted_in_one_round(database: &Database) {
        filled(database);
        for _ in 0..9 {
            for sql in [
                "INSERT INTO hits (delivery, reason) SELECT delivery, reason FROM hits",
                "INSERT INTO deliveries (call, message, account, subscriber, to_address, state, ended, events)
                SELECT call, message, account, subscriber, to_address, state, ended, events FROM deliveries",
            ] {
                database.execute(sql, sql);
            }
        }
        assert!(rows_of(database, "deliveries") > 2_000);
        pass(database, all(5), 10);
        assert_eq!([rows_of(database, "deliveries"), rows_of(database, "hits"), rows_of(database, "calls")], [0; 3]);
        assert_eq!(sums(database)[0], 4 << 9);
    }

    fn content_that_is_sent_again_is_there_again(database: &Database) {
        filled(database);
        pass(database, all(5), 10);
        let service = serve(database, &[]);
        calls(&service);
        service.end();
        assert_eq!(rows_of(database, "contents"), 2);
        let verified = try_run(database, &["verify"]);
        assert!(verified.status.success(), "{verified:?}");
    }
}
