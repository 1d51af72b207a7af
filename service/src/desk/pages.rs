//! The pages, each of which is a command that looks: what it asks for, where its cells lead, and what else there is to see.

use std::sync::LazyLock;

use clap::{Arg, ArgAction};
use serde::Serialize;

use crate::command::listing::Cell;

/// A page, by the words of its command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub(super) noun: &'static str,
    pub(super) verb: &'static str,
    pub(super) title: &'static str,
    /// Whether it is in the list of pages.
    pub(super) is_first: bool,
}

macro_rules! pages {
    ($($noun:literal $verb:literal $title:literal $($first:ident)?;)+) => {
        &[$(Page {
            noun: $noun,
            verb: $verb,
            title: $title,
            is_first: pages!(@ $($first)?),
        }),+]
    };
    (@ first) => { true };
    (@) => { false };
}

pub(super) const PAGES: &[Page] = pages! {
    "refused" "list" "Refused calls" first;
    "refused" "count" "Refusals, counted" first;
    "call" "list" "Calls" first;
    "call" "show" "A call";
    "call" "explain" "What happened to a call";
    "call" "left-out" "What a partial batch left out";
    "delivery" "list" "Emails" first;
    "delivery" "show" "An email";
    "queue" "show" "Queue" first;
    "account" "list" "Accounts" first;
    "account" "show" "An account";
    "key" "list" "Keys";
    "sender" "list" "Senders";
    "mailer" "list" "Stored emails";
    "mailer" "show" "A stored email";
    "list" "list" "Lists";
    "list" "show" "A list";
    "subscriber" "list" "Subscribers" first;
    "subscriber" "show" "A subscriber";
    "suppression" "list" "Suppressions";
    "unsubscribed" "list" "Readers who have unsubscribed";
    "blacklist" "why" "Why a host is refused" first;
    "webhook" "list" "Webhooks";
    "webhook" "attempts" "Attempts of a webhook";
    "audit" "list" "What operators did" first;
};

impl Page {
    pub(super) fn find(noun: &str, verb: &str) -> Option<&'static Self> {
        let mut pages = PAGES.iter();
        pages.find(|page| page.noun == noun && page.verb == verb)
    }

    pub(super) fn path(&self) -> String {
        format!("{}/{}", self.noun, self.verb)
    }

    /// What its command asks for.
    pub(super) fn asks(&self) -> &'static Asks {
        static ALL: LazyLock<Vec<Asks>> = LazyLock::new(|| {
            let mut commands = crate::command::commands();
            commands.build();
            PAGES.iter().map(|page| Asks::of(&commands, page)).collect()
        });
        static NOTHING: Asks = Asks {
            about: String::new(),
            arguments: Vec::new(),
        };
        let mut all = PAGES.iter().zip(ALL.iter());
        let found = all.find(|(page, _)| page.noun == self.noun && page.verb == self.verb);
        found.map_or(&NOTHING, |(_, asks)| asks)
    }
}

/// What the command of a page does, and what it asks for.
pub(super) struct Asks {
    pub(super) about: String,
    pub(super) arguments: Vec<Argument>,
}

impl Asks {
    fn of(commands: &clap::Command, page: &Page) -> Self {
        let noun = commands.find_subcommand(page.noun);
        let command = noun.and_then(|noun| noun.find_subcommand(page.verb));
        let about = command.and_then(clap::Command::get_about);
        let arguments = command.map(clap::Command::get_arguments);
        Self {
            about: about.map(ToString::to_string).unwrap_or_default(),
            arguments: arguments
                .into_iter()
                .flatten()
                .filter_map(Argument::of)
                .collect(),
        }
    }

    fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.name == name)
    }
}

/// The arguments that a page does not ask for: it has its own way for them.
const OWN: &[&str] = &["help", "version", "json", "unmasked", "settings"];

/// What a command asks for.
pub(super) struct Argument {
    pub(super) name: String,
    long: Option<String>,
    help: String,
    values: Vec<String>,
    default: String,
    is_flag: bool,
    is_required: bool,
}

impl Argument {
    fn of(argument: &Arg) -> Option<Self> {
        let name = argument.get_id().as_str();
        if OWN.contains(&name) {
            return None;
        }
        let values = argument.get_possible_values();
        let is_flag = matches!(argument.get_action(), ArgAction::SetTrue);
        let default = argument.get_default_values().first();
        let default = default.map(|value| value.to_string_lossy().into_owned());
        Some(Self {
            name: name.to_owned(),
            long: argument.get_long().map(str::to_owned),
            help: argument
                .get_help()
                .map(ToString::to_string)
                .unwrap_or_default(),
            values: match is_flag {
                true => Vec::new(),
                false => values
                    .iter()
                    .map(|value| value.get_name().to_owned())
                    .collect(),
            },
            default: default.filter(|_| !is_flag).unwrap_or_default(),
            is_flag,
            is_required: argument.is_required_set(),
        })
    }
}

