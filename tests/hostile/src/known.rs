//! The kinds of body that take more than [`crate::work::MOST_EACH`] instructions for each byte, grouped by reason. The table
//! in `docs/limits.md` has the same reasons.

/// A reason why some kinds of body take more instructions.
pub(crate) struct Reason {
    why: &'static str,
    /// The most instructions that they take for each byte.
    most: u32,
    kinds: &'static [&'static str],
}

/// Every reason. A body that leads to a question to the host every few bytes has to take some instructions for each
/// question.
pub(crate) const KNOWN: &[Reason] = &[
    Reason {
        why: "every few bytes lead to a finding with its place",
        most: 1300,
        kinds: &[
            "one key repeated in every request",
            "different names, each twice",
            "different names with escapes, each twice",
            "many empty requests",
            "many requests that are not objects",
            "many requests of one address",
            "hidden hosts that are asked about",
            "malformed short addresses",
        ],
    },
    Reason {
        why: "each parent of a domain is looked up",
        most: 1300,
        kinds: &["domains of many labels", "hosts of many labels"],
    },
    Reason {
        why: "each host or domain beyond ASCII is converted on its own",
        most: 2300,
        kinds: &[
            "different international addresses",
            "different international domains",
            "words of different www. in each other beyond ASCII",
            "soup of different www. in each other beyond ASCII",
            "URLs of many labels beyond ASCII",
            "soup of different hosts beyond ASCII with each end",
            "soup of different long hosts beyond ASCII with each end",
            "different domains of rare letters",
            "different links to hosts of rare letters",
            "soup of different hosts of rare letters",
            "different labels of Punycode",
        ],
    },
    Reason {
        why: "each host has labels beyond ASCII that the DNS cannot carry, and is read up to every kind of end",
        most: 2800,
        kinds: &[
            "soup of refused hosts from right to left",
            "soup of refused long labels with each end",
        ],
    },
    Reason {
        why: "every few bytes have a document in the HTML, or a domain that counts as a host",
        most: 1300,
        kinds: &[
            "different domains in text that count as hosts",
            "soup of domains that count as hosts",
            "soup of empty documents in links",
        ],
    },
    Reason {
        why: "each start of a host is read up to every kind of end, in each of the four texts of the HTML",
        most: 1400,
        kinds: &[
            "soup of one long host",
            "soup of hosts beyond ASCII",
            "soup of hosts that share an end beyond ASCII",
            "words of links beyond ASCII",
            "soup of long hosts beyond ASCII",
            "soup of references in hosts beyond ASCII",
            "soup of hosts beyond ASCII with each end",
            "soup of different hosts with each end",
            "soup of everything that changes a text, at its end",
            "soup of marks that escapes write",
            "soup of everything",
            "soup of linked data",
        ],
    },
    Reason {
        why: "the body has parts of the costliest kinds",
        most: 900,
        kinds: &[
            "a mixture of everything",
            "a mixture, 1",
            "a mixture, 2",
            "a mixture, 3",
            "a mixture, 4",
        ],
    },
];

fn reason(body: &str) -> Option<&'static Reason> {
    KNOWN.iter().find(|reason| reason.kinds.contains(&body))
}

/// The most instructions that deciding and checking a kind of body take for each byte.
pub(crate) fn most(body: &str) -> f64 {
    reason(body).map_or(crate::work::MOST_EACH, |reason| f64::from(reason.most))
}

/// Why a kind of body may take more than others, for the message of a failure.
pub(crate) fn why(body: &str) -> &'static str {
    reason(body).map_or("as for most kinds", |reason| reason.why)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bodies;

    #[test]
    fn the_page_says_what_is_known_to_take_more() {
        let page = include_str!("../../../docs/limits.md");
        let row = |reason: &Reason| {
            let Reason { why, most, kinds } = reason;
            let kinds = kinds.len();
            format!(
                "| Where {why} ({kinds} kinds): {most} instructions for each byte | `the_page_says_what_is_known_to_take_more` |"
            )
        };
        let expected: Vec<String> = KNOWN.iter().map(row).collect();
        let is_row = |line: &&str| line.starts_with("| Where ");
        let said: Vec<&str> = page.lines().filter(is_row).collect();
        assert_eq!(said, expected);
    }

    #[test]
    fn what_is_known_is_a_kind_of_body() {
        for kind in KNOWN.iter().flat_map(|reason| reason.kinds) {
            assert!(bodies::all().any(|body| body.name == *kind), "{kind}");
        }
    }
}
