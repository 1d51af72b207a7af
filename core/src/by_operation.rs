//! What both operations have, each in its own way.

/// One of two: that of sendMailer, or that of httpSendMail. What is asked of either is a `match` with one line for each. When an
/// operation is added, the compiler lists them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ByOperation<S, H> {
    SendMailer(S),
    HttpSendMail(H),
}

impl<S, H> ByOperation<S, H> {
    /// That of sendMailer.
    pub(crate) fn send_mailer(self) -> Option<S> {
        match self {
            Self::SendMailer(one) => Some(one),
            Self::HttpSendMail(_) => None,
        }
    }

    /// That of httpSendMail.
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
        match self {
            Self::SendMailer(items) => items.next(),
            Self::HttpSendMail(items) => items.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::SendMailer(items) => items.size_hint(),
            Self::HttpSendMail(items) => items.size_hint(),
        }
    }
}

impl<S: ExactSizeIterator, H: ExactSizeIterator<Item = S::Item>> ExactSizeIterator
    for ByOperation<S, H>
{
}
