//! The pages, each of which is a command, and what each asks for.

use std::sync::LazyLock;

use clap::{Arg, ArgAction};
use serde::Serialize;

use super::query::Query;
use crate::command::looks;

/// A page, by the words of its command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Page {
    pub(super) noun: &'static str,
    pub(super) verb: &'static str,
    pub(super) title: &'static str,
    /// Its group in the list of pages. A page without a group is reached from other pages.
    pub(super) group: Option<&'static str>,
}

macro_rules! pages {
    ($($noun:literal $verb:literal $title:literal $($group:literal)?;)+) => {
        &[$(Page {
            noun: $noun,
            verb: $verb,
            title: $title,
            group: pages!(@ $($group)?),
        }),+]
    };
    (@ $group:literal) => { Some($group) };
    (@) => { None };
}

pub(super) const PAGES: &[Page] = pages! {
    "refused" "list" "Refused calls" "Calls";
    "refused" "count" "Refusals, counted" "Calls";
    "call" "list" "Accepted calls" "Calls";
    "call" "count" "Calls by day" "Calls";
    "call" "try" "Try a call" "Calls";
    "call" "show" "A call";
    "call" "explain" "What happened to a call";
    "call" "left-out" "What a partial batch left out";
    "delivery" "list" "Emails" "Emails";
    "delivery" "count" "What became of emails, by day" "Emails";
    "delivery" "show" "An email";
    "delivery" "resend" "Send an email again";
    "queue" "show" "Queue" "Emails";
    "queue" "pause" "Pause sending";
    "queue" "resume" "Resume sending";
    "queue" "retry" "Try again to send";
    "queue" "cancel" "Cancel emails";
    "account" "list" "Accounts" "Accounts";
    "account" "show" "An account";
    "account" "state" "Block an account";
    "account" "credit" "Give credits";
    "key" "list" "Keys" "Accounts";
    "key" "revoke" "End a key";
    "sender" "list" "Senders" "Accounts";
    "dkim" "list" "Signed domains" "Accounts";
    "mailer" "list" "Stored emails" "Accounts";
    "mailer" "show" "A stored email";
    "webhook" "list" "Webhooks" "Accounts";
    "webhook" "attempts" "Attempts of a webhook";
    "webhook" "replay" "Replay a webhook";
    "webhook" "enable" "Enable a webhook";
    "webhook" "disable" "Disable a webhook";
    "subscriber" "list" "Subscribers" "Readers";
    "subscriber" "show" "A subscriber";
    "subscriber" "set" "Make a subscriber active or INACTIVE";
    "subscriber" "erase" "Erase a person";
    "list" "list" "Lists" "Readers";
    "list" "show" "A list";
    "suppression" "list" "Suppressions" "Readers";
    "suppression" "lift" "Lift a suppression";
    "unsubscribed" "list" "Unsubscribed" "Readers";
    "unsubscribed" "lift" "Send to a reader again";
    "blacklist" "why" "Why a host is refused" "Blacklist";
    "blacklist" "list" "Blacklisted domains" "Blacklist";
    "blacklist" "set" "Blacklist a domain";
    "blacklist" "remove" "Take a domain off the blacklists";
    "audit" "list" "What operators did" "Audit";
};

impl Page {
    pub(super) fn find(noun: &str, verb: &str) -> Option<&'static Self> {
        let mut pages = PAGES.iter();
        pages.find(|page| page.noun == noun && page.verb == verb)
    }

    pub(super) fn path(&self) -> String {
        format!("{}/{}", self.noun, self.verb)
    }

    /// Whether its command changes something.
    pub(super) fn acts(&self) -> bool {
        !looks(self.verb)
    }

    /// Whether its command reads a text.
    pub(super) fn reads(&self) -> bool {
        self.verb == "try"
    }

    /// The description and the arguments of its command.
    pub(super) fn asks(&self) -> &'static Asks {
        static ALL: LazyLock<Vec<Asks>> = LazyLock::new(|| {
            let mut commands = crate::command::commands();
            commands.build();
            PAGES.iter().map(|page| Asks::of(&commands, page)).collect()
        });
        static NOTHING: Asks = Asks {
            about: String::new(),
            arguments: Vec::new(),
            is_masked: false,
        };
        let mut all = PAGES.iter().zip(ALL.iter());
        let found = all.find(|(page, _)| page.noun == self.noun && page.verb == self.verb);
        found.map_or(&NOTHING, |(_, asks)| asks)
    }
}

/// The description and the arguments of the command of a page.
pub(super) struct Asks {
    pub(super) about: String,
    pub(super) arguments: Vec<Argument>,
    /// Whether it masks personal data unless told otherwise.
    pub(super) is_masked: bool,
}

impl Asks {
    fn of(commands: &clap::Command, page: &Page) -> Self {
        let noun = commands.find_subcommand(page.noun);
        let command = noun.and_then(|noun| noun.find_subcommand(page.verb));
        let about = command.and_then(clap::Command::get_about);
        let arguments = || command.into_iter().flat_map(clap::Command::get_arguments);
        Self {
            about: about.map(ToString::to_string).unwrap_or_default(),
            arguments: command
                .map(|command| Argument::all(page, command))
                .unwrap_or_default(),
            is_masked: arguments().any(|argument| argument.get_id() == "unmasked"),
        }
    }

    pub(super) fn argument(&self, name: &str) -> Option<&Argument> {
        self.arguments.iter().find(|argument| argument.name == name)
    }
}

