//! Verifies posts with other libraries for Standard Webhooks, and their signatures with this one.

use std::io::Write as _;
use std::process::{Command, Stdio};

use franking::webhook::{Headers, Secret, verify};
use serde_json::json;

use super::endpoint::{Does, Endpoint};
use super::{add, send, serve, wait};
use crate::support::database::Database;
use crate::support::world;

/// Posts are verified by npm's standardwebhooks and by the verifier of docs/events.md. The signatures of standardwebhooks
/// are verified here.
#[test]
#[ignore = "it needs packages of npm: tests/description/prove.sh"]
fn standardwebhooks_of_npm_verifies_posts_and_its_signatures_are_verified() {
    let script = std::env::var("DESCRIPTION_WEBHOOKS");
    let script = script.expect("run tests/description/prove.sh, which sets DESCRIPTION_WEBHOOKS");
    let database = Database::sqlite(&world("world.json"));
    let endpoint = Endpoint::that(Does::Answers(204));
    let (_, secret) = add(&database, &endpoint, &[]);
    let service = serve(&database);
    send(&service, 50);
    wait("events are not posted", || endpoint.posts().len() == 50);
    let posts = endpoint.posts();
    let mut node = Command::new("node")
        .args([&script, &secret])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = node.stdin.take().unwrap();
    for post in &posts {
        let headers: serde_json::Map<_, _> = post
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), json!(value)))
            .collect();
        let body = std::str::from_utf8(&post.body).unwrap();
        writeln!(input, "{}", json!({"headers": headers, "body": body})).unwrap();
    }
    drop(input);
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    let theirs = String::from_utf8(output.stdout).unwrap();
    let theirs: Vec<&str> = theirs.lines().collect();
    assert_eq!(theirs.len(), posts.len());
    let secrets = [Secret::parse(&secret).unwrap()];
    for (post, theirs) in posts.iter().zip(theirs) {
        let sent = post.header("webhook-timestamp");
        let headers = Headers::read([
            ("webhook-id", post.header("webhook-id")),
            ("webhook-timestamp", sent),
            ("webhook-signature", theirs),
        ]);
        let now = sent.parse().unwrap();
        assert_eq!(
            verify(&secrets, &headers.unwrap(), &post.body, now, 0),
            Ok(())
        );
    }
}
