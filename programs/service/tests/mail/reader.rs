//! Emails as an independent reader parses them, and as bytes.

use std::io::Write as _;
use std::process::Stdio;

use franking_service::mail::Delivery;
use serde::Deserialize;

use super::support::python;

/// An email as Python's parser reads it.
#[derive(Debug, Deserialize)]
pub struct Read {
    pub names: Vec<String>,
    pub from: Vec<(String, String)>,
    pub reply_to: Vec<(String, String)>,
    pub to: Vec<(String, String)>,
    pub subject: String,
    pub date: i64,
    pub message_id: String,
    pub list_unsubscribe: String,
    pub r#type: String,
    /// The type, charset and text of each part.
    pub parts: Vec<(String, String, String)>,
    pub defects: Vec<String>,
}

/// Reads emails. `None` without Python.
pub fn read(emails: &[Vec<u8>]) -> Option<Vec<Read>> {
    let folder = tempfile::tempdir().unwrap();
    let mut command = python("reader.py", &["email"])?;
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut names = String::new();
    for (place, email) in emails.iter().enumerate() {
        let path = folder.path().join(place.to_string());
        std::fs::write(&path, email).unwrap();
        names += &format!("{}\n", path.display());
    }
    let mut stdin = child.stdin.take().unwrap();
    let writing = std::thread::spawn(move || stdin.write_all(names.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writing.join().unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let read: Vec<Read> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(read.len(), emails.len());
    Some(read)
}

/// The values that have to be read from an email.
pub struct Expected<'a> {
    pub delivery: &'a Delivery,
    pub subject: String,
    pub html: String,
}

impl Read {
    /// Fails if the email is not the one that was to be sent.
    pub fn check(&self, expected: &Expected<'_>) {
        let Delivery {
            message_id,
            created,
            from,
            from_name,
            reply_to,
            to,
            list_unsubscribe,
            ..
        } = expected.delivery;
        let ascii = |text: &String| {
            let address = franking::address::parse(text).unwrap();
            format!("{}@{}", address.local_part(), address.domain())
        };
        let name = one_line(from_name.as_deref().unwrap_or_default());
        assert_eq!(self.from, [(name.trim().to_owned(), ascii(from))]);
        assert_eq!(self.to, [(String::new(), ascii(to))]);
        let reply_to: Vec<_> = reply_to
            .iter()
            .map(|text| (String::new(), ascii(text)))
            .collect();
        assert_eq!(self.reply_to, reply_to);
        assert_eq!(self.subject, one_line(&expected.subject));
        assert_eq!(self.date, *created);
        let domain = ascii(from).rsplit('@').next().unwrap().to_owned();
        assert_eq!(self.message_id, format!("<{message_id}@{domain}>"));

        let mut names = vec!["From", "Reply-To", "To", "Subject", "Date", "Message-ID"];
        names.retain(|name| *name != "Reply-To" || !reply_to.is_empty());
        if list_unsubscribe.is_some() {
            names.push("List-Unsubscribe");
            if self.list_unsubscribe.starts_with("<https:") {
                names.push("List-Unsubscribe-Post");
            }
        }
        names.extend(["MIME-Version", "Content-Type"]);
        assert_eq!(self.names, names);

        assert_eq!(self.r#type, "multipart/alternative");
        let [plain, html] = &self.parts[..] else {
            panic!("{} parts", self.parts.len())
        };
        assert_eq!(
            (plain.0.as_str(), plain.1.as_str()),
            ("text/plain", "utf-8")
        );
        assert!(!plain.2.is_empty());
        assert_eq!(
            *html,
            ("text/html".into(), "utf-8".into(), expected.html.clone())
        );
        assert_eq!(self.defects, [""; 0]);
    }
}

/// A text as a header has it: on one line.
pub fn one_line(text: &str) -> String {
    let is_break = |c: char| c.is_control() || c == '\u{2028}' || c == '\u{2029}';
    text.replace(is_break, " ")
}

/// Fails unless every mail server takes these lines: CR LF at the end of each and nowhere else, 998 octets at most, no NUL,
/// and only ASCII if `is_ascii`.
pub fn check_lines(email: &[u8], is_ascii: bool) {
    assert!(email.ends_with(b"\r\n"));
    let text = std::str::from_utf8(email).unwrap();
    assert!(!is_ascii || text.is_ascii());
    for line in text.strip_suffix("\r\n").unwrap().split("\r\n") {
        assert!(!line.contains(['\r', '\n', '\0']), "{line:?}");
        assert!(line.len() <= 998, "{} octets", line.len());
    }
}
