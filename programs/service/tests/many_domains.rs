//! Calls that ask about very many domains: a short host can have more than a hundred parents.

use crate::support::database::on_both;
use crate::support::{links_to, memory};

/// The number of links of a call.
const LINKS: usize = 6_000;

on_both! {
    fn a_call_of_very_many_domains_takes_little_more_memory_than_one_of_few(database: &Database) {
        let service = database.serve(&["--transport", "none"]);
        let most_after = |hosts: usize| {
            let body = links_to("news@shop.example", (0..LINKS).map(|link| link % hosts));
            let answer = service.post("/v4/httpSendMail", &[], &body);
            assert_eq!(answer.code(), Some(200), "{answer:?}");
            memory(service.process.id(), "VmHWM")
        };
        let before = most_after(1);
        // The texts of the 666,000 names are together 80 MB long.
        let more = most_after(LINKS).saturating_sub(before);
        println!("{} KB more", more >> 10);
        assert!(more < 64 << 20, "{more}");
    }
}
