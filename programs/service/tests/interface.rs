//! The interface over real HTTP: the bytes of its answers, and its other behaviour.

use std::io::BufRead as _;
use std::path::Path;
use std::process::Command;

use crate::support::{Answer, Service, cases, http_send_mail, send_mailer};
use serde_json::Value;

#[test]
fn accepted_calls_are_answered_as_the_interface_shows() {
    let (_folder, service) = Service::of_world(&[]);
    let answers = [
        service.post("/v4/sendMailer", &[], &send_mailer("one@customer.example")),
        service.post(
            "/mail/v4/httpSendMail.php",
            &[],
            &http_send_mail("two@customer.example"),
        ),
        service.post(
            "/v4/httpSendMail?x=1",
            &[("Content-Type", "text/plain")],
            &http_send_mail("three@customer.example"),
        ),
    ];
    for answer in answers {
        let id = answer.transaction_id().unwrap();
        assert!((1..1 << 53).contains(&id));
        let expected = format!(r#"{{"code":"200","status":"Success","transactionId":"{id}"}}"#);
        assert_eq!(answer.body, expected);
        assert_eq!(answer.status, 200);
        assert_eq!(answer.header("content-type"), Some("application/json"));
    }
}

#[test]
fn refused_calls_are_answered_as_the_interface_shows() {
    let (_folder, service) = Service::of_world(&[]);
    let refused = |path, body: &[u8]| service.post(path, &[], body).body;
    assert_eq!(
        refused("/v4/sendMailer", b"{}"),
        r#"{"code":"402","status":"Error"}"#
    );
    assert_eq!(
        refused("/v4/sendMailer", br#"{"apiKey":"another"}"#),
        r#"{"code":"403","status":"Error"}"#
    );
    assert_eq!(
        refused("/v4/httpSendMail", b"not JSON"),
        r#"{"code":"475","status":"Error"}"#
    );
}

#[test]
fn the_policy_of_the_settings_writes_numbers_and_meanings() {
    let folder = tempfile::tempdir().unwrap();
    crate::support::fill(folder.path(), &crate::support::world("world.json"));
    let settings = folder.path().join("settings.toml");
    let text = "[policy]\nanswer_values = \"numbers\"\nanswer_status = \"meaning\"\n";
    std::fs::write(&settings, text).unwrap();
    let service = Service::start(folder.path(), &["--settings", settings.to_str().unwrap()]);
    let refused = service.post("/v4/sendMailer", &[], br#"{"apiKey":"another"}"#);
    assert_eq!(
        refused.body,
        r#"{"code":403,"status":"Unauthorized, invalid key"}"#
    );
    let key = [("Idempotency-Key", "k")];
    let body = send_mailer("one@customer.example");
    let accepted = service.post("/v4/sendMailer", &key, &body);
    assert!(
        accepted
            .body
            .starts_with(r#"{"code":200,"status":"Success","transactionId":"#)
    );
    // The answer itself is stored with the idempotency key.
    let again = service.post("/v4/sendMailer", &key, &body);
    assert_eq!(again.body, accepted.body);
}

#[test]
fn other_methods_get_401_and_unknown_paths_404() {
    let (_folder, service) = Service::of_world(&[]);
    let call = |method, path| -> Answer {
        let body = send_mailer("one@customer.example");
        service.exchange(&crate::support::request(method, path, &[], &body))
    };
    for method in ["GET", "PUT", "PATCH", "DELETE", "OPTIONS", "POSTER"] {
        let answer = call(method, "/v4/sendMailer");
        assert_eq!(answer.status, 200);
        assert_eq!(answer.body, r#"{"code":"401","status":"Error"}"#);
    }
    for path in ["/v3/sendMailer", "/", "/v4/sendEmail", "/v4/sendMailer/"] {
        assert_eq!(call("POST", path).status, 404);
    }
}

#[test]
fn the_deprecated_operation_says_so_in_every_answer_of_its_own() {
    let (_folder, service) = Service::of_world(&[]);
    let accepted = http_send_mail("one@customer.example");
    for body in [accepted.as_slice(), b"not JSON"] {
        let answer = service.post("/v4/httpSendMail.php", &[], body);
        let sunset = answer.header("sunset");
        assert_eq!(sunset, Some("Tue, 30 Apr 2024 23:59:59 GMT"));
        assert_eq!(answer.header("deprecation"), Some("@1714521599"));
    }
    let answer = service.post("/v4/sendMailer", &[], b"{}");
    assert_eq!(answer.header("sunset"), None);
    assert_eq!(answer.header("deprecation"), None);
}

#[test]
fn a_retired_operation_is_refused_after_its_last_day() {
    let folder = tempfile::tempdir().unwrap();
    crate::support::fill(folder.path(), &crate::support::world("world.json"));
    let service = Service::start(folder.path(), &["--retire"]);
    let body = http_send_mail("one@customer.example");
    assert_eq!(
        service.post("/v4/httpSendMail", &[], &body).code(),
        Some(401)
    );
    let body = send_mailer("one@customer.example");
    assert_eq!(service.post("/v4/sendMailer", &[], &body).code(), Some(200));
}

#[test]
fn the_call_that_a_demo_shows_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let mut service = Service::start(folder.path(), &["--demo"]);
    let mut shown = String::new();
    while !shown.ends_with("}'\n") {
        assert_ne!(service.output.read_line(&mut shown).unwrap(), 0, "{shown}");
    }
    let (call, body) = shown.split_once(" -d ").unwrap();
    assert!(call.ends_with(&format!("curl {}/v4/sendMailer", service.url)));
    let body = body.trim().trim_matches('\'').as_bytes();
    assert_eq!(service.post("/v4/sendMailer", &[], body).code(), Some(200));
    // The next start makes another key, and the old one no longer works.
    service.end();
    let service = Service::start(folder.path(), &["--demo"]);
    assert_eq!(service.post("/v4/sendMailer", &[], body).code(), Some(403));
    service.end();
    let verify = crate::support::program()
        .args(["verify", "--data"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(verify.status.success(), "{verify:?}");
}

/// Starts the program with each of the two worlds in turn, and sends it one of `every` vectors.
fn drive(every: i64, start: impl Fn(&Value, &Path) -> Option<Service>) {
    let driver = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/server/drive.py");
    for name in ["world.json", "world-refusing.json"] {
        let folder = tempfile::tempdir().unwrap();
        let Some(service) = start(&crate::support::world(name), folder.path()) else {
            return;
        };
        let output = Command::new("python3")
            .arg(&driver)
            // clock: one that never answers fails the test, however late
            .args(["--every", &every.to_string()])
            .args(["--accepted", "--timeout", "600", "--world"])
            .arg(driver.with_file_name(name))
            .arg(&service.url)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{text}");
        println!("{name}: {}", text.lines().last().unwrap());
    }
}

/// Some vectors are long calls of sendMailer. The interface itself has no limit for these.
const LONG: [&str; 2] = ["--max-send-mailer-bytes", "67108864"];

/// Sends one vector in five, or in `EVERY`. The executors decide all of them, and HTTP and a database add the same to most of
/// them.
#[test]
fn vectors_that_can_be_told_from_outside_are_answered_so_on_sqlite() {
    drive(cases("EVERY", 5), |world, folder| {
        crate::support::fill(folder, world);
        Some(Service::start(folder, &LONG))
    });
}

/// Sends one vector in eight, or in `EVERY`: only the database differs here.
#[test]
fn vectors_that_can_be_told_from_outside_are_answered_so_on_postgres() {
    drive(cases("EVERY", 8), |world, folder| {
        let address = crate::support::postgres(world)?;
        let [name, length] = LONG;
        let flags = [name, length, "--database", &address];
        Some(Service::start(folder, &flags))
    });
}
