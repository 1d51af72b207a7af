//! The kinds of body that take more than [`crate::work::MOST_EACH`] instructions for each byte: what each takes at most, and why.
//! `docs/limits.md` says the same.

/// A kind of body, its most instructions for each byte, and why they are not fewer.
pub(crate) const KNOWN: &[(&str, u32, &str)] = &[
    (
        "one key repeated in every request",
        500,
        "each of a few bytes is a finding with a place",
    ),
    (
        "different names, each twice",
        500,
        "each of a few bytes is a finding with a place",
    ),
    (
        "different names with escapes, each twice",
        600,
        "each of a few bytes is a finding with a place",
    ),
    ("domains of many labels", 600, "each parent is looked up"),
    (
        "malformed addresses",
        500,
        "each of a few bytes is a violation with a place",
    ),
    (
        "malformed short addresses",
        1300,
        "each of a few bytes is a violation with a place",
    ),
    (
        "different international addresses",
        900,
        "each host or domain beyond ASCII is converted for itself",
    ),
    (
        "different international domains",
        1200,
        "each host or domain beyond ASCII is converted for itself",
    ),
    (
        "escaped commas",
        500,
        "each of a few bytes is an address or a host to judge",
    ),
    (
        "escaped addresses, one address",
        500,
        "each of a few bytes is an address or a host to judge",
    ),
    (
        "links to one host",
        500,
        "each of a few bytes is an address or a host to judge",
    ),
    (
        "different links",
        500,
        "each of a few bytes is an address or a host to judge",
    ),
    ("hosts of many labels", 1300, "each parent is looked up"),
    (
        "soup of hosts and tags",
        500,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "soup of one long host",
        1100,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "soup of hosts beyond ASCII",
        1500,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "soup of hosts that share an end beyond ASCII",
        1400,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "words of links beyond ASCII",
        800,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "words of one long link beyond ASCII",
        600,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "words of different www. in each other beyond ASCII",
        2100,
        "each host or domain beyond ASCII is converted for itself",
    ),
    (
        "soup of different www. in each other beyond ASCII",
        1900,
        "each host or domain beyond ASCII is converted for itself",
    ),
    (
        "URLs of many labels beyond ASCII",
        1000,
        "each host or domain beyond ASCII is converted for itself",
    ),
    (
        "soup of long hosts beyond ASCII",
        1100,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "soup of references in hosts beyond ASCII",
        1200,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "soup of hosts beyond ASCII with each end",
        600,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "soup of different hosts with each end",
        800,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "soup of different hosts beyond ASCII with each end",
        800,
        "each host or domain beyond ASCII is converted for itself",
    ),
    (
        "soup of different long hosts with each end",
        900,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "soup of different long hosts beyond ASCII with each end",
        800,
        "each host or domain beyond ASCII is converted for itself",
    ),
    (
        "soup of punctuation",
        500,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "soup of ports",
        700,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "soup of users",
        500,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "soup of everything that changes a text, at its end",
        1500,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "soup of everything",
        1100,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "soup of linked data",
        500,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "soup in conditional comments",
        600,
        "each start is read up to each kind of end, in each text",
    ),
    (
        "many empty requests",
        1200,
        "each of a few bytes is a finding with a place",
    ),
    (
        "many requests that are not objects",
        1000,
        "each of a few bytes is a finding with a place",
    ),
    (
        "many requests of one address",
        500,
        "each of a few bytes is a finding with a place",
    ),
    (
        "a mixture of everything",
        1000,
        "it has parts of the dearest kinds",
    ),
    ("a mixture, 1", 1100, "it has parts of the dearest kinds"),
    ("a mixture, 2", 1000, "it has parts of the dearest kinds"),
    ("a mixture, 3", 900, "it has parts of the dearest kinds"),
    ("a mixture, 4", 700, "it has parts of the dearest kinds"),
    (
        "a mixture with soup of everything",
        500,
        "it has parts of the dearest kinds",
    ),
    (
        "a mixture with soup, 1",
        500,
        "it has parts of the dearest kinds",
    ),
    (
        "different domains of rare letters",
        1300,
        "each host or domain beyond ASCII is converted for itself",
    ),
    (
        "different links to hosts of rare letters",
        1000,
        "each host or domain beyond ASCII is converted for itself",
    ),
    (
        "soup of different hosts of rare letters",
        900,
        "each host or domain beyond ASCII is converted for itself",
    ),
];

/// The most instructions that deciding and checking a kind of body take for each byte.
pub(crate) fn most(body: &str) -> f64 {
    let known = KNOWN.iter().find(|(name, _, _)| *name == body);
    known.map_or(crate::work::MOST_EACH, |(_, most, _)| f64::from(*most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_says_what_is_known_to_take_more() {
        let page = include_str!("../../../docs/limits.md");
        let row = |(name, most, why): &(&str, u32, &str)| {
            format!(
                "| {name}: {most} instructions for each byte, since {why} | `the_page_says_what_is_known_to_take_more` |"
            )
        };
        let expected: Vec<String> = KNOWN.iter().map(row).collect();
        let is_row = |line: &&str| line.contains(" instructions for each byte, since ");
        let said: Vec<&str> = page.lines().filter(is_row).collect();
        assert_eq!(said, expected);
    }
}
