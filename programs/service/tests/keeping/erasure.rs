//! Removes a person from all data, and an account with everything that belongs to it.

use super::{bytes, calls, filled, rows_of};
use crate::support::database::on_both;
use crate::support::{runtime, send_mailer};
use crate::transcripts::{rows, run, serve, try_run};

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes
        .to_ascii_lowercase()
        .windows(text.len())
        .any(|part| part == text.as_bytes())
}

fn removed(printed: &[serde_json::Value], what: &str) -> i64 {
    let row = printed.iter().find(|row| row["removed"] == what);
    row.unwrap_or_else(|| panic!("{what}: {printed:?}"))["rows"]
        .as_i64()
        .unwrap()
}

on_both! {
    fn an_erased_person_is_nowhere_and_others_are_where_they_were(database: &Database) {
        filled(database);
        for sql in [
            "UPDATE events SET reason = '550 5.1.1 <ada@reader.example> unknown'
            WHERE subscriber IN (SELECT id FROM subscribers WHERE match_key LIKE 'ada%')",
            "INSERT INTO subscriber_fields (account, subscriber, name, value) SELECT account, id, 'city', 'Adaville' FROM subscribers",
        ] {
            database.execute(sql, &sql.replace("'Adaville'", "'Adaville'::bytea"));
        }
        assert!(holds(&bytes(database), "ada@reader.example"));
        let tried = try_run(database, &["subscriber", "erase", "Ada@Reader.Example"]);
        assert_eq!(tried.status.code(), Some(2), "asks first: {tried:?}");
        run(database, &["subscriber", "erase", "Ada@Reader.Example", "--dry-run"]);
        assert_eq!(rows_of(database, "subscribers"), 3);
        let printed = rows(database, &["subscriber", "erase", "Ada@Reader.Example", "--yes"]);
        for (what, count) in [
            ("subscribers", 1), ("deliveries", 3), ("messages", 2), ("contents", 1), ("hits", 3), ("reports", 3),
            ("subscriber_fields", 1), ("transcripts", 3), ("records kept, because others were sent the same", 1),
        ] {
            assert_eq!(removed(&printed, what), count, "{what}: {printed:?}");
        }
        let left = bytes(database);
        for text in ["ada@reader.example", "dear ada", "dear%20ada"] {
            assert!(!holds(&left, text), "{text}");
        }
        assert!(holds(&left, "eve@reader.example"));
        assert_eq!([rows_of(database, "deliveries"), rows_of(database, "subscribers")], [1, 2]);
        assert_eq!(database.number("SELECT CAST(sum(emails) AS bigint) FROM email_counts"), 3);
        let verified = try_run(database, &["verify"]);
        assert!(verified.status.success(), "{verified:?}");
        let again = try_run(database, &["subscriber", "erase", "ada@reader.example", "--yes"]);
        assert_eq!(again.status.code(), Some(1), "{again:?}");
    }

    fn an_erasure_that_was_interrupted_can_be_done_again(database: &Database) {
        filled(database);
        let reader = database.number("SELECT id FROM subscribers WHERE match_key = 'ada@reader.example'");
        runtime().block_on(async {
            let store = database.visit().await;
            let account = franking_service::store::AccountId::from_number(1);
            store.erase_traces(account, reader).await.unwrap();
        });
        let printed = rows(database, &["subscriber", "erase", "ada@reader.example", "--yes"]);
        assert_eq!([removed(&printed, "subscribers"), removed(&printed, "deliveries")], [1, 3]);
        assert!(!holds(&bytes(database), "ada@reader.example"));
    }

    fn an_email_that_a_call_adds_while_its_reader_is_erased_stays_until_it_is_out_of_the_queue(database: &Database) {
        let service = serve(database, &[]);
        assert_eq!(service.post("/v4/sendMailer", &[], &send_mailer("ada@reader.example")).code(), Some(200));
        service.end();
        let reader = database.number("SELECT subscriber FROM deliveries").to_string();
        let removing = franking_service::store::erasing().into_iter().map(|(_, sql)| sql);
        let removing = removing.filter(|sql| sql.starts_with("DELETE FROM deliveries"));
        let removing: Vec<String> = removing
            .map(|sql| sql.split("RETURNING").next().unwrap().replace("?1", "1").replace("?2", &reader))
            .collect();
        assert_eq!(removing.len(), 2);
        // Finding what waits came before the call.
        for sql in &removing {
            assert_eq!(database.execute(sql, sql), 0, "{sql}");
        }
        database.script("DELETE FROM queue");
        let removed: u64 = removing.iter().map(|sql| database.execute(sql, sql)).sum();
        assert_eq!(removed, 1);
    }

    fn a_refused_call_that_names_the_person_goes_as_well(database: &Database) {
        let service = serve(database, &["--transcripts", "whole"]);
        calls(&service);
        let canary = crate::transcripts::refused_call(&service);
        assert_eq!(canary.code(), Some(442));
        crate::returned::wait("calls are not kept", || rows_of(database, "transcripts") == 5);
        service.end();
        run(database, &["subscriber", "add", "1", "canary.reader@canary.example"]);
        let printed = rows(database, &["subscriber", "erase", "canary.reader@canary.example", "--yes"]);
        assert_eq!(removed(&printed, "other calls that name the address"), 2);
        assert_eq!(rows_of(database, "transcripts"), 3);
    }

    fn kept_calls_are_read_a_few_megabytes_at_a_time(database: &Database) {
        let kept = |sealed: &str| format!(
            "INSERT INTO transcripts (account, operation, code, bytes, milliseconds, peer, request, sealed)
             SELECT 1, 'sendMailer', 200, 1, 1, '192.0.2.1', 'request', {sealed}"
        );
        for _ in 0..3 {
            database.execute(&kept("zeroblob(3000000)"), &kept("decode(repeat('00', 3000000), 'hex')"));
        }
        runtime().block_on(async {
            let store = database.visit().await;
            let account = franking_service::store::AccountId::from_number(1);
            let first = store.sealed_calls(Some(account), 0).await.unwrap();
            assert_eq!(first.len(), 2);
            let rest = store.sealed_calls(Some(account), first[1].0).await.unwrap();
            assert_eq!((rest.len(), rest[0].2.len()), (1, 3_000_000));
        });
        run(database, &["subscriber", "add", "1", "ada@reader.example"]);
        let printed = rows(database, &["subscriber", "erase", "ada@reader.example", "--yes"]);
        assert_eq!(removed(&printed, "calls not removed, because the key file does not open them"), 3);
    }

    fn a_refused_call_goes_that_names_a_person_who_is_no_subscriber(database: &Database) {
        let service = serve(database, &["--transcripts", "whole"]);
        crate::transcripts::refused_call(&service);
        crate::returned::wait("the call is not kept", || rows_of(database, "transcripts") == 1);
        service.end();
        let erase = ["subscriber", "erase", "canary.reader@canary.example", "--yes"];
        let of_another = run(database, &["account", "add", "Another"]);
        let nowhere = try_run(database, &[&erase[..], &["--account", of_another.trim()]].concat());
        assert_eq!((nowhere.status.code(), rows_of(database, "transcripts")), (Some(1), 1));
        assert_eq!(removed(&rows(database, &erase), "other calls that name the address"), 1);
        assert_eq!(rows_of(database, "transcripts"), 0);
        assert_eq!(try_run(database, &erase).status.code(), Some(1));
    }

    fn what_waits_for_an_erased_person_bounces_and_is_not_sent(database: &Database) {
        let service = serve(database, &[]);
        calls(&service);
        let printed = rows(database, &["subscriber", "erase", "ada@reader.example", "--yes"]);
        assert_eq!(removed(&printed, "deliveries"), 3);
        let bounced = "SELECT count(*) FROM events WHERE kind = 'bounced' AND reason = 'the reader was erased'";
        assert_eq!(database.number(bounced), 3);
        assert_eq!(database.number("SELECT CAST(sum(emails) AS bigint) FROM email_counts WHERE code = 417"), 3);
        // The reader can be written to again. The account has to know that it must not do so.
        assert_eq!(service.post("/v4/sendMailer", &[], &send_mailer("ada@reader.example")).code(), Some(200));
        service.end();
    }

    fn who_has_unsubscribed_stays_out_when_erased(database: &Database) {
        let service = serve(database, &["--unsubscribe-url", "https://u.example"]);
        run(database, &["account", "http-unsubscribe", "1", "list"]);
        let to = crate::support::http_send_mail("ada@reader.example");
        assert_eq!(service.post("/v4/httpSendMail", &[], &to).code(), Some(200));
        service.end();
        runtime().block_on(async {
            let store = database.store().await;
            let out = store.unsubscribe(1).await.unwrap();
            assert_eq!(out, franking_service::store::Unsubscription::New);
        });
        assert!(!holds(&database.texts("SELECT scope FROM unsubscribed").concat().into_bytes(), "ada"));
        run(database, &["subscriber", "erase", "ada@reader.example", "--yes"]);
        assert!(!holds(&bytes(database), "ada@reader.example"));
        let service = serve(database, &[]);
        let refused = service.post("/v4/httpSendMail", &[], &to);
        assert_eq!(refused.code(), Some(443), "{refused:?}");
        assert_eq!(rows_of(database, "unsubscribed"), 1);
        service.end();
    }

    fn an_account_is_deleted_with_all_that_it_has_once_it_is_deactivated(database: &Database) {
        filled(database);
        let refused = try_run(database, &["account", "delete", "1", "--yes"]);
        assert_eq!(refused.status.code(), Some(1), "{refused:?}");
        run(database, &["account", "state", "1", "--deactivated"]);
        let another = run(database, &["account", "add", "Another"]);
        let another = another.trim();
        run(database, &["subscriber", "add", another, "ada@reader.example"]);
        let printed = rows(database, &["account", "delete", "1", "--yes"]);
        assert_eq!(removed(&printed, "deliveries"), 4);
        assert_eq!(removed(&printed, "accounts"), 1);
        for table in [
            "keys", "senders", "mailers", "lists", "list_members", "subscriber_fields", "calls", "messages", "deliveries", "contents",
            "idempotency", "events", "reports", "hits", "transcripts", "credit_changes", "attempts", "past_debits",
        ] {
            assert_eq!(rows_of(database, table), 0, "{table}");
        }
        assert_eq!([rows_of(database, "accounts"), rows_of(database, "subscribers")], [1, 1]);
        assert_eq!(database.number("SELECT CAST(sum(emails) AS bigint) FROM email_counts WHERE account = 1"), 4);
        let verified = try_run(database, &["verify"]);
        assert!(verified.status.success(), "{verified:?}");
    }
}
