//! `franking-service call export`: the transcripts of many calls.

use std::io::{self, Write as _};

use clap::Args;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::value::RawValue;

use super::explain::{Unexplained, shown};
use super::{Failure, time};
use crate::key_file::KeyFile;
use crate::settings::Settings;
use crate::store::{AccountId, KeptOf, Store};
use crate::transcripts::PURPOSE;

/// How many transcripts are held at once.
const AT_ONCE: u32 = 256;
/// How many bytes of transcripts are held at once. A transcript has a body of at most a megabyte, and up to 5,000 answers.
const BYTES_AT_ONCE: u64 = 8 << 20;

#[derive(Args)]
pub(super) struct ExportCalls {
    /// Only calls of this account
    #[arg(long)]
    account: Option<i64>,
    /// Only calls from this time on, such as 2026-01-31T10:32:00Z
    #[arg(long, value_name = "TIME")]
    since: Option<Timestamp>,
    /// Only calls before this time
    #[arg(long, value_name = "TIME")]
    until: Option<Timestamp>,
    /// Include the texts of the calls, which are personal data. Then only calls that are kept whole are written, because
    /// only their transcripts can be decided again
    #[arg(long)]
    unmasked: bool,
}

/// A line of the export.
#[derive(Serialize)]
struct Line<'l> {
    number: i64,
    account: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    call: Option<u64>,
    received: String,
    request: String,
    operation: String,
    code: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    /// The text of the transcript, which is not serialized again.
    transcript: &'l RawValue,
}

impl ExportCalls {
    pub(super) async fn run(self, store: &dyn Store, settings: &Settings) -> Result<(), Failure> {
        let keys = KeyFile::read(&settings.key_file())?;
        let mut which = KeptOf {
            account: self.account.map(AccountId::from_number),
            since: self.since.map(Timestamp::as_second),
            until: self.until.map(Timestamp::as_second),
            after: 0,
        };
        let mut out = io::BufWriter::new(io::stdout());
        let (mut masked, mut unopened) = (0_u64, 0_u64);
        loop {
            let rows = store.kept(which, AT_ONCE, BYTES_AT_ONCE).await?;
            let Some((last, _)) = rows.last() else {
                break;
            };
            which.after = last.id;
            for (row, sealed) in rows {
                let Ok(opened) = keys.open(PURPOSE, &sealed) else {
                    unopened = unopened.saturating_add(1);
                    continue;
                };
                let transcript = match shown(String::from_utf8(opened)?, self.unmasked) {
                    Ok(transcript) => transcript,
                    Err(failure) if failure.downcast_ref() == Some(&Unexplained::Masked) => {
                        masked = masked.saturating_add(1);
                        continue;
                    }
                    Err(failure) => return Err(failure),
                };
                let line = Line {
                    number: row.id,
                    account: row.account.number(),
                    call: row.call.map(|call| call.number()),
                    received: time(row.received),
                    request: row.request,
                    operation: row.operation,
                    code: row.code,
                    rule: row.rule,
                    transcript: &RawValue::from_string(transcript)?,
                };
                serde_json::to_writer(&mut out, &line)?;
                out.write_all(b"\n")?;
            }
        }
        out.flush()?;
        for (why, calls) in [
            ("they are kept masked", masked),
            ("the key file does not open them", unopened),
        ] {
            if calls > 0 {
                // If this note cannot be written, nothing else is lost.
                let _ = writeln!(io::stderr(), "calls left out because {why}: {calls}");
            }
        }
        Ok(())
    }
}
