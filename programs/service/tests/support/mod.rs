//! The program itself, filled with a world, and a client that sends exactly the given bytes.
#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    unused_macros,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "each test uses a part; a test that meets the unexpected should stop"
)]

pub mod certificate;
pub mod closed_port;
pub mod database;
#[path = "../store/databases.rs"]
pub mod databases;
pub mod ends;
pub mod filled;
pub mod incident;
pub mod scripted;
pub mod strace;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

pub use filled::{fill, fill_postgres, postgres};

/// The key of the account in every world.
pub const KEY: &str = "key-1";
/// How long a test waits for something that must happen: far longer than it takes.
pub const PATIENCE: Duration = Duration::from_secs(60);

pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_franking-service"));
    // The tests ignore the settings of the user who runs them.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("FRANKING_") {
            command.env_remove(name);
        }
    }
    command.env_remove("RUST_LOG");
    command
}

/// The program with only warnings in its log, for measurements.
pub fn quiet() -> Command {
    let mut command = program();
    command.env("RUST_LOG", "warn");
    command
}

/// The processor time of a process, in seconds.
pub fn processor(process: u32) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let (_, fields) = stat.rsplit_once(')').unwrap();
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks: u64 = fields[11..13]
        .iter()
        .map(|one| one.parse::<u64>().unwrap())
        .sum();
    ticks as f64 / rustix::param::clock_ticks_per_second() as f64
}

/// Runs an ignored test of this program, alone in a process, so that no other test changes the process's counters and memory.
pub fn alone(test: &str) {
    let mut program = Command::new(std::env::current_exe().unwrap());
    print!("{}", run_ignored(&mut program, test));
}

/// Runs an ignored test. The command is this program, or one that watches it. Returns what it printed.
fn run_ignored(command: &mut Command, test: &str) -> String {
    let arguments = ["--ignored", "--nocapture", "--exact", test];
    let output = command.args(arguments).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{printed}{errors}");
    // A name that no test has would pass as well.
    assert!(printed.contains("1 passed"), "{printed}");
    printed
}

pub fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Runtime::new().unwrap()
}

pub fn world(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/server");
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    serde_json::from_str(&text).unwrap()
}

/// The number of cases that a test tries: from the environment, or this number.
pub fn cases(name: &str, otherwise: i64) -> i64 {
    std::env::var(name).map_or(otherwise, |text| text.parse().unwrap())
}

/// Makes the server of a database sync what it commits, as SQLite does. Other tests run without syncs.
pub async fn sync(address: &str) {
    let client = databases::connect(address).await;
    for statement in ["ALTER SYSTEM SET fsync = on", "SELECT pg_reload_conf()"] {
        client.batch_execute(statement).await.unwrap();
    }
}

/// The program, serving. It is killed when this is dropped.
pub struct Service {
    pub process: Child,
    /// The log, which is read as it is written: a full pipe would block the program.
    log: Option<JoinHandle<String>>,
    /// The output after the address.
    pub output: BufReader<ChildStdout>,
    pub address: SocketAddr,
    pub url: String,
    /// The address for the operator.
    pub operator: SocketAddr,
}

/// A row of the memory that Linux reports for a process, such as `VmRSS`, in bytes.
pub fn memory(process: u32, row: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(row));
    let number = line.unwrap().trim_start_matches(':').trim_end_matches("kB");
    number.trim().parse::<u64>().unwrap() << 10
}

impl Service {
    /// Serves the world of the tests from a new folder. Variables are dropped in reverse order. So the service ends before
    /// its folder is removed.
    pub fn of_world(flags: &[&str]) -> (TempDir, Self) {
        let folder = tempfile::tempdir().unwrap();
        fill(folder.path(), &world("world.json"));
        let service = Self::start(folder.path(), flags);
        (folder, service)
    }

    pub fn start(folder: &Path, flags: &[&str]) -> Self {
        Self::run(program(), folder, flags)
    }

    /// Serves with a command that may have settings of its own.
    pub fn run(mut command: Command, folder: &Path, flags: &[&str]) -> Self {
        command.stderr(Stdio::piped());
        Self::run_as_it_is(command, folder, flags)
    }

