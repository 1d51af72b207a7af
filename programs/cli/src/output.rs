//! The output of a command: standard output, with colours if the terminal and the user want them.

use std::io::{self, Write};

use crate::error::CommandError;

/// The width of the output, in columns, when it is not a terminal.
const WIDTH: usize = 100;
/// The smallest width of the output, in columns, even on a narrower terminal.
const NARROWEST: usize = 40;

/// The output of a command. Text may have colours, which are removed if they are not wanted.
pub(crate) struct Output<'w> {
    stream: io::BufWriter<Box<dyn Write + 'w>>,
    has_colours: bool,
    width: usize,
}

impl<'w> Output<'w> {
    /// Standard output.
    pub(crate) fn new() -> Output<'static> {
        Output::to(Box::new(io::stdout()))
    }

    /// Output to `writer`, with the width of standard output, and with colours if standard output has them.
    pub(crate) fn to(writer: Box<dyn Write + 'w>) -> Self {
        let stdout = io::stdout();
        let has_colours = anstream::AutoStream::choice(&stdout) != anstream::ColorChoice::Never;
        let width = terminal_size::terminal_size_of(&stdout)
            .map_or(WIDTH, |(width, _)| usize::from(width.0).max(NARROWEST));
        Self {
            stream: io::BufWriter::new(writer),
            has_colours,
            width,
        }
    }

    /// The width of the output, in columns.
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
