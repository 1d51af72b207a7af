//! By its system calls: between the write of a plan and its answer the service has the system sync the disk.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that meets the unexpected should stop"
)]

mod support;

use std::process::{Command, Stdio};
use std::time::Duration;

use support::{Service, fill, program, send_mailer, world};

#[test]
fn a_sync_lies_between_the_write_of_a_plan_and_its_answer() {
    let mut probe = Command::new("strace");
    probe
        .args(["-o", "/dev/null", "true"])
        .stderr(Stdio::null());
    if !probe.status().is_ok_and(|status| status.success()) {
        println!("NOT CHECKED: the order of system calls, for want of a strace that works");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path(), &world("world.json"));
    let trace = folder.path().join("trace");
    let mut command = Command::new("strace");
    // -D: the process that is started is the service, and strace looks on.
    command
        .args([
            "-D",
            "-f",
            "-y",
            "-s",
            "64",
            "-e",
            "trace=pwrite64,fsync,fdatasync,write,writev,sendto,sendmsg",
            "-o",
        ])
        .arg(&trace)
        .arg(program().get_program());
    // Sending writes, too.
    let service = Service::run(command, folder.path(), &["--transport", "none"]);
    for number in 0..5 {
        let body = send_mailer(&format!("reader{number}@customer.example"));
        assert_eq!(service.post("/v4/sendMailer", &[], &body).code(), Some(200));
    }
    service.end();
    let mut text = String::new();
    while !text.contains("+++ exited with 0 +++") {
        // clock: until strace has written the end
        std::thread::sleep(Duration::from_millis(10));
        text = std::fs::read_to_string(&trace).unwrap();
    }

    let (mut is_written, mut is_synced, mut answers) = (false, false, 0);
    for line in text.lines() {
        if line.contains("pwrite64(") && line.contains("franking.db-wal") {
            (is_written, is_synced) = (true, false);
        } else if line.contains("sync(") && line.contains("franking.db-wal") {
            is_synced = true;
        } else if line.contains("HTTP/1.1 200 OK") {
            assert!(is_written && is_synced, "answered before a sync: {line}");
            (is_written, is_synced) = (false, false);
            answers += 1;
        }
    }
    assert_eq!(answers, 5);
}
