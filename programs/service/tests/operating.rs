//! The files for operators: alerts, a dashboard, a unit, a container and their page. Every metric, flag, setting and file
//! that they name has to exist.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::net::TcpStream;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;

use crate::returned::wait;
use crate::support::database::Database;
use crate::support::{Service, memory, program, request, send_mailer, world};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The words of a text that begin with `start`. A word has small letters, digits and the letters in `more`.
fn words(text: &str, start: &str, more: &[char]) -> BTreeSet<String> {
    let is_of_word = |letter: char| {
        letter.is_ascii_lowercase() || letter.is_ascii_digit() || more.contains(&letter)
    };
    let mut found = BTreeSet::new();
    for (place, _) in text.match_indices(start) {
        let is_begun = text[..place].chars().next_back().is_some_and(is_of_word);
        if !is_begun {
            let word: String = text[place..]
                .chars()
                .take_while(|letter| is_of_word(*letter))
                .collect();
            found.insert(word);
        }
    }
    found
}

fn metrics(text: &str) -> BTreeSet<String> {
    let all = words(text, "franking_", &['_']);
    let without = |name: String| {
        let parts = ["_bucket", "_sum", "_count"].iter();
        let of_histogram = parts.filter_map(|part| name.strip_suffix(part)).next();
        of_histogram.unwrap_or(&name).to_owned()
    };
    all.into_iter().map(without).collect()
}

/// The metrics that the service describes.
fn described() -> BTreeSet<String> {
    let sources = [
        "programs/service/src/telemetry.rs",
        "programs/service/src/telemetry/sample.rs",
    ]
    .map(read)
    .concat();
    let quoted = sources
        .split('"')
        .filter(|text| text.starts_with("franking_"));
    quoted.map(str::to_owned).collect()
}

#[test]
fn alerts_the_dashboard_and_the_page_name_metrics_that_there_are_and_the_page_names_all() {
    let described = described();
    for file in [
        "tools/packaging/prometheus/franking.rules.yml",
        "tools/packaging/prometheus/franking.rules.test.yml",
        "tools/packaging/grafana/franking.json",
        "docs/operating.md",
    ] {
        let unknown: Vec<_> = metrics(&read(file))
            .difference(&described)
            .cloned()
            .collect();
        assert!(unknown.is_empty(), "{file}: {unknown:?}");
    }
    let service = read("docs/observing.md");
    let shown: BTreeSet<String> = service
        .lines()
        .filter_map(|line| line.strip_prefix("| `franking_"))
        .filter_map(|line| Some(format!("franking_{}", line.split('`').next()?)))
        .collect();
    assert_eq!(shown, described);
}

#[test]
fn each_alert_says_what_to_do_first() {
    let rules = read("tools/packaging/prometheus/franking.rules.yml");
    let alerts: Vec<&str> = rules
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- alert: "))
        .collect();
    let page = read("docs/operating.md");
    let headings: Vec<&str> = page
        .lines()
        .filter_map(|line| line.strip_prefix("### "))
        .collect();
    assert_eq!(headings, alerts);
    for (alert, severity) in alerts.iter().zip(rules.split("severity: ").skip(1)) {
        let (_, text) = page.split_once(&format!("### {alert}\n\n")).unwrap();
        let word = if severity.starts_with("page") {
            "*Page.*"
        } else {
            "*Ticket.*"
        };
        assert!(text.starts_with(word), "{alert}");
    }
}

