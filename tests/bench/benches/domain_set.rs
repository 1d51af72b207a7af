//! Measures one look-up in a set of domains that is as large as a large blacklist.
//!
//! `cargo bench -p franking-bench --bench domain_set [ENTRIES]`
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    missing_docs,
    reason = "a program for people at a terminal"
)]

use std::hint::black_box;
use std::time::Instant;

use franking::DomainSet;

const LOOK_UPS: usize = 200_000;
const RUN: usize = 500;

fn main() {
    let count: usize = std::env::args()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(1_000_000);
    let entry = |number: usize| {
        format!(
            "host{:x}.example{}.test",
            number * 2_654_435_761,
            number % 97
        )
    };
    let begun = Instant::now();
    let set = DomainSet::from_entries((0..count).map(entry)).unwrap();
    println!("{} entries, built in {:?}", set.len(), begun.elapsed());

    // Look-ups are spread over the whole set, so that none finds its entry in a cache by chance.
    let spread = |number: usize| entry(number * 7919 % count);
    let hosts = |make: &dyn Fn(String) -> String| -> Vec<String> {
        (0..LOOK_UPS).map(|number| make(spread(number))).collect()
    };
    let kinds = [
        ("an entry itself", hosts(&|entry| entry), true),
        (
            "two labels below an entry",
            hosts(&|entry| format!("www.mail.{entry}")),
            true,
        ),
        ("in upper case", hosts(&|entry| entry.to_uppercase()), true),
        (
            "not listed, three labels",
            hosts(&|entry| format!("x{entry}")),
            false,
        ),
        (
            "not listed, five labels",
            hosts(&|entry| format!("www.mail.x{entry}")),
            false,
        ),
    ];
    for (kind, hosts, expected) in kinds {
        let mut found = 0;
        // The median of many short runs is not affected by what else the machine does.
        let mut runs: Vec<_> = hosts
            .chunks_exact(RUN)
            .map(|run| {
                let begun = Instant::now();
                for host in run {
                    found += usize::from(black_box(&set).is_listed(black_box(host)));
                }
                begun.elapsed()
            })
            .collect();
        runs.sort_unstable();
        let each = runs[runs.len() / 2] / u32::try_from(RUN).unwrap();
        assert_eq!(found, if expected { LOOK_UPS } else { 0 }, "{kind}");
        println!("{kind}: {} ns", each.as_nanos());
    }
}
