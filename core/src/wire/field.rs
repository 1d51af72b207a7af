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

/// Names are found by a hash that tells all of them apart; that it does is checked when the crate is compiled.
const SLOTS: usize = 128;

/// Which slot a name is in: from five of its bytes, with factors found by trying.
#[inline]
const fn slot(name: &[u8]) -> usize {
    let (first, second) = match name {
        [first, second, ..] => (*first as usize, *second as usize),
        _ => return 0,
    };
    let (before_last, last) = match name {
        [.., before_last, last] => (*before_last as usize, *last as usize),
        _ => return 0,
    };
    let middle = match name.split_at_checked(name.len() / 2) {
        Some((_, [middle, ..])) => *middle as usize,
        _ => 0,
    };
    let sum = first * 32 + second * 217 + last * 245 + middle * 254 + before_last * 135;
    (sum ^ (sum >> 8)) % SLOTS
}

#[expect(
    clippy::indexing_slicing,
    reason = "evaluated at compile time, where it stops the build"
)]
const fn with_slot(mut slots: [u8; SLOTS], name: &[u8], number: u8) -> [u8; SLOTS] {
    assert!(
        slots[slot(name)] == 0,
        "two names share a slot: try other factors"
    );
    slots[slot(name)] = number;
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

            const SPELLINGS: &[(Self, bool, &str)] = &[$(
                (Self::$variant, false, $spelling),
                $((Self::$variant, true, $alias),)?
            )*];
            const SLOTS: [u8; SLOTS] = {
                let mut slots = [0; SLOTS];
                let mut number = 0;
                let mut left = Self::SPELLINGS;
                while let [(_, _, spelling), rest @ ..] = left {
                    number += 1;
                    slots = with_slot(slots, spelling.as_bytes(), number);
                    left = rest;
                }
                slots
            };

            /// The field of that name, compared exactly, and whether it is the other spelling.
            #[inline]
            pub(crate) fn find(name: &[u8]) -> Option<(Self, bool)> {
                let number = Self::SLOTS.get(slot(name)).copied().unwrap_or_default();
                let (field, is_alias, spelling) = *Self::SPELLINGS.get(usize::from(number).checked_sub(1)?)?;
                (name == spelling.as_bytes()).then_some((field, is_alias))
            }
        }

        impl Field for $name {
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
}
