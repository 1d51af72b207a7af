//! Forms that are sent again, and forms that do not come whole.

use std::io::Write as _;
use std::net::TcpStream;

use super::actions::{acting, answered};
use super::{SAME, add, cookie, send};
use crate::support::database::on_both;
use crate::support::{PATIENCE, read};
use crate::transcripts::{run, serve};

on_both! {
    fn a_form_that_does_not_come_is_given_up(database: &Database) {
        add(database, "ada", &["--act"]);
        let service = serve(database, &["--body-seconds", "1"]);
        let cookie = cookie(&service, "ada");
        for (path, kind) in [
            ("/desk/login", "application/x-www-form-urlencoded"),
            ("/desk/queue/pause", "application/x-www-form-urlencoded"),
            ("/desk/call/try", "multipart/form-data; boundary=edge"),
        ] {
            let mut stream = TcpStream::connect(service.operator).unwrap();
            // clock: a service that never answers fails a test, however late
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            let (site, is_same) = SAME;
            let head = format!(
                "POST {path} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n{site}: {is_same}\r\n\
                 Content-Type: {kind}\r\nContent-Length: 1000\r\n\r\n-"
            );
            stream.write_all(head.as_bytes()).unwrap();
            let answer = read(&mut stream);
            assert!(answer.status == 408 && answer.body.contains("did not come in time"), "{path}: {answer:?}");
        }
    }

    fn a_form_that_failed_and_changed_nothing_can_be_sent_again(database: &Database) {
        let (service, cookie) = acting(database);
        let path = "/desk/queue/pause";
        let form = answered(&send(&service, path, &cookie, "account=1"));
        // With this trigger no account can be changed.
        let (stop, go_on) = match database.address() {
            None => (
                "CREATE TRIGGER stop BEFORE UPDATE ON accounts BEGIN SELECT RAISE(ABORT, 'stopped'); END",
                "DROP TRIGGER stop",
            ),
            Some(_) => (
                "CREATE FUNCTION stop() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stopped'; END $$;
                 CREATE TRIGGER stop BEFORE UPDATE ON accounts FOR EACH ROW EXECUTE FUNCTION stop()",
                "DROP TRIGGER stop ON accounts",
            ),
        };
        database.script(stop);
        let failed = send(&service, path, &cookie, &form);
        assert!(failed.status == 503 && !failed.body.contains("It is done"), "{failed:?}");
        database.script(go_on);
        let done = send(&service, path, &cookie, &form);
        assert!(done.status == 200 && done.body.contains("It is done"), "{done:?}");
        let again = send(&service, path, &cookie, &form);
        assert!(again.status == 409 && again.body.contains("This form was sent before"), "{again:?}");
        let audit = run(database, &["audit", "list"]);
        assert!(audit.contains("desk: queue pause 1\tfailed") && audit.contains("desk: queue pause 1\tdone"), "{audit}");
    }
}
