//! The arguments of the command.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use franking_cli::{OperationName, version};

use crate::write::Form;

const EXIT: &str = "Exit status: 0 when no call is refused or changed, 1 when one is, 2 when the command could not be carried out.";

/// Checks files of calls, writes the findings as columns, and prints a summary by rule.
#[derive(Debug, Parser)]
#[command(name = "franking-bulk", version = version(), about, after_help = EXIT, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) color: colorchoice_clap::Color,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(Check),
    Redecide(Redecide),
    Compare(Compare),
    Convert(Convert),
}

/// Find what is wrong with calls.
#[derive(Debug, Args)]
#[command(after_help = EXIT)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) operation: OfCalls,
    /// A policy in its JSON form: the limits and settings of the service that is called.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    /// Write a column with the violations of each call as well, at most 10,000. Without it, only the first violation is written.
    #[arg(long)]
    pub(crate) all: bool,
    /// Write only the calls that are refused.
    #[arg(long)]
    pub(crate) refused_only: bool,
    #[command(flatten)]
    pub(crate) results: Results,
}

/// Decide past calls again from their transcripts, to see what another policy or blacklist would have changed.
#[derive(Debug, Args)]
#[command(after_help = EXIT)]
pub(crate) struct Redecide {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The policy in its JSON form. By default each call keeps its own.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) blacklists: Blacklists,
    /// Write only the calls whose code changes.
    #[arg(long)]
    pub(crate) changed_only: bool,
    #[command(flatten)]
    pub(crate) results: Results,
}

/// Check calls by two policies, to see which calls they answer differently.
#[derive(Debug, Args)]
#[command(after_help = EXIT)]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) input: Input,
    #[command(flatten)]
    pub(crate) operation: OfCalls,
    /// The policy before the change, in its JSON form. Without it, the default policy is used.
    #[arg(long, value_name = "FILE")]
    pub(crate) before: Option<PathBuf>,
    /// The policy after the change, in its JSON form.
    #[arg(long, value_name = "FILE")]
    pub(crate) policy: PathBuf,
    /// Write only the calls whose code changes.
    #[arg(long)]
    pub(crate) changed_only: bool,
    #[command(flatten)]
    pub(crate) results: Results,
}

/// Write calls in another format. Parquet takes less time to read than JSON lines.
#[derive(Debug, Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) input: Input,
    /// The column that names the operation of each call. Without it, no operations are written.
    #[arg(long, value_name = "COLUMN", conflicts_with = "lines")]
    pub(crate) operation_column: Option<String>,
    /// The folder for the new files, one for each file of calls.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: PathBuf,
    /// The format of these files.
    #[arg(long, value_name = "FORMAT", default_value = "parquet")]
    pub(crate) form: Form,
}

/// Where the calls are.
#[derive(Debug, Args)]
pub(crate) struct Input {
    /// Files of calls, folders of them, or patterns such as 'calls/*.parquet': Parquet (.parquet), Arrow (.arrow, .arrows, .feather),
    /// JSON lines (.jsonl, .ndjson), CSV (.csv).
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<String>,
    /// The column of calls. By default `body`, and `transcript` for redecide. In JSON lines it is a member of each line: a text, or
    /// the call itself.
    #[arg(long, value_name = "COLUMN")]
    pub(crate) column: Option<String>,
    /// In JSON lines, each line as a whole is the call.
    #[arg(long, conflicts_with_all = ["column", "carry"])]
    pub(crate) lines: bool,
    /// Columns of the calls to write beside the findings, such as the number of each call.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub(crate) carry: Vec<String>,
    /// The number of worker threads. The default is the number of processors.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// The maximum size of the calls and findings that are held in memory at once, in megabytes.
    #[arg(long, value_name = "MEGABYTES", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(16..))]
    pub(crate) memory: u32,
}

/// The operation of the calls.
#[derive(Debug, Args)]
pub(crate) struct OfCalls {
    /// The operation of all calls. By default the column `operation` names that of each call.
    #[arg(long, short, value_name = "OPERATION", required_if_eq("lines", "true"))]
    pub(crate) operation: Option<OperationName>,
    /// The column that names the operation of each call. By default `operation`.
    #[arg(long, value_name = "COLUMN", conflicts_with_all = ["operation", "lines"])]
    pub(crate) operation_column: Option<String>,
}

/// The blacklists to decide with. A blacklist that is not given keeps what the transcripts record of it.
#[derive(Debug, Args)]
pub(crate) struct Blacklists {
    /// A file with domains that nobody may send from, one on each line. It replaces what the transcripts record of this
    /// blacklist.
    #[arg(long, value_name = "FILE")]
    pub(crate) blacklist_sender: Option<PathBuf>,
    /// A file with domains that no reply address may have.
    #[arg(long, value_name = "FILE")]
    pub(crate) blacklist_reply_to: Option<PathBuf>,
    /// A file with domains to which nothing is sent.
    #[arg(long, value_name = "FILE")]
    pub(crate) blacklist_recipient: Option<PathBuf>,
    /// A file with domains to which no link in an HTML body may lead.
    #[arg(long, value_name = "FILE")]
    pub(crate) blacklist_content: Option<PathBuf>,
}

/// What is made of the findings.
#[derive(Debug, Args)]
pub(crate) struct Results {
    /// The folder for findings, one file for each file of calls. A file of calls that already has findings from the same
    /// settings is not read again.
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
    /// The format of the findings.
    #[arg(long, value_name = "FORMAT", default_value = "parquet")]
    pub(crate) form: Form,
    /// Draw the summary as a picture into this file, in SVG.
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Write the summary as JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