/// The output of a command.
fn printed(arguments: &[&str]) -> String {
    let output = program().args(arguments).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_unit_and_the_container_name_flags_settings_and_files_that_there_are() {
    let help = [
        printed(&["serve", "--help"]),
        printed(&["migrate", "--help"]),
    ]
    .concat();
    let flags = words(&help, "--", &['-']);
    let variables: BTreeSet<String> = flags
        .iter()
        .map(|flag| {
            format!(
                "FRANKING{}",
                flag.replacen("--", "_", 1).replace('-', "_").to_uppercase()
            )
        })
        .collect();
    let unit = read("tools/packaging/systemd/franking-service.service");
    let unit: Vec<&str> = unit
        .lines()
        .filter(|line| line.starts_with("ExecStart="))
        .collect();
    let compose = read("tools/packaging/container/compose.yml");
    let container = read("tools/packaging/container/Containerfile");
    let of_service = |line: &&str| line.contains("\"serve\"") || line.contains("\"migrate\"");
    let commands = compose.lines().chain(container.lines()).filter(of_service);
    for command in commands.chain(unit) {
        let named = words(command, "--", &['-']);
        let unknown: Vec<_> = named.difference(&flags).collect();
        assert!(
            !named.is_empty() && unknown.is_empty(),
            "{command}: {unknown:?}"
        );
    }
    let named = compose
        .lines()
        .filter_map(|line| line.trim().strip_prefix("FRANKING_"));
    let named: Vec<_> = named
        .map(|line| format!("FRANKING_{}", line.split(':').next().unwrap()))
        .collect();
    assert!(named.len() > 5);
    for name in named {
        assert!(variables.contains(&name), "{name}");
    }
    let folder = root().join("tools/packaging/container");
    for path in [
        "../..",
        "../prometheus/prometheus.yml",
        "../prometheus/franking.rules.yml",
    ] {
        assert!(
            compose.contains(path) && folder.join(path).exists(),
            "{path}"
        );
    }
    assert!(compose.contains("dockerfile: tools/packaging/container/Containerfile"));
    // The image's compiler is not older than the version that the crates need.
    let minor = |text: &str, before: &str| -> u32 {
        let (_, after) = text.split_once(before).unwrap();
        let digits = after.chars().take_while(char::is_ascii_digit);
        digits.collect::<String>().parse().unwrap()
    };
    let needed = minor(&read("Cargo.toml"), "rust-version = \"1.");
    assert!(minor(&container, "library/rust:1.") >= needed);
}

#[test]
fn the_dashboard_is_json_whose_panels_have_titles_and_expressions() {
    let board: serde_json::Value =
        serde_json::from_str(&read("tools/packaging/grafana/franking.json")).unwrap();
    let panels = board["panels"].as_array().unwrap();
    assert!(panels.len() > 10);
    for panel in panels {
        assert!(!panel["title"].as_str().unwrap().is_empty());
        for target in panel["targets"].as_array().unwrap() {
            assert!(
                target["expr"].as_str().unwrap().contains("franking_"),
                "{panel}"
            );
        }
    }
}

#[test]
fn commands_are_completed_in_each_shell() {
    for shell in ["bash", "zsh", "fish"] {
        assert!(
            printed(&["completions", shell]).contains("delivery"),
            "{shell}"
        );
    }
}

#[test]
fn systemd_is_told_when_calls_are_taken_and_when_the_service_ends() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("notify");
    let listener = std::os::unix::net::UnixDatagram::bind(&socket).unwrap();
    let mut command = program();
    command.env("NOTIFY_SOCKET", &socket);
    let data = folder.path().join("data");
    let service = Service::run(command, &data, &[]);
    let mut told = [0; 64];
    let length = listener.recv(&mut told).unwrap();
    assert_eq!(&told[..length], b"READY=1\n");
    service.end();
    let length = listener.recv(&mut told).unwrap();
    assert_eq!(&told[..length], b"STOPPING=1\n");
}

/// The number of bytes in a row of the page.
fn bytes_of_page(row: &str) -> f64 {
    let page = read("docs/operating.md");
    let line = page
        .lines()
        .find(|line| line.starts_with(&format!("| {row} |")));
    let line = line.unwrap_or_else(|| panic!("{row}"));
    let number: String = line
        .rsplit('|')
        .nth(1)
        .unwrap()
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    number.parse().unwrap()
}

