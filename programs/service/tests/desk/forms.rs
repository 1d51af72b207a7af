//! Forms that are sent again, and those that do not come whole.

use super::actions::{acting, answered};
use super::send;
use crate::support::database::on_both;
use crate::transcripts::run;

on_both! {
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
