//! Enhanced mail system status codes (RFC 3463).

use std::fmt;

/// Why an email failed, was delayed or arrived, as `class.subject.detail` (RFC 3463).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EnhancedCode {
    class: Class,
    subject: u16,
    detail: u16,
}

/// The first number of an enhanced code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// 2: it worked.
    Success,
    /// 4: a later attempt may work.
    Transient,
    /// 5: the same email will never work.
    Permanent,
}

impl EnhancedCode {
    /// The code with which a `Status` field begins. A comment may follow, as in `5.1.1 (no such user)`.
    ///
    /// `None` if the text does not begin with a code of RFC 3463, section 2.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let code = text.split_ascii_whitespace().next()?;
        let mut numbers = code.split('.');
        let class = match numbers.next()?.as_bytes() {
            [digit] => Class::of(digit.wrapping_sub(b'0'))?,
            _ => return None,
        };
        let (subject, detail) = (number(numbers.next()?)?, number(numbers.next()?)?);
        numbers.next().is_none().then_some(Self {
            class,
            subject,
            detail,
        })
    }

    /// Returns the code of an SMTP answer. Zeros mean that the answer has none.
    pub(super) fn of_answer([class, subject, detail]: [u8; 3]) -> Option<Self> {
        Some(Self {
            class: Class::of(class)?,
            subject: subject.into(),
            detail: detail.into(),
        })
    }

    /// Its class.
    #[must_use]
    pub fn class(self) -> Class {
        self.class
    }

    /// Whether it says that the recipient's address is dead: 5.1.x, or 5.2.1 (mailbox disabled).
    ///
    /// 5.1.7 and 5.1.8 are about the sender's address, and 5.7.x is about the sender's permission, so they do not count.
    #[must_use]
    pub fn says_address_is_dead(self) -> bool {
        let about_address = match (self.subject, self.detail) {
            (1, detail) => !matches!(detail, 7 | 8),
            (2, 1) => true,
            _ => false,
        };
        self.class == Class::Permanent && about_address
    }
}

impl Class {
    const ALL: [Self; 3] = [Self::Success, Self::Transient, Self::Permanent];

    fn of(number: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.number() == number)
    }

    const fn number(self) -> u8 {
        match self {
            Self::Success => 2,
            Self::Transient => 4,
            Self::Permanent => 5,
        }
    }
}

impl fmt::Display for EnhancedCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (class, subject, detail) = (self.class.number(), self.subject, self.detail);
        write!(f, "{class}.{subject}.{detail}")
    }
}

/// Parses one to three digits.
fn number(digits: &str) -> Option<u16> {
    let are_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    (are_digits && digits.len() <= 3)
        .then(|| digits.parse().ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_dead(text: &str) -> bool {
        EnhancedCode::parse(text).is_some_and(EnhancedCode::says_address_is_dead)
    }

    #[test]
    fn a_comment_after_the_code_is_not_part_of_it() {
        let plain = EnhancedCode::parse("5.1.1");
        assert!(plain.is_some());
        assert_eq!(plain, EnhancedCode::parse("5.1.1 (bad mailbox)"));
        assert_eq!(plain, EnhancedCode::of_answer([5, 1, 1]));
        assert_eq!(plain.map(|code| code.to_string()).as_deref(), Some("5.1.1"));
    }

    #[test]
    fn what_is_not_three_numbers_of_a_known_class_is_not_a_code() {
        for text in [
            "", "5", "5.1", "5.1.", "5.1.1.1", "3.1.1", "5.+1.1", "5.1.1000", "x.1.1", "55.1.1",
        ] {
            assert_eq!(EnhancedCode::parse(text), None, "{text}");
        }
        assert_eq!(EnhancedCode::of_answer([0, 0, 0]), None);
    }

    #[test]
    fn an_address_is_dead_by_5_1_x_and_5_2_1_and_never_by_what_is_about_the_sender() {
        for dead in ["5.1.0", "5.1.1", "5.1.2", "5.1.10", "5.2.1"] {
            assert!(is_dead(dead), "{dead}");
        }
        for alive in [
            "4.1.1", "2.1.5", "5.1.7", "5.1.8", "5.2.2", "5.7.1", "5.0.0",
        ] {
            assert!(!is_dead(alive), "{alive}");
        }
    }
}
