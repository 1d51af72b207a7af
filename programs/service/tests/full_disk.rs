//! The disk becomes full under load, or the log cannot be written: tests the answers, and the state after a restart.

use std::fs::OpenOptions;
use std::process::{Command, Stdio};

use crate::support::incident::row;
use crate::support::{Answer, Service, fill, program, request, runtime, send_mailer, world};
use franking_service::store::sqlite::Sqlite;
use franking_service::store::{AccountId, Operator as _};
use tempfile::TempDir;

/// No emails are sent, because they would fill the disk as well.
const QUIET: [&str; 2] = ["--transport", "none"];

/// A folder with little space: a small file system if one can be mounted, or else a limit on the size of each file.
struct Disk {
    folder: TempDir,
    is_mounted: bool,
}

impl Disk {
    fn small() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut disk = Self {
            folder,
            is_mounted: false,
        };
        disk.is_mounted = disk.mount("size=2m");
        disk
    }

    fn mount(&self, options: &str) -> bool {
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(self.folder.path());
        mount.output().is_ok_and(|output| output.status.success())
    }

    /// The program on the small disk.
    fn program(&self) -> Command {
        if self.is_mounted {
            return program();
        }
        println!("the disk is a limit on each file: no file system could be mounted");
        let mut shell = Command::new("sh");
        // The limit is in blocks of 512 bytes.
        let limited = r#"trap "" XFSZ; ulimit -f 2048; exec "$0" "$@""#;
        shell.args(["-c", limited]).arg(program().get_program());
        shell
    }

    /// Makes the disk larger.
    fn grow(&self) {
        assert!(!self.is_mounted || self.mount("remount,size=64m"));
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        if self.is_mounted {
            drop(Command::new("umount").arg(self.folder.path()).status());
        }
    }
}

#[test]
fn a_commit_on_a_full_disk_is_unknown_the_process_ends_and_the_restart_tells_the_truth() {
    let disk = Disk::small();
    let folder = disk.folder.path();
    fill(folder, &world("world.json"));
    let mut service = Service::run(disk.program(), folder, &QUIET);
    let call = |service: &Service, number: usize| {
        let key = number.to_string();
        let key = [("Idempotency-Key", key.as_str())];
        let body = send_mailer(&format!("a{number}@customer.example"));
        service.exchange_at_end(&request("POST", "/v4/sendMailer", &key, &body))
    };
    let mut answered = Vec::new();
    let last = loop {
        match call(&service, answered.len()) {
            Some(answer) if answer.code() == Some(200) => answered.push(answer),
            last => break last,
        }
        assert!(answered.len() < 100_000, "the disk is never full");
    };
    // Calls are counted by writes of their own. If one of these meets the full disk first, the next call is not begun, or
    // the process ends before that call has come.
    let is_unknown = last.as_ref().is_some_and(|last| {
        assert_eq!(last.status, 503, "{last:?}");
        assert_eq!(last.header("retry-after"), Some("5"));
        let is_unknown = last.body.contains("unknown");
        assert!(
            is_unknown || last.body.contains("Nothing was done"),
            "{last:?}"
        );
        is_unknown
    });
    assert_eq!(service.process.wait().unwrap().code(), Some(1));
    assert!(!answered.is_empty());

    disk.grow();
    let calls = || {
        runtime().block_on(async {
            let store = Sqlite::open(folder).unwrap();
            store.calls(AccountId::from_number(1)).await.unwrap()
        })
    };
    let stored = calls();
    for answer in &answered {
        let id = answer.transaction_id().unwrap();
        let found = stored.iter().find(|(stored, _)| stored.number() == id);
        let (_, row) = found.expect("an answered call is there");
        assert_eq!((row.emails, row.messages, row.deliveries), (1, 1, 1));
    }
    let at_most = answered.len() + usize::from(is_unknown);
    assert!((answered.len()..=at_most).contains(&stored.len()));
    // Every call is sent again. Answered calls get the same answers, and the call without an answer is in the database once.
    let service = Service::start(folder, &QUIET);
    for (number, first) in answered.iter().enumerate() {
        let again = call(&service, number).expect("an answer");
        assert_eq!(again.body, first.body);
    }
    let last_again = call(&service, answered.len()).expect("an answer");
    assert_eq!(last_again.code(), Some(200));
    service.end();
    assert_eq!(calls().len(), answered.len() + 1);
    let mut answers: Vec<&Answer> = answered.iter().collect();
    answers.extend(&last);
    let then = "the process ends with status 1, and a restart knows what was carried out";
    row("SQLite: the disk is full", &answers, then);
}

#[test]
fn a_log_that_cannot_be_written_loses_its_lines_and_nothing_else() {
    let full = || Stdio::from(OpenOptions::new().write(true).open("/dev/full").unwrap());
    let (closed, writer) = std::io::pipe().unwrap();
    drop(closed);
    let (unread, stuck) = std::io::pipe().unwrap();
    for (name, stderr) in [
        ("full", full()),
        ("closed", writer.into()),
        ("stuck", stuck.into()),
    ] {
        let folder = tempfile::tempdir().unwrap();
        fill(folder.path(), &world("world.json"));
        let mut command = program();
        // The log is longer than a pipe can hold.
        command.env("RUST_LOG", "trace").stderr(stderr);
        let service = Service::run_as_it_is(command, folder.path(), &QUIET);
        let answers: Vec<Answer> = (0..100)
            .map(|number| {
                let email = format!("reader{number}@customer.example");
                service.post("/v4/sendMailer", &[], &send_mailer(&email))
            })
            .collect();
        for answer in &answers {
            assert_eq!(answer.code(), Some(200), "{name}: {answer:?}");
        }
        let incident = format!("the log: its pipe or device is {name}");
        row(
            &incident,
            &answers.iter().collect::<Vec<_>>(),
            "lines are lost and counted",
        );
        assert_eq!(service.end().0, Some(0), "{name}");
        runtime().block_on(async {
            let store = Sqlite::open(folder.path()).unwrap();
            let calls = store.calls(AccountId::from_number(1)).await.unwrap();
            assert_eq!(calls.len(), 100, "{name}");
        });
    }
    drop(unread);
}
