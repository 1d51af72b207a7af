//! `docs/rules.md` is generated from the rule table. This test fails when the page is out of date.
//!
//! `FRANKING_WRITE=1 cargo test -p franking --test behaviour rules_page` generates it again.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::support::vectors;
use franking::{Code, Operation, Phase, Rule, WarningKind};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/rules.md");

const ORDER: &str = "\
# Rules

<!-- `make pages` writes this page from the tables in core/src/rule.rs, core/src/code.rs and core/src/warning.rs. -->

A *rule* is one thing that can be wrong with a call. A *violation* is a rule that a call breaks, at one place. Exactly one code
answers a call, however much is wrong with it. This page says which code that is, and what each code means:
[the rules](#the-rules), [codes](#codes).

## Which rule wins

1. **The earlier phase.** The phases are those of the table below. A decision judges a phase only when the call has broken no rule of
   an earlier phase, and asks the host only for what that phase needs. So a caller without a valid key learns only that, and a call
   that its own content refuses costs no look-up of facts. A preflight asks nobody: it lists the violations of all phases that the
   bytes show, in this order.
2. **Within a phase, the call before its requests**, and the requests of httpSendMail in their order in the call. An earlier request
   wins whatever the codes.
3. **Within one request, the lowest code.** In a call of sendMailer, too, the lowest code of the phase wins. The one exception is 442,
   which comes last in its phase, because on sendMailer it means every fault that has no code of its own.
4. **Within one code, the order of the rules on this page**, then the order of the fields in the interface (not in the
   body), then the position: of an entry in its list, of a repeated name in the body.

In a batch that may be accepted in part, the same order decides which violation is listed for a request or an address that is left
out, and which violation answers a call of which nothing remains. The column *refuses* says what is left out: the call, a request, or
one address.
";

const PHASES: &str = "\
| phase | name | asks the host | judges |
|---|---|---|---|
| 1 | transport | nothing | method, retirement, size, JSON |
| 2 | authentication | the account, unless the key is missing | the key |
| 3 | account | (the same answer) | whether the account may send |
| 4 | content | nothing | what the body alone shows |
| 5 | facts | one batch of questions | what only the host knows |
| 6 | credit | (the account's answer) | whether the credits suffice |
| 7 | commit | to carry the plan out | what has changed meanwhile |
";

const EXAMPLES: &str = "
## Examples

For each rule, this table has the shortest call of the [test cases](conformance.md) that is refused by it. If a policy or facts of the
service decide, the test case has them as well, and the call alone does not show them.

| rule | operation | code | place | call |
|---|---|---|---|---|
";

/// The shortest call of the vectors that is refused by each rule, as a row of the table.
fn examples() -> BTreeMap<String, String> {
    // What a table can show.
    let is_shown = |c: char| {
        (c.is_ascii_graphic() && !matches!(c, '`' | '|')) || c == ' ' || c.is_alphabetic()
    };
    let mut shortest = BTreeMap::<String, (usize, String)>::new();
    for (_, vector) in vectors::rows() {
        let (case, expect) = (&vector["case"], &vector["expect"]);
        let (Some(rule), Some(body)) = (expect["rule"].as_str(), case["body"].as_str()) else {
            continue;
        };
        if case["do"] != "decide" || body.is_empty() || !body.chars().all(is_shown) {
            continue;
        }
        let place = match expect["pointer"].as_str() {
            None => String::new(),
            Some("") => "the body".to_owned(),
            Some(pointer) => format!("`{pointer}`"),
        };
        let operation = case["operation"].as_str().unwrap();
        let (code, call) = (&expect["code"], body.trim());
        let row = format!("| `{rule}` | {operation} | {code} | {place} | `{call}` |");
        let best = shortest.get(rule).map_or(usize::MAX, |(length, _)| *length);
        if body.len() < best {
            shortest.insert(rule.to_owned(), (body.len(), row));
        }
    }
    let rows = shortest.into_iter();
    rows.map(|(rule, (_, row))| (rule, row)).collect()
}

/// The page, generated from the tables.
fn page() -> String {
    let mut page = ORDER.to_string();
    page.push_str("\n## Phases\n\n");
    page.push_str(PHASES);
    page.push_str(
        "\nIn phase 7 the rules subscriber-inactive, subscriber-unknown (sendMailer), subscriber-credit-low and \
         email-credit-low can be\nfound broken once more: the host has met them when it carried the plan out.\n",
    );
    page.push_str("\n## The rules\n");
    for phase in Phase::ALL.iter().copied() {
        writeln!(page, "\n### Phase {}: {}\n", phase.number(), phase.name()).unwrap();
        page.push_str(
            "| rule | number | sendMailer | httpSendMail | refuses | fields | broken when | what to do |\n",
        );
        page.push_str("|---|---|---|---|---|---|---|---|\n");
        for rule in Rule::ALL.iter().filter(|rule| rule.phase() == phase) {
            writeln!(page, "{}", row(*rule)).unwrap();
        }
    }
    page.push_str(
        "\nNumbers are what C programs see. They are never changed and never used again, so they do not follow the \
         order of the page\nwhere a rule was added later.\n",
    );
    page.push_str(EXAMPLES);
    let examples = examples();
    for rule in Rule::ALL {
        writeln!(page, "{}", examples[rule.identifier()]).unwrap();
    }
    page.push_str("\n## Warnings\n\nA preflight gives them. They never change the code.\n\n");
    page.push_str("| warning | number | given when |\n|---|---|---|\n");
    for kind in WarningKind::ALL {
        let (identifier, number, meaning) = (kind.identifier(), kind.number(), kind.meaning());
        writeln!(page, "| `{identifier}` | {number} | {meaning} |").unwrap();
    }
    page.push_str(CODES);
    for operation in Operation::ALL.iter().copied() {
        writeln!(page, "\n### {}\n", operation.name()).unwrap();
        page.push_str("| code | meaning | trying again | rules |\n|---|---|---|---|\n");
        for code in Code::all(operation) {
            let rules = Rule::ALL.iter();
            let rules = rules.filter(|rule| rule.code(operation) == Some(code));
            let rules: Vec<String> = rules.map(|rule| format!("`{rule}`")).collect();
            writeln!(
                page,
                "| {code} | {} | {} | {} |",
                code.meaning(operation).unwrap(),
                code.retry(operation).unwrap().name(),
                rules.join(", ")
            )
            .unwrap();
        }
    }
    page
}

const CODES: &str = "
## Codes

The meanings are those of the interface. *Trying again* says whether the same call can get another answer:
`accepted`: it was accepted, so it would be sent twice; `change-the-call`: it will be refused again; \
`change-the-account`: it
may pass once the account, a subscriber or a list has been changed; `may-help`: something changed while it was judged,
so it may pass at once. Codes without a rule are outcomes of emails, or success; they never refuse a call.
";

fn row(rule: Rule) -> String {
    let code = |operation| {
        rule.code(operation)
            .map_or("-".to_string(), |code| code.to_string())
    };
    let fields: Vec<String> = rule
        .fields()
        .iter()
        .map(|field| format!("`{field}`"))
        .collect();
    format!(
        "| `{}` | {} | {} | {} | {} | {} | {} | {} |",
        rule.identifier(),
        rule.number(),
        code(Operation::SendMailer),
        code(Operation::HttpSendMail),
        rule.scope(Operation::HttpSendMail).name(),
        fields.join(", "),
        rule.meaning(),
        rule.remedy(),
    )
}

#[test]
fn the_page_of_rules_is_what_the_tables_say() {
    let page = page();
    if std::env::var_os("FRANKING_WRITE").is_some() {
        std::fs::write(PAGE, &page).unwrap();
    }
    let written = std::fs::read_to_string(PAGE).unwrap_or_default();
    let first_difference = page
        .lines()
        .zip(written.lines().chain(std::iter::repeat("")))
        .find(|(new, old)| new != old);
    assert!(
        page == written,
        "docs/rules.md is stale: run FRANKING_WRITE=1 cargo test -p franking --test behaviour rules_page; first difference \
         (new, old): {first_difference:?}"
    );
}

#[test]
fn no_text_of_the_tables_breaks_a_row_of_the_page() {
    for rule in Rule::ALL {
        for text in [rule.meaning(), rule.remedy()] {
            assert!(!text.contains(['|', '\n']), "{rule}: {text}");
        }
    }
    for kind in WarningKind::ALL {
        assert!(!kind.meaning().contains(['|', '\n']), "{kind}");
    }
}
