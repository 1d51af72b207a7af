//! Requests with named fields.

use alloc::borrow::Cow;

use super::error::ComposeError;
use super::fields::{FieldValue, Fields};
use super::node::{self, Node};
use crate::serialize::to_json;
use crate::wire::field::{RequestField, SendMailerField};

/// A call of sendMailer (interface, section 4.1): one stored email to one recipient.
///
/// A field that is not set is left out. A field that is set is written as it is, even an empty text. Debug shows only the
/// names of the fields that are set.
///
/// ```
/// use franking::SendMailerRequest;
/// let request = SendMailerRequest::new("key", 42).email("new@example.org").first_name("Ana").track_opens(true);
/// assert_eq!(
///     request.compose(),
///     r#"{"apiKey":"key","mailerID":42,"email":"new@example.org","firstName":"Ana","trackOpens":1}"#
/// );
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SendMailerRequest<'a> {
    fields: Fields<'a, SendMailerField>,
}

/// One request of httpSendMail (interface, section 4.2): an email with its subject, HTML and recipients.
///
/// A field that is not set is left out. A field that is set is written as it is, even an empty text. [`compose`] encodes
/// the HTML. Debug shows only the names of the fields that are set.
///
/// [`compose`]: crate::compose()
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpSendMailRequest<'a> {
    pub(super) fields: Fields<'a, RequestField>,
}

/// One setter for each field, and what both requests have in common.
macro_rules! setters {
    ($request:ident $fields:ident $($field:ident $name:ident $kind:ident $doc:literal)*) => {
        impl<'a> $request<'a> {
            $(
                setters! { @setter $fields $field $name $kind $doc }
            )*

            /// Reads the fields of an object by name, as [`compose_json`](crate::compose_json) does.
            ///
            /// # Errors
            /// [`ComposeError`] when the text is not a JSON object, or when a field is unknown, repeated or of a wrong
            /// type.
            pub fn from_json(text: &'a str) -> Result<Self, ComposeError> {
                Self::from_node(Node::from_json(text, node::FIELDS)?, None)
            }

            pub(super) fn from_node(
                node: Node<'a>,
                request: Option<usize>,
            ) -> Result<Self, ComposeError> {
                let fields = Fields::from_node(node, request)?;
                Ok(Self { fields })
            }

            /// The same request, borrowing nothing.
            #[must_use]
            pub fn into_owned(self) -> $request<'static> {
                let fields = self.fields.into_owned();
                $request { fields }
            }
        }

        // A field without a setter does not compile.
        const _: fn($fields) = |field| match field {
            $($fields::$field => {})*
        };
    };
    (@setter $fields:ident $field:ident $name:ident text $doc:literal) => {
        #[doc = $doc]
        #[must_use]
        pub fn $name(mut self, text: impl Into<Cow<'a, str>>) -> Self {
            self.fields.set($fields::$field, FieldValue::Text(text.into()));
            self
        }
    };
    (@setter $fields:ident $field:ident $name:ident id $doc:literal) => {
        #[doc = $doc]
        #[must_use]
        pub fn $name(mut self, id: u64) -> Self {
            self.fields.set($fields::$field, FieldValue::Integer(id.into()));
            self
        }
    };
    (@setter $fields:ident $field:ident $name:ident flag $doc:literal) => {
        #[doc = $doc]
        #[must_use]
        pub fn $name(mut self, is_on: bool) -> Self {
            self.fields.set($fields::$field, FieldValue::Flag(is_on));
            self
        }
    };
}

