//! The fields of both operations, in the interface's order and with every spelling that the interface uses.

use crate::bytes::lanes::{ALL_LANES, LANES, Lanes};

/// The kind of value that a field takes (interface, section 4). `wire::value` says which JSON tokens count for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldKind {
    /// The account's key. Rule `key-missing` judges its type.
    Key,
    /// The array of requests. Rule `requests-missing` judges its type.
    Requests,
    /// A text.
    Text,
    /// A text that is stored with the subscriber (interface, section 2.3).
    Personalization,
    /// A day that is stored with the subscriber.
    Date,
    /// A whole number, 1 to 2^63-1.
    Id,
    /// On or off.
    Flag,
}

impl FieldKind {
    /// What to do about a value of the wrong type; `None` for fields that rule `field-wrong-type` does not judge.
    pub(crate) const fn remedy(self) -> Option<&'static str> {
        match self {
            Self::Key | Self::Requests => None,
            Self::Text | Self::Personalization | Self::Date => Some("Send it as a string."),
            Self::Id => Some("Send it as a whole number from 1 to 9223372036854775807."),
            Self::Flag => Some("Send it as 0 or 1."),
        }
    }
}

/// The number of bytes that are read to find a name. No name of a field is longer, its quotes included.
pub(crate) const NAME_CHUNK: usize = 1 + LANES;

/// The number of slots of the hash tables of names. The hash has no collisions, which the build checks.
const SLOTS: usize = 128;

/// For each length of a name, a mask that keeps only the bytes of the name among the first eight.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where it stops the build"
)]
const STARTS: [u64; LANES] = {
    let mut starts = [u64::MAX; LANES];
    let mut length = 0;
    while length < 8 {
        starts[length] = (1 << (8 * length)) - 1;
        length += 1;
    }
    starts
};

/// The slot of a name, from its length and its first eight bytes; `None` when the name is too long. The factor was
/// found by trial.
#[inline]
const fn slot(name: &[u8; LANES], length: u32) -> Option<usize> {
    // The mask removes the bytes after a short name.
    let Some((_, [mask, ..])) = STARTS.split_at_checked(length as usize) else {
        return None;
    };
    let [a, b, c, d, e, f, g, h, ..] = *name;
    let start = u64::from_le_bytes([a, b, c, d, e, f, g, h]) & *mask;
    let hash = start
        .wrapping_add(length as u64)
        .wrapping_mul(0xb7c2_2657_a6ab_6a41);
    Some((hash >> 57) as usize)
}

/// A spelling of a field.
#[derive(Clone, Copy)]
struct Spelling<F> {
    /// The name and its closing quote.
    name: [u8; LANES],
    /// A bit for each byte after the closing quote. These bytes may have any value.
    rest: u32,
    /// The length of the name, without its quote.
    length: u8,
    is_alias: bool,
    field: F,
}

/// The bytes of a name, followed by a closing quote and zeros; `None` when they do not fit.
const fn quoted(name: &[u8]) -> Option<[u8; LANES]> {
    let mut chunk = [0; LANES];
    match chunk.split_at_mut_checked(name.len()) {
        Some((start, [quote, ..])) => {
            start.copy_from_slice(name);
            *quote = b'"';
        }
        _ => return None,
    }
    Some(chunk)
}

const fn spelling<F: Copy>(field: F, is_alias: bool, name: &str) -> Spelling<F> {
    let length = name.len() as u8;
    Spelling {
        name: match quoted(name.as_bytes()) {
            Some(name) => name,
            None => [0; LANES],
        },
        rest: ALL_LANES & ALL_LANES.wrapping_shl(length as u32 + 1),
        length,
        is_alias,
        field,
    }
}

/// A table with every spelling in its slot. A free slot has an entry that no name matches.
#[expect(
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where it stops the build"
)]
const fn table<F: Copy>(spellings: &[Spelling<F>]) -> [Spelling<F>; SLOTS] {
    let mut table = [Spelling {
        // This bit is outside the lanes, so the result of the comparison is never exactly `ALL_LANES`.
        rest: ALL_LANES + 1,
        length: 0,
        ..spellings[0]
    }; SLOTS];
    let mut left = spellings;
    while let [spelling, rest @ ..] = left {
        assert!(spelling.name[0] != 0, "a name is longer than is looked at");
        let slot = match slot(&spelling.name, spelling.length as u32) {
            Some(slot) => slot,
            None => SLOTS,
        };
        assert!(
            table[slot].length == 0,
            "two names share a slot: try another factor"
        );
        table[slot] = *spelling;
        left = rest;
    }
    table
}

