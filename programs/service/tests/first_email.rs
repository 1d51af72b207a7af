//! Carries out docs/first-email.md: its commands and settings lead to an email that a mail server takes.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
// clock: the relay of the tests takes no time.
use std::time::Duration;

use crate::neighbours::relay::Relay;
use crate::returned::wait;
use crate::support::{Service, program, runtime};

/// The blocks of one language, in the order of the page.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let start = format!("```{language}\n");
    let blocks = page.split(&start).skip(1);
    blocks
        .map(|block| block.split("```").next().unwrap().to_owned())
        .collect()
}

/// Runs a block in a shell that finds the program under its name. Gives what it prints.
fn run(folder: &Path, block: &str) -> String {
    let path = format!(
        "{}:{}",
        folder.join("bin").display(),
        std::env::var("PATH").unwrap()
    );
    let output = Command::new("sh")
        .args(["-e", "-c", block])
        .env("PATH", path)
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
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/first-email.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (shell, settings) = (blocks(&page, "sh"), blocks(&page, "toml"));
    let [key, migrate, dns, account, call, delivery] = shell.as_slice() else {
        panic!("{} blocks", shell.len());
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    std::fs::create_dir(path.join("bin")).unwrap();
    let file = program().get_program().to_owned();
    std::os::unix::fs::symlink(file, path.join("bin/franking-service")).unwrap();
    std::fs::write(path.join("welcome.html"), "<p>Welcome").unwrap();
    run(path, key);
    let runtime = runtime();
    let relay = Arc::new(runtime.block_on(Relay::start(Duration::ZERO)));
    // As it is on the page, but for the mail server, which asks for no password.
    let mut own = format!(
        "smtp_host = \"127.0.0.1\"\nsmtp_port = {}\nsmtp_tls = \"none\"\n",
        relay.port
    );
    for line in settings[0].lines() {
        if !line.starts_with("smtp_") {
            own += &format!("{line}\n");
        }
    }
    std::fs::write(path.join("franking.toml"), own).unwrap();
    run(path, migrate);
    // The record has what OpenSSL says of the key.
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
    let settings = path.join("franking.toml");
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
