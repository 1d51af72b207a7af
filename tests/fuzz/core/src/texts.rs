//! Checks that hold for every text: on links, forms, addresses, domains, days, answers, policies.

use std::collections::BTreeSet;

use franking::HtmlEncoding;
use franking::html;
use franking::unstable::text::{address, date, domain, links, placeholder};
use franking::{DomainSet, HostAnswer, Operation, Policy, Preflight, Response};

use crate::corpus::Corpus;
use crate::rng::Rng;
use crate::{Checked, ensure};

/// The hosts that are listed are those that are visited, and include those of the links. Spans are in the HTML.
pub(crate) fn html(corpus: &Corpus, rng: &mut Rng) -> Checked {
    let html = corpus.text(rng);
    let mut visited = BTreeSet::new();
    links::visit_hosts(&html, false, &mut |host| {
        visited.insert(host.to_string());
    });
    let mut linked = BTreeSet::new();
    for link in links::links(&html) {
        ensure!(
            html.get(link.span.clone()).is_some(),
            "a span beside the HTML"
        );
        linked.extend(link.hosts);
    }
    // Soup has hosts that are not in a link.
    ensure!(
        linked.is_subset(&visited),
        "a link has hosts that are not visited"
    );
    let listed = links::hosts(&html);
    ensure!(
        listed.iter().eq(visited.iter()),
        "hosts are listed otherwise"
    );

    let encoded = html::encode(&html);
    let decoded =
        html::decode(&encoded, HtmlEncoding::Always).map_err(|error| error.to_string())?;
    ensure!(decoded.html == html, "what is encoded is not decoded");
    for setting in [HtmlEncoding::Detect, HtmlEncoding::Always] {
        if let Ok(decoded) = html::decode(&html, setting) {
            ensure!(
                decoded.encoding == html::detect(&html, setting),
                "an encoding is detected otherwise"
            );
        }
    }
    let body = serde_json::json!({"ApiKey": "k", "requests": [{"body": encoded}]}).to_string();
    let hosts = Preflight::new(
        &Policy::default(),
        Operation::HttpSendMail,
        body.into_bytes(),
    )
    .hosts();
    let is_alike =
        html::decode(&encoded, HtmlEncoding::Detect).is_ok_and(|detected| detected.html == html);
    ensure!(
        !is_alike || hosts == visited,
        "a preflight lists other hosts"
    );
    Ok(())
}

/// Addresses, lists of them, domains and sets of domains agree with each other.
pub(crate) fn addresses(corpus: &Corpus, rng: &mut Rng) -> Checked {
    let text = corpus.text(rng);
    let mut end = 0;
    for (at, entry) in address::entries(&text) {
        ensure!(
            at.start >= end && text.get(at.clone()) == Some(entry),
            "an entry beside the list"
        );
        end = at.end;
        if let Ok(parsed) = address::parse(entry) {
            let key = parsed.match_key();
            ensure!(
                key.ends_with(&*parsed.domain()),
                "a match key without the domain"
            );
            if let Ok(again) = address::parse(&key) {
                ensure!(again.match_key() == key, "a match key is not its own");
            }
        }
    }
    if let Ok(ascii) = domain::parse(&text) {
        ensure!(
            domain::parse(&ascii).is_ok_and(|again| again == ascii),
            "a domain in ASCII form is another"
        );
    }
    let mut set = DomainSet::new();
    for piece in corpus.text(rng).split([',', ' ', '/']).take(20) {
        if set.insert(piece).is_ok() {
            ensure!(set.is_listed(piece), "an entry is not listed");
        }
    }
    for host in text.split([',', ' ', '/', '@']).take(20) {
        if let Some(host) = domain::host_to_ascii(host) {
            let by_walk = domain::walk(&host).any(|name| set.contains(&name));
            ensure!(
                set.is_listed(&host) == by_walk,
                "the set and the walk disagree"
            );
        }
    }
    Ok(())
}

/// The readers of small forms accept or refuse any text, and a policy is written as it is read.
pub(crate) fn small_forms(corpus: &Corpus, rng: &mut Rng) -> Checked {
    let text = corpus.text(rng);
    ensure!(
        date::is_day(&text) == date::parse_day(&text).is_ok(),
        "a day is judged in two ways"
    );
    if let Ok(answer) = Response::read(&text) {
        ensure!(
            (100..=999).contains(&answer.code.number()),
            "a code of other than three digits"
        );
    }
    let _ = HostAnswer::from_json(&text);
    let given = rng
        .pick(&corpus.policies)
        .map(String::as_bytes)
        .unwrap_or_default()
        .to_vec();
    let given = String::from_utf8_lossy(&corpus.mutated(rng, &given)).into_owned();
    let Ok(policy) = Policy::from_json(&given) else {
        return Ok(());
    };
    let written = policy.to_json();
    let again = Policy::from_json(&written).map_err(|error| error.to_string())?;
    ensure!(
        again.to_json() == written,
        "a policy changes when it is read and written"
    );
    if let Some(found) = placeholder::find(&text, policy.placeholders()) {
        ensure!(text.get(found).is_some(), "a placeholder beside the text");
    }
    Ok(())
}
