//! Tests of the store and of the example programs.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that meets the unexpected should stop"
)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use franking::{Call, Operation, Policy, decide};
use franking_examples::Store;

fn call(store: &mut Store, operation: Operation, body: &str) -> String {
    let mut call = Call::new(&Policy::default(), operation, "POST", body.as_bytes());
    let decision = decide(&mut call, store).unwrap();
    decision.response().unwrap()
}

#[test]
fn a_store_accepts_refuses_and_debits() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("shop.db")).unwrap();
    let single = |fields: &str| format!(r#"{{"apiKey": "demo-key", "mailerID": 42, {fields}}}"#);
    for (fields, code) in [
        (r#""email": "New@example.org", "firstName": "Änne""#, "200"),
        (r#""email": "new@example.org", "lastName": "Muster""#, "200"),
        (r#""subID": 7"#, "200"),
        (r#""subID": 8"#, "443"),
        (r#""subID": 99"#, "454"),
        (r#""email": "a@mail.spam.example""#, "416"),
        (r#""email": "a@Mail.SPAM.Example""#, "416"),
    ] {
        let answer = call(&mut store, Operation::SendMailer, &single(fields));
        assert!(
            answer.contains(&format!(r#""code":"{code}""#)),
            "{fields}: {answer}"
        );
    }
    let many = r#"{"ApiKey": "demo-key", "requests": [{"subject": "Hi", "body": "%3Cp%3EHi", "from": "shop@example.com",
        "to": "known@example.org, new@example.org, other@example.org"}]}"#;
    let answer = call(&mut store, Operation::HttpSendMail, many);
    assert!(answer.contains(r#""code":"200""#), "{answer}");
    let emails = store.emails().unwrap();
    assert_eq!(emails.len(), 6);
    assert_eq!(emails[0], ("New@example.org".into(), "Welcome".into()));
    assert_eq!(emails[5], ("other@example.org".into(), "Hi".into()));
    // 94 emails are left.
    let to: Vec<String> = (0..95)
        .map(|number| format!("a{number}@example.org"))
        .collect();
    let too_many = many.replace("known@example.org", &to.join(","));
    let answer = call(&mut store, Operation::HttpSendMail, &too_many);
    assert!(answer.contains(r#""code":"44"#), "{answer}");
    assert_eq!(store.emails().unwrap().len(), 6);
}

#[test]
fn a_credit_below_zero_does_not_stop_a_call_that_takes_nothing_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shop.db");
    let mut store = Store::open(&path).unwrap();
    let other = rusqlite::Connection::open(&path).unwrap();
    other
        .execute("UPDATE accounts SET subscriber_credit = -1", [])
        .unwrap();
    for (fields, code) in [
        (r#""subID": 7"#, "200"),
        (r#""email": "new@example.org""#, "444"),
    ] {
        let body = format!(r#"{{"apiKey": "demo-key", "mailerID": 42, {fields}}}"#);
        let answer = call(&mut store, Operation::SendMailer, &body);
        assert!(
            answer.contains(&format!(r#""code":"{code}""#)),
            "{fields}: {answer}"
        );
    }
}

/// An example program, which Cargo has built beside this test.
fn example(name: &str) -> Command {
    let own = std::env::current_exe().unwrap();
    Command::new(own.parent().unwrap().with_file_name("examples").join(name))
}

fn demo(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../calls")
        .join(name)
}

#[test]
fn preflight_says_what_is_wrong_and_what_to_do() {
    let file = demo("03-misspelled-field.sendMailer.json");
    let ran = example("preflight")
        .arg("sendMailer")
        .arg(file)
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    assert_eq!(ran.status.code(), Some(1));
    assert!(said.starts_with("602 recipient-missing"), "{said}");
    assert!(said.contains("email was probably meant"), "{said}");
}

#[test]
fn the_host_answers_a_file_and_shows_what_waits() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("body.json");
    std::fs::write(
        &file,
        r#"{"apiKey": "demo-key", "mailerID": 42, "subID": 7}"#,
    )
    .unwrap();
    let database = folder.path().join("shop.db");
    let ran = example("host")
        .arg(database)
        .arg("sendMailer")
        .arg(file)
        .output()
        .unwrap();
    let said = String::from_utf8(ran.stdout).unwrap();
    assert!(said.contains(r#""transactionId":"1""#), "{said}");
    assert!(
        said.ends_with("waits: Welcome to known@example.org\n"),
        "{said}"
    );
}

/// A running server. Dropping it stops the server.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn the_server_answers_over_http_as_the_library_says() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = example("server");
    command
        .arg(folder.path().join("shop.db"))
        .arg("127.0.0.1:0");
    let mut server = Server(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut url = String::new();
    BufReader::new(server.0.stdout.take().unwrap())
        .read_line(&mut url)
        .unwrap();
    let address = url.trim().trim_start_matches("http://").to_owned();
    let ask = |head: &str, body: &str| {
        let mut stream = TcpStream::connect(&address).unwrap();
        let length = body.len();
        let request = format!(
            "{head} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        // In one piece: a part that comes after the server has answered and closed would reset the connection.
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let body = r#"{"apiKey": "demo-key", "mailerID": 42, "subID": 7}"#;
    let accepted = ask("POST /v4/sendMailer", body);
    assert!(
        accepted.starts_with("HTTP/1.1 200") && accepted.contains(r#""code":"200""#),
        "{accepted}"
    );
    let deprecated = ask("POST /any/v4/httpSendMail.php", "{}");
    assert!(
        deprecated.to_lowercase().contains("\r\nsunset: "),
        "{deprecated}"
    );
    assert!(ask("GET /v4/sendMailer", "").contains(r#""code":"401""#));
    assert!(ask("POST /v4/sendEmail", body).starts_with("HTTP/1.1 404"));
}

#[test]
fn the_commands_of_the_readme_do_what_they_are_to() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(here.join("README.md")).unwrap();
    let block = page.split("```sh\n").nth(1).unwrap();
    let block = block.split("```").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(here.join(".."), folder.path().join("examples")).unwrap();
    let mut said = Vec::new();
    for line in block.lines() {
        let command = match line.strip_prefix("cargo run --example ") {
            Some(rest) => {
                let (name, arguments) = rest.split_once(" -- ").unwrap();
                format!("{} {arguments}", example(name).get_program().display())
            }
            None => line.to_owned(),
        };
        // It serves until it is ended: the test above has asked it.
        if line.contains("--example server") {
            assert!(line.ends_with(" shop.db 127.0.0.1:8026"), "{line}");
            continue;
        }
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).current_dir(folder.path());
        let ran = shell.output().unwrap();
        said.push(String::from_utf8(ran.stdout).unwrap());
        assert_eq!(ran.stderr, b"", "{line}");
    }
    let [preflight, file, host] = said.as_slice() else {
        panic!("{said:?}");
    };
    assert!(
        preflight.starts_with("602 recipient-missing"),
        "{preflight}"
    );
    assert_eq!(file, "");
    assert!(
        host.ends_with("waits: Welcome to new@example.org\n"),
        "{host}"
    );
}
