//! DKIM signatures, checked by dkimpy.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use franking_service::mail::{Composer, Delivery, DkimKey, MailSettings};

use super::support::{delivery, not_checked, python};

/// A private key, and its public half as a DNS record. `None` without openssl.
fn key(folder: &Path, algorithm: &[&str]) -> Option<(PathBuf, String)> {
    let (private, public) = (folder.join("private.pem"), folder.join("public.der"));
    let run = |arguments: &[&str]| {
        let output = Command::new("openssl").args(arguments).output();
        output.is_ok_and(|output| output.status.success())
    };
    let private_name = private.to_str().unwrap();
    let made = run(&[&["genpkey", "-out", private_name, "-algorithm"], algorithm].concat())
        && run(&[
            "pkey",
            "-in",
            private_name,
            "-pubout",
            "-outform",
            "DER",
            "-out",
            public.to_str().unwrap(),
        ]);
    if !made {
        not_checked("DKIM, for want of openssl, which makes the keys");
        return None;
    }
    let der = std::fs::read(public).unwrap();
    Some((
        private,
        match algorithm {
            // The record has the bare 32 bytes, which are at the end of the DER (RFC 8463).
            ["ed25519"] => format!(
                "v=DKIM1; k=ed25519; p={}",
                STANDARD.encode(&der[der.len() - 32..])
            ),
            _ => format!("v=DKIM1; k=rsa; p={}", STANDARD.encode(der)),
        },
    ))
}

fn composer(key: PathBuf) -> Composer {
    let dkim = vec![DkimKey {
        domain: "shop.example".into(),
        selector: "s1".into(),
        key,
    }];
    let settings = MailSettings {
        dkim,
        ..MailSettings::default()
    };
    Composer::new(&settings).unwrap()
}

/// Whether dkimpy accepts the signature. `None` without dkimpy.
fn is_good(email: &[u8], record: &str) -> Option<bool> {
    let mut child = python("verify.py", &["dkim", "nacl"])?
        .arg(record)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(email).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    match String::from_utf8(output.stdout).unwrap().trim() {
        "s1._domainkey.shop.example. True" => Some(true),
        // dkimpy refuses some emails before it asks for the key.
        "s1._domainkey.shop.example. False" | "False" => Some(false),
        other => panic!("{other}"),
    }
}

fn check(algorithm: &[&str]) {
    let folder = tempfile::tempdir().unwrap();
    let Some((key, record)) = key(folder.path(), algorithm) else {
        return;
    };
    let composer = composer(key);
    let deliveries = [
        delivery(1),
        Delivery {
            from_name: Some(
                "Büro, das einen sehr langen Namen hat, damit er über die Zeile hinausgeht".into(),
            ),
            reply_to: Some("answers@shop.example".into()),
            subject: "=?utf-8?q?x?= \r\n y ".repeat(20),
            html: Arc::from("<p>Grüße</p>\r\n\r\n\r\n".repeat(1_000)),
            fields: Some(vec![]),
            list_unsubscribe: Some("https://shop.example/u".into()),
            ..delivery(2)
        },
        Delivery {
            to: "müller@customer.example".into(),
            ..delivery(3)
        },
    ];
    for delivery in &deliveries {
        let email = composer.compose(delivery).unwrap();
        super::reader::check_lines(email.bytes(), delivery.id != 3);
        let Some(good) = is_good(email.bytes(), &record) else {
            return;
        };
        assert!(good, "{algorithm:?} {}", delivery.id);
        for (from, to) in [
            ("Subject: ", "Subject: x"),
            ("charset=utf-8", "charset=utf-7"),
            ("MIME-Version", "Cc: other@customer.example\r\nMIME-Version"),
            ("MIME-Version", "Subject: other\r\nMIME-Version"),
            ("From: ", "From: x@other.example\r\nFrom: "),
        ] {
            let text = String::from_utf8(email.bytes().to_vec()).unwrap();
            let changed = text.replacen(from, to, 1);
            assert_ne!(text, changed);
            assert_eq!(is_good(changed.as_bytes(), &record), Some(false), "{to}");
        }
    }
    let other = Delivery {
        from: "news@other.example".into(),
        ..delivery(4)
    };
    let email = composer.compose(&other).unwrap();
    assert!(email.bytes().starts_with(b"From: "));
}

#[test]
fn an_rsa_signature_holds_for_the_email_and_for_no_other() {
    check(&["rsa", "-pkeyopt", "rsa_keygen_bits:2048"]);
}

#[test]
fn an_ed25519_signature_holds_for_the_email_and_for_no_other() {
    check(&["ed25519"]);
}

#[test]
fn a_key_that_cannot_be_used_is_said_before_anything_is_sent() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.pem");
    std::fs::write(&empty, "").unwrap();
    let with = |domain: &str, selector: &str, key: &Path| {
        let dkim = vec![DkimKey {
            domain: domain.into(),
            selector: selector.into(),
            key: key.into(),
        }];
        let settings = MailSettings {
            dkim,
            ..MailSettings::default()
        };
        Composer::new(&settings).unwrap_err().to_string()
    };
    assert!(with("shop.example", "s1", &empty).contains("empty.pem"));
    assert!(with("shop.example", "s1", Path::new("/nowhere/key.pem")).contains("/nowhere/key.pem"));
    assert!(with("shop..example", "s1", &empty).starts_with("dkim: "));
    assert!(with("shop.example", "s1; x=\r\n", &empty).contains("selector"));
}