/// The query of a page, as its form gives it: names and values that are not empty.
pub(super) struct Query(Vec<(String, String)>);

impl Query {
    pub(super) fn of(query: &str) -> Self {
        let pairs = url::form_urlencoded::parse(query.as_bytes()).into_owned();
        Self(pairs.filter(|(_, value)| !value.is_empty()).collect())
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        let mut pairs = self.0.iter();
        let found = pairs.find(|(own, _)| own == name);
        found.map(|(_, value)| value.as_str())
    }

    /// The same with another value.
    pub(super) fn with(&self, name: &str, value: &str) -> String {
        let others = self.0.iter().filter(|(own, _)| own != name);
        let others = others.map(|(name, value)| (name.as_str(), value.as_str()));
        let mut text = url::form_urlencoded::Serializer::new(String::new());
        text.extend_pairs(others).append_pair(name, value);
        text.finish()
    }

    /// What would be typed: the page's words, options, and what has no name. `None` where something is missing.
    pub(super) fn words(&self, page: &Page) -> Option<Vec<String>> {
        let mut words = vec![page.noun.to_owned(), page.verb.to_owned()];
        let mut nameless = Vec::new();
        for argument in &page.asks().arguments {
            match (self.get(&argument.name), &argument.long) {
                (None, _) if argument.is_required => return None,
                (None, _) => {}
                (Some(_), Some(long)) if argument.is_flag => words.push(format!("--{long}")),
                (Some(value), Some(long)) => words.push(format!("--{long}={value}")),
                (Some(value), None) => nameless.push(value.to_owned()),
            }
        }
        // A value that begins with a hyphen is not an option.
        words.push("--".to_owned());
        words.extend(nameless);
        Some(words)
    }
}

/// A field of a page's form.
#[derive(Serialize)]
pub(super) struct Field {
    name: String,
    help: String,
    values: Vec<String>,
    default: String,
    value: String,
    flag: bool,
    required: bool,
}

pub(super) fn fields(page: &Page, query: &Query) -> Vec<Field> {
    let field = |argument: &Argument| Field {
        value: query.get(&argument.name).unwrap_or_default().to_owned(),
        name: argument.name.clone(),
        help: argument.help.clone(),
        values: argument.values.clone(),
        default: argument.default.clone(),
        flag: argument.is_flag,
        required: argument.is_required,
    };
    page.asks().arguments.iter().map(field).collect()
}

/// The link to the next rows of a list. There is one if the list is as long as its limit.
pub(super) fn next(page: &Page, query: &Query, rows: &[Vec<Cell>]) -> Option<Link> {
    let asks = page.asks();
    let name = asks.argument("before").or_else(|| asks.argument("after"))?;
    let limit = query
        .get("limit")
        .unwrap_or(&asks.argument("limit")?.default);
    let last = rows.last()?.first()?;
    (rows.len() >= limit.parse().ok()?).then(|| Link {
        path: format!("?{}", query.with(&name.name, &last.shown())),
        title: "Next".to_owned(),
    })
}

/// A cell as it is shown.
#[derive(Serialize)]
pub(super) struct Shown {
    name: String,
    text: String,
    number: bool,
    link: Option<String>,
}

/// The columns that hold personal data.
const PERSONAL: &[&str] = &[
    "address",
    "custom_field",
    "from",
    "from_name",
    "html",
    "recipient",
    "subject",
    "value",
];

/// A masked value. Of an address the first letter and the domain are left.
fn masked(text: &str) -> String {
    match text.rsplit_once('@') {
        Some((local, domain)) => {
            let first = local.chars().next().map(String::from);
            format!("{}…@{domain}", first.unwrap_or_default())
        }
        None if text.is_empty() => String::new(),
        None => "…".to_owned(),
    }
}

/// A row without what it says of a person.
pub(super) fn masked_row(columns: &[&str], row: &[Cell]) -> Vec<Cell> {
    let cells = columns.iter().zip(row);
    cells
        .map(|(column, cell)| match cell {
            Cell::Text(text) if PERSONAL.contains(column) => Cell::Text(masked(text)),
            cell => cell.clone(),
        })
        .collect()
}

