//! Shutdown of the service, ends of clients, and a database that does not answer.

use std::io::Write as _;
use std::thread;
use std::time::Duration;

use crate::returned::wait;
use crate::support::database::{Database, on_both};
use crate::support::{KEY, Service, databases, read, request, runtime, send_mailer, world};
use rustix::process::Signal;

/// Waits until this number of calls are being decided.
fn until_deciding(service: &Service, calls: usize) {
    until(service, &format!("franking_calls_deciding {calls}"));
}

/// Waits until the metrics have this line.
fn until(service: &Service, line: &str) {
    wait(&format!("the metrics do not say {line}"), || {
        service.metrics().lines().any(|one| one == line)
    });
}

on_both! {
    fn calls_in_flight_are_finished_after_sigterm_and_no_new_ones_are_taken(database: &Database) {
        let mut service = database.serve(&[]);
        let lock = database.lock_writing();
        let mut stream = service.connect();
        let body = send_mailer("a@customer.example");
        stream
            .write_all(&request("POST", "/v4/sendMailer", &[], &body))
            .unwrap();
        until_deciding(&service, 1);
        service.signal(Signal::TERM);
        let mut tries = 0;
        while std::net::TcpStream::connect(service.address).is_ok() {
            // clock: until the listener is closed
            thread::sleep(Duration::from_millis(10));
            tries += 1;
            assert!(tries < 1000, "the listener is not closed");
        }
        drop(lock);
        assert_eq!(read(&mut stream).code(), Some(200));
        assert_eq!(service.process.wait().unwrap().code(), Some(0));
    }

    fn balancers_learn_of_the_end_before_calls_are_refused(database: &Database) {
        let mut service = database.serve(&["--drain-seconds", "3600"]);
        assert_eq!(service.get("/readyz").status, 200);
        service.signal(Signal::TERM);
        wait("the service is ready", || service.get("/readyz").status == 503);
        let body = send_mailer("a@customer.example");
        assert_eq!(service.post("/v4/sendMailer", &[], &body).code(), Some(200));
        service.signal(Signal::TERM);
        assert_eq!(service.process.wait().unwrap().code(), Some(0));
    }

    fn an_idle_connection_does_not_hold_the_service_up(database: &Database) {
        let service = database.serve(&[]);
        let idle = service.connect();
        let (code, _) = service.end();
        assert_eq!(code, Some(0));
        drop(idle);
    }

    fn a_client_that_hangs_up_changes_nothing_about_what_is_committed(database: &Database) {
        let service = database.serve(&[]);
        let lock = database.lock_writing();
        let mut clients = Vec::new();
        for number in 0..20 {
            let mut stream = service.connect();
            let body = send_mailer(&format!("a{number}@customer.example"));
            stream
                .write_all(&request("POST", "/v4/sendMailer", &[], &body))
                .unwrap();
            clients.push(stream);
        }
        until_deciding(&service, 20);
        drop(clients);
        // The service notices that they have gone. The one connection is that of this question.
        until(&service, "franking_connections 1");
        drop(lock);
        assert_eq!(service.end().0, Some(0));
        let calls = database.calls();
        assert_eq!(calls.len(), 20);
        for call in calls {
            assert_eq!((call.emails, call.messages, call.deliveries), (1, 1, 1));
        }
        let accounts = runtime().block_on(async { database.store().await.accounts().await.unwrap() });
        assert_eq!(accounts[0].account.email_credit, Some(1_000_000 - 20));
    }

    fn a_database_that_is_busy_for_too_long_is_503_and_nothing_was_done(database: &Database) {
        let service = database.serve(&[]);
        let lock = database.lock_writing();
        let body = send_mailer("a@customer.example");
        let answer = service.post("/v4/sendMailer", &[], &body);
        assert_eq!((answer.status, answer.code()), (503, None));
        assert_eq!(answer.header("retry-after"), Some("5"));
        assert!(answer.body.contains("Nothing was done"));
        drop(lock);
        assert_eq!(service.post("/v4/sendMailer", &[], &body).code(), Some(200));
        let (_, log) = service.end();
        let code = if database.folder().is_some() { "SQLite 5" } else { "SQLSTATE 55P03" };
        assert!(log.contains(code), "{log}");
    }

    fn no_log_shows_a_key_an_address_a_subject_or_a_body(database: &Database) {
        let mut command = crate::support::program();
        command.env("RUST_LOG", "trace");
        let service = database.serve_by(command, &[]);
        let requests = |to: &str| {
            format!(
                r#"{{"ApiKey":"{KEY}","requests":[{{"subject":"Wolverhampton","body":"Shropshire","to":"{to}","from":"news@shop.example"}}]}}"#
            )
        };
        let key = [("Idempotency-Key", "Staffordshire")];
        for to in ["a@customer.example", "a@customer.example", "worcester"] {
            service.post("/v4/httpSendMail", &key, requests(to).as_bytes());
        }
        service.post(
            "/v4/sendMailer",
            &[],
            br#"{"apiKey":"gloucester","mailerID":1}"#,
        );
        service.post(
            "/v4/sendMailer",
            &[("Idempotency-Key", "\u{e9}")],
            &send_mailer("worcester"),
        );
        let (_, log) = service.end();
        assert!(log.contains("decided"), "{log}");
        for secret in [
            KEY,
            "Wolverhampton",
            "Shropshire",
            "customer",
            "worcester",
            "Staffordshire",
            "gloucester",
            "shop.example",
        ] {
            assert!(!log.contains(secret), "{secret} in\n{log}");
        }
    }
}

#[test]
fn a_measurement_that_waits_for_the_database_holds_up_no_call() {
    let Some(database) = Database::postgres(&world("world.json")) else {
        return;
    };
    let runtime = runtime();
    // Calls do not need this table, and each measurement reads it.
    let lock = runtime.block_on(async {
        let client = databases::connect(database.address().unwrap()).await;
        let lock = "BEGIN; LOCK TABLE webhook_retries";
        client.batch_execute(lock).await.unwrap();
        client
    });
    let service = database.serve(&[]);
    let body = send_mailer("a@customer.example");
    assert_eq!(service.post("/v4/sendMailer", &[], &body).code(), Some(200));
    assert_eq!(service.get("/readyz").status, 200);
    let is_measured = || service.metrics().contains("franking_measured 1");
    assert!(!is_measured());
    drop(lock);
    wait("the database is not measured", is_measured);
    assert_eq!(service.end().0, Some(0));
}

#[test]
fn a_folder_has_one_service() {
    let (folder, _service) = Service::of_world(&[]);
    let output = crate::support::program()
        .args([
            "serve",
            "--transport",
            "none",
            "--listen",
            "127.0.0.1:0",
            "--operator-listen",
            "127.0.0.1:0",
            "--data",
        ])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(
        text.contains("another process serves this database"),
        "{text}"
    );
}
