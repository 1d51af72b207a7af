use super::*;
use alloc::string::String;
use alloc::vec::Vec;

fn hosts(text: &str) -> Vec<String> {
    let mut hosts = Vec::new();
    visit(text, &mut |host| hosts.push(host.into()));
    hosts.sort();
    hosts.dedup();
    hosts
}

fn finds(text: &str, host: &str) {
    assert!(hosts(text).iter().any(|found| found == host), "{text}: {:?}", hosts(text));
}