/// The cells of a row, with where they lead.
pub(super) fn cells(
    page: &Page,
    query: &Query,
    columns: &[&str],
    row: &[Cell],
    is_masked: bool,
) -> Vec<Shown> {
    let number = |name: &str| {
        let place = columns.iter().position(|column| *column == name)?;
        match row.get(place)? {
            Cell::Number(number) => Some(number.to_string()),
            _ => None,
        }
    };
    let account = number("account").or_else(|| query.get("account").map(str::to_owned));
    let shown = |(column, cell): (&&str, &Cell)| {
        let text = match cell {
            Cell::Text(text) if is_masked && PERSONAL.contains(column) => masked(text),
            cell => cell.shown(),
        };
        let is_number = matches!(cell, Cell::Number(_));
        Shown {
            name: column.replace('_', " "),
            link: match cell {
                Cell::Number(_) | Cell::Text(_) => link(page, column, &text, account.as_deref()),
                Cell::Flag(_) | Cell::None => None,
            },
            number: is_number,
            text,
        }
    };
    columns.iter().zip(row).map(shown).collect()
}

fn to(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut query = url::form_urlencoded::Serializer::new(String::new());
    let query = query.extend_pairs(pairs).finish();
    format!("/desk/{path}?{query}")
}

/// Where a cell leads.
fn link(page: &Page, column: &str, text: &str, account: Option<&str>) -> Option<String> {
    match (column, account) {
        ("account", _) => Some(to("account/show", &[("account", text)])),
        ("call", _) => Some(to("call/show", &[("call", text)])),
        ("delivery", _) => Some(to("delivery/show", &[("delivery", text)])),
        ("number", _) if page.noun == "refused" => Some(to("call/explain", &[("call", text)])),
        ("rule", _) if page.noun == "refused" => Some(to("refused/list", &[("rule", text)])),
        // Of an account and a call it is a credit.
        ("subscriber", Some(account)) if !["account", "call"].contains(&page.noun) => {
            Some(to("subscriber/show", &[("account", account), ("id", text)]))
        }
        ("mailer", Some(account)) => Some(to("mailer/show", &[("account", account), ("id", text)])),
        _ => None,
    }
}

/// A link below a page.
#[derive(Serialize)]
pub(super) struct Link {
    pub(super) path: String,
    pub(super) title: String,
}

/// What there is to see beside a page.
pub(super) fn beside(page: &Page, query: &Query, account: Option<&str>) -> Vec<Link> {
    let link = |title: &str, path: String| Link {
        path,
        title: title.to_owned(),
    };
    match (page.noun, page.verb, account, query.get("call")) {
        ("account", "show", Some(account), _) => {
            let of_account = [
                ("Calls", "call/list"),
                ("Refused calls", "refused/list"),
                ("Emails", "delivery/list"),
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
                .map(|(title, path)| link(title, to(path, &[("account", account)])))
                .collect()
        }
        ("call", "show", Some(account), Some(call)) => vec![
            link(
                "Its emails",
                to("delivery/list", &[("account", account), ("call", call)]),
            ),
            link("What happened", to("call/explain", &[("call", call)])),
            link("What was left out", to("call/left-out", &[("call", call)])),
        ],
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::unwrap_used,
        reason = "a test that meets the unexpected should stop"
    )]
    use super::*;

    #[test]
    fn each_page_is_a_command_that_only_looks() {
        for page in PAGES {
            let Asks { about, arguments } = page.asks();
            assert!(!about.is_empty(), "{page:?}");
            let changes = ["yes", "dry_run", "confirm"];
            let names = arguments.iter().map(|argument| argument.name.as_str());
            assert!(
                !names.into_iter().any(|name| changes.contains(&name)),
                "{page:?}"
            );
            assert!(crate::command::looks(page.verb), "{page:?}");
        }
    }

    #[test]
    fn what_is_typed_is_the_query_and_nothing_of_it_becomes_another_option() {
        let page = Page::find("delivery", "list").unwrap();
        let words = |query: &str| Query::of(query).words(page);
        assert_eq!(words("recipient=a%40b.c"), None);
        assert_eq!(
            words("account=-1&recipient=--limit%3D1&queued=on&unmask=on&other=1").unwrap(),
            [
                "delivery",
                "list",
                "--recipient=--limit=1",
                "--queued",
                "--",
                "-1"
            ]
        );
    }

    #[test]
    fn a_masked_address_says_its_first_letter_and_its_domain() {
        assert_eq!(masked("ada.reader@shop.example"), "a…@shop.example");
        assert_eq!(masked("Ada"), "…");
        assert_eq!(masked(""), "");
    }
}
