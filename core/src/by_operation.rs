//! A value of one of two types, depending on the operation.

/// The value of sendMailer or the value of httpSendMail. Code for both operations is a `match` with one line for each. When
/// an operation is added, the compiler lists every `match` that lacks it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ByOperation<S, H> {
    SendMailer(S),
    HttpSendMail(H),
}

/// An expression that is the same for both values: `either!(value, it => it.name())`.
macro_rules! either {
    ($both:expr, $one:ident => $given:expr) => {
        match $both {
            crate::by_operation::ByOperation::SendMailer($one) => $given,
            crate::by_operation::ByOperation::HttpSendMail($one) => $given,
        }
    };
}
pub(crate) use either;

impl<S, H> ByOperation<S, H> {
    /// The value of sendMailer, if it is one.
    pub(crate) fn send_mailer(self) -> Option<S> {
        match self {
            Self::SendMailer(one) => Some(one),
            Self::HttpSendMail(_) => None,
        }
    }

    /// The value of httpSendMail, if it is one.
    pub(crate) fn http_send_mail(self) -> Option<H> {
        match self {
            Self::SendMailer(_) => None,
            Self::HttpSendMail(one) => Some(one),
        }
    }
}

impl<S: Iterator, H: Iterator<Item = S::Item>> Iterator for ByOperation<S, H> {
    type Item = S::Item;

    #[inline]
    fn next(&mut self) -> Option<S::Item> {
        either!(self, items => items.next())
    }

    fn nth(&mut self, count: usize) -> Option<S::Item> {
        either!(self, items => items.nth(count))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        either!(self, items => items.size_hint())
    }
}

impl<S: ExactSizeIterator, H: ExactSizeIterator<Item = S::Item>> ExactSizeIterator
    for ByOperation<S, H>
{
}
