//! Runs what the pages of the service show: commands, settings, and output of the service.

use std::io::BufRead as _;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
// clock: the relay of the tests takes no time.
use std::time::Duration;

use crate::neighbours::relay::Relay;
use crate::returned::wait;
use crate::support::{Service, program, runtime};

/// The blocks of one language, in the order of a page of `docs/`.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let page = std::fs::read_to_string(path.join(page)).unwrap();
    let start = format!("```{language}\n");
    let blocks = page.split(&start).skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap().to_owned())
        .collect()
}

/// A folder whose `bin` has the program under its name.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::create_dir(path.join("bin")).unwrap();
    let file = program().get_program().to_owned();
    std::os::unix::fs::symlink(file, path.join("bin/franking-service")).unwrap();
    std::fs::write(path.join("welcome.html"), "<p>Welcome").unwrap();
    folder
}

/// Runs a block in a shell that finds the program by its name. Returns its output.
fn run(folder: &Path, block: &str) -> String {
    let path = format!(
        "{}:{}",
        folder.join("bin").display(),
        std::env::var("PATH").unwrap()
    );
    let output = Command::new("sh")
        .args(["-e", "-c", block])
        .env("PATH", path)
        // As the page says: the password is in the environment of the service alone.
        .env_remove("FRANKING_SMTP_PASSWORD")
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{block}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_page_of_the_first_email_leads_to_one_that_a_mail_server_takes() {
    if Command::new("openssl").arg("version").output().is_err() {
        println!("NOT CHECKED: docs/first-email.md, for want of openssl");
        return;
    }
    let page = "first-email.md";
    let (shell, settings) = (blocks(page, "sh"), blocks(page, "toml"));
    let [key, migrate, dns, account, call, delivery] = shell.as_slice() else {
        panic!("{} blocks", shell.len());
    };
    let folder = folder();
    let path = folder.path();
    run(path, key);
    let runtime = runtime();
    let relay = Arc::new(runtime.block_on(Relay::start(Duration::ZERO)));
    // These are the settings of the page, except that the mail server asks for no password.
    let mut own = format!(
        "smtp_host = \"127.0.0.1\"\nsmtp_port = {}\nsmtp_tls = \"none\"\n",
        relay.port
    );
    for line in settings[0].lines() {
        if !line.starts_with("smtp_") {
            own += &format!("{line}\n");
        }
    }
    std::fs::write(path.join("franking.toml"), &settings[0]).unwrap();
    std::fs::write(path.join("service.toml"), own).unwrap();
    run(path, migrate);
    // The record agrees with what OpenSSL says about the key.
    let record = run(path, &format!("{} --json", dns.trim()));
    let public = run(
        path,
        "openssl pkey -in shop.example.pem -pubout | grep -v KEY | tr -d '\\n'",
    );
    assert!(
        record.contains(r#""record":"s1._domainkey.shop.example""#),
        "{record}"
    );
    assert!(
        record.contains(&format!(r#""text":"v=DKIM1; k=rsa; p={public}""#)),
        "{record}"
    );
    let (commands, serve) = account.trim().rsplit_once('\n').unwrap();
    assert!(serve.ends_with(" serve"));
    let printed = run(path, commands);
    let key = printed.lines().find(|line| line.starts_with("fk_"));
    let settings = path.join("service.toml");
    let settings = settings.to_str().unwrap();
    let flags = ["--settings", settings, "--transport", "smtp"];
    let mut command = program();
    command.current_dir(path);
    let service = Service::run(command, &path.join("franking-data"), &flags);
    let call = call.replace("http://127.0.0.1:8484", &service.url);
    let body = call.split('\'').nth(1).unwrap();
    let body = body.replace("fk_...", key.unwrap());
    let answer = service.post("/v4/sendMailer", &[], body.as_bytes());
    assert_eq!(answer.code(), Some(200), "{answer:?}");
    wait("the email is not taken", || {
        relay.took("you@mailbox.example").is_some()
    });
    wait("the email is not recorded", || {
        run(path, &format!("{} --json", delivery.trim())).contains("delivered")
    });
}

#[test]
fn the_commands_of_the_overview_set_up_an_account_whose_calls_are_accepted() {
    let shell = blocks("service.md", "sh");
    let [make, commands] = shell.as_slice() else {
        panic!("{} blocks", shell.len());
    };
    assert_eq!(make, "make serve\n");
    let folder = folder();
    let path = folder.path();
    let (commands, serve) = commands.trim().rsplit_once('\n').unwrap();
    let printed = run(path, commands);
    let key = printed.lines().find(|line| line.starts_with("fk_"));
    let flags = serve.strip_prefix("franking-service serve ").unwrap();
    let flags: Vec<&str> = flags.split(' ').collect();
    let mut command = program();
    command.current_dir(path);
    let service = Service::run(command, &path.join("franking-data"), &flags);
    let key = key.unwrap();
    for recipient in [r#""subID": 1"#, r#""email": "new@customer.example""#] {
        let body = format!(r#"{{"apiKey": "{key}", "mailerID": 1, {recipient}}}"#);
        let answer = service.post("/v4/sendMailer", &[], body.as_bytes());
        assert_eq!(answer.code(), Some(200), "{answer:?}");
    }
    let body = format!(r#"{{"apiKey": "{key}", "mailerID": 1, "email": "a@bad.example"}}"#);
    let answer = service.post("/v4/sendMailer", &[], body.as_bytes());
    assert_eq!(answer.code(), Some(416), "{answer:?}");
}

#[test]
fn a_demo_prints_what_the_overview_shows() {
    let shown = blocks("service.md", "text").remove(0);
    let folder = tempfile::tempdir().unwrap();
    let mut service = Service::start(folder.path(), &["--demo"]);
    // `Service::start` has read the first two lines.
    let mut printed = format!(
        "Listening on {}\nMetrics on http://{}/metrics\n",
        service.url, service.operator
    );
    while !printed.ends_with("}'\n") {
        assert_ne!(
            service.output.read_line(&mut printed).unwrap(),
            0,
            "{printed}"
        );
    }
    let printed = printed.replace(&service.url, "http://127.0.0.1:8484");
    let printed = printed.replace(&service.operator.to_string(), "127.0.0.1:8485");
    let (start, key) = printed.split_once("fk_").unwrap();
    let (_, end) = key.split_once('"').unwrap();
    assert_eq!(format!("{start}fk_...\"{end}"), shown);
}

#[test]
fn completions_and_manual_pages_are_written_where_the_page_of_operators_says() {
    let folder = folder();
    let path = folder.path();
    let commands = blocks("operating.md", "console").remove(0);
    let mut written = Vec::new();
    for command in commands.lines() {
        let (start, place) = command
            .strip_prefix("$ ")
            .unwrap()
            .rsplit_once(' ')
            .unwrap();
        let place = path.join(place.trim_start_matches('/'));
        std::fs::create_dir_all(place.parent().unwrap()).unwrap();
        run(path, &format!("{start} {}", place.display()));
        written.push(place);
    }
    let [completions, manual] = written.as_slice() else {
        panic!("{written:?}");
    };
    let completions = std::fs::read_to_string(completions).unwrap();
    assert!(completions.contains("delivery"));
    let page = std::fs::read_to_string(manual.join("franking-service-delivery-list.1")).unwrap();
    assert!(page.contains("custom"), "{page}");
}