macro_rules! fields {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $kind:ident $spelling:literal $($alias:literal)?,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum $name {
            $($variant,)*
        }

        impl $name {
            /// All fields, in the interface's order.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),*];
            pub(crate) const COUNT: usize = Self::ALL.len();

            const TABLE: &[Spelling<Self>; SLOTS] = &table(&[$(
                spelling(Self::$variant, false, $spelling),
                $(spelling(Self::$variant, true, $alias),)?
            )*]);

            /// The spelling that matches the bytes after an opening quote.
            #[inline]
            fn spelled(name: &[u8; LANES], length: u32) -> Option<&'static Spelling<Self>> {
                let spelling = Self::TABLE.get(slot(name, length)?)?;
                let same = Lanes::of(name).same(&spelling.name) | spelling.rest;
                (same == ALL_LANES).then_some(spelling)
            }
        }

        impl Field for $name {
            const NAMES: &[&str] = &[$($spelling),*];
            const NON_TEXTS: u64 = $(if matches!(FieldKind::$kind, FieldKind::Id | FieldKind::Flag) {
                1 << Self::$variant as u64
            } else {
                0
            })|*;
            const PERSONALIZATION: u64 = $(
                if matches!(FieldKind::$kind, FieldKind::Personalization | FieldKind::Date) {
                    1 << Self::$variant as u64
                } else {
                    0
                }
            )|*;
            fn name(self) -> &'static str {
                match self { $(Self::$variant => $spelling,)* }
            }
            fn spelling(self, is_alias: bool) -> &'static str {
                match self {
                    $($(Self::$variant if is_alias => $alias,)?)*
                    _ => self.name(),
                }
            }
            fn kind(self) -> FieldKind {
                match self { $(Self::$variant => FieldKind::$kind,)* }
            }
            fn index(self) -> usize {
                self as usize
            }
            fn find(name: &[u8]) -> Option<(Self, bool)> {
                let spelling = Self::spelled(&quoted(name)?, name.len() as u32)?;
                (usize::from(spelling.length) == name.len())
                    .then_some((spelling.field, spelling.is_alias))
            }
            #[inline]
            fn find_quoted(chunk: &[u8; NAME_CHUNK], length: u32) -> Option<(Self, bool)> {
                let [_, name @ ..] = chunk;
                let spelling = Self::spelled(name, length.wrapping_sub(1))?;
                Some((spelling.field, spelling.is_alias))
            }
        }
    };
}

fields! {
    /// The fields of a sendMailer body (interface, section 4.1).
    SendMailerField {
        ApiKey Key "apiKey" "ApiKey",
        MailerId Id "mailerID",
        From Text "from",
        FromName Text "fromName",
        SubId Id "subID" "subid",
        Email Text "email",
        Mobile Personalization "mobile",
        ListName Text "listName",
        Prefix Personalization "prefix",
        FirstName Personalization "firstName",
        MiddleName Personalization "middleName",
        LastName Personalization "lastName",
        Phone Personalization "phone",
        Address Personalization "address",
        City Personalization "city",
        State Personalization "state",
        PinCode Personalization "pinCode",
        Country Personalization "country",
        ResidencePhone Personalization "residencePhone",
        Designation Personalization "designation",
        Company Personalization "company",
        CompanyAddress Personalization "companyAddress",
        CompanyCity Personalization "companyCity",
        CompanyState Personalization "companyState",
        CompanyCountry Personalization "companyCountry",
        CompanyPin Personalization "companyPin",
        CompanyPhone Personalization "companyPhone",
        CompanyFax Personalization "companyFax",
        ReferenceNo Personalization "referenceNo",
        Extra1 Personalization "extra1",
        Extra2 Personalization "extra2",
        Extra3 Personalization "extra3",
        Extra4 Personalization "extra4",
        Extra5 Personalization "extra5",
        Extra6 Personalization "extra6",
        Birthday Date "birthday",
        Anniversary Date "anniversary",
        TrackOpens Flag "trackOpens",
        TrackClicks Flag "trackClicks",
        CustomField Text "customField",
    }
}

fields! {
    /// The top level of an httpSendMail body (interface, section 4.2).
    HttpSendMailField {
        ApiKey Key "ApiKey" "apiKey",
        Requests Requests "requests",
    }
}

fields! {
    /// The fields of one request of httpSendMail (interface, section 4.2).
    RequestField {
        Subject Text "subject",
        Body Text "body",
        To Text "to",
        Cc Text "cc",
        Bcc Text "bcc",
        From Text "from",
        FromName Text "fromName",
        ReplyTo Text "replyTo" "replyto",
        CustomField Text "customField",
        TrackOpens Flag "trackOpens",
        TrackClicks Flag "trackClicks",
    }
}

/// Any field of either operation.
pub(crate) trait Field: Copy + 'static {
    /// The operation's own spelling of each field, in the interface's order.
    const NAMES: &[&str];
    /// The fields that take an id or a flag, one bit each.
    const NON_TEXTS: u64;
    /// The fields that are stored with the subscriber, one bit each.
    const PERSONALIZATION: u64;
    /// The operation's own spelling.
    fn name(self) -> &'static str;
    /// The alias of the field if `is_alias`, else the operation's own spelling.
    fn spelling(self, is_alias: bool) -> &'static str;
    /// The kind of value that the field takes.
    fn kind(self) -> FieldKind;
    /// The position in the interface's order.
    fn index(self) -> usize;
    /// The field with that name, compared exactly, and whether the name is its alias.
    fn find(name: &[u8]) -> Option<(Self, bool)>;
    /// The field whose quoted name `chunk` begins with, and whether the name is its alias. `length` is the distance from the
    /// opening quote to the closing one.
    fn find_quoted(chunk: &[u8; NAME_CHUNK], length: u32) -> Option<(Self, bool)>;
}
