//! The warnings of a preflight: mistakes that do not change the code.

mod names;
mod walk;

use alloc::string::String;
use core::fmt;
use core::ops::Range;

use crate::content::{ReadCall, Received};
use crate::debug::debug_shows;
use crate::word::words;
use walk::walk;

macro_rules! warnings {
    ($($number:literal $variant:ident $identifier:literal $meaning:literal)*) => {
        /// The kind of a warning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum WarningKind {
            $(
                #[doc = concat!("`", $identifier, "`: ", $meaning, ".")]
                $variant,
            )*
        }

        impl WarningKind {
            /// Every kind, in the order of their numbers.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            words! {
                pub const WORDS: WarningKind "What a preflight warns of: never changes the code, but was probably not meant."
                $($number $variant $identifier $meaning)*
            }

            words! { @numbers $($number $variant)* }

            /// The identifier that programs and people see, such as `body-plain`.
            #[must_use]
            pub const fn identifier(self) -> &'static str {
                match self { $(Self::$variant => $identifier,)* }
            }

            /// When the warning is given, as one clause without a full stop.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$variant => $meaning,)* }
            }
        }
    };
}

warnings! {
    1 OperationDeprecated "operation-deprecated"
        "httpSendMail is deprecated and superseded by sendEmail"
    2 KeyPlaceholder "key-placeholder"
        "the API key still is a placeholder from a documentation"
    3 FieldUnknown "field-unknown"
        "the interface has no such field here, so it is ignored"
    4 KeyInRequest "key-in-request"
        "the API key is inside a request, where it is ignored; it belongs to the top level"
    5 BodyPlain "body-plain"
        "body was taken as plain HTML, not as URL-encoded, and is delivered as it is"
    6 RecipientRepeated "recipient-repeated"
        "the address was already in this request, so this one is left out"
    7 LinkUnreadable "link-unreadable"
        "no browser can read this URL"
    8 SubscriberIdZero "subscriber-id-zero"
        "no subscriber has the id 0: leave subID out"
}

impl fmt::Display for WarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.identifier())
    }
}

/// A warning, at one place of the body. Debug and Display show nothing of what was sent.
#[derive(Clone, PartialEq, Eq)]
pub struct Warning {
    kind: WarningKind,
    pointer: Option<String>,
    span: Option<Range<usize>>,
    detail: Option<String>,
}

impl Warning {
    /// The kind of the warning.
    #[must_use]
    pub fn kind(&self) -> WarningKind {
        self.kind
    }

    /// The place in the body as a JSON Pointer (RFC 6901); `None` when the warning is about the call as a whole.
    #[must_use]
    pub fn pointer(&self) -> Option<&str> {
        self.pointer.as_deref()
    }

    /// The bytes of the body that it is about: a JSON value, including quotes, or an entry of an address list. `None` when
    /// the warning is about the call as a whole.
    #[must_use]
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// What the warning is about in particular, such as the field that was probably meant or the URL that cannot be read.
    /// `None` if the kind of the warning says everything.
    #[must_use]
    pub fn detail(&self) -> Option<&str> {
        self.detail.as_deref()
    }

    /// One sentence for people, with [`Warning::detail`].
    #[must_use]
    pub fn message(&self) -> String {
        let meaning = self.kind.meaning();
        match (self.kind, &self.detail) {
            (WarningKind::FieldUnknown, Some(meant)) => {
                alloc::format!("{meaning}; {meant} was probably meant.")
            }
            (WarningKind::LinkUnreadable, Some(url)) => alloc::format!("{meaning}: {url}"),
            (WarningKind::BodyPlain, Some(note)) => alloc::format!("{meaning}; {note}."),
            _ => alloc::format!("{meaning}."),
        }
    }
}

debug_shows!(Warning { kind });

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.kind.meaning())
    }
}

/// The warnings about a body, found in one walk over it.
pub(crate) fn warnings<'c>(
    received: Received<'c>,
    shown: Option<&'c ReadCall>,
) -> impl Iterator<Item = Warning> {
    let deprecated = received.operation.deprecation().map(|_| Warning {
        kind: WarningKind::OperationDeprecated,
        pointer: None,
        span: None,
        detail: None,
    });
    let walk = shown.map(|shown| walk(received, shown));
    deprecated.into_iter().chain(walk.into_iter().flatten())
}
