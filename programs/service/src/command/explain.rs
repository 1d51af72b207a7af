//! `franking-service call explain`: what happened to a call.

use clap::Args;
use franking::Transcript;

use super::listing::print_text;
use super::{Failure, time};
use crate::key_file::KeyFile;
use crate::settings::Settings;
use crate::store::{Explained, Store, TranscriptRow};
use crate::transcripts::PURPOSE;

#[derive(Args)]
pub(super) struct Explain {
    #[command(flatten)]
    which: Which,
    /// Show the texts of the call, which are personal data. This works only if the call was kept whole
    #[arg(long)]
    unmasked: bool,
    /// Print only the transcript, as JSON that `franking explain` and `franking replay` read
    #[arg(long)]
    json: bool,
}

/// Which call.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Which {
    /// The transactionId of an accepted call, or the number of a refused call in `refused list`
    #[arg(value_name = "CALL")]
    call: Option<i64>,
    /// The last call with this X-Request-Id or trace id
    #[arg(long, value_name = "ID")]
    request: Option<String>,
}

/// Why a call cannot be explained.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Unexplained {
    #[error(
        "this call has no transcript: the setting `transcripts` says which calls have one and `transcript_bytes` how many, and calls that are too long or ask about too many domains have none"
    )]
    NotKept,
    #[error(
        "the texts of this call were not kept: the setting `transcripts` has to be \"whole\" when a call comes"
    )]
    Masked,
}

impl Explain {
    pub(super) async fn run(self, store: &dyn Store, settings: &Settings) -> Result<(), Failure> {
        let which = match (self.which.call, self.which.request) {
            (Some(number), _) => Explained::Number(number),
            (None, request) => Explained::Request(request.unwrap_or_default()),
        };
        let (row, sealed) = store.transcript(which).await?;
        let keys = KeyFile::read(&settings.key_file())?;
        let sealed = sealed.ok_or(Unexplained::NotKept)?;
        let (unmasked, json) = (self.unmasked, self.json);
        // A transcript can be long, and the other work of a thread of the runtime would wait for it.
        let told = tokio::task::spawn_blocking(move || -> Result<String, Failure> {
            let opened = keys.open(PURPOSE, &sealed)?;
            let text = shown(String::from_utf8(opened)?, unmasked)?;
            if json {
                return Ok(text + "\n");
            }
            let mut out = format!("{}\n", head(&row)).into_bytes();
            franking_cli::explain(&label(&row), &text, &mut out)?;
            Ok(String::from_utf8(out)?)
        });
        Ok(print_text(told.await??)?)
    }
}

/// Returns a transcript that may be shown: masked unless `unmasked`.
pub(super) fn shown(text: String, unmasked: bool) -> Result<String, Failure> {
    match (Transcript::from_json(&text), unmasked) {
        (Ok(_), true) => Ok(text),
        (Ok(transcript), false) => Ok(transcript.to_masked_json()),
        (Err(franking::TranscriptError::Masked), true) => Err(Unexplained::Masked.into()),
        (Err(franking::TranscriptError::Masked), false) => Ok(text),
        (Err(error), _) => Err(error.into()),
    }
}

fn head(row: &TranscriptRow) -> String {
    let rule = row
        .rule
        .as_deref()
        .map_or(String::new(), |rule| format!(" by rule {rule}"));
    format!(
        "account {}, {}, from {}, request {}: {}{rule} after {} ms",
        row.account,
        time(row.received),
        row.peer,
        row.request,
        row.code,
        row.milliseconds
    )
}

fn label(row: &TranscriptRow) -> String {
    match row.call {
        Some(call) => format!("call {}", call.number()),
        None => format!("refused call {}", row.id),
    }
}
