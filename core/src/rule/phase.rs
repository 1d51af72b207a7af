//! When a rule is judged, and what its violation refuses.

/// When a rule is judged. Phases are judged in this order, and the lowest that has a violation wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Phase {
    /// 1: method, retirement, size, JSON. Asks the host nothing.
    Transport,
    /// 2: the key, and the account that has it.
    Authentication,
    /// 3: the state of that account.
    Account,
    /// 4: all that the body alone shows.
    Content,
    /// 5: facts that only the host knows, asked for in one batch.
    Facts,
    /// 6: the account's credits.
    Credit,
    /// 7: changes since the facts were given, found when the host carries out the plan.
    Commit,
}

impl Phase {
    /// All phases, in order.
    pub const ALL: &'static [Self] = &[
        Self::Transport,
        Self::Authentication,
        Self::Account,
        Self::Content,
        Self::Facts,
        Self::Credit,
        Self::Commit,
    ];

    /// The phase's number, 1 to 7.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The phase's name in the documentation: `transport`, `authentication`, `account`, `content`, `facts`, `credit`
    /// or `commit`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Transport => "transport",
            Self::Authentication => "authentication",
            Self::Account => "account",
            Self::Content => "content",
            Self::Facts => "facts",
            Self::Credit => "credit",
            Self::Commit => "commit",
        }
    }
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
