//! TLS and passwords.

use franking_service::mail::{Outcome, Secret, Smtp, SmtpSettings, SmtpTls, Transport as _};
use serde_json::{Value, json};

use super::scripted::Server;
use super::sink::Sink;
use super::support::{certificate, compose, delivery, runtime, smtp, valid};

async fn send(settings: &SmtpSettings) -> Outcome {
    let transport = Smtp::new(settings).unwrap();
    transport.send(compose(&delivery(1)), valid()).await
}

fn secret(text: &str) -> Secret {
    text.parse().unwrap()
}

fn is_fault(outcome: &Outcome) -> bool {
    // If the only server cannot be reached, that is a fault as well.
    matches!(
        outcome,
        Outcome::TransportFault { .. } | Outcome::Busy { .. }
    )
}

fn is_delivered(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Delivered { .. })
}

#[test]
fn a_password_goes_over_tls_alone_and_a_wrong_one_bounces_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let Some((certificate, key)) = certificate(folder.path()) else {
        return;
    };
    let server = |tls: &str, login: Value| {
        Sink::with(&json!({ "tls": tls, "certificate": &certificate, "key": &key, "login": login }))
    };
    for (name, tls) in [("starttls", SmtpTls::Starttls), ("tls", SmtpTls::Tls)] {
        let Some(sink) = server(name, json!(["user", "sésame"])) else {
            return;
        };
        let with = |password: &str, ca: bool| SmtpSettings {
            tls,
            credentials: Some(("user".into(), secret(password))),
            ca: ca.then(|| certificate.clone()),
            ..smtp(sink.port)
        };
        runtime().block_on(async {
            let good = send(&with("sésame", true)).await;
            assert!(is_delivered(&good), "{name} {good:?}");
            for wrong in [
                // The password is wrong.
                with("wrong", true),
                // The certificate is not trusted.
                with("sésame", false),
                // There is no password.
                SmtpSettings {
                    credentials: None,
                    ..with("", true)
                },
                // The certificate has another name.
                SmtpSettings {
                    host: "127.0.0.2".into(),
                    ..with("sésame", true)
                },
            ] {
                let outcome = send(&wrong).await;
                assert!(is_fault(&outcome), "{name} {wrong:?} {outcome:?}");
                let shown = format!("{wrong:?} {outcome:?}");
                assert!(!shown.contains("sésame"), "{shown}");
            }
        });
        let kept = sink.kept();
        assert_eq!(kept.len(), 1);
        assert!(kept[0].encrypted && kept[0].login);
    }
    for tls in [SmtpTls::Opportunistic, SmtpTls::None] {
        let settings = SmtpSettings {
            tls,
            credentials: Some(("user".into(), secret("sésame"))),
            ..smtp(25)
        };
        let refused = Smtp::new(&settings).unwrap_err();
        assert_eq!(refused.setting(), "smtp_user");
    }
}

#[test]
fn tls_is_required_where_it_is_set_and_taken_where_it_is_offered() {
    let folder = tempfile::tempdir().unwrap();
    runtime().block_on(async {
        let plain = Server::good().await;
        for (tls, is_sent) in [
            (SmtpTls::None, true),
            (SmtpTls::Opportunistic, true),
            (SmtpTls::Starttls, false),
        ] {
            let settings = SmtpSettings {
                tls,
                ..smtp(plain.port)
            };
            let outcome = send(&settings).await;
            assert_eq!(is_delivered(&outcome), is_sent, "{tls:?} {outcome:?}");
            assert_eq!(is_fault(&outcome), !is_sent, "{tls:?} {outcome:?}");
        }
        assert_eq!(plain.seen.lock().unwrap().messages.len(), 2);
    });
    let Some((certificate, key)) = certificate(folder.path()) else {
        return;
    };
    let Some(sink) =
        Sink::with(&json!({ "tls": "starttls", "certificate": certificate, "key": key }))
    else {
        return;
    };
    let settings = SmtpSettings {
        tls: SmtpTls::Opportunistic,
        ..smtp(sink.port)
    };
    assert!(is_delivered(&runtime().block_on(send(&settings))));
    assert!(sink.kept()[0].encrypted);
}

#[test]
fn wrong_settings_are_reported_before_anything_is_sent() {
    for (settings, setting) in [
        (
            SmtpSettings {
                host: String::new(),
                ..smtp(25)
            },
            "smtp_host",
        ),
        (
            SmtpSettings {
                host: "a b".into(),
                ..smtp(25)
            },
            "smtp_host",
        ),
        (
            SmtpSettings {
                hello: Some("a\r\nMAIL".into()),
                ..smtp(25)
            },
            "smtp_hello",
        ),
        (
            SmtpSettings {
                hello: Some(String::new()),
                ..smtp(25)
            },
            "smtp_hello",
        ),
        (
            SmtpSettings {
                tls: SmtpTls::Tls,
                ca: Some("/nowhere/ca.pem".into()),
                ..smtp(25)
            },
            "smtp_ca",
        ),
    ] {
        assert_eq!(Smtp::new(&settings).unwrap_err().setting(), setting);
    }
}
