//! The description of the interface as OpenAPI 3.1, and a page of it.

mod document;
mod events;
mod examples;
mod fields;
mod node;
mod page;
mod pages;

use std::collections::BTreeMap;
use std::path::Path;

use franking::Operation;

use examples::Example;
use fields::Level;
use pages::Status;

/// The files that are written.
pub(crate) const FILES: [&str; 2] = ["docs/openapi.json", "docs/openapi.md"];

/// All that is described.
struct Described {
    send_mailer: Level,
    http_send_mail: Level,
    request: Level,
    send_mailer_examples: Vec<Example>,
    http_send_mail_examples: Vec<Example>,
    summaries: [String; 2],
    /// The statuses that the service answers besides the interface's answers.
    statuses: BTreeMap<u16, Status>,
}

impl Described {
    fn new(root: &Path) -> Result<Self, String> {
        let read = |name: &str| {
            let path = root.join(name);
            std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))
        };
        let (interface, answers) = (read("docs/interface.md")?, read("docs/answers.md")?);
        let summary = |operation: Operation| {
            let heading = format!("## {}", operation.name());
            pages::first_sentence(&interface, &heading)
        };
        Ok(Self {
            send_mailer: Level::of_call(Operation::SendMailer, &interface)?,
            http_send_mail: Level::of_call(Operation::HttpSendMail, &interface)?,
            request: Level::of_request(&interface)?,
            send_mailer_examples: examples::of(Operation::SendMailer)?,
            http_send_mail_examples: examples::of(Operation::HttpSendMail)?,
            summaries: [
                summary(Operation::SendMailer)?,
                summary(Operation::HttpSendMail)?,
            ],
            statuses: pages::statuses(&answers)?,
        })
    }

    fn examples(&self, operation: Operation) -> &[Example] {
        match operation {
            Operation::SendMailer => &self.send_mailer_examples,
            Operation::HttpSendMail => &self.http_send_mail_examples,
        }
    }

    /// What an operation does, without a full stop.
    fn summary(&self, operation: Operation) -> &str {
        let [send_mailer, http_send_mail] = &self.summaries;
        match operation {
            Operation::SendMailer => send_mailer,
            Operation::HttpSendMail => http_send_mail,
        }
    }
}

/// The text of each of the files.
pub(crate) fn write(root: &Path) -> Result<[String; 2], String> {
    let described = Described::new(root)?;
    let document = document::write(&described);
    let document = serde_json::to_string_pretty(&document).map_err(|error| error.to_string())?;
    Ok([document + "\n", page::write(&described)])
}
