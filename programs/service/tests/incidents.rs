//! Prints what callers get when something besides the service fails, as the lines of a table. The full disk and the log that
//! cannot be written are in `full_disk.rs`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::databases::SERVER;
use crate::proxy::Proxy;
use crate::returned::wait;
use crate::support::database::Database;
use crate::support::incident::{got, send_at_once};
use crate::support::{Service, fill_postgres, program, runtime, send_mailer, world};

/// The processes of a PostgreSQL server: the first process, and its children.
fn processes(folder: &Path) -> Vec<i32> {
    let file = std::fs::read_to_string(folder.join("data/postmaster.pid")).unwrap();
    let first: i32 = file.lines().next().unwrap().trim().parse().unwrap();
    let mut all = vec![first];
    for entry in std::fs::read_dir("/proc").unwrap() {
        let path = entry.unwrap().path();
        let Ok(stat) = std::fs::read_to_string(path.join("stat")) else {
            continue;
        };
        let (_, fields) = stat.rsplit_once(')').unwrap();
        let parent: i32 = fields.split_whitespace().nth(1).unwrap().parse().unwrap();
        if parent == first {
            all.push(path.file_name().unwrap().to_str().unwrap().parse().unwrap());
        }
    }
    all
}

fn signal(processes: &[i32], signal: rustix::process::Signal) {
    for process in processes {
        let process = rustix::process::Pid::from_raw(*process).unwrap();
        // The process may have ended already.
        let _ = rustix::process::kill_process(process, signal);
    }
}

/// Waits until a call is accepted again.
fn until_accepted(service: &Service) {
    let mut number = 0;
    // Connections that were lost are made anew.
    wait("no call is accepted", || {
        let body = send_mailer(&format!("after{number}@customer.example"));
        number += 1;
        service.post("/v4/sendMailer", &[], &body).code() == Some(200)
    });
}

#[test]
fn a_server_whose_packets_are_swallowed_gives_each_caller_an_answer() {
    let Some(server) = &*SERVER else { return };
    let database = Database::postgres(&world("world.json")).unwrap();
    let proxy = Proxy::start(server.folder());
    let [name, address] = database.flags();
    let [direct, proxied] =
        [server.folder(), proxy.folder()].map(|folder| folder.to_str().unwrap());
    let address = address.replace(direct, proxied);
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path(), &[name, &address]);
    until_accepted(&service);
    proxy.swallow(true);
    let answers = send_at_once(&service, 24);
    proxy.swallow(false);
    got("PostgreSQL: packets are swallowed", &answers);
    assert!(
        answers.iter().all(|one| one.answer.status == 503),
        "{answers:?}"
    );
    until_accepted(&service);
}

#[test]
fn a_frozen_server_gives_each_caller_an_answer() {
    let Some(server) = crate::databases::Server::start_prepared(5433, "") else {
        return;
    };
    let address = runtime().block_on(server.database());
    runtime().block_on(fill_postgres(&address, &world("world.json")));
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path(), &["--database", &address]);
    until_accepted(&service);
    let frozen = processes(server.folder());
    signal(&frozen, rustix::process::Signal::STOP);
    let answers = send_at_once(&service, 24);
    signal(&frozen, rustix::process::Signal::CONT);
    got("PostgreSQL: SIGSTOP", &answers);
    assert!(
        answers.iter().all(|one| one.answer.status == 503),
        "{answers:?}"
    );
    until_accepted(&service);
    let (_, log) = service.end();
    assert!(!log.contains("customer.example"), "{log}");
}

/// A clock that a test can set, for programs that load its library.
struct Clock {
    folder: tempfile::TempDir,
}

