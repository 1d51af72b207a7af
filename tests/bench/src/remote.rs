//! Contenders in other languages. Each runs in a process of its own, which waits while it is not its turn.
//!
//! A worker is started with the directory that holds the workloads. It reads lines from standard input, and answers
//! each with one line:
//!
//! ```text
//! codes CONTENDER WORKLOAD        the code of each call, separated by spaces
//! run CONTENDER WORKLOAD COUNT    the nanoseconds of its thread's time for deciding all calls COUNT times
//! ```

use std::io::{BufRead, BufReader, Error, Result, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use crate::pairs::{Effort, Program, Ratio, Which, pair_of};
use crate::workload::Workload;

/// A worker. It ends when this is dropped.
#[derive(Debug)]
pub struct Remote {
    child: Child,
    /// `None` once the worker was told to end.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Remote {
    /// Starts a worker.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(command: &mut Command) -> Result<Self> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let output = output.ok_or_else(|| Error::other("the worker has no output"))?;
        Ok(Self {
            child,
            input,
            output: BufReader::new(output),
        })
    }

    /// Checks that a contender of the worker gives the codes of `workload`.
    ///
    /// # Errors
    /// The first difference, or that the worker has ended.
    pub fn check(&mut self, contender: &str, workload: &Workload) -> Result<()> {
        let answer = self.ask(&format!("codes {contender} {}", workload.name))?;
        let codes: Vec<&str> = answer.split_whitespace().collect();
        if codes.len() != workload.codes.len() {
            return Err(Error::other(format!(
                "{contender} answers {} of {} calls of {}",
                codes.len(),
                workload.codes.len(),
                workload.name
            )));
        }
        let pairs = codes.iter().zip(&workload.codes);
        for (index, (got, want)) in pairs.enumerate() {
            if *got != want.to_string() {
                return Err(Error::other(format!(
                    "{contender} answers call {index} of {} with {got} instead of {want}",
                    workload.name
                )));
            }
        }
        Ok(())
    }

    /// A contender of the worker on a workload, to be timed.
    pub fn program(&mut self, contender: &str, workload: &Workload) -> RemoteProgram<'_> {
        RemoteProgram {
            remote: self,
            command: format!("run {contender} {}", workload.name),
        }
    }

    /// Times two contenders of this worker on a workload, turn by turn.
    pub fn pair(
        &mut self,
        effort: Effort,
        [first, second]: [&str; 2],
        workload: &Workload,
    ) -> Ratio {
        pair_of(effort, &mut |which, count| {
            let contender = match which {
                Which::First => first,
                Which::Second => second,
            };
            self.program(contender, workload).time(count)
        })
    }

    fn ask(&mut self, question: &str) -> Result<String> {
        let input = self.input.as_mut();
        let input = input.ok_or_else(|| Error::other("the worker has ended"))?;
        writeln!(input, "{question}")?;
        input.flush()?;
        let mut answer = String::new();
        if self.output.read_line(&mut answer)? == 0 {
            return Err(Error::other(format!("the worker ended at {question:?}")));
        }
        Ok(answer)
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        // A worker ends at the end of its input.
        self.input = None;
        let _status = self.child.wait();
    }
}

/// A contender of a worker on a workload.
#[derive(Debug)]
pub struct RemoteProgram<'r> {
    remote: &'r mut Remote,
    command: String,
}

impl Program for RemoteProgram<'_> {
    fn time(&mut self, count: u32) -> f64 {
        let answer = self.remote.ask(&format!("{} {count}", self.command));
        let answer = answer.expect("the worker answers");
        answer.trim().parse().expect("nanoseconds")
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::Remote;
    use crate::pairs::Program;
    use crate::workload::{Operation, Workload};

    fn workload() -> Workload {
        Workload {
            name: "W1",
            operation: Operation::SendMailer,
            bodies: vec![b"{}".to_vec(); 2],
            codes: vec![200, 402],
        }
    }

    fn answering(line: &str) -> Remote {
        let script = format!("read question && echo '{line}'");
        Remote::start(Command::new("sh").args(["-c", &script])).expect("a shell")
    }

    #[test]
    fn a_worker_is_asked_for_codes_and_times() {
        assert!(answering("200 402").check("x", &workload()).is_ok());
        assert!((answering("1500").program("x", &workload()).time(2) - 1500.0).abs() < 1e-9);
    }

    #[test]
    fn another_code_too_few_codes_and_an_end_are_told() {
        for (line, said) in [
            ("200 403", "call 1 of W1 with 403 instead of 402"),
            ("200", "1 of 2"),
        ] {
            let told = answering(line).check("x", &workload()).expect_err(line);
            assert!(told.to_string().contains(said), "{told}");
        }
        let mut ended = Remote::start(&mut Command::new("true")).expect("a process");
        assert!(ended.check("x", &workload()).is_err());
    }
}
