//! Hostile clients: what they get, and that they do not slow down others.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use crate::support::{Answer, Service, http_send_mail, memory, parse, read, request, send_mailer};

/// Writes a head and `length` bytes of body, all before the answer is read, as most clients do.
fn long(service: &Service, path: &str, length: usize) -> Answer {
    let mut stream = service.connect();
    let head = format!("POST {path} HTTP/1.1\r\nHost: h\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let block = vec![b' '; 1 << 16];
    let mut left = length;
    while left > 0 {
        let written = stream.write(&block[..left.min(block.len())]).unwrap();
        left -= written;
    }
    one(&mut stream)
}

/// Reads one answer from a connection that may stay open.
fn one(stream: &mut TcpStream) -> Answer {
    let mut bytes = Vec::new();
    let mut block = [0; 4096];
    loop {
        let count = stream.read(&mut block).unwrap();
        bytes.extend_from_slice(&block[..count]);
        if let Some(answer) = parse(&bytes) {
            let length: usize = answer.header("content-length").unwrap().parse().unwrap();
            if answer.body.len() == length {
                return answer;
            }
        }
        assert_ne!(count, 0, "the connection ended before the answer");
    }
}

#[test]
fn a_body_over_the_limit_is_refused_and_the_client_can_read_why() {
    let (_folder, service) = Service::of_world(&[]);
    let answer = long(&service, "/v4/httpSendMail.php", (32 << 20) + 1);
    assert_eq!((answer.status, answer.code()), (200, Some(454)));
    let answer = long(&service, "/v4/sendMailer", (1 << 20) + 1);
    assert_eq!((answer.status, answer.code()), (413, None));
    // A body of exactly the limit is read, but spaces are not JSON.
    let answer = long(&service, "/v4/httpSendMail", 32 << 20);
    assert_eq!(answer.code(), Some(475));
    let answer = long(&service, "/v4/sendMailer", 1 << 20);
    assert_eq!(answer.code(), Some(442));
}

#[test]
fn a_body_without_a_length_is_refused_where_it_passes_the_limit() {
    let (_folder, service) = Service::of_world(&[]);
    for (path, status, code) in [
        ("/v4/httpSendMail", 200, Some(454)),
        ("/v4/sendMailer", 413, None),
    ] {
        let mut stream = service.connect();
        let head = format!("POST {path} HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let chunk = [b"10000\r\n".as_slice(), &vec![b' '; 1 << 16], b"\r\n"].concat();
        for _ in 0..(33 << 20) / (1 << 16) {
            stream.write_all(&chunk).unwrap();
        }
        let answer = one(&mut stream);
        assert_eq!((answer.status, answer.code()), (status, code));
    }
}

#[test]
fn a_body_that_never_ends_is_not_read_to_its_end() {
    let (_folder, service) = Service::of_world(&[]);
    let mut stream = service.connect();
    let head = "POST /v4/httpSendMail HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let chunk = [b"10000\r\n".as_slice(), &vec![b' '; 1 << 16], b"\r\n"].concat();
    let mut written = 0_usize;
    while stream.write_all(&chunk).is_ok() {
        written += chunk.len();
        assert!(written < 512 << 20, "half a gigabyte was read");
    }
    let answer = service.post("/v4/sendMailer", &[], &send_mailer("a@customer.example"));
    assert_eq!(answer.code(), Some(200));
}

#[test]
fn an_announced_length_over_the_limit_is_answered_before_the_body_comes() {
    let (_folder, service) = Service::of_world(&[]);
    for (path, status) in [("/v4/httpSendMail", 200), ("/v4/sendMailer", 413)] {
        let mut stream = service.connect();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 99999999999\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        assert_eq!(one(&mut stream).status, status);
    }
}

#[test]
fn an_encoded_body_is_415() {
    let (_folder, service) = Service::of_world(&[]);
    let call = |encoding| {
        let headers = [("Content-Encoding", encoding)];
        service.post(
            "/v4/sendMailer",
            &headers,
            &send_mailer("a@customer.example"),
        )
    };
    assert_eq!(call("gzip").status, 415);
    assert_eq!(call("identity, br").status, 415);
    assert_eq!(call("identity").code(), Some(200));
}

#[test]
fn slow_heads_and_bodies_are_given_up_while_others_are_served() {
    let flags = ["--header-seconds", "5", "--body-seconds", "1"];
    let (_folder, service) = Service::of_world(&flags);
    let mut head = service.connect();
    head.write_all(b"POST /v4/sendMailer HTTP/1.1\r\nHost")
        .unwrap();
    let mut silent = service.connect();
    let mut body = service.connect();
    body.write_all(b"POST /v4/sendMailer HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\n{")
        .unwrap();
    let answer = service.post("/v4/sendMailer", &[], &send_mailer("a@customer.example"));
    assert_eq!(answer.code(), Some(200));
    assert_eq!(read(&mut body).status, 408);
    let mut rest = Vec::new();
    head.read_to_end(&mut rest).unwrap();
    silent.read_to_end(&mut rest).unwrap();
    assert!(
        rest.is_empty() || rest.starts_with(b"HTTP/1.1 408"),
        "{rest:?}"
    );
}

#[test]
fn malformed_requests_and_chunks_end_their_own_connection_only() {
    let (_folder, service) = Service::of_world(&[]);
    let start = b"POST /v4/sendMailer HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
    for rest in [
        b"zz\r\nabc\r\n0\r\n\r\n".as_slice(),
        b"-1\r\nabc\r\n0\r\n\r\n",
        b"ffffffffffffffffff\r\nabc\r\n0\r\n\r\n",
        b"5\r\nabc\r\n0\r\n\r\n",
        b"3;\x00=\xff\nabc",
    ] {
        let mut stream = service.connect();
        stream.write_all(&[start, rest].concat()).unwrap();
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(
            answer.is_empty() || answer.starts_with(b"HTTP/1.1 400"),
            "{rest:?}"
        );
    }
    for head in [
        b"\x16\x03\x01\x00\xa5\x01\x00".as_slice(),
        b"POST /v4/sendMailer HTTP/9.9\r\n\r\n",
        b"POST /v4/sendMailer HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        b"POST /v4/sendMailer HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: x\r\n\r\n",
        &[
            b"GET /".as_slice(),
            &vec![b'a'; 1 << 17],
            b" HTTP/1.1\r\n\r\n",
        ]
        .concat(),
    ] {
        let mut stream = service.connect();
        let _ = stream.write_all(head);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!answer.starts_with(b"HTTP/1.1 200"), "{head:?}");
    }
    let answer = service.post("/v4/sendMailer", &[], &send_mailer("a@customer.example"));
    assert_eq!(answer.code(), Some(200));
}

/// A connection with a request of which only `come` bytes of the body have been sent.
fn begun(service: &Service, length: usize, come: usize) -> TcpStream {
    let mut stream = service.connect();
    let head =
        format!("POST /v4/httpSendMail HTTP/1.1\r\nHost: h\r\nContent-Length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(&vec![b' '; come]).unwrap();
    stream
}

/// A connection with a request whose head the service has read: it asks for the body, of which one byte is then sent.
fn asked(service: &Service) -> TcpStream {
    let mut stream = service.connect();
    let head = "POST /v4/httpSendMail HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n";
    stream.write_all(head.as_bytes()).unwrap();
    let (mut answer, mut byte) = (Vec::<u8>::new(), [0_u8]);
    while !answer.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).unwrap();
        answer.extend(byte);
    }
    assert!(answer.starts_with(b"HTTP/1.1 100 "), "{answer:?}");
    stream.write_all(b" ").unwrap();
    stream
}