impl Clock {
    /// Compiles the library. `None` without a C compiler.
    fn new() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        // The PostgreSQL server runs as another user, and has to read this folder.
        let all = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(folder.path(), all).unwrap();
        std::fs::write(folder.path().join("seconds"), 0_i64.to_ne_bytes()).unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/clock.c");
        let made = Command::new("cc")
            .args(["-shared", "-fPIC", "-o"])
            .arg(folder.path().join("clock.so"))
            .arg(source)
            .arg("-ldl")
            .status();
        if !made.is_ok_and(|made| made.success()) {
            println!("NOT CHECKED: a clock that is set back, for want of a C compiler");
            return None;
        }
        Some(Self { folder })
    }

    fn library(&self) -> PathBuf {
        self.folder.path().join("clock.so")
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("seconds")
    }

    fn set(&self, seconds: i64) {
        // The file is changed in place, because the programs have mapped it.
        let file = std::fs::OpenOptions::new().write(true).open(self.file());
        std::os::unix::fs::FileExt::write_at(&file.unwrap(), &seconds.to_ne_bytes(), 0).unwrap();
    }

    fn program(&self) -> Command {
        self.shown_to(program())
    }

    fn shown_to(&self, mut command: Command) -> Command {
        command.env("LD_PRELOAD", self.library());
        command.env("CLOCK_FILE", self.file());
        command
    }

    /// Whether a program sees this clock, and this clock is half an hour late or more.
    fn is_seen_by(&self, process: u32) -> bool {
        let mut command = self.shown_to(Command::new("date"));
        let shown = command.arg("+%s").output().unwrap().stdout;
        let shown: u64 = String::from_utf8(shown).unwrap().trim().parse().unwrap();
        // clock: the two clocks differ by far more than the test takes
        let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
        let loaded = std::fs::read_to_string(format!("/proc/{process}/maps")).unwrap();
        shown < now - 1800 && loaded.contains(self.library().to_str().unwrap())
    }
}

/// Lets an email wait while the clock is set back by an hour, and then sends a call.
fn set_back(name: &str, clock: &Clock, service: &Service, flags: &[&str]) {
    let queue = |what: &str| {
        let mut command = clock.program();
        command.args(["queue", what]).args(flags);
        assert!(command.status().unwrap().success());
    };
    queue("pause");
    let before = send_at_once(service, 2);
    clock.set(-3600);
    assert!(clock.is_seen_by(service.process.id()));
    queue("resume");
    let after = send_at_once(service, 2);
    got(name, &after);
    let answers = before.iter().chain(&after);
    assert!(
        answers
            .map(|one| one.answer.code())
            .all(|code| code == Some(200))
    );
    let line = "franking_deliveries_total{state=\"delivered\"} 4";
    // By a clock that goes back, the emails would never be due.
    wait("the emails are not sent", || {
        service.metrics().contains(line)
    });
}

#[test]
fn a_clock_that_is_set_back_holds_up_no_call_and_no_email_on_sqlite() {
    let Some(clock) = Clock::new() else { return };
    let folder = tempfile::tempdir().unwrap();
    crate::support::fill(folder.path(), &world("world.json"));
    let service = Service::run(clock.program(), folder.path(), &[]);
    let flags = ["--data", folder.path().to_str().unwrap()];
    set_back(
        "SQLite: the clock is set back by an hour",
        &clock,
        &service,
        &flags,
    );
}

#[test]
fn a_clock_that_is_set_back_holds_up_no_call_and_no_email_on_postgres() {
    let Some(clock) = Clock::new() else { return };
    let (library, file) = (clock.library(), clock.file());
    let prepare = format!(
        "export LD_PRELOAD={} CLOCK_FILE={}",
        library.display(),
        file.display()
    );
    let Some(server) = crate::databases::Server::start_prepared(5434, &prepare) else {
        return;
    };
    let address = runtime().block_on(server.database());
    runtime().block_on(fill_postgres(&address, &world("world.json")));
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--database", address.as_str()];
    let service = Service::run(clock.program(), folder.path(), &flags);
    set_back(
        "PostgreSQL: the clock is set back by an hour",
        &clock,
        &service,
        &flags,
    );
}
