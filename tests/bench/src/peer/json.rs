//! The bodies as typed structs. A text without escapes is borrowed.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

/// A text field. The wrapper makes serde borrow inside an `Option`.
#[derive(Debug, Deserialize)]
pub(super) struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Text<'_> {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The text, unless it is absent: missing, null, or nothing but white space.
pub(super) fn given<'a>(text: Option<&'a Text<'_>>) -> Option<&'a str> {
    text.map(Text::as_str)
        .filter(|text| !text.trim().is_empty())
}

/// An integer, or a string of digits; `None` for an empty string.
#[derive(Debug)]
pub(super) struct Number(pub(super) Option<u64>);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Digits;

        impl Visitor<'_> for Digits {
            type Value = Number;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a number or a string of digits")
            }

            fn visit_u64<E: Error>(self, number: u64) -> Result<Number, E> {
                Ok(Number(Some(number)))
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Number, E> {
                if text.trim().is_empty() {
                    return Ok(Number(None));
                }
                text.parse()
                    .map(|number| Number(Some(number)))
                    .map_err(E::custom)
            }
        }

        deserializer.deserialize_any(Digits)
    }
}

/// The body of sendMailer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "personalization is read for the host to store")]
pub(super) struct SendMailer<'a> {
    #[serde(borrow, alias = "ApiKey")]
    pub(super) api_key: Option<Text<'a>>,
    #[serde(rename = "mailerID")]
    pub(super) mailer_id: Option<Number>,
    pub(super) from: Option<Text<'a>>,
    pub(super) from_name: Option<Text<'a>>,
    #[serde(rename = "subID", alias = "subid")]
    pub(super) sub_id: Option<Number>,
    pub(super) email: Option<Text<'a>>,
    pub(super) list_name: Option<Text<'a>>,
    pub(super) birthday: Option<Text<'a>>,
    pub(super) anniversary: Option<Text<'a>>,
    pub(super) track_opens: Option<Number>,
    pub(super) track_clicks: Option<Number>,
    mobile: Option<Text<'a>>,
    prefix: Option<Text<'a>>,
    first_name: Option<Text<'a>>,
    middle_name: Option<Text<'a>>,
    last_name: Option<Text<'a>>,
    phone: Option<Text<'a>>,
    address: Option<Text<'a>>,
    city: Option<Text<'a>>,
    state: Option<Text<'a>>,
    pin_code: Option<Text<'a>>,
    country: Option<Text<'a>>,
    residence_phone: Option<Text<'a>>,
    designation: Option<Text<'a>>,
    company: Option<Text<'a>>,
    company_address: Option<Text<'a>>,
    company_city: Option<Text<'a>>,
    company_state: Option<Text<'a>>,
    company_country: Option<Text<'a>>,
    company_pin: Option<Text<'a>>,
    company_phone: Option<Text<'a>>,
    company_fax: Option<Text<'a>>,
    reference_no: Option<Text<'a>>,
    extra1: Option<Text<'a>>,
    extra2: Option<Text<'a>>,
    extra3: Option<Text<'a>>,
    extra4: Option<Text<'a>>,
    extra5: Option<Text<'a>>,
    extra6: Option<Text<'a>>,
    custom_field: Option<Text<'a>>,
}

/// The body of httpSendMail.
#[derive(Debug, Deserialize)]
pub(super) struct HttpSendMail<'a> {
    #[serde(rename = "ApiKey", alias = "apiKey", borrow)]
    pub(super) api_key: Option<Text<'a>>,
    pub(super) requests: Option<Vec<Request<'a>>>,
}

/// One of its requests.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "the custom field is read for the host to store")]
pub(super) struct Request<'a> {
    #[serde(borrow)]
    pub(super) subject: Option<Text<'a>>,
    pub(super) body: Option<Text<'a>>,
    pub(super) to: Option<Text<'a>>,
    pub(super) cc: Option<Text<'a>>,
    pub(super) bcc: Option<Text<'a>>,
    pub(super) from: Option<Text<'a>>,
    pub(super) from_name: Option<Text<'a>>,
    #[serde(alias = "replyto")]
    pub(super) reply_to: Option<Text<'a>>,
    pub(super) track_opens: Option<Number>,
    pub(super) track_clicks: Option<Number>,
    custom_field: Option<Text<'a>>,
}
