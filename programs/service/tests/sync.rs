//! Checks by system calls that the service syncs the disk between the write of a plan and its answer.

use std::sync::Arc;

use crate::returned::wait;
use crate::support::strace::{between, has_strace, number_after, strace, syncs};
use crate::support::{Service, fill, program, send_mailer, world as of_tests};
use franking_service::store::sqlite::{Sqlite, groups};
use franking_service::store::{Committed, Store};

const BEGINS: &str = "256 calls begin";
const ENDED: &str = "256 calls ended in groups: ";

#[test]
#[ignore = "run by the test below, which looks at its system calls"]
fn commits_256_calls_at_once() {
    let folder = tempfile::tempdir().unwrap();
    crate::support::runtime().block_on(async {
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).unwrap());
        crate::world::account(&store, 10_000, 10_000).await;
        let mut works = Vec::new();
        for number in 0..256 {
            let mut call = crate::world::send_mailer(&format!("s{number}@reader.example"));
            works.push(
                crate::world::to_commit(&store, &mut call, None)
                    .await
                    .unwrap(),
            );
        }
        let before = groups();
        println!("{BEGINS}");
        let commits: Vec<_> = works.into_iter().map(|work| store.commit(work)).collect();
        for commit in commits {
            assert_eq!(commit.await, Ok(Committed::Done));
        }
        println!("{ENDED}{}", groups() - before);
    });
}

#[test]
fn a_group_of_calls_has_one_sync_and_no_temporary_file() {
    if !has_strace() {
        return;
    }
    let (printed, trace) = between(
        "sync::commits_256_calls_at_once",
        "pwrite64,fsync,fdatasync",
        BEGINS,
        ENDED,
    );
    let (groups, syncs) = (number_after(&printed, ENDED), syncs(&trace));
    println!("256 calls at once: {groups} groups, {syncs} syncs");
    assert_eq!(syncs, groups);
    assert!(groups < 256);
    let mut writes = trace.lines().filter(|line| line.contains("pwrite64("));
    assert!(writes.all(|line| line.contains("/franking.db")), "{trace}");
}

#[test]
fn a_sync_lies_between_the_write_of_a_plan_and_its_answer() {
    if !has_strace() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path(), &of_tests("world.json"));
    let trace = folder.path().join("trace");
    let calls = "pwrite64,fsync,fdatasync,write,writev,sendto,sendmsg";
    let mut command = strace(calls, &trace);
    // The started process is the service itself, which strace watches.
    command.arg("-D").arg(program().get_program());
    // Sending emails would write as well.
    let service = Service::run(command, folder.path(), &["--transport", "none"]);
    for number in 0..5 {
        let body = send_mailer(&format!("reader{number}@customer.example"));
        assert_eq!(service.post("/v4/sendMailer", &[], &body).code(), Some(200));
    }
    service.end();
    let mut text = String::new();
    wait("strace does not write the end", || {
        text = std::fs::read_to_string(&trace).unwrap();
        text.contains("+++ exited with 0 +++")
    });

    let (mut is_written, mut is_synced, mut answers) = (false, false, 0);
    for line in text.lines() {
        // The counters are written as well, sometimes after the sync and before the answer is sent.
        if line.contains("pwrite64(") && line.contains("franking.db-wal") {
            is_written = true;
        } else if line.contains("sync(") && line.contains("franking.db-wal") {
            is_synced = is_written;
        } else if line.contains("HTTP/1.1 200 OK") {
            assert!(is_written && is_synced, "answered before a sync: {line}");
            (is_written, is_synced) = (false, false);
            answers += 1;
        }
    }
    assert_eq!(answers, 5);
}
