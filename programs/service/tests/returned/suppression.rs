//! Which subscribers become INACTIVE because of reports, and for how long.

use super::{READER, bounce, code_of_a_call, complaint, report, run, send, try_run, wait};
use crate::report_formats::read;
use crate::support::database::on_both;
use crate::support::program;
use crate::support::runtime;
use crate::support::scripted::At;
use crate::support::scripted::Does;
use crate::support::scripted::Server;

on_both! {
    fn three_reports_of_a_dead_address_make_its_subscriber_inactive_until_that_is_lifted(database: &Database) {
        let service = database.serve(&[]);
        for number in 0..3 {
            assert_eq!(run(database, &["suppression", "list", "1"]), "");
            let sent = send(database, &service, &[READER]);
            report(database, &bounce(&sent[0].1, "5.1.1", number));
        }
        assert_eq!(code_of_a_call(&service), Some(443));
        let list = run(database, &["suppression", "list", "1"]);
        let fields: Vec<&str> = list.trim_end().split('\t').collect();
        assert_eq!(fields[3..5], ["bounces", "3"], "{list}");
        assert!(fields[5].starts_with("5.1.1 ") && !list.contains('@'), "{list}");
        let (succeeds, text) = try_run(database, &["subscriber", "set", "1", fields[1]]);
        assert!(!succeeds && text.contains("the subscriber is suppressed"), "{text}");
        let lift = ["suppression", "lift", "1", fields[1], "--reason", "asked for it"];
        assert_eq!(run(database, &lift), "");
        assert!(!try_run(database, &lift).0);
        assert!(run(database, &["suppression", "list", "1"]).contains("\tasked for it"));
        // The count begins anew.
        let sent = send(database, &service, &[READER]);
        report(database, &bounce(&sent[0].1, "5.1.1", 9));
        assert_eq!(code_of_a_call(&service), Some(200));
    }

    fn what_does_not_say_that_the_address_is_dead_suppresses_nobody(database: &Database) {
        let service = database.serve(&[]);
        for (number, code) in ["5.7.1", "5.2.2", "5.7.1", "5.0.0", "4.1.1", "5.7.26"].into_iter().enumerate() {
            let sent = send(database, &service, &[READER]);
            report(database, &bounce(&sent[0].1, code, number));
        }
        assert_eq!(code_of_a_call(&service), Some(200));
        assert_eq!(run(database, &["suppression", "list", "1"]), "");
    }

    fn a_report_of_an_alias_that_somebody_reads_does_not_count_as_a_dead_address(database: &Database) {
        let service = database.serve(&[]);
        for number in 0..3 {
            let sent = send(database, &service, &[READER]);
            let message = String::from_utf8(read("postfix_alias_of_two")).unwrap();
            let message = message.replace("17@mail.example.com", &sent[0].1);
            report(database, message.as_bytes());
            assert_eq!(database.number("SELECT count(*) FROM events WHERE kind = 'bounced'"), number + 1);
        }
        assert_eq!(code_of_a_call(&service), Some(200));
    }

    fn one_that_was_delivered_between_dead_ones_begins_the_count_anew(database: &Database) {
        let service = database.serve(&[]);
        for number in 0..5 {
            let sent = send(database, &service, &[READER]);
            if number != 2 {
                report(database, &bounce(&sent[0].1, "5.1.1", number));
            }
        }
        assert_eq!(code_of_a_call(&service), Some(200));
    }

    fn an_address_that_the_mail_server_says_is_dead_counts_as_well(database: &Database) {
        let runtime = runtime();
        let mail = runtime.block_on(Server::start(At::Rcpt, Does::Say("550 5.1.1 nobody"), 100));
        let service = database.serve_to(program(), mail.port);
        let bounced = "SELECT count(*) FROM deliveries WHERE state = 'bounced'";
        for number in 1..=3 {
            assert_eq!(code_of_a_call(&service), Some(200));
            wait("it does not bounce", || database.number(bounced) == number);
        }
        wait("it is not suppressed", || code_of_a_call(&service) == Some(443));
        let list = run(database, &["suppression", "list", "1"]);
        assert!(list.contains("\tbounces\t-\t5.1.1 "), "{list}");
    }

    fn a_complaint_suppresses_at_once_and_undoing_its_report_lifts_that(database: &Database) {
        let service = database.serve(&[]);
        let sent = send(database, &service, &[READER]);
        report(database, &complaint(&sent[0].1));
        assert_eq!(code_of_a_call(&service), Some(443));
        let id = run(database, &["report", "list"]).split('\t').next().unwrap().to_owned();
        let undo = ["report", "undo", &id, "--reason", "a misclick"];
        run(database, &undo);
        assert_eq!(code_of_a_call(&service), Some(200));
        assert!(run(database, &["report", "list"]).contains("\ta misclick"));
        assert!(run(database, &["suppression", "list", "1"]).contains("\ta misclick"));
        let (succeeds, text) = try_run(database, &undo);
        assert!(!succeeds && text.contains("there is no such report"), "{text}");
        let bits = database.texts("SELECT CAST(events AS text) FROM deliveries ORDER BY id LIMIT 1");
        assert_eq!(bits, ["2"]);
    }

    fn undoing_one_of_three_bounces_lifts_and_one_that_another_report_repeats_does_not(database: &Database) {
        let service = database.serve(&[]);
        for number in 0..3 {
            let sent = send(database, &service, &[READER]);
            report(database, &bounce(&sent[0].1, "5.1.1", number));
            if number == 1 {
                report(database, &bounce(&sent[0].1, "5.1.1", 9));
            }
        }
        // The reports 2 and 3 are about the same email.
        run(database, &["report", "undo", "2", "--reason", "one of two"]);
        assert_eq!(code_of_a_call(&service), Some(443));
        run(database, &["report", "undo", "3", "--reason", "the other"]);
        assert_eq!(code_of_a_call(&service), Some(200));
        let bits = database.texts("SELECT CAST(events AS text) FROM deliveries ORDER BY id LIMIT 3");
        assert_eq!(bits, ["3", "2", "3"]);
    }

    fn who_was_inactive_before_a_complaint_stays_so_after_it_is_lifted(database: &Database) {
        let service = database.serve(&[]);
        let sent = send(database, &service, &[READER]);
        let id = database.number("SELECT subscriber FROM deliveries").to_string();
        run(database, &["subscriber", "set", "1", &id, "--inactive"]);
        report(database, &complaint(&sent[0].1));
        let said = run(database, &["suppression", "lift", "1", &id, "--reason", "asked"]);
        assert!(said.starts_with("the subscriber stays INACTIVE"), "{said}");
        assert_eq!(code_of_a_call(&service), Some(443));
    }
}
