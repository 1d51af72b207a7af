//! Settings come from a file, the environment and flags, each stronger than the one before. A wrong setting is named with
//! its place.

use std::process::Output;

use crate::support::program;
use tempfile::TempDir;

fn file(text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("settings.toml");
    std::fs::write(&path, text).unwrap();
    (folder, path.to_str().unwrap().to_owned())
}

fn print(settings: Option<&str>, environment: &[(&str, &str)], flags: &[&str]) -> Output {
    let mut command = program();
    command.arg("serve").arg("--print-settings").args(flags);
    if let Some(settings) = settings {
        command.args(["--settings", settings]);
    }
    command.envs(environment.iter().copied()).output().unwrap()
}

fn printed(settings: Option<&str>, environment: &[(&str, &str)], flags: &[&str]) -> String {
    without_sources(&with_sources(settings, environment, flags))
}

fn with_sources(settings: Option<&str>, environment: &[(&str, &str)], flags: &[&str]) -> String {
    let output = print(settings, environment, flags);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn without_sources(text: &str) -> String {
    let lines = text.lines();
    let lines = lines.map(|line| line.split_once("  # ").map_or(line, |(line, _)| line));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn what_is_printed_says_where_each_value_comes_from_and_what_is_not_set() {
    let (_folder, path) = file("body_seconds = 3\n\n[policy]\nmax_bytes = 1000\n");
    let text = with_sources(
        Some(&path),
        &[
            ("FRANKING_MAX_SENDS", "7"),
            ("FRANKING_SMTP_PASSWORD", "secret"),
        ],
        &["--transport", "none", "--smtp-user", "u"],
    );
    for line in [
        "# smtp_password is set, and not shown: FRANKING_SMTP_PASSWORD".to_owned(),
        "# tracking_url is not set".to_owned(),
        "max_sends = 7  # FRANKING_MAX_SENDS".to_owned(),
        "transport = \"none\"  # --transport".to_owned(),
        format!("body_seconds = 3  # {path}:1:1: body_seconds"),
        "max_connections = 1024  # default".to_owned(),
        format!("[policy]  # {path}:3:2: policy"),
        "max_bytes = 1000".to_owned(),
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in\n{text}");
    }
    assert!(!text.contains("secret"));
}

fn refused(settings: Option<&str>, environment: &[(&str, &str)], flags: &[&str]) -> String {
    let output = print(settings, environment, flags);
    assert!(!output.status.success(), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn flags_are_stronger_than_the_environment_and_that_than_the_file() {
    let (_folder, path) = file("header_seconds = 3\nbody_seconds = 3\nshutdown_seconds = 3\n");
    let environment = [
        ("FRANKING_BODY_SECONDS", "4"),
        ("FRANKING_SHUTDOWN_SECONDS", "4"),
    ];
    let text = printed(Some(&path), &environment, &["--shutdown-seconds", "5"]);
    assert!(text.contains("header_seconds = 3\n"), "{text}");
    assert!(text.contains("body_seconds = 4\n"), "{text}");
    assert!(text.contains("shutdown_seconds = 5\n"), "{text}");
}

#[test]
fn what_is_printed_is_a_settings_file_that_prints_the_same() {
    let flags = [
        "--hosts",
        "a.example,b.example",
        "--retire",
        "--log-format",
        "json",
    ];
    let first = printed(None, &[], &flags);
    assert!(
        first.contains("hosts = [\"a.example\", \"b.example\"]"),
        "{first}"
    );
    let (_folder, path) = file(&first);
    assert_eq!(printed(Some(&path), &[], &[]), first);
}

#[test]
fn a_setting_that_cannot_be_is_named_with_its_place() {
    for (text, line, column, word) in [
        ("\nmax_conections = 3\n", 2, 1, "max_conections"),
        ("listen = \"here\"\n", 1, 10, "address"),
        ("\n\nheader_seconds = 0\n", 3, 18, "seconds"),
        ("hosts = [\"a.example\", \"http://b\"]\n", 1, 0, "host"),
        ("[policy]\nmax_requests = \"x\"\n", 0, 0, "max_requests"),
        ("[policy]\ntoday = \"2026-01-01\"\n", 1, 2, "retire"),
        (
            "max_held_bytes = 5\nmax_send_mailer_bytes = 1\n",
            1,
            1,
            "max_bytes",
        ),
        ("tls_key = \"key.pem\"\n", 1, 1, "tls_certificate"),
        ("listen = \n", 1, 0, ""),
        ("transport = \"smtp\"\n", 1, 1, "smtp_host"),
        ("transport = \"pigeon\"\n", 1, 13, "maildir"),
        ("smtp_user = \"franking\"\n", 1, 1, "smtp_password"),
        ("smtp_password = \"hereford\"\n", 1, 1, "smtp_user"),
        ("smtp_port = 0\n", 1, 13, "nonzero"),
        ("smtp_tls = \"some\"\n", 1, 12, "starttls"),
        ("[[dkim]]\ndomain = \"shop.example\"\n", 0, 0, "selector"),
    ] {
        let (_folder, path) = file(text);
        let error = refused(Some(&path), &[], &[]);
        let place = match (line, column) {
            (0, _) => format!("{path}:"),
            (line, 0) => format!("{path}:{line}:"),
            _ => format!("{path}:{line}:{column}: "),
        };
        assert!(
            error.contains(&place) && error.contains(word),
            "{text:?} gives {error}"
        );
    }
    let error = refused(None, &[("FRANKING_TLS_KEY", "key.pem")], &[]);
    assert!(
        error.contains("FRANKING_TLS_KEY: needs tls_certificate"),
        "{error}"
    );
    let error = refused(None, &[], &["--max-send-mailer-bytes", "999999999999"]);
    assert!(error.contains("--max-send-mailer-bytes"), "{error}");
    let error = refused(None, &[("FRANKING_HEADER_SECONDS", "soon")], &[]);
    assert!(error.contains("header-seconds"), "{error}");
    let error = refused(Some("/nowhere/settings.toml"), &[], &[]);
    assert!(error.contains("/nowhere/settings.toml"), "{error}");
}

#[test]
fn a_mail_server_and_its_keys_are_read_from_a_file_and_printed_but_for_the_password() {
    let text = "transport = \"smtp\"\nsmtp_host = \"mail.shop.example\"\nsmtp_port = 465\nsmtp_tls = \"tls\"
smtp_user = \"franking\"\nsmtp_password = \"hereford\"
[[dkim]]\ndomain = \"shop.example\"\nselector = \"s1\"\nkey = \"key.pem\"\n";
    let (_folder, path) = file(text);
    let printed = printed(Some(&path), &[], &[]);
    let kept = text.lines().filter(|line| !line.contains("hereford"));
    for line in kept {
        assert!(printed.contains(line), "{line:?} is not in {printed}");
    }
    assert!(!printed.contains("hereford"), "{printed}");
    let (_other, of_another_type) = file("smtp_password = [\"hereford\"]\n");
    let error = refused(Some(&of_another_type), &[], &[]);
    assert!(!error.contains("hereford"), "{error}");
}

#[test]
fn limits_of_domains_and_a_name_are_read_and_those_that_cannot_be_are_refused() {
    let text =
        "instance = \"one\"\n[[domain_limits]]\ndomain = \"*.mail.example\"\nmax_sends = 8\n";
    let (_folder, path) = file(text);
    let printed = printed(Some(&path), &[], &[]);
    assert!(text.lines().all(|line| printed.contains(line)), "{printed}");
    for (text, word) in [
        (
            "[[domain_limits]]\ndomain = \"a b\"\nmax_sends = 8\n",
            "*.domain",
        ),
        (
            "[[domain_limits]]\ndomain = \"*\"\nmax_sends = 0\n",
            "nonzero",
        ),
        ("[[domain_limits]]\ndomain = \"*\"\n", "max_sends"),
        ("instance = \"\"\n", "characters"),
    ] {
        let (_folder, path) = file(text);
        let error = refused(Some(&path), &[], &[]);
        assert!(error.contains(word), "{text} gives {error}");
    }
}

#[test]
fn a_database_s_password_is_shown_nowhere() {
    let url = "mysql://franking:hereford@db.example/mail";
    let (_folder, path) = file(&format!("database = \"{url}\"\n"));
    let (_other, of_another_type) = file(&format!("database = [\"{url}\"]\n"));
    for error in [
        refused(Some(&path), &[], &[]),
        refused(None, &[("FRANKING_DATABASE", url)], &[]),
        refused(None, &[], &["--database", url]),
        refused(Some(&of_another_type), &[], &[]),
    ] {
        assert!(!error.contains("hereford"), "{error}");
    }
    let text = printed(
        None,
        &[],
        &["--database", "postgres://franking:hereford@db.example/mail"],
    );
    assert!(!text.contains("hereford"), "{text}");
}

#[test]
fn a_secret_that_is_no_text_is_named_with_its_place_and_not_shown() {
    for setting in ["smtp_password", "reports_token", "database"] {
        for value in [
            "20240131",
            "2024.0131",
            "20240131202401312024",
            "202401312024013120240131",
            "2024-01-31",
            "[20240131]",
            "{ a = 20240131 }",
        ] {
            let (_folder, path) = file(&format!("{setting} = {value}\n"));
            let error = refused(Some(&path), &[], &[]);
            let place = format!("{path}:1:{}: ", setting.len() + 4);
            assert!(
                error.contains(&place) && error.contains("expected a text in quotes"),
                "{setting} = {value} gives {error}"
            );
            assert!(!error.contains("2024"), "{error}");
        }
    }
}

#[test]
fn where_the_database_is_can_be_said_before_and_after_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let run = |arguments: &[&str], environment: Option<(&str, &str)>| {
        let output = program()
            .args(arguments)
            .envs(environment)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    run(&["--data", data, "migrate"], None);
    run(&["--data", data, "account", "add", "Shop"], None);
    run(&["list", "add", "1", "Spring", "--data", data], None);
    let environment = Some(("FRANKING_DATA", data));
    let lists = run(&["list", "list", "1"], environment);
    assert_eq!(lists, "Spring\t0\n");
    let printed = without_sources(&run(&["serve", "--print-settings"], environment));
    assert!(
        printed.contains(&format!("data = \"{data}\"\n")),
        "{printed}"
    );
}

#[test]
fn help_shows_each_setting_with_its_default_and_its_name_in_the_environment() {
    let output = program().args(["serve", "--help"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    for part in [
        "--max-connections <COUNT>",
        "[default: 1024]",
        "[env: FRANKING_MAX_CONNECTIONS=]",
        "--trusted-proxies <NETWORK,...>",
        "[default: 50000]",
        "--retire [<BOOL>]",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}

#[test]
fn where_emails_go_has_to_be_said_but_for_a_first_try() {
    let folder = tempfile::tempdir().unwrap();
    let mut serve = program();
    serve
        .arg("serve")
        .arg("--data")
        .arg(folder.path().join("data"));
    let output = serve.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.starts_with("error: transport: ") && error.contains("maildir"),
        "{error}"
    );
    assert!(
        !folder.path().join("data").exists(),
        "nothing is made before"
    );
}

#[test]
fn a_folder_that_cannot_be_used_is_named_with_what_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    // Root may use every folder. A file in the place of a folder can be used by nobody.
    let (data, taken) = (path("data"), path("file"));
    std::fs::write(&taken, "").unwrap();
    let key = format!("{taken}/franking.key");
    for flags in [
        ["--transport", "none", "--data", &taken, "--key-file", &data],
        ["--transport", "none", "--data", &data, "--key-file", &key],
        [
            "--transport",
            "maildir",
            "--data",
            &data,
            "--maildir",
            &taken,
        ],
    ] {
        let mut serve = program();
        serve.args(["serve", "--listen", "127.0.0.1:0"]);
        serve.args(["--operator-listen", "127.0.0.1:0"]);
        let output = serve.args(flags).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        let mut lines = error.lines();
        let told = lines.find(|line| line.starts_with("error: ")).unwrap();
        assert!(
            told.contains(&taken) && told.contains("has to be able to read and write"),
            "{flags:?}: {error}"
        );
    }
}

#[test]
fn an_unknown_variable_is_an_error_and_what_is_hidden_is_said() {
    let error = refused(None, &[("FRANKING_MAX_CONECTIONS", "3")], &[]);
    assert!(error.contains("FRANKING_MAX_CONECTIONS"), "{error}");
    let text = printed(
        None,
        &[("FRANKING_DATABASE", "postgres://u:secret@h/n")],
        &[],
    );
    assert!(
        text.contains("# database is set, and not shown") && !text.contains("secret"),
        "{text}"
    );
}

#[test]
fn what_reports_need_is_checked_and_their_token_is_not_shown() {
    let text = refused(None, &[("FRANKING_REPORTS_TOKEN", "guess me")], &[]);
    assert!(
        text.contains("FRANKING_REPORTS_TOKEN: expected at least 16"),
        "{text}"
    );
    assert!(!text.contains("guess me"), "{text}");
    let text = refused(None, &[], &["--bounce-domain", "no domain"]);
    assert!(text.contains("--bounce-domain"), "{text}");
    let text = printed(
        None,
        &[("FRANKING_REPORTS_TOKEN", "a token of some length")],
        &["--bounce-domain", "Bounces.Example.com"],
    );
    assert!(
        text.contains("# reports_token is set, and not shown"),
        "{text}"
    );
    assert!(text.contains("bounce_domain = \"bounces.example.com\""));
    assert!(!text.contains("a token of"), "{text}");
}
