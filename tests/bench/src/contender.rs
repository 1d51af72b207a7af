//! The trait of everything that can be timed.

use crate::workload::{Operation, Workload};

/// A program that decides calls: ours, or a peer.
pub trait Contender {
    /// The name in a report.
    fn name(&self) -> &'static str;

    /// Decides one call and returns its code. 0 stands for an outcome without a code.
    fn decide(&mut self, operation: Operation, body: &[u8]) -> u16;

    /// Decides every call of `workload`, and writes the codes in their order.
    fn run(&mut self, workload: &Workload, codes: &mut Vec<u16>) {
        codes.clear();
        for body in &workload.bodies {
            codes.push(self.decide(workload.operation, body));
        }
    }
}

/// Checks, before anything is timed, that a contender gives the codes of a workload.
///
/// # Errors
/// The first difference, as a sentence.
pub fn check(contender: &mut dyn Contender, workload: &Workload) -> Result<(), String> {
    let mut codes = Vec::new();
    contender.run(workload, &mut codes);
    if codes.len() != workload.codes.len() {
        return Err(format!(
            "{} answered {} of {} calls of {}",
            contender.name(),
            codes.len(),
            workload.codes.len(),
            workload.name
        ));
    }
    let difference = codes
        .iter()
        .zip(&workload.codes)
        .position(|(got, want)| got != want);
    difference.map_or(Ok(()), |index| {
        Err(format!(
            "{} answers call {index} of {} with {} instead of {}",
            contender.name(),
            workload.name,
            codes[index],
            workload.codes[index]
        ))
    })
}