#[test]
fn connections_beyond_the_limit_are_told_so_at_once() {
    let (_folder, service) = Service::of_world(&["--max-connections", "8"]);
    // One address may have two connections, and neither of these is idle.
    let held = [asked(&service), asked(&service)];
    let body = send_mailer("a@customer.example");
    let answer = service.post("/v4/sendMailer", &[], &body);
    assert_eq!(answer.status, 503);
    assert_eq!(answer.header("retry-after"), Some("5"));
    let kind = answer.header("content-type");
    assert_eq!(kind, Some("application/problem+json"));
    let length = answer.body.len().to_string();
    assert_eq!(answer.header("content-length"), Some(length.as_str()));
    assert!(answer.body.contains("There are too many connections."));
    drop(held);
    let mut tries = 0;
    while service.post("/v4/sendMailer", &[], &body).code() != Some(200) {
        // clock: until the service has noticed that the connections have ended
        std::thread::sleep(Duration::from_millis(20));
        tries += 1;
        assert!(tries < 1000, "ended connections still count");
    }
}

#[test]
fn idle_connections_make_room_for_every_call() {
    let (_folder, service) = Service::of_world(&["--max-connections", "8"]);
    let mut idle = Vec::new();
    for number in 0..100 {
        idle.push(service.connect());
        let email = format!("a{number}@customer.example");
        let answer = service.post("/v4/sendMailer", &[], &send_mailer(&email));
        assert_eq!(answer.code(), Some(200), "{number}");
    }
}

#[test]
fn stalled_bodies_hold_up_no_short_call_and_make_room_for_a_long_one() {
    let (_folder, service) = Service::of_world(&["--max-held-bytes", "50331648"]);
    let length = 30 << 20;
    // The first body takes most of the budget for long bodies. Both bodies lack their last byte.
    let mut stalled: Vec<_> = (0..2)
        .map(|_| begun(&service, length, length - 1))
        .collect();
    for number in 0..20 {
        let email = format!("a{number}@customer.example");
        let answer = service.post("/v4/sendMailer", &[], &send_mailer(&email));
        assert_eq!(answer.code(), Some(200), "{number}");
    }
    // clock: after a second a body is stalled; a longer time changes nothing
    std::thread::sleep(Duration::from_secs(1));
    assert_eq!(long(&service, "/v4/httpSendMail", length).code(), Some(475));
    let answers: Vec<_> = stalled
        .iter_mut()
        .map(|stream| one(stream).status)
        .collect();
    assert!(
        answers.iter().all(|status| [503, 408].contains(status)),
        "{answers:?}"
    );
}

