//! Log lines, which a thread of their own writes to standard error. Nobody waits for that thread. If standard error cannot
//! be written, only log lines are lost.

use std::io::{self, IsTerminal as _, Write};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
// clock: how long the last lines are waited for at the end.
use std::time::Duration;

use metrics::counter;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

use crate::settings::LogFormat;

/// The most lines that wait to be written: some megabytes.
const LINES: usize = 16_384;
/// The longest time to wait for the last lines if standard error takes nothing.
const FLUSH: Duration = Duration::from_secs(1);

/// A message to the thread that writes.
enum Message {
    Line(Vec<u8>),
    /// Answered when all lines before it are written.
    Flush(SyncSender<()>),
}

static WRITER: OnceLock<SyncSender<Message>> = OnceLock::new();
static LOST: AtomicU64 = AtomicU64::new(0);

/// Begins to log to standard error, once in a process. `RUST_LOG` chooses what is logged (`info` if it is not set).
///
/// # Errors
/// The thread that writes cannot be started.
pub fn log(format: LogFormat) -> io::Result<()> {
    let (sender, messages) = sync_channel(LINES);
    if WRITER.set(sender).is_err() {
        return Ok(());
    }
    std::thread::Builder::new()
        .name("log".to_owned())
        .spawn(move || write(&messages))?;
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info"));
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(io::stderr().is_terminal())
        // The subscriber would write its own failures to standard error, and would panic if that fails.
        .log_internal_errors(false)
        .with_writer(ToThread);
    // A subscriber that was set before stays.
    let _ = match format {
        LogFormat::Text => lines.try_init(),
        LogFormat::Json => lines.json().try_init(),
    };
    // The text of a panic can quote data, so only its place is logged.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        tracing::error!(
            place,
            "a part of the service failed: this is a fault of the service"
        );
    }));
    Ok(())
}

/// Waits for the lines that were logged, for a second at most.
pub fn flush() {
    let (written, wait) = sync_channel(1);
    if let Some(writer) = WRITER.get()
        && writer.try_send(Message::Flush(written)).is_ok()
    {
        // clock: what is not written then is lost
        let _ = wait.recv_timeout(FLUSH);
    }
}

/// Writes the lines that come, until the process ends.
fn write(messages: &Receiver<Message>) {
    let mut stderr = io::stderr();
    while let Ok(message) = messages.recv() {
        match message {
            Message::Line(line) => match stderr.write_all(&line) {
                Ok(()) => {
                    let lost = LOST.swap(0, Ordering::Relaxed);
                    if lost > 0 {
                        tracing::warn!(lost, "log lines could not be written");
                    }
                }
                Err(_) => lose(),
            },
            Message::Flush(written) => drop(written.try_send(())),
        }
    }
}

fn lose() {
    LOST.fetch_add(1, Ordering::Relaxed);
    counter!("franking_log_lines_lost_total").increment(1);
}

/// The writer of the subscriber, which makes each event one line.
struct ToThread;

impl<'a> MakeWriter<'a> for ToThread {
    type Writer = Line;

    fn make_writer(&'a self) -> Line {
        Line(Vec::new())
    }
}

/// A line, which is handed to the thread when it is dropped.
struct Line(Vec<u8>);

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        let line = std::mem::take(&mut self.0);
        let sent = WRITER
            .get()
            .map(|writer| writer.try_send(Message::Line(line)));
        if !matches!(sent, Some(Ok(()))) {
            lose();
        }
    }
}
