//! Shows the progress of the work on a terminal.

use std::io::IsTerminal as _;
// clock: the speed of the work is only shown, and nothing depends on it
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::summary::grouped;

const LINE: &str =
    "{wide_bar} {percent:>3} %  {binary_bytes}/{binary_total_bytes}  {msg}  {eta} left";
/// The interval at which the line is redrawn.
const EACH: Duration = Duration::from_millis(200);

/// A line with the completed part, the calls and bytes per second, and the remaining time. It is shown on standard
/// error, and only if that is a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    calls: u64,
    // clock: as above
    began: Instant,
}

impl Progress {
    /// `bytes` is the total length of all files.
    pub(crate) fn new(bytes: u64) -> Self {
        let bar = if std::io::stderr().is_terminal() {
            ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr())
        } else {
            ProgressBar::hidden()
        };
        let style =
            ProgressStyle::with_template(LINE).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
        bar.enable_steady_tick(EACH);
        Self {
            bar,
            calls: 0,
            // clock: as above
            began: Instant::now(),
        }
    }

    pub(crate) fn calls(&mut self, calls: u64) {
        self.calls += calls;
        // clock: as above
        let seconds = self.began.elapsed().as_secs_f64().max(0.001);
        let rate = |number: u64| grouped((number as f64 / seconds) as u64);
        self.bar.set_message(format!(
            "{} calls, {}/s, {} MB/s",
            grouped(self.calls),
            rate(self.calls),
            rate(self.bar.position() / 1_000_000)
        ));
    }

    pub(crate) fn bytes(&self, bytes: u64) {
        self.bar.inc(bytes);
    }

    pub(crate) fn end(self) {
        self.bar.finish_and_clear();
    }
}
