//! Logging in with browsers and proxies of different kinds.

use super::{PASSWORD, SAME, add, log_in};
use crate::support::database::on_both;
use crate::support::request;
use crate::transcripts::serve;

on_both! {
    fn a_browser_that_gives_only_its_origin_logs_in_and_one_that_gives_nothing_is_told_so(database: &Database) {
        add(database, "ada", &[]);
        let service = serve(database, &[]);
        let page = service.tell_operator(&request("GET", "/desk", &[], b""));
        // With `no-referrer`, browsers would send `Origin: null`.
        assert_eq!(page.header("referrer-policy"), Some("same-origin"));
        let host = ("Host", "192.0.2.7:8485");
        let own = log_in(&service, "ada", PASSWORD, &[host, ("Origin", "http://192.0.2.7:8485")]);
        assert_eq!(own.status, 303, "{own:?}");
        for other in [&[host][..], &[host, ("Origin", "null")], &[host, ("Origin", "http://192.0.2.8:8485")]] {
            let answer = log_in(&service, "ada", PASSWORD, other);
            assert!(answer.status == 403 && answer.body.contains("does not come from a page of the desk"), "{answer:?}");
        }
        assert_eq!(log_in(&service, "ada", PASSWORD, &[SAME]).status, 303);
    }
}
