//! The calls that are timed: W1 to W5, the same bytes in every run and for every language.

mod html;
mod http_send_mail;
mod php;
mod send_mailer;

use serde::Serialize;

use crate::world::World;

/// The size that a call of httpSendMail must not exceed.
pub const MAX_BYTES: usize = 33_554_432;

/// The number of different calls of W1 and of W2. The processor would learn a single call that is decided again and again.
const DIFFERENT: usize = 1_000;

/// Which operation a call is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Operation {
    /// One stored email to one recipient.
    #[serde(rename = "sendMailer")]
    SendMailer,
    /// Emails whose HTML is in the call.
    #[serde(rename = "httpSendMail")]
    HttpSendMail,
}

/// Some calls of one operation, and the codes that answer them in the [`World`].
#[derive(Clone, Debug)]
pub struct Workload {
    /// W1 to W5, or W5-small.
    pub name: &'static str,
    /// The operation that they are calls of.
    pub operation: Operation,
    /// The bytes of each call. If there are several calls, they have no line breaks, so that a file can hold one call a
    /// line.
    pub bodies: Vec<Vec<u8>>,
    /// The code that answers each call.
    pub codes: Vec<u16>,
}

impl Workload {
    /// The five workloads by which speed is judged.
    pub const NAMES: [&'static str; 5] = ["W1", "W2", "W3", "W4", "W5"];

    /// The workload of that name, W1 to W5 or W5-small.
    #[must_use]
    pub fn named(name: &str, world: &World) -> Option<Self> {
        Some(match name {
            "W1" => Self::w1(world),
            "W2" => Self::w2(world),
            "W3" => Self::w3(world),
            "W4" => Self::w4(world),
            "W5" => Self::w5(world),
            "W5-small" => Self::w5_small(world),
            _ => return None,
        })
    }

    /// 1000 different valid sendMailer calls of about 680 bytes with 15 personalization fields.
    #[must_use]
    pub fn w1(world: &World) -> Self {
        let bodies = send_mailer::ordinary_calls(world, DIFFERENT);
        Self::accepted("W1", Operation::SendMailer, bodies)
    }

    /// 1000 different calls of httpSendMail with one request: 11 KiB of HTML with 20 links and 8 images, one recipient,
    /// about 15.8 kB.
    #[must_use]
    pub fn w2(world: &World) -> Self {
        let bodies = http_send_mail::newsletters(world, DIFFERENT);
        Self::accepted("W2", Operation::HttpSendMail, bodies)
    }

    /// The first calls of the workload, for uses in which each call counts.
    #[must_use]
    pub fn first(mut self, count: usize) -> Self {
        self.bodies.truncate(count);
        self.codes.truncate(count);
        self
    }

    /// The biggest legal call: 1000 requests, one byte below the limit. Each has its own 22 to 26 kB of HTML before
    /// encoding, 15 links, 8 images and 3 recipients.
    #[must_use]
    pub fn w3(world: &World) -> Self {
        let body = http_send_mail::biggest_legal_call(world);
        Self::accepted("W3", Operation::HttpSendMail, vec![body.into_bytes()])
    }

    /// 100,000 different sendMailer calls: 80 % valid, 4 % each with an empty key (402), a bad address (412), no recipient
    /// (602), a sender's name without address (478), and malformed JSON (442). Half are written with the escapes that PHP
    /// writes.
    #[must_use]
    pub fn w4(world: &World) -> Self {
        let (bodies, codes) = send_mailer::many_calls(world, 100_000);
        Self {
            name: "W4",
            operation: Operation::SendMailer,
            bodies,
            codes,
        }
    }

    /// 50,000 addresses: 1000 requests with encoded bodies of 165 bytes and 50 recipients each.
    #[must_use]
    pub fn w5(world: &World) -> Self {
        let body = http_send_mail::many_addresses(world, 1_000);
        Self::accepted("W5", Operation::HttpSendMail, vec![body.into_bytes()])
    }

    /// W5 with 20 requests, for tools that count every instruction.
    #[must_use]
    pub fn w5_small(world: &World) -> Self {
        let body = http_send_mail::many_addresses(world, 20);
        Self::accepted("W5-small", Operation::HttpSendMail, vec![body.into_bytes()])
    }

    /// The bytes as files hold them: a single body as it is, several bodies one to a line.
    #[must_use]
    pub fn to_file(&self) -> Vec<u8> {
        match self.bodies.as_slice() {
            [body] => body.clone(),
            bodies => bodies
                .iter()
                .flat_map(|body| body.iter().copied().chain([b'\n']))
                .collect(),
        }
    }

    fn accepted(name: &'static str, operation: Operation, bodies: Vec<Vec<u8>>) -> Self {
        Self {
            name,
            operation,
            codes: vec![200; bodies.len()],
            bodies,
        }
    }
}

#[cfg(test)]
mod tests;
