//! The description of the interface that the service serves.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::database::Database;
use crate::support::{Answer, KEY, Service, http_send_mail, request, send_mailer, world};

const FILE: &str = include_str!("../../../docs/openapi.json");

fn ask(service: &Service, method: &str, headers: &[(&str, &str)]) -> Answer {
    service.exchange(&request(method, "/openapi.json", headers, b""))
}

#[test]
fn the_description_is_served_as_it_is_kept_to_whoever_asks() {
    let (_folder, service) = Service::of_world(&[]);
    let answer = ask(&service, "GET", &[]);
    assert_eq!((answer.status, answer.body.as_str()), (200, FILE));
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let head = ask(&service, "HEAD", &[]);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    let length = FILE.len().to_string();
    assert_eq!(head.header("content-length"), Some(length.as_str()));
    assert_eq!(head.header("etag"), answer.header("etag"));
}

#[test]
fn whoever_has_the_description_is_told_that_it_is_the_same() {
    let (_folder, service) = Service::of_world(&[]);
    let answer = ask(&service, "GET", &[]);
    let tag = answer.header("etag").unwrap();
    for known in [tag, &format!("\"other\", W/{tag}"), "*"] {
        let answer = ask(&service, "GET", &[("If-None-Match", known)]);
        assert_eq!((answer.status, answer.body.as_str()), (304, ""), "{known}");
        assert_eq!(answer.header("etag"), Some(tag));
    }
    let answer = ask(&service, "GET", &[("If-None-Match", "\"other\"")]);
    assert_eq!(answer.status, 200);
}

#[test]
fn another_method_or_host_gets_a_problem_in_place_of_the_description() {
    let (_folder, service) = Service::of_world(&["--hosts", "mail.example"]);
    let answer = ask(&service, "POST", &[("Host", "mail.example")]);
    assert_eq!(
        (answer.status, answer.header("allow")),
        (405, Some("GET, HEAD"))
    );
    assert_eq!(
        answer.header("content-type"),
        Some("application/problem+json")
    );
    assert_eq!(
        ask(&service, "GET", &[("Host", "other.example")]).status,
        421
    );
}

/// The members of the problem in an answer. The status of the answer has to be described as a problem.
fn problem<'d>(document: &'d Value, path: &str, answer: &Answer) -> &'d Value {
    let responses = &document["paths"][path]["post"]["responses"];
    let reference = responses[answer.status.to_string()]["$ref"].as_str();
    let reference = reference.unwrap_or_else(|| panic!("{} is not described", answer.status));
    let response = document.pointer(reference.trim_start_matches('#')).unwrap();
    &response["content"]["application/problem+json"]["schema"]
}

#[test]
fn what_the_service_adds_is_in_the_description() {
    let document: Value = serde_json::from_str(FILE).unwrap();
    let flags = ["--max-send-mailer-bytes", "200", "--max-recipients", "1"];
    let (_folder, service) = Service::of_world(&flags);
    let call = send_mailer("a@customer.example");
    let two = http_send_mail("a@customer.example,b@customer.example");
    let long = vec![b' '; 201];
    let send_mailer = "/v4/sendMailer";
    let mut answers = vec![
        (400, send_mailer, vec![("Idempotency-Key", "")], &call),
        (413, send_mailer, vec![], &long),
        (413, "/v4/httpSendMail.php", vec![], &two),
        (415, send_mailer, vec![("Content-Encoding", "gzip")], &call),
        (200, send_mailer, vec![("Idempotency-Key", "one")], &call),
    ];
    let other = crate::support::send_mailer("b@customer.example");
    answers.push((422, send_mailer, vec![("Idempotency-Key", "one")], &other));
    for (status, path, headers, body) in answers {
        let answer = service.post(path, &headers, body);
        assert_eq!(answer.status, status, "{headers:?}");
        if status != 200 {
            assert_eq!(
                problem(&document, path, &answer)["$ref"],
                "#/components/schemas/Problem"
            );
            assert_eq!(
                answer.header("content-type"),
                Some("application/problem+json")
            );
        }
    }
}

/// Runs a command that has to succeed, and prints its output.
fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    print!("{said}");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}{error}");
}

/// A folder of the clients. `tests/description/prove.sh` makes the clients, and sets this variable.
fn made(variable: &str) -> String {
    let unset = || panic!("run tests/description/prove.sh, which sets {variable}");
    std::env::var(variable).unwrap_or_else(|_| unset())
}

fn answers_are_described_and_clients_send(database: &Database) {
    let service = database.serve(&[]);
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/description");
    let python = made("DESCRIPTION_PYTHON");
    let (seconds, seed) = (made("DESCRIPTION_SECONDS"), made("DESCRIPTION_SEED"));
    let mut send = Command::new(&python);
    send.arg(tests.join("send.py"))
        .env("PYTHONPATH", made("DESCRIPTION_CLIENT"));
    run(send.args([&service.url, KEY, "python@customer.example"]));
    let mut send = Command::new("node");
    send.arg(made("DESCRIPTION_SCRIPT"));
    run(send.args([&service.url, KEY, "script@customer.example"]));
    let accepted = |operation: &str| {
        let name = format!("franking_calls_total{{operation=\"{operation}\",outcome=\"200\"}}");
        let metrics = service.metrics();
        let line = metrics.lines().find_map(|line| line.strip_prefix(&name));
        line.map_or(0, |count| count.trim().parse::<u64>().unwrap())
    };
    assert_eq!((accepted("sendMailer"), accepted("httpSendMail")), (2, 0));
    run(Command::new(&python).arg(tests.join("call.py")).args([
        &service.url,
        KEY,
        &seconds,
        &seed,
    ]));
    // Some calls were accepted, so the test did more than collect refusals.
    assert!(accepted("sendMailer") > 2 && accepted("httpSendMail") > 0);
}

#[test]
#[ignore = "it needs packages of Python and of npm: tests/description/prove.sh"]
fn every_answer_is_described_and_generated_clients_send_emails_on_sqlite() {
    answers_are_described_and_clients_send(&Database::sqlite(&world("world.json")));
}

#[test]
#[ignore = "it needs packages of Python and of npm: tests/description/prove.sh"]
fn every_answer_is_described_and_generated_clients_send_emails_on_postgres() {
    let database = Database::postgres(&world("world.json"));
    answers_are_described_and_clients_send(&database.expect("PostgreSQL is installed"));
}