fn is_as_the_page_says(row: &str, measured: f64) {
    let said = bytes_of_page(row);
    println!("{row}: {measured:.0} bytes, and the page says {said:.0}");
    let ratio = measured / said;
    assert!(
        (0.7..1.3).contains(&ratio),
        "{row}: {measured:.0}, the page says {said:.0}"
    );
}

/// The number of emails that are sent to measure the size of one.
const EMAILS: u32 = 1_000;

fn disk(database: &Database, row: &str) {
    let size = || match database.folder() {
        Some(folder) => std::fs::metadata(folder.join("franking.db")).unwrap().len() as f64,
        None => {
            database.execute("", "CHECKPOINT");
            // The queue's space is used again.
            let sizes = "SELECT CAST(sum(pg_total_relation_size(oid)) AS bigint) FROM pg_class
                WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'queue'";
            database.number(sizes) as f64
        }
    };
    let before = size();
    let service = database.serve(&[]);
    thread::scope(|scope| {
        for caller in 0..8 {
            let service = &service;
            scope.spawn(move || {
                for number in 0..EMAILS / 8 {
                    let body = send_mailer(&format!("reader{caller}-{number}@customer.example"));
                    assert_eq!(service.post("/v4/sendMailer", &[], &body).code(), Some(200));
                }
            });
        }
    });
    let events = "SELECT count(*) FROM events WHERE number IS NOT NULL";
    wait("emails are not sent", || {
        database.number(events) == i64::from(EMAILS)
    });
    service.end();
    is_as_the_page_says(row, (size() - before) / f64::from(EMAILS));
}

#[test]
fn an_email_takes_what_the_page_says_of_sqlite() {
    disk(
        &Database::sqlite(&world("world.json")),
        "an email of sendMailer to a new subscriber, on SQLite",
    );
}

#[test]
fn an_email_takes_what_the_page_says_of_postgres() {
    if let Some(database) = Database::postgres(&world("world.json")) {
        disk(
            &database,
            "an email of sendMailer to a new subscriber, on PostgreSQL",
        );
    }
}

#[test]
fn memory_is_what_the_page_says() {
    let database = Database::sqlite(&world("world.json"));
    // This process has the other ends of the connections, beside the files of the tests that run meanwhile.
    let files = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: files.maximum,
        ..files
    };
    setrlimit(Resource::Nofile, most).unwrap();
    // One address may have a quarter of all connections.
    let limit = (8 * CONNECTIONS).to_string();
    let service = database.serve(&["--max-connections", &limit]);
    let memory = || memory(service.process.id(), "VmRSS") as f64;
    // The first connections warm up the caches and the allocator, so that the difference is what the later ones take. The
    // later ones are many, because the allocator takes memory in large blocks, and not for each connection.
    let open = |numbers: Range<i64>| {
        let end = numbers.end;
        let streams: Vec<_> = numbers.map(|number| opened(&service, number)).collect();
        wait("calls are not taken", || {
            database.number("SELECT count(*) FROM calls") >= end
        });
        (streams, memory())
    };
    let few = CONNECTIONS / 4;
    let (first, warm) = open(0..few);
    is_at_most_what_the_page_says("a process that has served calls", warm);
    let (second, more) = open(few..few + CONNECTIONS);
    is_at_most_what_the_page_says("each connection", (more - warm) / CONNECTIONS as f64);
    drop((first, second));
}

/// The number of connections that are compared.
const CONNECTIONS: i64 = 480;

/// A connection on which a call was sent.
fn opened(service: &Service, number: i64) -> TcpStream {
    let mut stream = service.connect();
    let body = send_mailer(&format!("b{number}@customer.example"));
    let keeps = [("Connection", "keep-alive")];
    let request = request("POST", "/v4/sendMailer", &keeps, &body);
    stream.write_all(&request).unwrap();
    stream
}

fn is_at_most_what_the_page_says(row: &str, measured: f64) {
    let said = bytes_of_page(row);
    println!("{row}: {measured:.0} bytes, and the page says at most {said:.0}");
    assert!(
        measured <= said,
        "{row}: {measured:.0}, the page says {said:.0}"
    );
}
