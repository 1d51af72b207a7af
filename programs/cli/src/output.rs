//! The output of a command: standard output, with colours if the terminal and the user want them.

use std::io::{self, Write};

use crate::error::CommandError;

/// The width of the output, in columns, when it is not a terminal.
const WIDTH: usize = 100;
/// The smallest width of the output, in columns, even on a narrower terminal.
const NARROWEST: usize = 40;

/// The output of a command. Text may have colours, which are removed if they are not wanted.
///
/// When the reader closes the output, as `head` does, the rest is dropped. That is not an error: the command goes on until
/// its exit status is certain.
pub(crate) struct Output<'w> {
    stream: io::BufWriter<Box<dyn Write + 'w>>,
    has_colours: bool,
    width: usize,
    is_closed: bool,
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
            is_closed: false,
        }
    }

    /// Whether the reader has closed the output.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
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
        if self.is_closed {
            return Ok(());
        }
        let written = self.write_all(text);
        self.unless_closed(written)
    }

    pub(crate) fn flush(&mut self) -> Result<(), CommandError> {
        if self.is_closed {
            return Ok(());
        }
        let flushed = self.stream.flush();
        self.unless_closed(flushed)
    }

    fn write_all(&mut self, text: &[u8]) -> io::Result<()> {
        if self.has_colours {
            return self.stream.write_all(text);
        }
        for plain in anstream::adapter::strip_bytes(text) {
            self.stream.write_all(plain)?;
        }
        Ok(())
    }

    fn unless_closed(&mut self, written: io::Result<()>) -> Result<(), CommandError> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(())
            }
            written => Ok(written?),
        }
    }
}
