//! The status that a function returns, and the failure that becomes its error object.

use core::ops::Deref;
use std::borrow::Cow;

use franking_core::{Misuse, OutOfMemory};

/// Done.
pub const FRANKING_STATUS_OK: i32 = 0;
/// A cursor is at its end. This is not a failure: there is no error object.
pub const FRANKING_STATUS_END: i32 = 1;
/// A pointer that may not be NULL is NULL.
pub const FRANKING_STATUS_NULL: i32 = 2;
/// A text is not UTF-8.
pub const FRANKING_STATUS_UTF8: i32 = 3;
/// The size with which a structure begins is smaller than that of its first version: start from its _INIT macro. Or a member
/// that this library does not know is not 0: the program was built for a later library.
pub const FRANKING_STATUS_SIZE: i32 = 4;
/// A number is not one of the allowed constants, a reserved member is not 0, or an index is out of range.
pub const FRANKING_STATUS_ARGUMENT: i32 = 5;
/// A text is not valid as what it has to be, such as an address, a domain, a response or a JSON form.
pub const FRANKING_STATUS_INVALID: i32 = 6;
/// A setting of a policy is invalid; franking_error_key names it.
pub const FRANKING_STATUS_POLICY: i32 = 7;
/// The host's program is wrong: for example, the call waits for something else (look at franking_call_step first), or an
/// answer does not fit the questions. The message of the error says what to correct.
pub const FRANKING_STATUS_MISUSE: i32 = 8;
/// The call or preflight of a cursor was answered or freed since. Make a new cursor.
pub const FRANKING_STATUS_STALE: i32 = 9;
/// Another thread, or a function further up the stack of the same thread, is using the handle.
pub const FRANKING_STATUS_BUSY: i32 = 10;
/// A fault inside the library occurred while it used this handle. Other handles are not affected.
pub const FRANKING_STATUS_PANIC: i32 = 11;
/// An earlier use of this handle ended with FRANKING_STATUS_PANIC. You can only free it.
pub const FRANKING_STATUS_POISONED: i32 = 12;
/// A callback of the host could not look something up; franking_error_value is what it returned. Nothing was carried out:
/// the call can be decided again.
pub const FRANKING_STATUS_HOST: i32 = 13;
/// The host's commit failed, or answered that the result is unknown. If it returned a number other than 0,
/// franking_error_value is that number. It is not known whether the plan was carried out, and the call has ended: do not try
/// again.
pub const FRANKING_STATUS_UNKNOWN: i32 = 14;
/// There is not enough memory for something whose size the caller chooses. Nothing changed.
pub const FRANKING_STATUS_MEMORY: i32 = 15;

/// The reason for a failure, on its way to the caller. It is one pointer wide, so that results stay small when nothing
/// fails.
#[derive(Debug)]
pub(crate) struct Fail(Box<Why>);

#[derive(Debug)]
pub(crate) struct Why {
    pub(crate) status: i32,
    pub(crate) message: Cow<'static, str>,
    pub(crate) key: Option<String>,
    pub(crate) value: Option<i64>,
}

impl Fail {
    #[cold]
    pub(crate) fn new(status: i32, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Why {
            status,
            message: message.into(),
            key: None,
            value: None,
        }))
    }

    /// Returns whether another thread uses the object.
    pub(crate) fn is_busy(&self) -> bool {
        self.0.status == FRANKING_STATUS_BUSY
    }

    #[cold]
    pub(crate) fn longer_than_memory(what: &'static str) -> Self {
        Self::argument(format!("{what} is longer than memory"))
    }

    #[cold]
    pub(crate) fn memory(what: &'static str) -> Self {
        let message =
            format!("there is not enough memory for {what}: pass less, or try again later");
        Self::new(FRANKING_STATUS_MEMORY, message)
    }

    #[cold]
    pub(crate) fn null(what: &'static str) -> Self {
        Self::new(FRANKING_STATUS_NULL, format!("{what} is NULL"))
    }

    pub(crate) fn argument(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(FRANKING_STATUS_ARGUMENT, message)
    }

    pub(crate) fn invalid(error: impl ToString) -> Self {
        Self::new(FRANKING_STATUS_INVALID, error.to_string())
    }

    #[cold]
    pub(crate) fn misuse(error: impl ToString) -> Self {
        Self::new(FRANKING_STATUS_MISUSE, error.to_string())
    }

    #[cold]
    pub(crate) fn stale() -> Self {
        Self::new(
            FRANKING_STATUS_STALE,
            "the call was answered or freed since this cursor was made: make a new one",
        )
    }

    #[cold]
    pub(crate) fn busy() -> Self {
        Self::new(
            FRANKING_STATUS_BUSY,
            "the handle is in use: use it from one thread at a time, and do not free or answer it from a callback",
        )
    }

    #[cold]
    pub(crate) fn panic() -> Self {
        Self::new(
            FRANKING_STATUS_PANIC,
            "a fault inside the library: free the handle, and report what led here",
        )
    }

    #[cold]
    pub(crate) fn poisoned() -> Self {
        Self::new(
            FRANKING_STATUS_POISONED,
            "an earlier use of this handle met a fault inside the library: free it and make a new one",
        )
    }

    pub(crate) fn with_key(mut self, key: &str) -> Self {
        self.0.key = Some(key.to_owned());
        self
    }

    pub(crate) fn with_value(mut self, value: i64) -> Self {
        self.0.value = Some(value);
        self
    }
}

impl From<OutOfMemory> for Fail {
    #[cold]
    fn from(_: OutOfMemory) -> Self {
        Self::memory("the facts")
    }
}

impl From<Misuse> for Fail {
    #[cold]
    fn from(misuse: Misuse) -> Self {
        Self::misuse(misuse)
    }
}

impl Deref for Fail {
    type Target = Why;

    fn deref(&self) -> &Why {
        &self.0
    }
}

/// The result of the body of a function.
pub(crate) type Outcome<T = ()> = Result<T, Fail>;

/// Whether a cursor gave one more item, or is at its end.
pub(crate) enum More {
    Yes,
    No,
}
