use super::*;
use alloc::string::ToString;

#[test]
fn routes_both_spellings_of_http_send_mail_after_any_base_path() {
    for path in [
        "/v4/httpSendMail",
        "/v4/httpSendMail.php",
        "/a/b/v4/httpSendMail",
        "/a/v4/httpSendMail.php?q",
    ] {
        assert_eq!(
            route("POST", path),
            Some(Route::Call(Operation::HttpSendMail)),
            "{path}"
        );
    }
}

#[test]
fn a_method_that_is_not_exactly_post_is_a_401_on_a_known_path_only() {
    for method in ["GET", "post", "Post", "PUT", "", "POST "] {
        assert_eq!(
            route(method, "/v4/sendMailer"),
            Some(Route::WrongMethod(Operation::SendMailer)),
            "{method}"
        );
        assert_eq!(route(method, "/v4/other"), None);
    }
}

#[test]
fn paths_that_only_resemble_an_operation_have_no_route() {
    for path in [
        "/v4/sendMailer/",
        "/v4/sendmailer",
        "/v4/sendMailer.php",
        "/v40/sendMailer",
        "/xv4/sendMailer",
        "",
    ] {
        assert_eq!(route("POST", path), None, "{path}");
    }
}

#[test]
fn the_headers_of_a_deprecation_name_the_end_of_its_last_day() {
    for deprecation in Operation::ALL.iter().filter_map(|one| one.deprecation()) {
        let seconds = deprecation.deprecation.strip_prefix('@').unwrap();
        let moment = jiff::Timestamp::from_second(seconds.parse().unwrap()).unwrap();
        assert_eq!(
            moment.to_string(),
            alloc::format!("{}T23:59:59Z", deprecation.last_day)
        );
        let sunset = moment.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
        assert_eq!(deprecation.sunset, sunset);
    }
}

#[test]
fn the_last_day_is_still_open() {
    let day = |text| parse_day(text).unwrap();
    assert!(!Operation::HttpSendMail.is_past_last_day(day("2024-04-30")));
    assert!(Operation::HttpSendMail.is_past_last_day(day("2024-05-01")));
    assert!(!Operation::SendMailer.is_past_last_day(day("9999-12-31")));
}
