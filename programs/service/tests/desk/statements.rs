//! The number of statements that a page takes.

use super::{get, signed_in};
use crate::returned::wait;
use crate::support::database::Database;
use crate::support::{KEY, Service, databases, fill_postgres, runtime, world};

/// The server writes each statement to its log.
const PREPARE: &str = r#"echo "log_statement = all" >>"$1/data/postgresql.conf""#;

/// Pages that show more rows when there are more calls.
const PAGES: &[&str] = &[
    "/desk",
    "/desk/refused/list",
    "/desk/refused/count",
    "/desk/call/list?account=1",
    "/desk/call/count",
    "/desk/delivery/list?account=1",
    "/desk/delivery/list?account=1&queued=on",
    "/desk/delivery/count",
    "/desk/queue/show",
    "/desk/account/list",
    "/desk/account/show?account=1",
    "/desk/subscriber/list?account=1",
    "/desk/audit/list",
    "/desk/mailer/list?account=1",
    "/desk/blacklist/list",
];

/// Counts the statements of a page. The service also sends statements of its own, so the page is read several times and the
/// smallest count is taken.
fn statements(server: &databases::Server, service: &Service, path: &str, cookie: &str) -> usize {
    let logged = || {
        let log = server.log();
        log.matches("LOG:  execute ").count() + log.matches("LOG:  statement: ").count()
    };
    let counts = (0..16).map(|_| {
        let before = logged();
        let answer = get(service, path, cookie);
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        logged() - before
    });
    counts.min().unwrap()
}

/// Sends a call with an email to each of `readers` readers, which is accepted, and then a call that is refused. Returns the
/// transactionId of the accepted one.
fn calls(service: &Service, number: usize, readers: usize) -> u64 {
    let to: Vec<_> = (0..readers)
        .map(|reader| format!("r{reader}.{number}@customer.example"))
        .collect();
    let answer = service.post(
        "/v4/httpSendMail",
        &[],
        &crate::support::http_send_mail(&to.join(",")),
    );
    assert_eq!(answer.code(), Some(200), "{answer:?}");
    let refused = format!(
        r#"{{"apiKey":"{KEY}","mailerID":{},"email":"a@customer.example"}}"#,
        9_000 + number
    );
    service.post("/v4/sendMailer", &[], refused.as_bytes());
    answer.transaction_id().unwrap()
}

#[test]
fn a_page_takes_as_many_statements_whatever_it_has_to_show() {
    let Some(server) = databases::Server::start_prepared(5436, PREPARE) else {
        return;
    };
    let address = runtime().block_on(server.database());
    runtime().block_on(fill_postgres(&address, &world("world.json")));
    let database = Database::at(address);
    let service = crate::transcripts::serve(&database, &["--transcripts", "whole"]);
    let cookie = signed_in(&database, &service);
    let few = calls(&service, 0, 1);
    let kept = |calls: i64| {
        wait("calls are not kept", || {
            database.number("SELECT count(*) FROM transcripts") == calls
        })
    };
    kept(2);
    let first: Vec<_> = PAGES
        .iter()
        .map(|path| statements(&server, &service, path, &cookie))
        .collect();
    let of_one = statements(
        &server,
        &service,
        &format!("/desk/call/show?call={few}"),
        &cookie,
    );
    let mut many = few;
    for number in 1..40 {
        many = calls(&service, number, 15);
    }
    kept(80);
    let of_many = statements(
        &server,
        &service,
        &format!("/desk/call/show?call={many}"),
        &cookie,
    );
    println!("a call of 1 email: {of_one} statements, of 15: {of_many}");
    assert_eq!(of_one, of_many);
    for (path, few) in PAGES.iter().zip(first) {
        let many = statements(&server, &service, path, &cookie);
        println!("{path}: {few} statements, and {many} with forty times as many rows");
        assert_eq!(few, many, "{path}");
        assert!(many <= 16, "{path}: {many}");
    }
}
