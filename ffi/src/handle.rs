//! Handles: who may use one, and what a panic does to it.
//!
//! Every function that may panic runs inside [`run`], or [`value`] when it has no status: a panic never leaves the library. A
//! handle that a caller could wrongly use from two threads at once is a [`Guarded`]: it admits many readers or one writer,
//! counts them in one number, and never waits. A panic during its use poisons this handle and no other.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::error::FrankingError;
use crate::guard::{catch, forced_panic};
use crate::status::{FRANKING_STATUS_END, FRANKING_STATUS_OK, Fail, More, Outcome};

/// Runs the body of a function that returns a status. A panic becomes a status, too.
pub(crate) fn run(error: *mut *mut FrankingError, inside: impl FnOnce() -> Outcome) -> i32 {
    match catch(inside).and_then(|outcome| outcome) {
        Ok(()) => FRANKING_STATUS_OK,
        Err(fail) => fail.report(error),
    }
}

/// As [`run`], for a function without a [`Guarded`] handle. Tests force a panic where such a handle is used, and without one at
/// the beginning of the function.
pub(crate) fn run_alone(error: *mut *mut FrankingError, inside: impl FnOnce() -> Outcome) -> i32 {
    run(error, || {
        forced_panic();
        inside()
    })
}

/// As [`run`], for a function that moves a cursor, which may be at its end.
pub(crate) fn run_next(
    error: *mut *mut FrankingError,
    inside: impl FnOnce() -> Outcome<More>,
) -> i32 {
    match catch(inside).and_then(|outcome| outcome) {
        Ok(More::Yes) => FRANKING_STATUS_OK,
        Ok(More::No) => FRANKING_STATUS_END,
        Err(fail) => fail.report(error),
    }
}

/// Runs the body of a function that returns a value. After a panic the value is `otherwise`.
pub(crate) fn value<T>(otherwise: T, inside: impl FnOnce() -> T) -> T {
    catch(|| {
        forced_panic();
        inside()
    })
    .unwrap_or(otherwise)
}

const WRITER: u32 = u32::MAX;

/// A value with a lock and a poison flag.
pub(crate) struct Guarded<T> {
    /// The number of readers, or [`WRITER`].
    lock: AtomicU32,
    is_poisoned: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached only through the lock, which lets in many readers or one writer.
unsafe impl<T: Send + Sync> Sync for Guarded<T> {}

/// Releases the lock when it is dropped, also during a panic.
struct Opened<'a> {
    lock: &'a AtomicU32,
    is_writer: bool,
}

impl Drop for Opened<'_> {
    fn drop(&mut self) {
        if self.is_writer {
            self.lock.store(0, Ordering::Release);
        } else {
            self.lock.fetch_sub(1, Ordering::Release);
        }
    }
}

impl<T> Guarded<T> {
    pub(crate) fn new(value: T) -> Self {
        Self {
            lock: AtomicU32::new(0),
            is_poisoned: AtomicBool::new(false),
            value: UnsafeCell::new(value),
        }
    }

    /// Initializes everything but the value in place. Returns where the value has to be written.
    ///
    /// # Safety
    /// `place` is writable, and no other code uses it.
    #[expect(
        clippy::multiple_unsafe_ops_per_block,
        reason = "naming a member and writing it is one thing"
    )]
    pub(crate) unsafe fn prepare(place: *mut Self) -> *mut T {
        // SAFETY: as demanded of the caller.
        unsafe { (&raw mut (*place).lock).write(AtomicU32::new(0)) };
        // SAFETY: as demanded of the caller.
        unsafe { (&raw mut (*place).is_poisoned).write(AtomicBool::new(false)) };
        // SAFETY: as demanded of the caller; the cell adds nothing to the value.
        unsafe { (&raw mut (*place).value).cast() }
    }

    fn lock_to_read(&self) -> Outcome<Opened<'_>> {
        let enter = |readers: u32| readers.checked_add(1).filter(|readers| *readers != WRITER);
        self.lock
            .fetch_update(Ordering::Acquire, Ordering::Relaxed, enter)
            .map_err(|_| Fail::busy())?;
        Ok(Opened {
            lock: &self.lock,
            is_writer: false,
        })
    }

    fn lock_to_write(&self) -> Outcome<Opened<'_>> {
        self.lock
            .compare_exchange(0, WRITER, Ordering::Acquire, Ordering::Relaxed)
            .map_err(|_| Fail::busy())?;
        Ok(Opened {
            lock: &self.lock,
            is_writer: true,
        })
    }

    fn check_poison(&self) -> Outcome {
        if self.is_poisoned.load(Ordering::Relaxed) {
            return Err(Fail::poisoned());
        }
        Ok(())
    }

    fn or_poison<R>(&self, inside: impl FnOnce() -> Outcome<R>) -> Outcome<R> {
        let result = catch(|| {
            forced_panic();
            inside()
        });
        result.unwrap_or_else(|fail| {
            self.is_poisoned.store(true, Ordering::Relaxed);
            Err(fail)
        })
    }

    /// Uses the value together with other readers.
    pub(crate) fn read<R>(&self, inside: impl FnOnce(&T) -> Outcome<R>) -> Outcome<R> {
        let _opened = self.lock_to_read()?;
        self.check_poison()?;
        // SAFETY: the lock keeps writers out until the end of this function.
        self.or_poison(|| inside(unsafe { &*self.value.get() }))
    }

    /// As [`Guarded::read`], for a use that a panic cannot leave half done: a panic does not poison the value.
    pub(crate) fn lend<R>(&self, inside: impl FnOnce(&T) -> Outcome<R>) -> Outcome<R> {
        let _opened = self.lock_to_read()?;
        self.check_poison()?;
        // SAFETY: the lock keeps writers out until the end of this function.
        inside(unsafe { &*self.value.get() })
    }

    /// Reads data outside the value, unless a writer is at work.
    pub(crate) fn peek<R>(&self, inside: impl FnOnce() -> R) -> Outcome<R> {
        if self.lock.load(Ordering::Acquire) == WRITER {
            return Err(Fail::busy());
        }
        self.check_poison()?;
        self.or_poison(|| Ok(inside()))
    }

    /// Uses the value exclusively.
    pub(crate) fn write<R>(&self, inside: impl FnOnce(&mut T) -> Outcome<R>) -> Outcome<R> {
        let _opened = self.lock_to_write()?;
        self.check_poison()?;
        // SAFETY: the lock keeps all other threads out until the end of this function.
        self.or_poison(|| inside(unsafe { &mut *self.value.get() }))
    }
}

