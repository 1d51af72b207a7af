//! The page about links says what the scanner does: each row of its tables has an example and the hosts in it.

use std::collections::BTreeSet;

use franking::html::hosts;

const PAGE: &str = include_str!("../../docs/links.md");

#[test]
fn every_example_of_the_page_holds_the_hosts_that_it_says() {
    let mut examples = 0;
    for line in PAGE.lines() {
        let Some((row, expected)) = line
            .strip_suffix("` |")
            .and_then(|line| line.rsplit_once("` | `"))
        else {
            continue;
        };
        let Some((_, example)) = row.split_once(" | `") else {
            panic!("no example: {line}")
        };
        // Within a table a bar is escaped.
        let example = example.replace("\\|", "|");
        let found: BTreeSet<String> = hosts(&example).iter().map(String::from).collect();
        let expected: BTreeSet<String> = expected
            .split(' ')
            .filter(|host| *host != "-")
            .map(str::to_owned)
            .collect();
        assert_eq!(found, expected, "{line}");
        examples += 1;
    }
    assert!(examples > 70, "{examples} examples");
}
