//! A database for each test.

use std::collections::HashMap;
use std::future::Future;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};

use franking_service::store::Store;
use franking_service::store::postgres::Postgres;
use franking_service::store::sqlite::Sqlite;

/// Runs each test on SQLite and on PostgreSQL.
macro_rules! on_both {
    ($($(#[$doc:meta])* async fn $name:ident($store:ident: Store) $body:block)*) => {
        $($(#[$doc])* async fn $name($store: std::sync::Arc<dyn franking_service::store::Store>) $body)*

        mod on_sqlite {
            $(#[test] fn $name() { crate::databases::on_sqlite(super::$name); })*
        }
        mod on_postgres {
            $(#[test] fn $name() { crate::databases::on_postgres(super::$name); })*
        }
    };
}
pub(crate) use on_both;

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(4).enable_all().build().unwrap()
}

/// Runs a test on a new SQLite database.
pub(crate) fn on_sqlite<F: Future<Output = ()>>(test: impl FnOnce(Arc<dyn Store>) -> F) {
    let folder = tempfile::tempdir().unwrap();
    let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).unwrap());
    runtime().block_on(test(store));
}

/// Runs a test on a new PostgreSQL database.
pub(crate) fn on_postgres<F: Future<Output = ()>>(test: impl FnOnce(Arc<dyn Store>) -> F) {
    let Some(server) = &*SERVER else { return };
    runtime().block_on(async {
        let address = server.migrated().await;
        let store: Arc<dyn Store> = Arc::new(Postgres::open(&address, 16).await.unwrap());
        test(store).await;
    });
}

/// The server of this test program, with the installed binaries. `None` if PostgreSQL is not installed.
pub(crate) static SERVER: LazyLock<Option<Server>> = LazyLock::new(|| {
    let Some(binaries) = binaries() else {
        // This is printed even if the test passes, when cargo captures other output.
        let missing = "NOT CHECKED: the store on PostgreSQL, for want of a server (Debian's package postgresql)";
        #[expect(
            clippy::explicit_write,
            reason = "what is said by eprintln is captured"
        )]
        writeln!(std::io::stderr(), "{missing}").unwrap();
        return None;
    };
    Some(Server::start(&binaries, 5432, ""))
});

pub(crate) struct Server {
    folder: PathBuf,
    port: u16,
    databases: AtomicU32,
    /// The addresses of databases that are copied, by what they hold. Nothing is connected to them.
    templates: tokio::sync::Mutex<HashMap<String, String>>,
    /// It is closed when the program ends, in whatever way. The server then stops and removes its folder.
    _stdin: ChildStdin,
    _child: Child,
}

/// Makes a server in the folder `$1` with the binaries in `$0`, after running the script `$2`. Stops it when its input ends.
/// Its port is `$PGPORT`.
const SCRIPT: &str = r#"
set -eu
"$0/initdb" --pgdata "$1/data" --auth trust --username franking --no-sync --encoding UTF8 --locale C >"$1/initdb"
cat >>"$1/data/postgresql.conf" <<END
listen_addresses = ''
fsync = off
max_connections = 1000
END
eval "$2"
"$0/postgres" -D "$1/data" -k "$1" 2>"$1/log" >&2 &
# What was prepared is for the server alone.
unset LD_PRELOAD
until "$0/pg_isready" --quiet --host "$1"; do
    kill -0 $! || { cat "$1/log" >&2; exit 1; }
    sleep 0.1  # clock: until the server listens; how long that takes does not matter
done
echo ready
cat >/dev/null
kill -QUIT $!
wait $! || true
rm -rf "$1"
"#;

impl Server {
    /// Starts a server for a single test. `prepare` is a script that changes `$1/data/postgresql.conf`.
    pub(crate) fn start_prepared(port: u16, prepare: &str) -> Option<Self> {
        SERVER.as_ref()?;
        Some(Self::start(&binaries()?, port, prepare))
    }

    fn start(binaries: &Path, port: u16, prepare: &str) -> Self {
        // The script removes the folder, even if this program is killed.
        let folder = tempfile::tempdir().unwrap().keep();
        let mut shell = if rustix::process::geteuid().is_root() {
            // The server refuses to run as root.
            let chown = Command::new("chown")
                .arg("postgres")
                .arg(&folder)
                .status()
                .unwrap();
            assert!(chown.success());
            let mut runuser = Command::new("runuser");
            runuser.args(["-u", "postgres", "--", "sh"]);
            runuser
        } else {
            Command::new("sh")
        };
        shell.env("PGPORT", port.to_string());
        shell.arg("-c").arg(SCRIPT).arg(binaries);
        shell.arg(&folder).arg(prepare);
        let mut child = shell
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut said)
            .unwrap();
        assert_eq!(said, "ready\n", "the server did not start");
        Self {
            folder,
            port,
            databases: AtomicU32::new(0),
            templates: tokio::sync::Mutex::default(),
            _stdin: child.stdin.take().unwrap(),
            _child: child,
        }
    }

    /// The folder of its socket.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The log of the server, which may be in the middle of writing a character.
    pub(crate) fn log(&self) -> String {
        let log = std::fs::read(self.folder.join("log")).unwrap();
        String::from_utf8_lossy(&log).into_owned()
    }

    fn address(&self, database: &str) -> String {
        let (host, port) = (self.folder.display(), self.port);
        format!("host={host} port={port} user=franking dbname={database}")
    }

    /// Makes a new database. Returns its address.
    pub(crate) async fn database(&self) -> String {
        self.database_like("template1").await
    }

    /// Makes a new database with the schema. Returns its address.
    pub(crate) async fn migrated(&self) -> String {
        let migrate = |address: String| {
            runtime().block_on(async { drop(Postgres::open(&address, 2).await.unwrap()) });
        };
        self.like("the schema alone", migrate).await
    }

    /// Makes a new database like the one with this name, which `fill` fills when it is asked for the first time. Returns its
    /// address.
    pub(crate) async fn like(
        &self,
        name: &str,
        fill: impl FnOnce(String) + Send + 'static,
    ) -> String {
        let mut templates = self.templates.lock().await;
        let template = match templates.get(name) {
            Some(template) => template.clone(),
            None => {
                let address = self.database().await;
                let new = address.clone();
                // This thread has a runtime of its own. When that has ended, nothing is connected to the database.
                std::thread::spawn(move || fill(new)).join().unwrap();
                templates.insert(name.to_owned(), address.clone());
                address
            }
        };
        drop(templates);
        self.copy(&template).await
    }

    /// Makes a new database with the content of another one, to which nothing is connected. Returns its address.
    pub(crate) async fn copy(&self, address: &str) -> String {
        self.database_like(address.rsplit('=').next().unwrap())
            .await
    }

    async fn database_like(&self, template: &str) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let client = connect(&self.address("postgres")).await;
        client
            .batch_execute(&format!("CREATE DATABASE {name} TEMPLATE {template}"))
            .await
            .unwrap();
        self.address(&name)
    }
}

/// A connection for the test itself.
pub(crate) async fn connect(address: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(address, tokio_postgres::NoTls)
        .await
        .unwrap();
    tokio::spawn(connection);
    client
}

/// Turns autovacuum off for the tables of a database. While it analyzes one of them, what is deleted meanwhile cannot be
/// vacuumed, and its entries stay in the indexes.
pub(crate) async fn without_autovacuum(client: &tokio_postgres::Client) {
    let off = "DO $$ DECLARE one regclass; BEGIN
        FOR one IN SELECT oid::regclass FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
            EXECUTE format('ALTER TABLE %s SET (autovacuum_enabled = false)', one);
        END LOOP; END $$";
    client.batch_execute(off).await.unwrap();
}

/// The folder of the newest server that is installed as Debian installs it, or of the server on the path.
pub(crate) fn binaries() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    let folders = versions.filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    let mut folders: Vec<PathBuf> = folders
        .filter(|folder| folder.join("postgres").exists())
        .collect();
    folders.sort();
    let on_path = || {
        let paths = std::env::var_os("PATH")?;
        std::env::split_paths(&paths).find(|folder| folder.join("initdb").exists())
    };
    folders.pop().or_else(on_path)
}
