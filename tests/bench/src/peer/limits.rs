//! The parts of the work that no program can avoid that reads the whole call.

use std::hint::black_box;

use super::json::{HttpSendMail, SendMailer};
use crate::workload::{Operation, Workload};

/// One part of the work, done alone on every call of a workload.
pub struct Limit<'a> {
    /// The name of the part.
    pub name: &'static str,
    /// Does the work once.
    pub run: Box<dyn FnMut() + 'a>,
}

impl std::fmt::Debug for Limit<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Limit")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Copying the bytes, reading them as borrowed JSON, and checking that they are UTF-8.
#[must_use]
pub fn limits(workload: &Workload) -> Vec<Limit<'_>> {
    let longest = workload
        .bodies
        .iter()
        .map(Vec::len)
        .max()
        .unwrap_or_default();
    let mut copy = vec![0; longest];
    let each = |run: fn(&[u8])| move || workload.bodies.iter().for_each(|body| run(body));
    let json = match workload.operation {
        Operation::SendMailer => |body: &[u8]| {
            // Some of W4's calls are not JSON.
            black_box(serde_json::from_slice::<SendMailer<'_>>(body).is_ok());
        },
        Operation::HttpSendMail => |body: &[u8]| {
            black_box(serde_json::from_slice::<HttpSendMail<'_>>(body).is_ok());
        },
    };
    let utf8 = |body: &[u8]| {
        black_box(simdutf8::basic::from_utf8(body).is_ok());
    };
    let memcpy = move || {
        for body in &workload.bodies {
            copy[..body.len()].copy_from_slice(black_box(body));
            black_box(&copy);
        }
    };
    vec![
        Limit {
            name: "memcpy",
            run: Box::new(memcpy),
        },
        Limit {
            name: "simdutf8",
            run: Box::new(each(utf8)),
        },
        Limit {
            name: "serde_json",
            run: Box::new(each(json)),
        },
    ]
}
