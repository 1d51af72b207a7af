//! A commit whose answer is lost, while the database cannot be asked: what clients are told.

use crate::databases::SERVER;
use crate::proxy::Proxy;
use crate::returned::wait;
use crate::support::{Answer, Service, database::Database, http_send_mail, world};

/// A service whose connection to its database can be cut, and the database over a direct connection.
fn serve() -> Option<(Service, Proxy, Database)> {
    let server = SERVER.as_ref()?;
    let database = Database::postgres(&world("world.json"))?;
    let proxy = Proxy::start(server.folder());
    let [name, address] = database.flags();
    let [direct, proxied] =
        [server.folder(), proxy.folder()].map(|folder| folder.to_str().unwrap());
    let address = address.replace(direct, proxied);
    let folder = tempfile::tempdir().unwrap();
    let service = Service::start(folder.path(), &[name, &address]);
    Some((service, proxy, database))
}

fn assert_unknown(answer: &Answer) {
    assert_eq!((answer.status, answer.code()), (503, None), "{answer:?}");
    assert!(answer.body.contains("unknown"), "{answer:?}");
}

#[test]
fn without_a_key_it_is_503_without_retry_after_because_a_repeat_could_send_twice() {
    let Some((service, proxy, database)) = serve() else {
        return;
    };
    proxy.cut(true);
    let body = http_send_mail("a@customer.example");
    let answer = service.post("/v4/httpSendMail", &[], &body);
    assert_unknown(&answer);
    assert_eq!(answer.header("retry-after"), None);
    // The call was carried out: repeating it would have sent the email again.
    assert_eq!(database.calls().len(), 1);
}

#[test]
fn with_a_key_it_is_503_with_retry_after_and_the_repeat_gets_the_first_call_s_answer() {
    let Some((service, proxy, database)) = serve() else {
        return;
    };
    proxy.cut(true);
    let body = http_send_mail("a@customer.example");
    let key = [("Idempotency-Key", "k")];
    let answer = service.post("/v4/httpSendMail", &key, &body);
    assert_unknown(&answer);
    assert_eq!(answer.header("retry-after"), Some("5"));
    proxy.open();
    let mut again = service.post("/v4/httpSendMail", &key, &body);
    // Connections that were lost are made anew.
    wait("the repeat is not decided", || {
        let is_decided = ![503, 409].contains(&again.status);
        if !is_decided {
            again = service.post("/v4/httpSendMail", &key, &body);
        }
        is_decided
    });
    assert_eq!(again.code(), Some(200), "{again:?}");
    assert_eq!(again.header("idempotent-replayed"), Some("true"));
    assert_eq!(database.calls().len(), 1);
}
