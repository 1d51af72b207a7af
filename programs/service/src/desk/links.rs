//! The links of a page.

use serde::Serialize;

use super::pages::{Argument, PAGES, Page};
use super::query::Query;
use super::window::{SKIP, Window};
use crate::command::listing::Cell;
use crate::store::Rights;

/// A link of a page.
#[derive(Serialize)]
pub(super) struct Link {
    pub(super) path: String,
    pub(super) title: String,
    /// Whether it leads to the page that shows it, or to the group of that page.
    pub(super) is_here: bool,
}

impl Link {
    pub(super) fn new(title: &str, path: String) -> Self {
        Self {
            path,
            title: title.to_owned(),
            is_here: false,
        }
    }
}

pub(super) fn to(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    let query = query.extend_pairs(pairs).finish();
    format!("/desk/{path}?{query}")
}

/// Returns a link to the first page of each group, and the links to all pages of the group of `here`.
pub(super) fn navigation(here: Option<&Page>) -> (Vec<Link>, Vec<Link>) {
    let group_of = |page: &Page| {
        let nearest = PAGES.iter().filter(|other| other.group.is_some());
        let mut nearest = nearest.filter(|other| other.noun == page.noun);
        page.group
            .or_else(|| nearest.next().and_then(|other| other.group))
    };
    let here_group = here.and_then(group_of);
    let mut groups = Vec::<Link>::new();
    let mut pages = Vec::new();
    for page in PAGES {
        let Some(group) = page.group else {
            continue;
        };
        let path = format!("/desk/{}", page.path());
        if groups.iter().all(|link| link.title != group) {
            groups.push(Link {
                is_here: here_group == Some(group),
                ..Link::new(group, path.clone())
            });
        }
        if here_group == Some(group) {
            pages.push(Link {
                is_here: here.is_some_and(|here| here.path() == page.path()),
                ..Link::new(page.title, path)
            });
        }
    }
    (groups, pages)
}

/// The link to the rows that come after those of a list, if the list is as long as its limit. A list that is longer than a
/// page goes on with its own rows first.
pub(super) fn next(page: &Page, query: &Query, rows: &[Vec<Cell>]) -> Option<Link> {
    let asks = page.asks();
    let place = asks.argument("before").or_else(|| asks.argument("after"))?;
    let given = |argument: &&Argument| query.get(&argument.name).is_some();
    let mut given = asks.arguments.iter().filter(given);
    if given.any(|argument| argument.conflicts_with(place))
        || !Window::of(Some(query), rows.len()).is_last()
    {
        return None;
    }
    let limit = query
        .get("limit")
        .unwrap_or(&asks.argument("limit")?.default);
    let last = rows.last()?.first()?;
    (rows.len() >= limit.parse().ok()?).then(|| {
        let path = query.without(SKIP).with(&place.name, &last.shown());
        Link::new("Next", format!("?{path}"))
    })
}

/// The link of a cell.
pub(super) fn of_cell(
    page: &Page,
    column: &str,
    text: &str,
    account: Option<&str>,
) -> Option<String> {
    match (column, account) {
        ("account", _) => Some(to("account/show", &[("account", text)])),
        ("call", _) => Some(to("call/show", &[("call", text)])),
        ("delivery", _) => Some(to("delivery/show", &[("delivery", text)])),
        ("number", _) if page.noun == "refused" => Some(to("call/explain", &[("call", text)])),
        ("code", _) if page.noun == "refused" || page.path() == "call/count" => {
            let is_accepted = text == franking::Code::SUCCESS.number().to_string();
            (!is_accepted).then(|| to("refused/list", &[("code", text)]))
        }
        ("rule", _) if page.noun == "refused" => Some(to("refused/list", &[("rule", text)])),
        ("domain", _) if page.path() == "blacklist/list" => {
            Some(to("blacklist/why", &[("host", text)]))
        }
        // On the pages of an account and of a call, this column is a credit.
        ("subscriber", Some(account)) if !["account", "call"].contains(&page.noun) => {
            Some(to("subscriber/show", &[("account", account), ("id", text)]))
        }
        ("mailer", Some(account)) => Some(to("mailer/show", &[("account", account), ("id", text)])),
        ("webhook", Some(account)) => Some(to(
            "webhook/attempts",
            &[("account", account), ("webhook", text)],
        )),
        ("name", Some(account)) if page.noun == "list" => {
            Some(to("list/show", &[("account", account), ("name", text)]))
        }
        _ => None,
    }
}

/// The page whose contents a page shows as well.
pub(super) fn also(page: &Page) -> Option<&'static Page> {
    match (page.noun, page.verb) {
        ("call", "show") => Page::find("call", "explain"),
        _ => None,
    }
}

/// The rules by which blacklists refuse.
const BLACKLIST_RULES: &[franking::Rule] = &[
    franking::Rule::HtmlDomainBlacklisted,
    franking::Rule::SenderDomainBlacklisted,
    franking::Rule::ReplyToDomainBlacklisted,
    franking::Rule::RecipientDomainBlacklisted,
];

