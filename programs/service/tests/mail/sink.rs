//! A mail server that stores the messages that it gets.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::support::python;

pub struct Sink {
    pub port: u16,
    folder: TempDir,
    child: Child,
    stdin: Option<ChildStdin>,
}

/// A message as the server got it.
#[derive(Debug, Deserialize)]
pub struct Kept {
    pub from: String,
    pub to: Vec<String>,
    pub options: Vec<String>,
    content: String,
    pub encrypted: bool,
    pub login: bool,
    pub peer: u16,
}

impl Sink {
    /// Starts a server without TLS that accepts everything. `None` without aiosmtpd.
    pub fn start() -> Option<Self> {
        Self::with(&json!({}))
    }

    pub fn with(settings: &Value) -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut all = json!({
            "folder": folder.path(), "tls": null, "login": null, "smtputf8": true, "size": 1 << 26,
        });
        for (name, value) in settings.as_object().unwrap() {
            all[name] = value.clone();
        }
        let mut child = python("sink.py", &["aiosmtpd"])?
            .arg(all.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            // Some tests are about connections that fail.
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        Some(Self {
            port: line.trim().parse().unwrap(),
            folder,
            stdin: child.stdin.take(),
            child,
        })
    }

    /// All messages, in the order in which they came.
    pub fn kept(&self) -> Vec<Kept> {
        let path = |number: usize| self.folder.path().join(format!("{number}.json"));
        let read = |path: &Path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
        (0..)
            .map(path)
            .take_while(|path| path.exists())
            .map(|path| read(&path))
            .collect()
    }
}

impl Kept {
    pub fn content(&self) -> Vec<u8> {
        STANDARD.decode(&self.content).unwrap()
    }
}

impl Drop for Sink {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.wait();
    }
}
