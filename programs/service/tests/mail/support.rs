//! Deliveries, and what all tests of mail need.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use franking_service::mail::{
    Composer, Delivery, Email, MailSettings, MayFinish, SmtpSettings, SmtpTls, Timeouts,
};

pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Runtime::new().unwrap()
}

/// Prints the number of cases that a test has tried, for the script that counts them.
pub fn tried(count: usize) {
    // The line begins with a line break, because cargo may have written something before it.
    println!("\ncases tried {count}, findings 0");
}

pub fn delivery(id: i64) -> Delivery {
    Delivery {
        id,
        message_id: format!("{id:032x}"),
        created: 1_700_000_000,
        from: "news@shop.example".into(),
        from_name: Some("The Shop".into()),
        reply_to: None,
        to: "reader@customer.example".into(),
        subject: "Hello".into(),
        html: Arc::from("<p>Hello</p>"),
        fields: None,
        list_unsubscribe: None,
        unsubscribe: false,
        track_opens: false,
        track_clicks: false,
    }
}

pub fn compose(delivery: &Delivery) -> Email {
    let composer = Composer::new(&MailSettings::default()).unwrap();
    composer.compose(delivery).unwrap()
}

/// The check of a lease that is valid.
pub fn valid() -> MayFinish {
    Box::pin(async { true })
}

/// The settings of a mail server on this machine without TLS.
pub fn smtp(port: u16) -> SmtpSettings {
    SmtpSettings {
        host: "127.0.0.1".into(),
        port: Some(port),
        tls: SmtpTls::None,
        credentials: None,
        ca: None,
        hello: None,
        timeouts: Timeouts::default(),
    }
}

/// Debian's Python with a program of this folder. `None` if a package is missing.
pub fn python(program: &str, modules: &[&str]) -> Option<Command> {
    let mut imports = Command::new("/usr/bin/python3");
    imports
        .arg("-c")
        .arg(format!("import {}", modules.join(", ")));
    if !imports.output().is_ok_and(|output| output.status.success()) {
        not_checked(&format!(
            "{program}, for want of Python with {}",
            modules.join(", ")
        ));
        return None;
    }
    let mut command = Command::new("/usr/bin/python3");
    command.arg(folder().join(program));
    Some(command)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail")
}

/// Prints even if the test passes, when cargo captures other output.
#[expect(
    clippy::explicit_write,
    reason = "what is said by eprintln is captured"
)]
pub fn not_checked(what: &str) {
    writeln!(std::io::stderr(), "NOT CHECKED: {what}").unwrap();
}

/// A certificate and its key. `None` without openssl.
pub fn certificate(folder: &Path) -> Option<(PathBuf, PathBuf)> {
    let made = super::certificate::certificate(folder);
    if made.is_none() {
        not_checked("TLS to a mail server, for want of openssl, which makes the certificate");
    }
    made
}