    /// Like [`Service::run`], but the command keeps its own standard error.
    pub fn run_as_it_is(mut command: Command, folder: &Path, flags: &[&str]) -> Self {
        if !flags.contains(&"--transport") {
            command.env("FRANKING_TRANSPORT", "maildir");
        }
        let mut process = command
            .arg("serve")
            .args([
                "--listen",
                "127.0.0.1:0",
                "--operator-listen",
                "127.0.0.1:0",
            ])
            .arg("--data")
            .arg(folder)
            .args(flags)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stderr = process.stderr.take();
        let log = thread::spawn(move || {
            let mut text = String::new();
            if let Some(mut stderr) = stderr {
                stderr.read_to_string(&mut text).unwrap();
            }
            text
        });
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let Some(url) = line.strip_prefix("Listening on ") else {
            process.kill().unwrap();
            panic!("it does not serve: {}", log.join().unwrap());
        };
        let url = url.trim().to_owned();
        let address = url.rsplit("//").next().unwrap().parse().unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        let operator = line.strip_prefix("Metrics on http://").unwrap();
        let operator = operator.trim().strip_suffix("/metrics").unwrap();
        Self {
            process,
            log: Some(log),
            output,
            address,
            url,
            operator: operator.parse().unwrap(),
        }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        // clock: a service that never answers fails a test, however late
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends bytes, and reads to the end of the connection.
    pub fn exchange(&self, bytes: &[u8]) -> Answer {
        let mut stream = self.connect();
        stream.write_all(bytes).unwrap();
        read(&mut stream)
    }

    /// Sends bytes to a service that may be ending. `None` if the connection was refused, closed or reset: a service that ends does
    /// not take connections that wait for it, nor requests that it has not begun to read.
    pub fn exchange_at_end(&self, bytes: &[u8]) -> Option<Answer> {
        let mut stream = TcpStream::connect(self.address).ok()?;
        // clock: a service that never answers fails a test, however late
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut answer = Vec::new();
        let exchanged = stream
            .write_all(bytes)
            .and_then(|()| stream.read_to_end(&mut answer));
        match exchanged {
            Ok(0) => None,
            Ok(_) => Some(parse(&answer).expect("an answer")),
            Err(error) => {
                use std::io::ErrorKind::{BrokenPipe, ConnectionReset};
                assert!(
                    matches!(error.kind(), BrokenPipe | ConnectionReset),
                    "{error}"
                );
                None
            }
        }
    }

    pub fn post(&self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        self.exchange(&request("POST", path, headers, body))
    }

    pub fn get(&self, path: &str) -> Answer {
        self.exchange(&request("GET", path, &[], b""))
    }

    /// The page of the metrics.
    pub fn metrics(&self) -> String {
        self.ask_operator("/metrics", "localhost").body
    }

    /// Gets a page from the operator's address, with this host name.
    pub fn ask_operator(&self, path: &str, host: &str) -> Answer {
        self.tell_operator(&request("GET", path, &[("Host", host)], b""))
    }

    /// Sends bytes to the operator's address, and reads to the end of the connection.
    pub fn tell_operator(&self, bytes: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.operator).unwrap();
        // clock: a service that never answers fails a test, however late
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(bytes).unwrap();
        read(&mut stream)
    }

    pub fn signal(&self, signal: rustix::process::Signal) {
        let id = rustix::process::Pid::from_child(&self.process);
        rustix::process::kill_process(id, signal).unwrap();
    }

    /// Ends the service by a signal. Returns its exit code and its log.
    pub fn end(mut self) -> (Option<i32>, String) {
        self.signal(rustix::process::Signal::TERM);
        let log = self.log.take().unwrap().join().unwrap();
        (self.process.wait().unwrap().code(), log)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A request that closes its connection after the answer.
pub fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| *name == "Host") {
        text += "Host: localhost\r\n";
    }
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    text += &format!("Content-Length: {}\r\n\r\n", body.len());
    [text.as_bytes(), body].concat()
}

/// An answer of the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    /// The code of the interface.
    pub fn code(&self) -> Option<u16> {
        let value: Value = serde_json::from_str(&self.body).ok()?;
        value["code"].as_str()?.parse().ok()
    }

    /// Whether the service says that it has done nothing, because it or its database has too much to do.
    pub fn is_undone(&self) -> bool {
        self.status == 503 && self.body.contains("Nothing was done.")
    }

    pub fn transaction_id(&self) -> Option<u64> {
        let value: Value = serde_json::from_str(&self.body).ok()?;
        value["transactionId"].as_str()?.parse().ok()
    }
}

/// Reads one answer, after which the connection ends.
pub fn read(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    parse(&bytes).expect("an answer")
}

pub fn parse(bytes: &[u8]) -> Option<Answer> {
    // The body may be an image, which is not text.
    let text = String::from_utf8_lossy(bytes);
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some(Answer {
        status,
        head: head.to_owned(),
        body: body.to_owned(),
    })
}

/// A sendMailer call that is accepted.
pub fn send_mailer(email: &str) -> Vec<u8> {
    format!(r#"{{"apiKey":"{KEY}","mailerID":42,"email":"{email}"}}"#).into_bytes()
}

/// A call of httpSendMail with a link to each of these hosts. A host has 111 names: its own, and those of its parents.
pub fn links_to(from: &str, hosts: impl Iterator<Item = usize>) -> Vec<u8> {
    let labels = "a.".repeat(110);
    let links: String = hosts
        .map(|host| format!("<a href=//{labels}h{host}.example>"))
        .collect();
    format!(
        r#"{{"ApiKey":"{KEY}","requests":[{{"subject":"s","body":"{links}","to":"a@customer.example","from":"{from}"}}]}}"#
    )
    .into_bytes()
}

/// An httpSendMail call that is accepted.
pub fn http_send_mail(to: &str) -> Vec<u8> {
    format!(
        r#"{{"ApiKey":"{KEY}","requests":[{{"subject":"Hello","body":"%3Cp%3EHello","to":"{to}","from":"news@shop.example"}}]}}"#
    )
    .into_bytes()
}
