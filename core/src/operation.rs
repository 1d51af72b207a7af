//! The two operations of the interface, how an HTTP method and path name them, and the end of httpSendMail.

use crate::text::date::{Day, parse_day};
use crate::word::words;

/// The list into which sendMailer puts a new subscriber unless `listName` names another (interface, section 2.4). It
/// need not exist beforehand.
pub const DEFAULT_LIST: &str = "RealTime_Via_API";

/// The list into which httpSendMail puts every address used (interface, section 2.4). It need not exist beforehand.
pub const API_LIST: &str = "API_EMAILS";

words! {
    #[derive(PartialOrd, Ord)]
    enum Operation "An operation of the interface (section 4)."
    1 SendMailer "sendMailer" "One stored email to one recipient (section 4.1)."
    2 HttpSendMail "httpSendMail" "One or many emails whose content comes with the call (section 4.2). Deprecated."
}

/// The end of a deprecated operation, and its successor (interface, section 9).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deprecation {
    /// The last day on which the operation is available, `yyyy-mm-dd`.
    pub last_day: &'static str,
    /// The operation that replaces it.
    pub successor: &'static str,
    /// The value of an HTTP `Sunset` header (RFC 8594): the end of the last day.
    pub sunset: &'static str,
    /// The value of an HTTP `Deprecation` header (RFC 9745): the same moment, because the interface names no other.
    pub deprecation: &'static str,
}

pub(crate) const HTTP_SEND_MAIL_DEPRECATION: Deprecation = Deprecation {
    last_day: "2024-04-30",
    successor: "sendEmail",
    sunset: "Tue, 30 Apr 2024 23:59:59 GMT",
    deprecation: "@1714521599",
};

impl Operation {
    /// The path, below the base address, to which a client posts (interface, section 4).
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::SendMailer => "/v4/sendMailer",
            Self::HttpSendMail => "/v4/httpSendMail.php",
        }
    }

    /// The end of the operation, and its successor; `None` for an operation that is not deprecated.
    #[must_use]
    pub const fn deprecation(self) -> Option<Deprecation> {
        match self {
            Self::SendMailer => None,
            Self::HttpSendMail => Some(HTTP_SEND_MAIL_DEPRECATION),
        }
    }

    /// Whether `today` is after the operation's last day.
    #[must_use]
    pub fn is_past_last_day(self, today: Day) -> bool {
        let last_day = self
            .deprecation()
            .and_then(|deprecation| parse_day(deprecation.last_day).ok());
        last_day.is_some_and(|last_day| today > last_day)
    }
}

/// The operation that an HTTP request names, by its method and path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// A call of this operation.
    Call(Operation),
    /// The path is this operation's but the method is not `POST`: code 401 ([`crate::Rule::MethodNotPost`]).
    WrongMethod(Operation),
}

words! {
    pub(crate) const ROUTES: Route "What an HTTP request to a path of the interface is."
    0 None "none" "The path is not that of an operation."
    1 Call "call" "A call of an operation."
    2 WrongMethod "wrong-method" "The path is that of an operation, and the method is not POST: the call is answered with code 401."
}

/// Finds the operation that an HTTP request names (interface, section 4).
///
/// `path` is the request's path, with or without a query. Any base path may precede `/v4/`, and httpSendMail may be spelled
/// with or without `.php`. `None` when the path is not an operation's: the host answers as it does for any unknown path.
///
/// ```
/// use franking::{Operation, Route, route};
/// assert_eq!(route("POST", "/mail/v4/sendMailer"), Some(Route::Call(Operation::SendMailer)));
/// assert_eq!(route("GET", "/v4/httpSendMail.php?x=1"), Some(Route::WrongMethod(Operation::HttpSendMail)));
/// assert_eq!(route("POST", "/v3/sendMailer"), None);
/// ```
#[must_use]
pub fn route(method: &str, path: &str) -> Option<Route> {
    let path = path.split(['?', '#']).next().unwrap_or(path);
    let is_called = |operation: &Operation| {
        let own = operation.path();
        path.ends_with(own) || path.ends_with(own.trim_end_matches(".php"))
    };
    let operation = Operation::ALL.iter().copied().find(is_called)?;
    Some(if method == METHOD {
        Route::Call(operation)
    } else {
        Route::WrongMethod(operation)
    })
}

/// The one method that calls an operation.
pub(crate) const METHOD: &str = "POST";

#[cfg(test)]
mod tests;
