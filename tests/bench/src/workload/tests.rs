use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use serde_json::Value;

use super::{MAX_BYTES, Workload};
use crate::world::World;

static WORLD: LazyLock<World> = LazyLock::new(World::new);

fn only_body(workload: &Workload) -> Value {
    serde_json::from_slice(&workload.bodies[0]).expect("the call is JSON")
}

/// Checks that there are 1000 different calls, and that a file can hold one call a line.
fn are_different(workload: &Workload) {
    let different: HashSet<_> = workload.bodies.iter().collect();
    assert_eq!((different.len(), workload.codes.len()), (1_000, 1_000));
    assert!(workload.bodies.iter().all(|body| !body.contains(&b'\n')));
}

fn mean_size(workload: &Workload) -> usize {
    workload.bodies.iter().map(Vec::len).sum::<usize>() / workload.bodies.len()
}

fn html_of(request: &Value) -> String {
    let body = request["body"]
        .as_str()
        .expect("a body is text")
        .replace('+', " ");
    let html = percent_encoding::percent_decode_str(&body).decode_utf8();
    html.expect("the HTML is UTF-8").into_owned()
}

fn addresses_of(request: &Value) -> usize {
    ["to", "cc", "bcc"]
        .iter()
        .filter_map(|name| request[name].as_str())
        .flat_map(|list| list.split(','))
        .filter(|entry| !entry.trim().is_empty())
        .count()
}

#[test]
fn w1_is_1000_different_calls_of_about_680_bytes_with_15_personalization_fields() {
    let workload = Workload::w1(&WORLD);
    are_different(&workload);
    assert!(
        (670..=690).contains(&mean_size(&workload)),
        "{}",
        mean_size(&workload)
    );
    let others = [
        "apiKey",
        "mailerID",
        "from",
        "fromName",
        "email",
        "listName",
        "customField",
        "trackOpens",
        "trackClicks",
    ];
    for body in &workload.bodies {
        let call: Value = serde_json::from_slice(body).expect("the call is JSON");
        let members = call.as_object().expect("an object");
        assert!(others.iter().all(|name| members.contains_key(*name)));
        assert_eq!(members.len() - others.len(), 15);
    }
}

#[test]
fn w2_is_1000_different_newsletters_of_11_kib_of_html_in_15_8_kilobytes() {
    let workload = Workload::w2(&WORLD);
    are_different(&workload);
    assert!(
        (15_750..15_850).contains(&mean_size(&workload)),
        "{}",
        mean_size(&workload)
    );
    for body in &workload.bodies {
        let call: Value = serde_json::from_slice(body).expect("the call is JSON");
        let html = html_of(&call["requests"][0]);
        assert_eq!(html.len(), 11 * 1_024);
        assert_eq!(html.matches(" href=").count(), 20);
        assert_eq!(html.matches(" src=").count(), 8);
        assert_eq!(addresses_of(&call["requests"][0]), 1);
    }
}

#[test]
fn w3_is_one_byte_below_the_limit_with_1000_requests_of_its_own_html() {
    let workload = Workload::w3(&WORLD);
    assert_eq!(workload.bodies[0].len(), MAX_BYTES - 1);
    let call = only_body(&workload);
    let requests = call["requests"].as_array().expect("an array");
    assert_eq!(requests.len(), 1_000);
    let mut different = HashSet::new();
    for request in requests {
        let html = html_of(request);
        assert!((22_000..=26_000).contains(&html.len()), "{}", html.len());
        assert_eq!(html.matches(" href=").count(), 15);
        assert_eq!(html.matches(" src=").count(), 8);
        assert_eq!(addresses_of(request), 3);
        different.insert(html);
    }
    assert_eq!(different.len(), 1_000);
}

#[test]
fn w4_is_100_000_different_calls_in_the_mix_that_it_should_have() {
    let workload = Workload::w4(&WORLD);
    let mut counts = HashMap::new();
    for code in &workload.codes {
        *counts.entry(*code).or_insert(0) += 1;
    }
    let flaws = [402, 412, 602, 478, 442].map(|code| (code, 4_000));
    assert_eq!(counts, flaws.into_iter().chain([(200, 80_000)]).collect());
    let different: HashSet<_> = workload.bodies.iter().collect();
    assert_eq!(different.len(), 100_000);
    let escaped = workload
        .bodies
        .iter()
        .filter(|body| body.windows(2).any(|pair| pair == b"\\/"));
    assert!((49_000..51_000).contains(&escaped.count()));
    assert!(workload.bodies.iter().all(|body| !body.contains(&b'\n')));
    for (body, code) in workload.bodies.iter().zip(&workload.codes) {
        assert_eq!(serde_json::from_slice::<Value>(body).is_err(), *code == 442);
    }
}

#[test]
fn w5_is_50_000_addresses_in_requests_with_bodies_of_165_bytes() {
    let call = only_body(&Workload::w5(&WORLD));
    let requests = call["requests"].as_array().expect("an array");
    assert_eq!(requests.len(), 1_000);
    assert!(
        requests
            .iter()
            .all(|request| request["body"].as_str().map(str::len) == Some(165))
    );
    assert!(requests.iter().all(|request| addresses_of(request) == 50));
}

#[test]
fn a_workload_is_the_same_whenever_it_is_made() {
    let again = World::new();
    for name in ["W1", "W2", "W5-small"] {
        let first = Workload::named(name, &WORLD).expect("a name");
        let second = Workload::named(name, &again).expect("a name");
        assert_eq!(first.bodies, second.bodies);
    }
}
