//! Which email a report belongs to, and what the report does to it.

use std::thread;

use super::{
    DOMAIN, READER, all_events, bounce, code_of_a_call, complaint, keys, outcomes, report,
    report_by_path, return_path, run, send, wait,
};
use crate::report_formats::FILES;
use crate::report_formats::read;
use crate::support::Service;
use crate::support::database::on_both;
use crate::support::program;
use crate::support::runtime;
use crate::support::scripted::Server;

on_both! {
    fn each_report_is_the_right_event_or_none(database: &Database) {
        let service = database.serve(&[]);
        let to: Vec<String> = FILES.iter().enumerate().map(|(place, _)| format!("r{place}@example.org")).collect();
        let to: Vec<&str> = to.iter().map(String::as_str).collect();
        let sent = send(database, &service, &to);
        for ((delivery, message_id), (name, says, _)) in sent.iter().zip(FILES) {
            let message = String::from_utf8(read(name)).unwrap().replace("17@mail.example.com", message_id);
            report(database, message.as_bytes());
            let expected: &[&str] = match *says {
                says if says.starts_with("failed") => &["bounced", "delivered"],
                "complaint" => &["complained", "delivered"],
                _ => &["delivered"],
            };
            let mut found = outcomes(database, *delivery);
            found.sort_unstable();
            assert_eq!(found, expected, "{name}");
        }
        let list = run(database, &["report", "list"]);
        let expected = FILES.iter().filter(|(_, says, _)| *says != "nothing").count();
        assert_eq!(list.lines().count(), expected, "{list}");
        assert!(!list.contains('@'), "{list}");
    }

    fn a_report_is_about_the_email_whose_return_path_it_came_to(database: &Database) {
        let service = database.serve(&[]);
        let sent = send(database, &service, &[READER, "b@example.org", "c@example.org"]);
        let message = bounce("of-somebody@else.example", "5.1.1", 1);
        // The path is that of the mail server, or in the headers, where the server or the reporter notes it.
        report_by_path(database, Some(&return_path(database, sent[0].0)), &message);
        let to_b = return_path(database, sent[1].0).to_uppercase();
        let to_c = return_path(database, sent[2].0);
        let noted = [format!("Delivered-To: {to_b}\n").as_bytes(), &message].concat();
        report_by_path(database, None, &noted);
        let text = String::from_utf8(message).unwrap();
        report_by_path(database, None, text.replace("To: bounces@in.example.com", &format!("To: <{to_c}>")).as_bytes());
        for (delivery, _) in &sent {
            assert!(outcomes(database, *delivery).contains(&"bounced".to_owned()), "{delivery}");
        }
        let matched = database.texts("SELECT matched FROM reports");
        assert_eq!(matched, ["return path"; 3]);
    }

    fn a_complaint_to_another_address_is_about_the_email_whose_return_path_it_names(database: &Database) {
        let service = database.serve(&[]);
        let sent = send(database, &service, &[READER]);
        let path = return_path(database, sent[0].0);
        let text = String::from_utf8(complaint("taken-out@loop.example")).unwrap();
        assert!(text.contains("Original-Mail-From: <bounces@in.example.com>"));
        for path in [format!("anybody@{DOMAIN}"), path.to_uppercase()] {
            assert_eq!(outcomes(database, sent[0].0), ["delivered"]);
            let text = text.replace("From: <bounces@in.example.com>", &format!("From: <{path}>"));
            report_by_path(database, Some("complaints@in.example.com"), text.as_bytes());
        }
        assert!(outcomes(database, sent[0].0).contains(&"complained".to_owned()));
    }

    fn a_report_to_a_forged_return_path_changes_nothing(database: &Database) {
        let service = database.serve(&[]);
        let sent = send(database, &service, &[READER]);
        let (delivery, message_id) = &sent[0];
        let before = all_events(database);
        let good = return_path(database, *delivery);
        let (head, tail) = good.split_at(good.find('@').unwrap() - 1);
        let forged = [
            format!("{head}{}{}", if tail.starts_with('0') { '1' } else { '0' }, &tail[1..]),
            good.replacen("b1-", "b2-", 1),
            good.replacen(&format!("-{delivery:x}-"), &format!("-{:x}-", delivery + 1), 1),
            format!("anybody@{DOMAIN}"),
        ];
        // The right Message-ID does not make up for a forged path, because the reader knows it.
        let message = bounce(message_id, "5.1.1", 1);
        for forged in forged {
            assert_ne!(forged, good);
            report_by_path(database, Some(&forged), &message);
            let noted = [format!("Delivered-To: {forged}\n").as_bytes(), &message].concat();
            report_by_path(database, None, &noted);
            report_by_path(database, Some(&forged), &complaint(message_id));
        }
        // A changed Message-ID belongs to no email.
        let other = message_id.replacen(|c: char| c.is_ascii_digit(), "x", 1);
        report(database, &bounce(&other, "5.1.1", 2));
        assert_eq!(all_events(database), before);
        assert_eq!(database.texts("SELECT coalesce(matched, 'none') FROM reports"), ["none"]);
        assert_eq!(code_of_a_call(&service), Some(200));
    }

    fn a_second_report_of_an_email_and_a_message_that_is_handed_over_twice_count_once(database: &Database) {
        let service = database.serve(&[]);
        let sent = send(database, &service, &[READER]);
        let (delivery, message_id) = &sent[0];
        for number in [1, 1, 2, 3, 3] {
            report(database, &bounce(message_id, "5.1.1", number));
        }
        let mut found = outcomes(database, *delivery);
        found.sort_unstable();
        assert_eq!(found, ["bounced", "delivered"]);
        assert_eq!(run(database, &["report", "list"]).lines().count(), 3);
        assert_eq!(run(database, &["suppression", "list", "1"]), "");
        assert_eq!(code_of_a_call(&service), Some(200));
    }

    fn reports_from_three_processes_twice_and_in_any_order_are_one_summary(database: &Database) {
        let service = database.serve(&[]);
        let sent = send(database, &service, &[READER, "b@example.org", "c@example.org", "d@example.org"]);
        let mut messages = Vec::new();
        for (place, (_, message_id)) in sent.iter().enumerate() {
            // The bits of a delivery's place say whether it bounces, and whether there is a complaint.
            if place & 1 != 0 {
                messages.push(bounce(message_id, "5.2.2", 1));
            }
            if place & 2 != 0 {
                messages.push(complaint(message_id));
            }
        }
        thread::scope(|scope| {
            for turn in 0..3 {
                let mut messages = [messages.as_slice(), &messages].concat();
                messages.rotate_left(turn * 3);
                scope.spawn(move || messages.iter().for_each(|message| report(database, message)));
            }
        });
        let bits = database.texts("SELECT CAST(events AS text) FROM deliveries ORDER BY id");
        assert_eq!(bits, ["2", "3", "18", "19"]);
        assert_eq!(all_events(database), 4 + 4 + database.number("SELECT count(*) FROM suppressions"));
        assert_eq!(database.number("SELECT count(*) FROM reports"), 4);
    }

    fn with_a_domain_for_them_each_email_has_a_signed_return_path_and_without_one_that_of_its_sender(database: &Database) {
        let runtime = runtime();
        let mail = runtime.block_on(Server::good());
        let sent = |service: Service, number: i64| {
            assert_eq!(code_of_a_call(&service), Some(200));
            let delivered = "SELECT count(*) FROM deliveries WHERE state = 'delivered'";
            wait("it is not sent", || database.number(delivered) == number);
            assert_eq!(service.end().0, Some(0));
            let mut seen = mail.seen.lock().unwrap();
            let commands = std::mem::take(&mut seen.commands);
            commands.into_iter().find(|line| line.starts_with("MAIL FROM")).unwrap()
        };
        let plain = sent(database.serve_to(program(), mail.port), 1);
        assert!(plain.starts_with("MAIL FROM:<news@shop.example>"), "{plain}");
        let keys = keys(database);
        let mut command = program();
        command.env("FRANKING_BOUNCE_DOMAIN", DOMAIN).env("FRANKING_KEY_FILE", &keys);
        let signed = sent(database.serve_to(command, mail.port), 2);
        let delivery = database.number("SELECT max(id) FROM deliveries");
        let expected = format!("MAIL FROM:<{}>", return_path(database, delivery));
        assert!(signed.starts_with(&expected), "{signed}");
        let seen = mail.seen.lock().unwrap();
        let from = |message: &Vec<u8>| String::from_utf8_lossy(message).contains("From: The Shop <news@shop.example>");
        assert!(seen.messages.iter().all(from));
    }
}
