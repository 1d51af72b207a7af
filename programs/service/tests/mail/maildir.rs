//! The maildir: emails are whole, each is there once, and only the owner can read them.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use franking_service::mail::{Delivery, MailSettings, Maildir, Outcome, Transport as _};

use super::support::{compose, delivery, runtime, valid};
use crate::support::cases;

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort_unstable();
    names
}

fn large(id: i64) -> Delivery {
    Delivery {
        html: Arc::from("<p>x</p>".repeat(20_000)),
        ..delivery(id)
    }
}

#[test]
fn an_email_is_written_whole_once_and_for_its_owner_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data");
    runtime().block_on(async {
        // This is the default transport.
        let transport = MailSettings::default().transport(&path).unwrap().unwrap();
        for id in [1, 2, 1, 1] {
            let outcome = transport.send(compose(&delivery(id)), valid()).await;
            assert!(matches!(outcome, Outcome::Delivered { .. }), "{outcome:?}");
        }
    });
    let mail = path.join("mail");
    assert_eq!(names(&mail), ["cur", "new", "tmp"]);
    assert_eq!(names(&mail.join("tmp")), [""; 0]);
    let new = names(&mail.join("new"));
    assert_eq!(new.len(), 2, "{new:?}");
    for (name, id) in new.iter().zip([1, 2]) {
        let path = mail.join("new").join(name);
        assert_eq!(
            std::fs::read(&path).unwrap(),
            compose(&delivery(id)).bytes()
        );
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(
            (mode(&path), mode(path.parent().unwrap()), mode(&mail)),
            (0o600, 0o700, 0o700)
        );
    }
}

#[test]
fn without_a_valid_lease_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let maildir = Maildir::open(folder.path().to_owned()).unwrap();
    let outcome =
        runtime().block_on(maildir.send(compose(&delivery(1)), Box::pin(async { false })));
    assert!(matches!(outcome, Outcome::Deferred { .. }), "{outcome:?}");
    for part in ["tmp", "new", "cur"] {
        assert_eq!(names(&folder.path().join(part)), [""; 0]);
    }
}

#[test]
fn a_folder_that_cannot_be_written_bounces_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let maildir = Maildir::open(folder.path().to_owned()).unwrap();
    std::fs::remove_dir(folder.path().join("tmp")).unwrap();
    let outcome = runtime().block_on(maildir.send(compose(&delivery(1)), valid()));
    assert!(
        matches!(outcome, Outcome::TransportFault { .. }),
        "{outcome:?}"
    );
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    assert!(Maildir::open(file).is_err());
}

/// The variable of the process that is killed. It names the folder into which that process writes without end.
const VICTIM: &str = "FRANKING_TEST_MAILDIR";

/// This is the process that `a_kill_leaves_no_half_email` kills, and not a test of its own.
#[test]
fn writes_without_end_where_it_is_told_to() {
    let Some(folder) = std::env::var_os(VICTIM) else {
        return;
    };
    let maildir = Maildir::open(folder.into()).unwrap();
    runtime().block_on(async {
        for id in 0.. {
            maildir.send(compose(&large(id)), valid()).await;
        }
    });
}

#[test]
fn a_kill_leaves_no_half_email() {
    let folder = tempfile::tempdir().unwrap();
    let whole: usize = compose(&large(1)).bytes().len();
    let mut seen = 0;
    let kills = usize::try_from(cases("KILLS", 4)).unwrap();
    for kill in 1..=kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "mail::maildir::writes_without_end_where_it_is_told_to",
            ])
            .env(VICTIM, folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // The process is killed at a different number of emails each time.
        let new = folder.path().join("new");
        let count = || if new.exists() { names(&new).len() } else { 0 };
        let target = kill * 3;
        crate::returned::wait("too few emails are written", || {
            assert!(child.try_wait().unwrap().is_none());
            count() >= target
        });
        child.kill().unwrap();
        child.wait().unwrap();
        seen = count();
        for name in names(&new) {
            let bytes = std::fs::read(new.join(&name)).unwrap();
            // The emails differ in length because their numbers do.
            assert!(bytes.len().abs_diff(whole) < 10, "{name}: {}", bytes.len());
            assert!(bytes.ends_with(b"--\r\n"), "{name}");
        }
    }
    assert!(seen >= kills * 3);
}
