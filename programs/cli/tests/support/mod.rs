//! Runs the command as a process.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a run of the command wrote, and how it ended.
pub(crate) struct Ran {
    pub status: i32,
    pub out: String,
    pub err: String,
}

/// The folder of these tests.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

/// Runs the command in the folder of the tests.
pub(crate) fn franking(arguments: &[&str]) -> Ran {
    franking_with(arguments, b"")
}

/// Like [`franking`], with standard input.
pub(crate) fn franking_with(arguments: &[&str], input: &[u8]) -> Ran {
    franking_in(&folder(), arguments, input)
}

/// Like [`franking_with`], in another folder.
pub(crate) fn franking_in(folder: &Path, arguments: &[&str], input: &[u8]) -> Ran {
    let mut process = Command::new(env!("CARGO_BIN_EXE_franking"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = process.stdin.take().unwrap();
    let input = input.to_vec();
    // The input is written in a thread of its own, so that writing the input and reading the output do not wait for each
    // other. A command that does not read its input is not an error.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = process.wait_with_output().unwrap();
    writer.join().unwrap();
    Ran {
        status: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Compares a text with the stored file, or writes the file if `FRANKING_WRITE` is set.
pub(crate) fn assert_kept(path: &Path, text: &str) {
    if std::env::var_os("FRANKING_WRITE").is_some() {
        std::fs::write(path, text).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(
        kept,
        text,
        "{}: FRANKING_WRITE=1 writes it anew, to be read before it is committed",
        path.display()
    );
}
