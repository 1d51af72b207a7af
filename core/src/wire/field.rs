//! The fields of both operations, in the interface's order and in every spelling that the interface uses.

/// What a field takes (interface, section 4; the JSON tokens that count are those of `wire::value`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The account's key: judged by a rule of its own.
    Key,
    /// The array of requests: judged by rules of its own.
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

/// As many bytes are looked at for a name: the longest has less, its quotes included.
pub(crate) const NAME_CHUNK: usize = 17;

/// A name as it is compared: its bytes and the closing quote as two little-endian words, and nothing behind them.
type Words = (u64, u64);

/// The words of the name that `chunk` begins with, its opening quote aside, and how many bytes it has with both quotes.
/// Without a closing quote the words are no field's.
///
/// The length comes from the bytes, not from the field: what follows is read while the field is still looked up.
#[inline]
const fn words(chunk: &[u8; NAME_CHUNK]) -> (Words, usize) {
    let [_, name @ ..] = chunk;
    let chunk = u128::from_le_bytes(*name);
    let (low, high) = (chunk as u64, (chunk >> 64) as u64);
    let (low_quote, high_quote) = (quotes(low), quotes(high));
    let is_long = (low_quote == 0) as u64;
    let words = (
        low & up_to_lowest(low_quote),
        high & up_to_lowest(high_quote) & is_long.wrapping_neg(),
    );
    let bits = if low_quote == 0 {
        high_quote.trailing_zeros().wrapping_add(64)
    } else {
        low_quote.trailing_zeros()
    };
    (words, (bits as usize / 8).wrapping_add(2))
}

/// The high bit of the first byte that is a quote, with those of bytes behind it that may be none.
#[inline]
const fn quotes(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let quote = word ^ (ONES * b'"' as u64);
    quote.wrapping_sub(ONES) & !quote & (ONES << 7)
}

/// The bits up to the lowest that is set; all when none is.
#[inline]
const fn up_to_lowest(bits: u64) -> u64 {
    bits ^ bits.wrapping_sub(1)
}

/// Names are found by a hash that tells all of them apart; that it does is checked when the crate is compiled.
const SLOTS: usize = 128;

/// Which slot a name is in, with a factor found by trying.
#[inline]
const fn slot((low, high): Words) -> usize {
    (low.wrapping_add(high).wrapping_mul(0x7232_80c3_e1df_6f91) >> 57) as usize
}

/// A spelling of a field.
#[derive(Clone, Copy)]
struct Spelling<F> {
    words: Words,
    field: F,
    is_alias: bool,
    length: u8,
}

/// The words of a name that stands alone.
const fn words_of(name: &[u8]) -> Option<Words> {
    let mut chunk = [0; NAME_CHUNK];
    let [_, content @ ..] = &mut chunk;
    match content.split_at_mut_checked(name.len()) {
        Some((start, [quote, ..])) => {
            start.copy_from_slice(name);
            *quote = b'"';
        }
        _ => return None,
    }
    Some(words(&chunk).0)
}

const fn spelling<F: Copy>(field: F, is_alias: bool, name: &str) -> Spelling<F> {
    Spelling {
        words: match words_of(name.as_bytes()) {
            Some(words) => words,
            None => (0, 0),
        },
        field,
        is_alias,
        length: name.len() as u8,
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where it stops the build"
)]
const fn with_slot(mut slots: [u8; SLOTS], words: Words, number: u8) -> [u8; SLOTS] {
    assert!(words.0 != 0, "a name is longer than is looked at");
    assert!(
        slots[slot(words)] == 0,
        "two names share a slot: try another factor"
    );
    slots[slot(words)] = number;
    slots
}

macro_rules! fields {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $kind:ident $spelling:literal $($alias:literal)?,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum $name {
            $($variant,)*
        }

        impl $name {
            /// In the interface's order.
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),*];
            pub(crate) const COUNT: usize = Self::ALL.len();

            /// The spelling of this operation.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$variant => $spelling,)* }
            }

            /// The spelling that was used: this operation's own, or the other one of the interface.
            pub(crate) const fn spelling(self, is_alias: bool) -> &'static str {
                match self {
                    $($(Self::$variant if is_alias => $alias,)?)*
                    _ => self.name(),
                }
            }

            const SPELLINGS: &[Spelling<Self>] = &[$(
                spelling(Self::$variant, false, $spelling),
                $(spelling(Self::$variant, true, $alias),)?
            )*];
            const SLOTS: [u8; SLOTS] = {
                let mut slots = [0; SLOTS];
                let mut number = 0;
                let mut left = Self::SPELLINGS;
                while let [spelling, rest @ ..] = left {
                    number += 1;
                    slots = with_slot(slots, spelling.words, number);
                    left = rest;
                }
                slots
            };

            #[inline]
            fn find_words(words: Words) -> Option<&'static Spelling<Self>> {
                let number = Self::SLOTS.get(slot(words)).copied().unwrap_or_default();
                let spelling = Self::SPELLINGS.get(usize::from(number).wrapping_sub(1))?;
                (spelling.words == words).then_some(spelling)
            }

            /// The field of that name, compared exactly, and whether it is the other spelling.
            pub(crate) fn find(name: &[u8]) -> Option<(Self, bool)> {
                let spelling = Self::find_words(words_of(name)?)?;
                (usize::from(spelling.length) == name.len())
                    .then_some((spelling.field, spelling.is_alias))
            }
        }

        impl Field for $name {
            const NO_TEXTS: u64 = $(if matches!(Kind::$kind, Kind::Id | Kind::Flag) {
                1 << Self::$variant as u64
            } else {
                0
            })|*;
            fn name(self) -> &'static str {
                self.name()
            }
            fn spelling(self, is_alias: bool) -> &'static str {
                self.spelling(is_alias)
            }
            fn kind(self) -> Kind {
                match self { $(Self::$variant => Kind::$kind,)* }
            }
            fn index(self) -> usize {
                self as usize
            }
            fn find(name: &[u8]) -> Option<(Self, bool)> {
                Self::find(name)
            }
            #[inline]
            fn find_quoted(chunk: &[u8; NAME_CHUNK]) -> Option<(Self, bool, usize)> {
                let (words, length) = words(chunk);
                let spelling = Self::find_words(words)?;
                Some((spelling.field, spelling.is_alias, length))
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
    /// The fields that take something else than a text, one bit each.
    const NO_TEXTS: u64;
    /// The spelling of the operation.
    fn name(self) -> &'static str;
    /// The spelling that was used: the operation's own, or the other one of the interface.
    fn spelling(self, is_alias: bool) -> &'static str;
    /// What the field takes.
    fn kind(self) -> Kind;
    /// The position in the interface's order.
    fn index(self) -> usize;
    /// The field of that name, compared exactly, and whether it is the other spelling.
    fn find(name: &[u8]) -> Option<(Self, bool)>;
    /// The field whose name `chunk` begins with, in quotes, whether it is the other spelling, and how many bytes the
    /// name has, quotes included.
    fn find_quoted(chunk: &[u8; NAME_CHUNK]) -> Option<(Self, bool, usize)>;
}