setters! { SendMailerRequest SendMailerField
    ApiKey api_key text "Sets `apiKey`, the account's key."
    MailerId mailer_id id "Sets `mailerID`, the id of the stored email to send."
    From from text "Sets `from`, an active sender of the account; by default the one assigned to the stored email."
    FromName from_name text "Sets `fromName`, the sender's name; it needs `from`."
    SubId sub_id id "Sets `subID`, the id of an existing subscriber; `email` is then ignored."
    Email email text "Sets `email`, the recipient's address."
    Mobile mobile text "Sets `mobile`, the mobile number."
    ListName list_name text "Sets `listName`, the existing list for a new subscriber; by default `RealTime_Via_API`."
    Prefix prefix text "Sets `prefix`, the title."
    FirstName first_name text "Sets `firstName`."
    MiddleName middle_name text "Sets `middleName`."
    LastName last_name text "Sets `lastName`."
    Phone phone text "Sets `phone`, the primary telephone."
    Address address text "Sets `address`, of the residence."
    City city text "Sets `city`, of the residence."
    State state text "Sets `state`, of the residence."
    PinCode pin_code text "Sets `pinCode`, of the residence."
    Country country text "Sets `country`, of the residence."
    ResidencePhone residence_phone text "Sets `residencePhone`."
    Designation designation text "Sets `designation`, the official one."
    Company company text "Sets `company`, its name."
    CompanyAddress company_address text "Sets `companyAddress`."
    CompanyCity company_city text "Sets `companyCity`."
    CompanyState company_state text "Sets `companyState`."
    CompanyCountry company_country text "Sets `companyCountry`."
    CompanyPin company_pin text "Sets `companyPin`."
    CompanyPhone company_phone text "Sets `companyPhone`."
    CompanyFax company_fax text "Sets `companyFax`."
    ReferenceNo reference_no text "Sets `referenceNo`, a free number."
    Extra1 extra1 text "Sets `extra1`, free."
    Extra2 extra2 text "Sets `extra2`, free."
    Extra3 extra3 text "Sets `extra3`, free."
    Extra4 extra4 text "Sets `extra4`, free."
    Extra5 extra5 text "Sets `extra5`, free."
    Extra6 extra6 text "Sets `extra6`, free."
    Birthday birthday text "Sets `birthday`, a day written `yyyy-mm-dd`."
    Anniversary anniversary text "Sets `anniversary`, a day written `yyyy-mm-dd`."
    TrackOpens track_opens flag "Sets `trackOpens`: whether opens are tracked; by default not."
    TrackClicks track_clicks flag "Sets `trackClicks`: whether clicks are tracked; by default not."
    CustomField custom_field text "Sets `customField`, for the caller's own tracking."
}

setters! { HttpSendMailRequest RequestField
    Subject subject text "Sets `subject`; it takes no personalization."
    Body html text "Sets `body`, as HTML that is not encoded."
    To to text "Sets `to`: addresses, with commas between them. Each address gets an email of its own."
    Cc cc text "Sets `cc`: addresses, with commas between them."
    Bcc bcc text "Sets `bcc`: addresses, with commas between them."
    From from text "Sets `from`, an active sender of the account."
    FromName from_name text "Sets `fromName`, the sender's name."
    ReplyTo reply_to text "Sets `replyTo`, the reply address."
    CustomField custom_field text "Sets `customField`, for the caller's own tracking."
    TrackOpens track_opens flag "Sets `trackOpens`: whether opens are tracked; by default not."
    TrackClicks track_clicks flag "Sets `trackClicks`: whether clicks are tracked; by default not."
}

impl<'a> SendMailerRequest<'a> {
    /// A request with the account's key and the id of the stored email. It still needs a recipient:
    /// [`SendMailerRequest::sub_id`] or [`SendMailerRequest::email`].
    #[must_use]
    pub fn new(api_key: impl Into<Cow<'a, str>>, mailer_id: u64) -> Self {
        Self::default().api_key(api_key).mailer_id(mailer_id)
    }

    /// The body of the call, to be posted to [`Operation::path`](crate::Operation::path). It is compact JSON with the fields
    /// in the interface's order and flags as integers. The interface does not limit its size.
    #[must_use]
    pub fn compose(&self) -> alloc::string::String {
        to_json(&self.fields)
    }
}

impl HttpSendMailRequest<'_> {
    /// A request without fields. It still needs a subject, HTML, a sender and a recipient.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}
