//! Syntax errors of a body.

/// Where and why reading stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) at: usize,
    pub(crate) reason: SyntaxReason,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SyntaxReason {
    NotObject,
    ExpectedValue,
    ExpectedName,
    ExpectedColon,
    ExpectedCommaOrEnd,
    UnfinishedString,
    ControlInString,
    BadEscape,
    LoneSurrogate,
    NotUtf8,
    BadNumber,
    TooDeep,
    TrailingText,
    TooLong,
}

impl SyntaxReason {
    /// The reason as one clause without a full stop.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::NotObject => "the body has to be one object",
            Self::ExpectedValue => "a value was expected",
            Self::ExpectedName => "a member's name in double quotes was expected",
            Self::ExpectedColon => "a colon was expected",
            Self::ExpectedCommaOrEnd => "a comma or the end of the object or array was expected",
            Self::UnfinishedString => "the string is not finished",
            Self::ControlInString => "a control character in a string has to be escaped",
            Self::BadEscape => "there is no such escape",
            Self::LoneSurrogate => "a surrogate escape needs its other half",
            Self::NotUtf8 => "the bytes are not UTF-8",
            Self::BadNumber => "the number is not written as JSON writes numbers",
            Self::TooDeep => "more than 128 objects and arrays are open at once",
            Self::TrailingText => "nothing but white space may follow the object",
            Self::TooLong => "the body is longer than 2147483647 bytes",
        }
    }
}
