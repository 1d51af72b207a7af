//! Reads one conformance case a line from standard input and writes one answer a line to standard output.

use std::io::{BufRead, BufWriter, Write};

use franking_executor::answer;

fn main() -> std::io::Result<()> {
    let mut input = std::io::stdin().lock();
    let mut output = BufWriter::new(std::io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        serde_json::to_writer(&mut output, &answer(&line))?;
        output.write_all(b"\n")?;
        // The program that drives the executor may wait for each answer.
        output.flush()?;
        line.clear();
    }
    Ok(())
}