/// The value that a handle points to. Fails with NULL if there is none.
///
/// # Safety
/// `handle` is NULL or was made by the library, is of this type and was not freed.
pub(crate) unsafe fn get<'a, T>(handle: *const T, what: &'static str) -> Outcome<&'a T> {
    // SAFETY: as demanded of the caller.
    unsafe { handle.as_ref() }.ok_or_else(|| Fail::null(what))
}

/// Checks that an out-parameter is not NULL.
pub(crate) fn check_out<T>(out: *mut T, what: &'static str) -> Outcome {
    if out.is_null() {
        return Err(Fail::null(what));
    }
    Ok(())
}

/// Writes a result, at the very end of a function.
///
/// # Safety
/// `out` is a place for one value, and was checked by [`check_out`].
pub(crate) unsafe fn put_out<T>(out: *mut T, value: T) -> Outcome {
    // SAFETY: as demanded of the caller.
    unsafe { out.write(value) };
    Ok(())
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]
mod tests {
    use super::*;
    use crate::status::{FRANKING_STATUS_BUSY, FRANKING_STATUS_PANIC, FRANKING_STATUS_POISONED};

    /// The result of each way of using a value while it is in use already.
    fn tried(guarded: &Guarded<u32>) -> [Result<(), i32>; 4] {
        let status = |outcome: Outcome| outcome.map_err(|fail| fail.status);
        [
            status(guarded.write(|_| Ok(()))),
            status(guarded.read(|_| Ok(()))),
            status(guarded.lend(|_| Ok(()))),
            status(guarded.peek(|| ())),
        ]
    }

    const BUSY: Result<(), i32> = Err(FRANKING_STATUS_BUSY);
    const FREE: [Result<(), i32>; 4] = [Ok(()); 4];

    #[test]
    fn a_writer_keeps_everybody_out_until_it_has_left() {
        let guarded = Guarded::new(1);
        guarded
            .write(|value| {
                assert_eq!(tried(&guarded), [BUSY; 4]);
                // The refused uses did not release the lock.
                assert_eq!(tried(&guarded), [BUSY; 4]);
                *value = 2;
                Ok(())
            })
            .unwrap();
        assert_eq!(tried(&guarded), FREE);
        assert_eq!(guarded.read(|value| Ok(*value)).ok(), Some(2));
    }

    #[test]
    fn a_reader_keeps_writers_out_and_lets_readers_in() {
        let guarded = Guarded::new(1);
        let beside = [BUSY, Ok(()), Ok(()), Ok(())];
        for read in [Guarded::read, Guarded::lend] {
            let inside = |_: &u32| {
                assert_eq!(tried(&guarded), beside);
                // One reader has left, but another one still reads.
                assert_eq!(tried(&guarded), beside);
                Ok(())
            };
            read(&guarded, inside).unwrap();
            assert_eq!(tried(&guarded), FREE);
        }
    }

    #[test]
    fn a_panic_opens_the_lock_and_poisons_the_value() {
        let guarded = Guarded::new(1);
        let panics = |_: &mut u32| -> Outcome { std::panic::resume_unwind(Box::new(())) };
        let status = guarded.write(panics).map_err(|fail| fail.status);
        assert_eq!(status, Err(FRANKING_STATUS_PANIC));
        assert_eq!(tried(&guarded), [Err(FRANKING_STATUS_POISONED); 4]);
    }
}
