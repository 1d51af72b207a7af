//! Where a command writes: standard output, with colours where the terminal and the user want them.

use std::io::{self, Write};

use crate::error::CommandError;

/// The width of what is written where no terminal says another.
const WIDTH: usize = 100;
/// The narrowest terminal for which lines are cut.
const NARROWEST: usize = 40;

/// Standard output. Text may hold colours: they are taken out where nobody wants them.
pub(crate) struct Output {
    stream: io::BufWriter<io::Stdout>,
    has_colours: bool,
    width: usize,
}

impl Output {
    pub(crate) fn new() -> Self {
        let stdout = io::stdout();
        let has_colours = anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never;
        let width = terminal_size::terminal_size_of(&stdout)
            .map_or(WIDTH, |(width, _)| usize::from(width.0).max(NARROWEST));
        Self {
            stream: io::BufWriter::new(stdout),
            has_colours,
            width,
        }
    }

    /// The number of columns in which what is written should fit.
    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn line(&mut self, text: &str) -> Result<(), CommandError> {
        self.write(text.as_bytes())?;
        self.write(b"\n")
    }

    pub(crate) fn write(&mut self, text: &[u8]) -> Result<(), CommandError> {
        if self.has_colours {
            return Ok(self.stream.write_all(text)?);
        }
        for plain in anstream::adapter::strip_bytes(text) {
            self.stream.write_all(plain)?;
        }
        Ok(())
    }

    pub(crate) fn flush(&mut self) -> Result<(), CommandError> {
        Ok(self.stream.flush()?)
    }
}
