//! PostgreSQL over TLS.

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use franking_service::store::postgres::{OpenError, Postgres};
use franking_service::store::{Outbox as _, Store as _};

use crate::certificate;
use crate::databases::{Server, connect, runtime};

/// Makes a certificate for localhost, and accepts connections over TCP, but only with TLS.
const PREPARE: &str = r#"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost -addext basicConstraints=critical,CA:FALSE \
    -keyout "$1/data/server.key" -out "$1/data/server.crt" 2>/dev/null
cp "$1/data/server.crt" "$1/certificate.pem"
echo "listen_addresses = '127.0.0.1'
ssl = on" >>"$1/data/postgresql.conf"
echo "local all all trust
hostssl all all 127.0.0.1/32 trust" >"$1/data/pg_hba.conf"
"#;

/// A port on which nothing listens. The system gives no connection a port below 32768 of its own accord. Otherwise another
/// test could have this one before the server does.
fn free_port() -> u16 {
    let first = 20_000 + (std::process::id() % 10_000) as u16;
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    (first..32_768).find(is_free).unwrap()
}

#[test]
fn all_connections_are_over_tls_to_a_server_whose_certificate_is_trusted() {
    if !Command::new("openssl")
        .arg("version")
        .output()
        .is_ok_and(|output| output.status.success())
    {
        println!(
            "NOT CHECKED: TLS to PostgreSQL, for want of openssl, which makes the certificate"
        );
        return;
    }
    let port = free_port();
    let Some(server) = Server::start_prepared(port, PREPARE) else {
        return;
    };
    let certificate = server.folder().join("certificate.pem");
    runtime().block_on(async {
        let local = server.database().await;
        let (_, database) = local.rsplit_once('=').unwrap();
        let at = |host: &str| format!("host={host} port={port} user=franking dbname={database}");

        let refused = Postgres::open(&at("localhost"), 1).await;
        assert!(matches!(refused, Err(OpenError::Database(_))), "{refused:?}");
        let store = Postgres::open_over_tls(&at("localhost"), &certificate, 4).await.unwrap();
        store.health().await.unwrap();
        // The session that holds the name is open as well.
        let _name = store.hold_name("one".to_owned()).await.unwrap();
        let counted = "SELECT count(*) FILTER (WHERE s.ssl), count(*) FILTER (WHERE NOT s.ssl)
            FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE a.application_name = 'franking-service'";
        let row = connect(&local).await.query_one(counted, &[]).await.unwrap();
        let (over_tls, plain): (i64, i64) = (row.get(0), row.get(1));
        assert!(over_tls >= 2 && plain == 0, "{over_tls} over TLS, {plain} plain");

        // The name is wrong here, and the certificate below is not trusted.
        let refused = Postgres::open_over_tls(&at("127.0.0.1"), &certificate, 1).await;
        assert!(matches!(refused, Err(OpenError::Database(_))), "{refused:?}");
        let folder = tempfile::tempdir().unwrap();
        let (other, _) = certificate::certificate(folder.path()).unwrap();
        let refused = Postgres::open_over_tls(&at("localhost"), &other, 1).await;
        assert!(matches!(refused, Err(OpenError::Database(_))), "{refused:?}");
        let refused = Postgres::open_over_tls(&at("localhost"), Path::new("/nowhere/a.pem"), 1).await;
        assert!(matches!(refused, Err(OpenError::Tls(_))), "{refused:?}");
    });
}
