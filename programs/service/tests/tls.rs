//! Calls over TLS, with a certificate in the settings.

use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use crate::support::{Answer, Service, fill, parse, request, send_mailer, world};
use rustix::process::Signal;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

#[test]
fn calls_are_taken_over_tls_and_plain_ones_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let Some((certificate, key)) = crate::certificate::certificate(folder.path()) else {
        println!("NOT CHECKED: TLS, for want of openssl, which makes the certificate");
        return;
    };
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let (certificate, key) = (text(&certificate), text(&key));
    fill(folder.path(), &world("world.json"));
    let flags = ["--tls-certificate", &certificate, "--tls-key", &key];
    let service = Service::start(folder.path(), &flags);
    assert!(service.url.starts_with("https://"));

    let answer = call_trusting(&service, Path::new(&certificate));
    assert_eq!(answer.unwrap().code(), Some(200));

    let mut plain = service.connect();
    plain
        .write_all(&request("GET", "/healthz", &[], b""))
        .unwrap();
    let mut answer = Vec::new();
    let _ = std::io::Read::read_to_end(&mut plain, &mut answer);
    assert!(!answer.starts_with(b"HTTP/"), "{answer:?}");
}

/// Sends a call over TLS and trusts only the certificate in a file. `None` if the service has another certificate.
fn call_trusting(service: &Service, root: &Path) -> Option<Answer> {
    let mut roots = RootCertStore::empty();
    roots
        .add(CertificateDer::from_pem_file(root).unwrap())
        .unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    crate::support::runtime().block_on(async {
        let stream = TcpStream::connect(service.address).await.unwrap();
        let connector = TlsConnector::from(Arc::new(config));
        let name = "localhost".try_into().unwrap();
        let mut stream = connector.connect(name, stream).await.ok()?;
        let body = send_mailer("a@customer.example");
        let bytes = request("POST", "/v4/sendMailer", &[], &body);
        stream.write_all(&bytes).await.unwrap();
        let mut answer = Vec::new();
        // The connection may end without a TLS alert.
        let _ = stream.read_to_end(&mut answer).await;
        parse(&answer)
    })
}

#[test]
fn a_certificate_is_read_again_with_sighup_and_one_that_cannot_be_used_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let second = tempfile::tempdir().unwrap();
    let (Some(first), Some(second)) = (
        crate::certificate::certificate(folder.path()),
        crate::certificate::certificate(second.path()),
    ) else {
        println!("NOT CHECKED: SIGHUP, for want of openssl, which makes the certificates");
        return;
    };
    let kept = folder.path().join("first.pem");
    std::fs::copy(&first.0, &kept).unwrap();
    fill(folder.path(), &world("world.json"));
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let (certificate, key) = (text(&first.0), text(&first.1));
    let flags = ["--tls-certificate", &certificate, "--tls-key", &key];
    let service = Service::start(folder.path(), &flags);
    assert_eq!(call_trusting(&service, &kept).unwrap().code(), Some(200));
    assert!(call_trusting(&service, &second.0).is_none());

    std::fs::copy(&second.0, &first.0).unwrap();
    std::fs::copy(&second.1, &first.1).unwrap();
    service.signal(Signal::HUP);
    crate::returned::wait("the new certificate is not used", || {
        call_trusting(&service, &second.0).is_some()
    });
    assert!(call_trusting(&service, &kept).is_none());

    std::fs::write(&first.1, "no key").unwrap();
    service.signal(Signal::HUP);
    let answer = call_trusting(&service, &second.0).unwrap();
    assert_eq!(answer.code(), Some(200));
    let (code, log) = service.end();
    assert_eq!(code, Some(0), "{log}");
}

#[test]
fn a_certificate_that_cannot_be_used_is_said_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let output = crate::support::program()
        .args([
            "serve",
            "--transport",
            "none",
            "--listen",
            "127.0.0.1:0",
            "--operator-listen",
            "127.0.0.1:0",
            "--data",
        ])
        .arg(folder.path())
        .args([
            "--tls-certificate",
            "/nowhere/a.pem",
            "--tls-key",
            "/nowhere/b.pem",
        ])
        .output()
        .unwrap();
    assert!(!output.status.success());
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("/nowhere/a.pem"), "{text}");
}
