//! Records: what the library hands out, member by member, the same in every language. Each record is defined once, in
//! [`RECORDS`]. The structures of C and their layout, those of C++ with their readers, and the classes of Python derive
//! from it.

/// A record of the library, for programs that generate it in another language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Record {
    /// Its name, as the name of a type.
    pub name: &'static str,
    /// What it is, as whole sentences.
    pub about: &'static str,
    /// Its members, in order.
    pub fields: &'static [Field],
}

/// A member of a [`Record`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub kind: Kind,
    /// When it is absent, as the end of a sentence; `None` for one that is always there.
    pub absent: Option<&'static str>,
    /// What it is, as whole sentences.
    pub about: &'static str,
}

/// The type of a [`Field`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// A word of the enumeration of this name.
    Word(&'static str),
    /// A code of the interface, 100 to 999.
    Code,
    /// A number from 0.
    Number,
    /// A number from 1, by which something is identified.
    Id,
    /// A position, from 0.
    Position,
    /// A text.
    Text,
    /// Texts.
    Texts,
    /// A range of bytes: its start and its end.
    Span,
    /// Yes or no.
    Flag,
    /// Records of this name.
    Rows(&'static str),
}

use Kind::{Code, Flag, Id, Number, Position, Rows, Span, Text, Texts, Word};

/// A table of records: for each its name and what it is, and for each member its name, its type, what it is, and when it
/// is absent.
macro_rules! records {
    ($($record:ident $about:literal {
        $($name:ident: $kind:expr, $says:expr $(, absent $when:expr)?;)*
    })*) => {
        &[$(Record {
            name: stringify!($record),
            about: $about,
            fields: &[$(Field {
                name: stringify!($name),
                kind: $kind,
                absent: absent!($($when)?),
                about: $says,
            }),*],
        }),*]
    };
}

macro_rules! absent {
    () => {
        None
    };
    ($when:expr) => {
        Some($when)
    };
}

const REQUEST: &str = "The position in requests, from 0.";
const NO_REQUEST: &str = "it is about the whole call, or the operation is sendMailer";
const POINTER: &str =
    "The place in the body, as a JSON Pointer (RFC 6901); empty for the whole body.";
const SPAN: &str = "The bytes of the body that it is about.";
const NOWHERE: &str = "it has no place in the body";
const FAILED: &str = "the call ended without a code";
const PLACE: &str = "The place in the HTML, in words for people, such as href of <a>.";
const FIELDS: Kind = Rows("Field");

/// All records of the library that other languages derive from this table.
pub const RECORDS: &[Record] = records! {
    Violation "A rule broken at one place." {
        rule: Word("Rule"), "The rule that is broken.";
        code: Code, "The code that the rule has on the operation.";
        request: Position, REQUEST, absent NO_REQUEST;
        pointer: Text, POINTER, absent NOWHERE;
        span: Span, SPAN, absent NOWHERE;
        remedy: Text, "What to do about it, in whole sentences.";
    }
    Warning "Something that does not change the code, but was probably not meant." {
        kind: Word("WarningKind"), "The kind of the warning.";
        pointer: Text, POINTER, absent NOWHERE;
        span: Span, SPAN, absent NOWHERE;
        detail: Text, "The detail: the field that was probably meant, or the URL that cannot be read. It is the caller's own text.", absent "there is none";
        message: Text, "One sentence for people, with the detail.";
    }
    Decision "The decision about a call." {
        operation: Word("Operation"), "The operation that was called.";
        code: Code, "The one code that answers the call.", absent FAILED;
        rule: Word("Rule"), "The rule that gives the code.", absent "accepted, or the call ended without a code";
        failure: Word("Failure"), "The reason why the call ended without a code.", absent "the call has a code";
        transaction_id: Id, "The number by which the host identifies the accepted call.", absent "it was not accepted";
        request: Position, "The position in requests at which the rule is broken, from 0.", absent "the rule is not broken at a request";
        pointer: Text, POINTER, absent NOWHERE;
        span: Span, SPAN, absent NOWHERE;
        response: Text, "The body of the response.", absent FAILED;
        asked_account: Number, "How often the account was looked up.";
        asked_facts: Number, "How often facts were looked up.";
        asked_commits: Number, "How many plans were handed out or answered, each counted once.";
        accepted: Flag, "The call was accepted and its plan carried out.";
    }
    BlacklistedLink "A link in the HTML of a call that leads to a blacklisted domain." {
        request: Position, REQUEST;
        place: Text, PLACE;
        url: Text, "The URL as written, with character references and escapes of CSS resolved.";
        span: Span, "The bytes of the decoded HTML in which it is written.";
        domain: Text, "The domain on the blacklist: the link's host, or a parent of it.";
    }
    Explained "A rule and the result of judging it." {
        rule: Word("Rule"), "The rule.";
        code: Code, "The rule's code on the call's operation.";
        judgement: Word("Judgement"), "The result.";
    }
    Field "A field of personalization." {
        name: Text, "Its name in the interface, such as firstName.";
        value: Text, "The value. In an update, an empty value clears the field.";
    }
    NewSubscriber "A subscriber to create." {
        email: Text, "The address as sent, without white space around it. It can have any length.";
        match_key: Text, "The match key of the address, by which the subscriber was asked about. It has at most 286 bytes. Store it beside the address.";
        list: Text, "The name of the list to put the subscriber into.";
        fields: FIELDS, "The personalization to store, in the interface's order.";
    }
    Update "A subscriber whose stored personalization is overwritten, field by field." {
        id: Id, "The subscriber's id.";
        fields: FIELDS, "The fields to overwrite, in the interface's order.";
    }
    Recipient "A recipient of an email." {
        to: Text, "The address to send to.";
        subscriber: Id, "The id of the subscriber with this address.", absent "the plan creates the subscriber";
        role: Word("RecipientRole"), "The address list in which the address appears first.", absent "on sendMailer";
    }
    Message "An email's content and sender. Each of its recipients gets an email of its own." {
        mailer: Id, "The id of the stored email to send.", absent "on httpSendMail, whose messages have HTML";
        request: Position, REQUEST, absent "on sendMailer";
        subject: Text, "The subject.", absent "on sendMailer, whose stored email has one";
        from: Text, "The effective sender address.";
        from_name: Text, "The effective sender name.", absent "there is none";
        reply_to: Text, "The reply address.", absent "there is none";
        custom_field: Text, "The caller's text for its own tracking.", absent "there is none";
        recipients: Rows("Recipient"), "The recipients, in order of to, cc and bcc.";
        encoding: Word("Encoding"), "How the HTML was sent.", absent "on sendMailer";
        track_opens: Flag, "Opens are to be tracked.";
        track_clicks: Flag, "Clicks are to be tracked.";
    }
    Collapsed "A repeated address that is left out." {
        request: Position, REQUEST;
        pointer: Text, "The address list in which the repetition is, as a JSON Pointer (RFC 6901).";
        span: Span, "The bytes of the repetition in the body.";
        to: Text, "The address as sent, without white space around it.";
    }
    Debit "The credits that a plan costs." {
        email: Number, "Email credit: one for each email.";
        subscriber: Number, "Subscriber credit: one for each subscriber that is created.";
    }
    Link "A URL in HTML that a mail reader would follow, load or turn into a link." {
        place: Text, PLACE;
        url: Text, "The URL, with character references and escapes of CSS resolved.";
        span: Span, "The bytes of the HTML in which it is written.";
        hosts: Texts, "The hosts to judge the link by. A relative URL and a scheme without hosts have none; a mailto URL can have several.";
        readable: Flag, "At least one browser can read it.";
        in_conditional_comment: Flag, "It is in a conditional comment, which only some mail readers read.";
    }
    Notice "Something that happened to an email, to its reader or to a webhook, as the service reports it. It can come more than once, and in any order." {
        id: Id, "The number of the event. Ignore an event whose number you have seen before: it is a repetition.";
        event_type: Word("EventType"), "What happened.", absent "it is of a type that this version of the library does not know";
        code: Code, "The interface's code for it (section 6).", absent "it has none";
        type_name: Text, "The name of its type.";
        timestamp: Text, "When it happened, in UTC (RFC 3339).", absent "the time is not known";
        transaction_id: Id, "The transactionId that the call was answered with.", absent "it is not about a call, or the call is no longer stored";
        custom_field: Text, "The customField of the call.", absent "the call had none, or is no longer stored";
        recipient: Text, "The recipient's address.", absent "it is not stored";
        status: Text, "The enhanced status code (RFC 3463).", absent "there is none";
        reason: Text, "The reason, in the words of a mail server, a report, the operator or the service.", absent "the reason is not known";
    }
};

#[cfg(test)]
mod tests;
