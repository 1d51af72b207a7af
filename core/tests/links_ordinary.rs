//! Ordinary mail does not hide a host: none of it is refused because a host in it could be computed.

use std::path::Path;

use franking::html::{hidden_host, hosts};

/// The name that is reported when any host could be hidden.
const HIDDEN: &str = "computed.invalid";

/// Each mail of the folder, with its name, which is the kind of mail and a number.
fn mail() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mail/ordinary");
    let mut mail: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read_to_string(entry.path()).unwrap())
        })
        .collect();
    mail.sort();
    mail
}

fn check(before: &str) {
    let mail = mail();
    assert!(mail.len() >= 57, "only {} mails", mail.len());
    let struck: Vec<&str> = mail
        .iter()
        .filter(|(_, html)| {
            hosts(&format!("{before}{html}"))
                .iter()
                .any(|host| host == HIDDEN)
        })
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(struck, Vec::<&str>::new());
}

#[test]
fn ordinary_mail_hides_no_host() {
    check("");
}

#[test]
fn ordinary_mail_hides_no_host_after_a_tag_that_depends_on_a_tree() {
    check("<svg></svg>");
}

#[test]
fn ordinary_mail_names_few_hosts_for_its_length() {
    let struck: Vec<String> = mail()
        .into_iter()
        .filter(|(_, html)| hidden_host(&format!("<svg></svg>{}", html.repeat(50))).is_some())
        .map(|(name, _)| name)
        .collect();
    assert_eq!(struck, Vec::<String>::new());
}
