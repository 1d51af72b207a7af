//! The outcome of an attempt to send.

use super::EnhancedCode;

/// The outcome of an attempt to send an email.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The transport accepted the email: Delivered.
    Delivered {
        /// The server's answer.
        answer: Reason,
    },
    /// The recipient or the message was refused for good: Bounced.
    Refused {
        /// Why.
        reason: Reason,
    },
    /// The email is to be tried again later.
    Deferred {
        /// Why.
        reason: Reason,
    },
    /// The server refuses this sender. Emails of the account's other senders, and of other accounts, can still be sent.
    SenderRefused {
        /// Why.
        reason: Reason,
    },
    /// The server says that too much is sent to this recipient's domain. The email is to be tried again later, and sending
    /// to the domain slows down.
    TooFast {
        /// Why.
        reason: Reason,
    },
    /// The server accepts no further connection for now. It has said nothing about the email.
    Busy {
        /// Why.
        reason: Reason,
    },
    /// The transport itself is at fault, for example because of a wrong password or a refused greeting. Sending pauses, and
    /// no email bounces.
    TransportFault {
        /// Why.
        reason: Reason,
    },
    /// The connection was lost between the final dot and its answer: the email may have been delivered, and is tried again
    /// with the same Message-ID.
    Unanswered {
        /// Why.
        reason: Reason,
    },
}

impl Outcome {
    /// The words of the mail server, or why the email was not sent.
    #[must_use]
    pub const fn words(&self) -> &Reason {
        match self {
            Self::Delivered { answer } => answer,
            Self::Refused { reason }
            | Self::Deferred { reason }
            | Self::SenderRefused { reason }
            | Self::TooFast { reason }
            | Self::Busy { reason }
            | Self::TransportFault { reason }
            | Self::Unanswered { reason } => reason,
        }
    }
}

/// The text of an outcome that is kept and shown: a line of at most [`Reason::MAX_CHARS`] characters. It has no control or
/// format character, and every word with an `@` is masked.
///
/// In their answers, servers repeat the recipient and sometimes words of the subject. An address is masked wherever it
/// occurs. Words of a subject cannot be told apart from the server's own words, so they stay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    line: String,
    code: Option<EnhancedCode>,
}

impl Reason {
    /// The maximum length of a reason, in characters.
    pub const MAX_CHARS: usize = 500;

    /// Makes a reason of a text, without a code.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            line: line(text),
            code: None,
        }
    }

    /// Returns the reason with the code that came with its text.
    #[must_use]
    pub fn with_code(self, code: Option<EnhancedCode>) -> Self {
        Self { code, ..self }
    }

    /// The reason in a server's answer: its code, its enhanced status code (RFC 3463) if it has one, and its text.
    pub(super) fn of_answer(code: u16, enhanced: [u8; 3], text: &str) -> Self {
        let enhanced = EnhancedCode::of_answer(enhanced);
        let shown = enhanced.map_or_else(String::new, |enhanced| format!("{enhanced} "));
        Self::new(&format!("{code} {shown}{text}")).with_code(enhanced)
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.line
    }

    /// The enhanced status code that came with the text.
    #[must_use]
    pub fn code(&self) -> Option<EnhancedCode> {
        self.code
    }
}

/// Turns a text into a line that may be kept and shown.
fn line(text: &str) -> String {
    let mut reason = String::new();
    let mut chars = 0_usize;
    let is_break = |c: char| c.is_whitespace() || c.is_control();
    for word in text.split(is_break).filter(|word| !word.is_empty()) {
        let shown: &str = if word.contains(['@', '\u{ff20}', '\u{fe6b}']) {
            "<address>"
        } else {
            word
        };
        let available = Reason::MAX_CHARS.saturating_sub(chars);
        if available == 0 {
            break;
        }
        if !reason.is_empty() {
            reason.push(' ');
            chars = chars.saturating_add(1);
        }
        let available = Reason::MAX_CHARS.saturating_sub(chars);
        let visible = |c: &char| !is_format(*c);
        for c in shown.chars().filter(visible).take(available) {
            reason.push(c);
            chars = chars.saturating_add(1);
        }
    }
    reason
}

/// Whether a character is invisible and changes how its neighbours are shown: direction marks, joiners, tags.
const fn is_format(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}'
    )
}

#[cfg(test)]
mod tests {
    use super::Reason;

    #[test]
    fn addresses_are_masked_wherever_they_stand() {
        for (text, shown) in [
            (
                "550 5.1.1 <a@b.example>: unknown",
                "550 5.1.1 <address> unknown",
            ),
            ("to=<a@b.example>,x", "<address>"),
            ("a\u{200b}@b.example no", "<address> no"),
            ("\"a@b\"@c.example", "<address>"),
        ] {
            assert_eq!(Reason::new(text).as_str(), shown);
        }
    }

    #[test]
    fn a_reason_is_one_bounded_line_without_controls() {
        let reason = Reason::new(&"x\r\ny\0\u{202e}z\u{1b}[2J ".repeat(1_000));
        assert!(reason.as_str().chars().count() <= Reason::MAX_CHARS);
        assert!(reason.as_str().starts_with("x y z [2J x y"));
        assert!(Reason::new(&"w".repeat(10_000)).as_str().len() == Reason::MAX_CHARS);
    }
}
