//! The arguments of the command.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use franking::Operation;

const EXIT: &str = "Exit status: 0 when nothing is wrong, 1 when something is, 2 when the command could not be carried out.";

/// The version of the program and the version of the rules.
#[must_use]
pub fn version() -> String {
    let rules = franking::RULES_VERSION;
    format!("{} (rules {rules})", env!("CARGO_PKG_VERSION"))
}

/// Inspects calls of a transactional email API: what is wrong with them, what would happen to them, and why.
#[derive(Debug, Parser)]
#[command(name = "franking", version = version(), about, after_help = EXIT, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) color: colorchoice_clap::Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Check),
    Decide(Decide),
    Explain(Explain),
    Replay(Replay),
    Rules(Rules),
    Compose(Compose),
    Links(Links),
    Address(Address),
    Completions(Completions),
    Man(Man),
}

/// The operation that is called, as an argument of a command.
#[derive(Clone, Copy, Debug, ValueEnum)]
#[non_exhaustive]
pub enum OperationName {
    /// `sendMailer`.
    #[value(name = "sendMailer")]
    SendMailer,
    /// `httpSendMail`.
    #[value(name = "httpSendMail")]
    HttpSendMail,
}

impl From<OperationName> for Operation {
    fn from(name: OperationName) -> Self {
        match name {
            OperationName::SendMailer => Self::SendMailer,
            OperationName::HttpSendMail => Self::HttpSendMail,
        }
    }
}

/// The number of violations, and of warnings, that are shown for one body by default.
pub(crate) const MOST_SHOWN: usize = 20;

/// Find everything that is wrong with calls before they are sent.
#[derive(Debug, Args)]
#[command(after_help = EXIT)]
pub(crate) struct Check {
    /// Bodies of calls, folders of them (*.json, *.jsonl), or - for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) files: Vec<PathBuf>,
    /// The operation. By default it is taken from the file's name (NAME.sendMailer.json), or else from the body's fields.
    #[arg(long, short, value_name = "OPERATION")]
    pub(crate) operation: Option<OperationName>,
    /// Each line of the files is a body, as in *.jsonl files.
    #[arg(long)]
    pub(crate) lines: bool,
    /// A policy in its JSON form: the limits and settings of the service that is called.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Leave warnings out.
    #[arg(long)]
    pub(crate) no_warnings: bool,
    /// The maximum number of violations, and of warnings, to show for each body.
    #[arg(long, value_name = "N", default_value_t = MOST_SHOWN)]
    pub(crate) most: usize,
    /// Write one JSON object for each body, with at most 10,000 violations.
    #[arg(long, conflicts_with = "sarif")]
    pub(crate) json: bool,
    /// Write one SARIF 2.1.0 log, for code scanning services.
    #[arg(long)]
    pub(crate) sarif: bool,
}

/// Decide calls with the accounts and subscribers of a file, and show what is asked, planned and answered.
#[derive(Debug, Args)]
#[command(after_help = EXIT)]
pub(crate) struct Decide {
    /// Bodies of calls, folders of them, or - for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) files: Vec<PathBuf>,
    /// A JSON file with the data of the host: accounts, stored emails, senders, subscribers, lists, blacklists.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) world: PathBuf,
    /// The operation. By default it is taken from the file's name (NAME.sendMailer.json), or else from the body's fields.
    #[arg(long, short, value_name = "OPERATION")]
    pub(crate) operation: Option<OperationName>,
    /// A policy in its JSON form.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Write only the transcript of each call, one JSON document per line.
    #[arg(long)]
    pub(crate) transcript: bool,
}

/// Show what happened to a recorded call, step by step, and the result of each rule.
#[derive(Debug, Args)]
#[command(after_help = EXIT)]
pub(crate) struct Explain {
    /// A transcript, masked or not, or - for standard input.
    #[arg(value_name = "TRANSCRIPT", default_value = "-")]
    pub(crate) file: PathBuf,
}

/// Replay a transcript, and write the decision as JSON.
#[derive(Debug, Args)]
#[command(after_help = EXIT)]
pub(crate) struct Replay {
    /// A transcript, or - for standard input.
    #[arg(value_name = "TRANSCRIPT", default_value = "-")]
    pub(crate) file: PathBuf,
    /// Write only the transcript, without keys, addresses, subjects and bodies. It cannot be replayed.
    #[arg(long)]
    pub(crate) masked: bool,
    /// Write only the transcript, without the key. It can still be replayed.
    #[arg(long, conflicts_with = "masked")]
    pub(crate) masked_key: bool,
}

/// List the rules in the order in which they are judged, or show one in detail.
#[derive(Debug, Args)]
pub(crate) struct Rules {
    /// A rule, such as recipient-malformed, or a code, such as 411.
    #[arg(value_name = "RULE|CODE")]
    pub(crate) name: Option<String>,
    /// Show only the rules that apply to this operation.
    #[arg(long, short, value_name = "OPERATION")]
    pub(crate) operation: Option<OperationName>,
    /// Write a JSON array.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Write the bodies of calls, one per line, from fields in JSON. The requests of httpSendMail are divided among as few calls
/// as possible.
#[derive(Debug, Args)]
#[command(after_help = EXIT)]
pub(crate) struct Compose {
    /// A JSON file with the fields by name, in which HTML is not encoded; or - for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,
    /// The operation.
    #[arg(long, short, value_name = "OPERATION")]
    pub(crate) operation: OperationName,
    /// A policy in its JSON form.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
}

/// List the links of HTML with their places, and the hosts that are judged.
#[derive(Debug, Args)]
pub(crate) struct Links {
    /// HTML, or - for standard input.
    #[arg(value_name = "FILE", default_value = "-")]
    pub(crate) file: PathBuf,
    /// The file is a `body` field as sent: URL-encoded, or plain.
    #[arg(long)]
    pub(crate) encoded: bool,
    /// Say whether any host could be hidden in the HTML, and if so, where and why: such HTML is refused with 413.
    #[arg(long)]
    pub(crate) why: bool,
}

/// Say whether addresses are valid, and how they are compared.
#[derive(Debug, Args)]
#[command(after_help = EXIT)]
pub(crate) struct Address {
    /// Email addresses.
    #[arg(value_name = "ADDRESS", required = true)]
    pub(crate) addresses: Vec<String>,
}

/// Write a completion script for a shell.
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

/// Write all manual pages into a folder, or only the page of `franking` itself to standard output.
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The folder. It is created if it does not exist.
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: Option<PathBuf>,
}
