//! Logging in with browsers and proxies of different kinds.

use super::{PASSWORD, SAME, add, log_in};
use crate::support::database::on_both;
use crate::support::{Service, request};
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

    fn behind_a_proxy_with_tls_the_cookie_is_for_tls_alone(database: &Database) {
        add(database, "ada", &[]);
        let is_secure = |service: &Service, headers: &[(&str, &str)]| {
            let answer = log_in(service, "ada", PASSWORD, &[headers, &[SAME]].concat());
            assert_eq!(answer.status, 303, "{answer:?}");
            answer.header("set-cookie").unwrap().contains("; Secure")
        };
        let said = |scheme| ("X-Forwarded-Proto", scheme);
        let service = serve(database, &["--trusted-proxies", "127.0.0.1/32"]);
        for headers in [&[said("https")][..], &[said("http, HTTPS")], &[said("http"), said("https")]] {
            assert!(is_secure(&service, headers), "{headers:?}");
        }
        for headers in [&[][..], &[said("http")], &[said("https, http")], &[said("https"), said("http")]] {
            assert!(!is_secure(&service, headers), "{headers:?}");
        }
        drop(service);
        let service = serve(database, &[]);
        assert!(!is_secure(&service, &[said("https")]));
    }
}
