//! Reads one conformance case a line from standard input and writes one answer a line to standard output.

use std::io::{BufRead, BufWriter, Write};

use serde_json::{Value, json};

fn main() -> std::io::Result<()> {
    let mut input = std::io::stdin().lock();
    let mut output = BufWriter::new(std::io::stdout().lock());
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        serde_json::to_writer(&mut output, &answer(&line))?;
        output.write_all(b"\n")?;
        // Whoever drives the executor may wait for each answer.
        output.flush()?;
        line.clear();
    }
    Ok(())
}

fn answer(line: &[u8]) -> Value {
    let case: Value = match serde_json::from_slice(line) {
        Ok(case) => case,
        Err(error) => return json!({"id": null, "error": format!("the line is not JSON: {error}")}),
    };
    let id = case.get("id").cloned().unwrap_or_default();
    let mut answer = match franking_executor::run(&case) {
        Ok(Value::Object(answer)) => answer,
        Ok(_) => return json!({"id": id, "error": "the case has no answer"}),
        Err(error) => return json!({"id": id, "error": error}),
    };
    answer.insert("id".to_string(), id);
    Value::Object(answer)
}