/// Links to pages that belong to what a page shows.
pub(super) fn beside(
    page: &Page,
    query: &Query,
    account: Option<&str>,
    rights: Rights,
) -> Vec<Link> {
    match (page.noun, page.verb, account, query.get("call")) {
        ("account", "show", Some(account), _) => {
            let of_account = [
                ("Calls", "call/list"),
                ("Calls by day", "call/count"),
                ("Refused calls", "refused/list"),
                ("Emails", "delivery/list"),
                ("What became of emails", "delivery/count"),
                ("Subscribers", "subscriber/list"),
                ("Suppressions", "suppression/list"),
                ("Readers who have unsubscribed", "unsubscribed/list"),
                ("Stored emails", "mailer/list"),
                ("Senders", "sender/list"),
                ("Lists", "list/list"),
                ("Keys", "key/list"),
                ("Webhooks", "webhook/list"),
            ];
            let of_account = of_account.into_iter();
            of_account
                .map(|(title, path)| Link::new(title, to(path, &[("account", account)])))
                .collect()
        }
        ("call", "show", Some(account), Some(call)) => vec![
            Link::new(
                "Emails of this call",
                to("delivery/list", &[("account", account), ("call", call)]),
            ),
            Link::new("What was left out", to("call/left-out", &[("call", call)])),
        ],
        ("mailer", "show", Some(account), _) if rights.unmask => {
            let mailer = query.get("id").unwrap_or_default();
            let pairs = [("account", account), ("id", mailer)];
            vec![Link::new("Preview", to("preview", &pairs))]
        }
        ("refused", "list", _, _) => {
            let rule = query.get("rule").into_iter();
            let counted = rule.map(|rule| to("refused/count", &[("rule", rule)]));
            counted
                .map(|path| Link::new("Counted by account", path))
                .collect()
        }
        ("blacklist", "why", _, _) => {
            let rules = BLACKLIST_RULES.iter().map(|rule| rule.identifier());
            rules
                .map(|rule| {
                    let title = format!("Calls refused by {rule}");
                    Link::new(&title, to("refused/list", &[("rule", rule)]))
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Links to the actions that an operator can take on a page.
pub(super) fn actions(page: &Page, query: &Query, account: Option<&str>) -> Vec<Link> {
    let paths: &[&str] = match (page.noun, page.verb) {
        ("queue", "show") => &["queue/pause", "queue/resume", "queue/retry", "queue/cancel"],
        ("account", "show") => &[
            "queue/pause",
            "queue/resume",
            "queue/retry",
            "queue/cancel",
            "account/state",
            "account/credit",
        ],
        ("call", "show") => &["queue/retry", "queue/cancel"],
        ("delivery", "show") => &["delivery/resend"],
        ("key", "list") => &["key/revoke"],
        ("webhook", "list" | "attempts") => {
            &["webhook/replay", "webhook/enable", "webhook/disable"]
        }
        ("subscriber", "list") => &["subscriber/erase"],
        ("subscriber", "show") => &["subscriber/set", "suppression/lift", "subscriber/erase"],
        ("suppression", "list") => &["suppression/lift"],
        ("unsubscribed", "list") => &["unsubscribed/lift"],
        ("blacklist", "list" | "why") => &["blacklist/set", "blacklist/remove"],
        _ => &[],
    };
    let pages = paths.iter().filter_map(|path| {
        let (noun, verb) = path.split_once('/')?;
        Page::find(noun, verb)
    });
    pages
        .map(|action| {
            Link::new(
                action.title,
                to(&action.path(), &known(page, action, query, account)),
            )
        })
        .collect()
}

/// The arguments of an action that a page already knows.
fn known<'a>(
    page: &Page,
    action: &Page,
    query: &'a Query,
    account: Option<&'a str>,
) -> Vec<(&'a str, &'a str)> {
    let asks = |name: &str| action.asks().argument(name).is_some();
    // An action on a call takes the call and not its account.
    let of_call = page.noun == "call";
    let mut known = Vec::new();
    known.extend(
        account
            .filter(|_| asks("account") && !of_call)
            .map(|account| ("account", account)),
    );
    let same = [
        ("call", "call"),
        ("delivery", "delivery"),
        ("webhook", "webhook"),
        ("host", "domain"),
        ("id", "id"),
        ("id", "subscriber"),
    ];
    for (own, other) in same {
        known.extend(
            query
                .get(own)
                .filter(|_| asks(other))
                .map(|value| (other, value)),
        );
    }
    known
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    #[test]
    fn every_action_is_offered_by_a_page_that_looks() {
        let offered: Vec<String> = PAGES
            .iter()
            .flat_map(|page| actions(page, &Query::default(), Some("1")))
            .map(|link| link.path)
            .collect();
        for page in PAGES.iter().filter(|page| page.acts()) {
            let path = format!("/desk/{}?", page.path());
            assert!(
                offered.iter().any(|link| link.starts_with(&path)),
                "{page:?}"
            );
        }
    }

    #[test]
    fn the_rows_after_a_list_have_a_link_if_its_command_can_go_on() {
        let onward = |verb: [&str; 2], query: &str| {
            let page = Page::find(verb[0], verb[1]).unwrap();
            let rows = [vec![Cell::from(9)]];
            next(page, &Query::of(query), &rows).map(|link| link.path)
        };
        let emails = ["delivery", "list"];
        let before = onward(emails, "account=1&limit=1&skip=0").unwrap();
        assert_eq!(before, "?account=1&limit=1&before=9");
        assert_eq!(onward(emails, "account=1&limit=2"), None);
        assert_eq!(onward(emails, "account=1&limit=1&queued=on"), None);
        let readers = ["subscriber", "list"];
        let after = onward(readers, "account=1&limit=1").unwrap();
        assert_eq!(after, "?account=1&limit=1&after=9");
        let one = "account=1&limit=1&address=a%40b.example";
        assert_eq!(onward(readers, one), None);
    }

    #[test]
    fn an_action_is_given_what_its_page_knows() {
        let page = Page::find("webhook", "attempts").unwrap();
        let query = Query::of("account=7&webhook=3");
        let replay = &actions(page, &query, Some("7"))[0];
        assert_eq!(replay.path, "/desk/webhook/replay?account=7&webhook=3");
        let page = Page::find("call", "show").unwrap();
        let cancel = &actions(page, &Query::of("call=9"), Some("7"))[1];
        assert_eq!(cancel.path, "/desk/queue/cancel?call=9");
    }
}
