//! What is shown to operators who may not see personal data.

use super::{desk, get, link};
use crate::support::database::on_both;
use crate::support::program;
use crate::transcripts::run;

/// The options of a page's command, by the names that the fields of a form have.
fn options(path: &str) -> Vec<String> {
    let command = path.trim_start_matches("/desk/").split('?').next().unwrap();
    let output = program()
        .args(command.split('/'))
        .arg("--help")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let help = String::from_utf8(output.stdout).unwrap();
    let words = help.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-');
    let options = words.filter_map(|word| word.strip_prefix("--"));
    options.map(|name| name.replace('-', "_")).collect()
}

on_both! {
    fn no_option_of_a_page_shows_personal_data_to_those_who_may_not_see_it(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("mail.html");
        // After an `@`, an address has its domain, which is shown. Another text can have anything there.
        std::fs::write(&file, "<style>@media print { p { color: red } }</style><p>Dear canary").unwrap();
        let file = file.to_str().unwrap();
        run(database, &["mailer", "set", "1", "--id", "77", "--from", "news@shop.example", "--from-name", "Canary",
            "--subject", "To the canary @ home, of the canary", file]);
        let emails = get(&service, "/desk/delivery/list?account=1", &cookie);
        let readers = get(&service, "/desk/subscriber/list?account=1", &cookie);
        for path in [
            "/desk/mailer/show?account=1&id=77", "/desk/mailer/list?account=1", "/desk/call/explain?call=2",
            "/desk/delivery/list?account=1", &link(&emails.body, "/desk/delivery/show"), "/desk/refused/list?account=1",
            "/desk/subscriber/list?account=1", &link(&readers.body, "/desk/subscriber/show"), "/desk/sender/list?account=1",
        ] {
            assert_eq!(get(&service, path, &cookie).status, 200, "{path}");
            let options = options(path);
            assert!(options.contains(&"json".to_owned()), "{path}: {options:?}");
            for option in options.iter().map(String::as_str).chain(["unmask"]) {
                let answer = get(&service, &format!("{path}&{option}=on"), &cookie);
                let body = answer.body.to_lowercase();
                assert!(!body.contains("canary") && !body.contains("secret.reader"), "{option} of {path}: {answer:?}");
            }
        }
        assert!(!run(database, &["audit", "list"]).contains("desk: "));
    }
}