#[test]
fn a_body_takes_memory_for_what_has_come_and_not_for_what_is_announced() {
    const BODIES: u64 = 32;
    const COME: u64 = 3 << 19;
    let (_folder, service) = Service::of_world(&[]);
    let resident = || memory(service.process.id(), "VmRSS");
    let before = resident();
    let length = 30 << 20;
    let bodies: Vec<_> = (0..BODIES)
        .map(|_| begun(&service, length, usize::try_from(COME).unwrap()))
        .collect();
    let more = || resident().saturating_sub(before);
    let mut tries = 0;
    while more() < BODIES * COME {
        // clock: until what was sent is read
        std::thread::sleep(Duration::from_millis(20));
        tries += 1;
        assert!(tries < 1000, "the bodies are not read");
    }
    // All bodies together would be 960 MB.
    let more = more();
    assert!(more < BODIES * COME * 3, "{more}");
    drop(bodies);
}

#[test]
fn a_call_of_more_recipients_than_may_be_is_413_and_does_nothing() {
    let (_folder, service) = Service::of_world(&["--max-recipients", "3"]);
    let call = |to: &str| service.post("/v4/httpSendMail", &[], &http_send_mail(to));
    let answer = call("a@c.example,b@c.example,c@c.example,d@c.example");
    assert_eq!((answer.status, answer.code()), (413, None));
    assert!(answer.body.contains("too many recipients"), "{answer:?}");
    // A fault in the body is answered before the limit.
    assert_eq!(call("a@c.example,b@c.example,c@c.example,d").status, 200);
    assert_eq!(
        call("a@c.example,b@c.example,c@c.example").code(),
        Some(200)
    );
}

#[test]
fn an_account_over_its_limits_is_429_with_a_time_and_a_wrong_key_is_not() {
    let (_folder, service) = Service::of_world(&["--account-emails-per-second", "1"]);
    let to: Vec<String> = (0..1000)
        .map(|n| format!("a{n}@customer.example"))
        .collect();
    // A call is accepted while some budget is left. The calls after it wait for its emails.
    let first = service.post("/v4/httpSendMail", &[], &http_send_mail(&to.join(",")));
    assert_eq!(first.code(), Some(200));
    let body = send_mailer("b@customer.example");
    let answer = service.post("/v4/sendMailer", &[], &body);
    assert_eq!((answer.status, answer.code()), (429, None));
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((900..=1000).contains(&seconds), "{seconds}");
    let wrong = String::from_utf8(body)
        .unwrap()
        .replace(crate::support::KEY, "wrong");
    assert_eq!(
        service.post("/v4/sendMailer", &[], wrong.as_bytes()).status,
        200
    );
}

#[test]
fn other_names_than_the_settings_are_refused_and_probes_answered() {
    let (_folder, service) = Service::of_world(&["--hosts", "mail.shop.example,[::1]"]);
    let call = |host| {
        let body = send_mailer("a@customer.example");
        service
            .post("/v4/sendMailer", &[("Host", host)], &body)
            .status
    };
    assert_eq!(call("mail.shop.example"), 200);
    assert_eq!(call("MAIL.shop.example:8484"), 200);
    assert_eq!(call("[::1]:8484"), 200);
    assert_eq!(call("attacker.example"), 421);
    assert_eq!(call("mail.shop.example.attacker.example"), 421);
    assert_eq!(service.get("/healthz").status, 200);
    assert_eq!(service.get("/readyz").status, 200);
}

#[test]
fn metrics_count_calls_and_are_on_the_operators_address_alone() {
    let (_folder, service) = Service::of_world(&[]);
    service.post("/v4/sendMailer", &[], &send_mailer("a@customer.example"));
    service.post("/v4/httpSendMail", &[], &http_send_mail("none"));
    service.post("/v4/sendMailer", &[("Content-Encoding", "br")], b"");
    let page = service.metrics();
    for line in [
        r#"franking_calls_total{operation="sendMailer",outcome="200"} 1"#,
        r#"franking_calls_total{operation="httpSendMail",outcome="412"} 1"#,
        r#"franking_turned_away_total{reason="encoding"} 1"#,
        r#"franking_emails_total{operation="sendMailer"} 1"#,
    ] {
        assert!(page.contains(line), "{line} in\n{page}");
    }
    assert!(!page.contains("customer.example") && !page.contains("key-1"));
    assert_eq!(service.get("/metrics").status, 404);
    assert_eq!(service.ask_operator("/readyz", "127.0.0.1").status, 200);
    // A web page with a host name of its own gets nothing (DNS rebinding).
    let answer = service.ask_operator("/metrics", "attacker.example:8485");
    assert_eq!(answer.status, 421);
    let body = send_mailer("a@customer.example");
    let call = request("POST", "/v4/sendMailer", &[], &body);
    let mut stream = TcpStream::connect(service.operator).unwrap();
    stream.write_all(&call).unwrap();
    assert_eq!(read(&mut stream).status, 404);
}
