//! The system calls of a program.

use std::path::Path;
use std::process::{Command, Stdio};

use super::run_ignored;

/// Whether strace works here.
pub fn has_strace() -> bool {
    let mut probe = Command::new("strace");
    probe
        .args(["-o", "/dev/null", "true"])
        .stderr(Stdio::null());
    let works = probe.status().is_ok_and(|status| status.success());
    if !works {
        println!("NOT CHECKED: the order of system calls, for want of a strace that works");
    }
    works
}

/// A command that runs a program, which the caller adds to it, and writes these system calls of the program into a file.
pub fn strace(calls: &str, trace: &Path) -> Command {
    let mut command = Command::new("strace");
    command
        .args(["-f", "-y", "-s", "64", "-e"])
        .arg(format!("trace={calls}"))
        .arg("-o")
        .arg(trace);
    command
}

/// Runs an ignored test of this program. Returns what it printed, and its system calls between two lines that it prints.
pub fn between(test: &str, calls: &str, begins: &str, ended: &str) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let program = std::env::current_exe().unwrap();
    let mut command = strace(&format!("write,{calls}"), &trace);
    let printed = run_ignored(command.arg(program), test);
    let text = std::fs::read_to_string(&trace).unwrap();
    let (_, text) = text.split_once(begins).unwrap();
    let (text, _) = text.split_once(ended).unwrap();
    (printed, text.to_owned())
}

/// The number of syncs of the write-ahead log in a trace, each after a write.
pub fn syncs(trace: &str) -> u64 {
    let (mut is_written, mut syncs) = (false, 0);
    for line in trace.lines() {
        if line.contains("pwrite64(") && line.contains("franking.db-wal") {
            is_written = true;
        } else if line.contains("sync(") && line.contains("franking.db-wal") && is_written {
            // Without a write before it, a sync belongs to a checkpoint.
            is_written = false;
            syncs += 1;
        }
    }
    syncs
}

/// The number after a text in the output of a test.
pub fn number_after(printed: &str, text: &str) -> u64 {
    let (_, rest) = printed.split_once(text).unwrap();
    rest.lines().next().unwrap().parse().unwrap()
}
