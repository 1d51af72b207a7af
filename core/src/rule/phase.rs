//! The phase in which a rule is judged, and the scope of its violations.

use crate::word::words;

words! {
    #[derive(PartialOrd, Ord)]
    enum Phase "When a rule is judged. Phases are judged in this order, and the lowest that has a violation wins."
    1 Transport "transport" "The method, the end of the operation, the size and the JSON. The host is asked nothing."
    2 Authentication "authentication" "The account by its key."
    3 Account "account" "The state of that account."
    4 Content "content" "What the body alone shows."
    5 Facts "facts" "What only the host knows, asked in one batch."
    6 Credit "credit" "The credits of the account."
    7 Commit "commit" "What changed meanwhile, found when the host carries out the plan."
}

/// How much of a partial batch a violation of a rule refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The call: no part of it is accepted.
    Call,
    /// One request of httpSendMail, with all its addresses.
    Request,
    /// One address of a request of httpSendMail, with its repetitions.
    Address,
}

impl Scope {
    /// The scope's name in the documentation: `call`, `request` or `address`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Request => "request",
            Self::Address => "address",
        }
    }
}