/// The arguments that no form asks for, because pages have their own way for them.
const OWN: &[&str] = &[
    "help", "version", "json", "unmasked", "settings", "yes", "dry_run",
];

/// Whether a page has its own way for an argument. On a page that reads a text, `html` says what the text is. Elsewhere it
/// prints only the HTML of an email, for which a page has the preview.
fn is_own(page: &Page, name: &str) -> bool {
    OWN.contains(&name) || (name == "html" && !page.reads())
}

/// An argument of a command.
pub(super) struct Argument {
    pub(super) name: String,
    pub(super) long: Option<String>,
    help: String,
    values: Vec<String>,
    pub(super) default: String,
    pub(super) is_flag: bool,
    pub(super) is_required: bool,
    is_many: bool,
    /// The arguments with which it cannot be given.
    conflicts: Vec<String>,
}

impl Argument {
    /// The arguments of a command that the form of a page asks for.
    fn all(page: &Page, command: &clap::Command) -> Vec<Self> {
        let asked = command.get_arguments();
        let asked = asked.filter(|argument| !is_own(page, argument.get_id().as_str()));
        asked.map(|argument| Self::of(command, argument)).collect()
    }

    fn of(command: &clap::Command, argument: &Arg) -> Self {
        let values = argument.get_possible_values();
        let is_flag = matches!(argument.get_action(), ArgAction::SetTrue);
        let default = argument.get_default_values().first();
        let default = default.map(|value| value.to_string_lossy().into_owned());
        let is_shown = !is_flag && !argument.is_hide_default_value_set();
        Self {
            name: argument.get_id().to_string(),
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
            default: default.filter(|_| is_shown).unwrap_or_default(),
            is_flag,
            is_required: argument.is_required_set(),
            is_many: matches!(argument.get_action(), ArgAction::Append),
            conflicts: command
                .get_arg_conflicts_with(argument)
                .into_iter()
                .map(|other| other.get_id().to_string())
                .collect(),
        }
    }

    /// Whether the two cannot be given together.
    pub(super) fn conflicts_with(&self, other: &Self) -> bool {
        self.conflicts.contains(&other.name) || other.conflicts.contains(&self.name)
    }
}

/// A field of a page's form.
#[derive(Serialize)]
pub(super) struct Field {
    name: String,
    title: String,
    help: String,
    values: Vec<String>,
    default: String,
    given: Vec<String>,
    flag: bool,
    many: bool,
    required: bool,
}

impl Field {
    /// The field that shows personal data.
    pub(super) fn unmask(query: &Query) -> Self {
        Self {
            name: "unmask".to_owned(),
            title: "unmask".to_owned(),
            help: "Show personal data unmasked".to_owned(),
            values: Vec::new(),
            default: String::new(),
            given: query.all("unmask").map(str::to_owned).collect(),
            flag: true,
            many: false,
            required: false,
        }
    }
}

pub(super) fn fields(page: &Page, query: &Query) -> Vec<Field> {
    let field = |argument: &Argument| Field {
        given: query.all(&argument.name).map(str::to_owned).collect(),
        name: argument.name.clone(),
        title: argument.name.replace('_', " "),
        help: argument.help.clone(),
        values: argument.values.clone(),
        default: argument.default.clone(),
        flag: argument.is_flag,
        many: argument.is_many,
        required: argument.is_required,
    };
    page.asks().arguments.iter().map(field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::desk::window::SKIP;

    #[test]
    fn each_page_is_a_command() {
        for page in PAGES {
            assert!(!page.asks().about.is_empty(), "{page:?}");
        }
    }

    #[test]
    fn no_page_of_the_list_changes_something_and_none_that_looks_asks_whether_to() {
        for page in PAGES {
            assert!(page.group.is_none() || !page.acts(), "{page:?}");
            let mut commands = crate::command::commands();
            commands.build();
            let noun = commands.find_subcommand(page.noun);
            let command = noun.and_then(|noun| noun.find_subcommand(page.verb));
            let asks = command.is_some_and(|command| {
                let mut arguments = command.get_arguments();
                arguments.any(|argument| argument.get_id() == "dry_run")
            });
            assert!(page.acts() || !asks, "{page:?}");
        }
    }

    #[test]
    fn no_argument_has_the_name_of_a_value_that_pages_have_themselves() {
        for page in PAGES {
            for name in [SKIP, "as", "file", "form", "text", "unmask"] {
                assert!(page.asks().argument(name).is_none(), "{page:?}: {name}");
            }
        }
    }

    #[test]
    fn only_a_page_that_reads_a_text_takes_html() {
        for page in PAGES {
            let takes = page.asks().argument("html").is_some();
            assert_eq!(takes, page.reads(), "{page:?}");
        }
    }

    #[test]
    fn no_page_prints_a_secret_reads_a_file_or_removes_an_account() {
        let path = clap::builder::ValueParser::path_buf().type_id();
        for page in PAGES {
            let mut commands = crate::command::commands();
            commands.build();
            let noun = commands.find_subcommand(page.noun);
            let command = noun.and_then(|noun| noun.find_subcommand(page.verb));
            let mut arguments = command.into_iter().flat_map(clap::Command::get_arguments);
            // The file of settings is an argument of every command.
            let reads = arguments.any(|argument| {
                argument.get_id() != "settings" && argument.get_value_parser().type_id() == path
            });
            let path = page.path();
            let others = ["key/add", "webhook/add", "webhook/rotate", "account/delete"];
            assert!(!reads && !others.contains(&path.as_str()), "{page:?}");
        }
    }
}
