//! Handles: who may use one, and what a panic does to it.
//!
//! Every function runs inside [`run`], or [`value`] when it has no status: a panic never leaves the library. A handle
//! that can be used wrongly at the same time is a [`Guarded`]: many readers or one writer, told by one number, never
//! waited for; a panic while it is used poisons it, and it alone.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use crate::error::FrankingError;
use crate::guard::{catch, forced_panic};
use crate::status::{FRANKING_STATUS_END, FRANKING_STATUS_OK, Fail, More, Outcome};

/// The inside of a function that has a status. A panic is a status, too.
pub(crate) fn run(error: *mut *mut FrankingError, inside: impl FnOnce() -> Outcome) -> i32 {
    match catch(inside).and_then(|outcome| outcome) {
        Ok(()) => FRANKING_STATUS_OK,
        Err(fail) => fail.report(error),
    }
}

/// As [`run`], of a function without a handle that a forced panic could be tested with.
pub(crate) fn run_alone(error: *mut *mut FrankingError, inside: impl FnOnce() -> Outcome) -> i32 {
    run(error, || {
        forced_panic();
        inside()
    })
}

/// As [`run`], of a function that may be at an end.
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

/// The inside of a function that returns what it finds; after a panic, `otherwise`.
pub(crate) fn value<T>(otherwise: T, inside: impl FnOnce() -> T) -> T {
    catch(|| {
        forced_panic();
        inside()
    })
    .unwrap_or(otherwise)
}

const WRITER: u32 = u32::MAX;

/// A value behind a handle, with its lock and its poison.
pub(crate) struct Guarded<T> {
    /// How many read, or [`WRITER`].
    lock: AtomicU32,
    is_poisoned: AtomicBool,
    value: UnsafeCell<T>,
}

// SAFETY: the value is reached only through the lock, which lets in many readers or one writer.
unsafe impl<T: Send + Sync> Sync for Guarded<T> {}

/// Opens the lock again, also when a panic passes.
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

    /// Makes everything but the value where it is to stay, and says where the value has to be written.
    ///
    /// # Safety
    /// `place` is writable, and nobody else uses it.
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

    /// As [`Guarded::read`], of what a panic cannot leave half done: it poisons nothing.
    pub(crate) fn lend<R>(&self, inside: impl FnOnce(&T) -> Outcome<R>) -> Outcome<R> {
        let _opened = self.lock_to_read()?;
        self.check_poison()?;
        // SAFETY: the lock keeps writers out until the end of this function.
        inside(unsafe { &*self.value.get() })
    }

    /// Looks at something beside the value, while nobody writes.
    pub(crate) fn peek<R>(&self, inside: impl FnOnce() -> R) -> Outcome<R> {
        if self.lock.load(Ordering::Acquire) == WRITER {
            return Err(Fail::busy());
        }
        self.check_poison()?;
        self.or_poison(|| Ok(inside()))
    }

    /// Uses the value alone.
    pub(crate) fn write<R>(&self, inside: impl FnOnce(&mut T) -> Outcome<R>) -> Outcome<R> {
        let _opened = self.lock_to_write()?;
        self.check_poison()?;
        // SAFETY: the lock keeps everybody else out until the end of this function.
        self.or_poison(|| inside(unsafe { &mut *self.value.get() }))
    }
}

/// What a handle points to.
///
/// # Safety
/// `handle` is NULL or was made by the library, is of this type and was not freed.
pub(crate) unsafe fn get<'a, T>(handle: *const T, what: &'static str) -> Outcome<&'a T> {
    // SAFETY: as demanded of the caller.
    unsafe { handle.as_ref() }.ok_or_else(|| Fail::null(what))
}

/// Checks that there is a place to write to.
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
