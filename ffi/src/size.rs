//! Structures that may grow: they begin with their own size.
//!
//! A caller built against an older header passes a smaller structure, one built against a newer header a larger one.
//! The smallest size that is taken is that of the structure's first version.

use core::mem::MaybeUninit;

use crate::status::{FRANKING_STATUS_SIZE, Fail, Outcome};

/// A structure of the C ABI without padding whose every byte pattern is a value, so that it may be copied in part.
///
/// # Safety
/// The type is `repr(C)`, begins with its size, and has no padding; every member takes any bytes. `FIRST` is the size of its
/// first version.
pub(crate) unsafe trait Grows: Copy {
    /// The size of the first version.
    const FIRST: usize;
    /// A value for the members that the caller does not know of: absent, 0 or NULL.
    const EMPTY: Self = empty();
}

/// Zeroes, but for the size.
const fn empty<T: Grows>() -> T {
    let mut empty = MaybeUninit::<T>::zeroed();
    // SAFETY: the structure begins with its size.
    unsafe { empty.as_mut_ptr().cast::<usize>().write(size_of::<T>()) };
    // SAFETY: every member takes any bytes.
    unsafe { empty.assume_init() }
}

#[inline]
fn check(size: usize, first: usize) -> Outcome {
    if size < first {
        return Err(too_small(size, first));
    }
    Ok(())
}

#[cold]
fn too_small(size: usize, first: usize) -> Fail {
    let message = format!(
        "the size given is {size}, the structure has at least {first} bytes: start from its _INIT macro"
    );
    Fail::new(FRANKING_STATUS_SIZE, message)
}

/// Copies as much as both know.
///
/// # Safety
/// `size` bytes are readable from `from` on.
#[inline]
unsafe fn copy_in<T: Grows>(from: *const u8, size: usize) -> T {
    if size == size_of::<T>() {
        // The usual case: loads of the members alone.
        // SAFETY: `size` bytes are readable, and any bytes are a value of the type.
        return unsafe { from.cast::<T>().read_unaligned() };
    }
    // SAFETY: as demanded of the caller.
    unsafe { copy_in_part(from, size) }
}

/// # Safety
/// As [`copy_in`].
#[cold]
#[inline(never)]
unsafe fn copy_in_part<T: Grows>(from: *const u8, size: usize) -> T {
    let mut value = T::EMPTY;
    let known = size.min(size_of::<T>());
    // SAFETY: both sides have `known` bytes, and any bytes are a value of the type.
    unsafe { core::ptr::copy_nonoverlapping(from, (&raw mut value).cast(), known) };
    value
}

/// Copies as much as both know and clears the rest. The value is passed as such: taken by reference, it would have to
/// lie in memory first.
///
/// # Safety
/// `size` bytes are writable from `to` on.
#[inline]
unsafe fn copy_out<T: Grows>(value: T, to: *mut u8, size: usize) {
    if size == size_of::<T>() {
        // SAFETY: `size` bytes are writable.
        return unsafe { to.cast::<T>().write_unaligned(value) };
    }
    // SAFETY: as demanded of the caller.
    unsafe { copy_out_part(value, to, size) };
}

/// # Safety
/// As [`copy_out`].
#[cold]
#[inline(never)]
unsafe fn copy_out_part<T: Grows>(value: T, to: *mut u8, size: usize) {
    let known = size.min(size_of::<T>());
    // SAFETY: both sides have `known` bytes, all of them initialized, for the type has no padding.
    unsafe { core::ptr::copy_nonoverlapping((&raw const value).cast(), to, known) };
    // SAFETY: `known` is at most `size`.
    let rest = unsafe { to.add(known) };
    // SAFETY: these are the last bytes of the caller's structure.
    unsafe { rest.write_bytes(0, size.saturating_sub(known)) };
}

/// Reads a structure that begins with its size.
///
/// # Safety
/// `from` is NULL or points to a structure of the size with which it begins.
pub(crate) unsafe fn read_sized<T: Grows>(from: *const T, what: &'static str) -> Outcome<T> {
    if from.is_null() {
        return Err(Fail::null(what));
    }
    // SAFETY: the structure begins with its size.
    let size = unsafe { from.cast::<usize>().read_unaligned() };
    check(size, T::FIRST)?;
    // SAFETY: the caller says that `size` bytes are readable.
    Ok(unsafe { copy_in(from.cast(), size) })
}

/// A structure that begins with its size, where it lies if it has all members: one that was just written is quicker read
/// member by member than copied. Else a copy in `room`.
///
/// # Safety
/// As [`read_sized`]; nobody changes the structure while the result is used.
#[inline]
pub(crate) unsafe fn borrow_sized<'a, T: Grows>(
    from: *const T,
    room: &'a mut MaybeUninit<T>,
    what: &'static str,
) -> Outcome<&'a T> {
    if !from.is_null() && from.is_aligned() {
        // SAFETY: the structure begins with its size.
        let size = unsafe { from.cast::<usize>().read_unaligned() };
        if size >= size_of::<T>() {
            // SAFETY: not NULL, aligned, and the caller says that `size` bytes are readable; any bytes are a value.
            return Ok(unsafe { &*from });
        }
    }
    // SAFETY: as demanded of the caller.
    Ok(room.write(unsafe { read_sized(from, what) }?))
}

/// The size with which the caller's structure begins.
///
/// # Safety
/// As [`read_sized`].
pub(crate) unsafe fn check_sized<T: Grows>(to: *const T, what: &'static str) -> Outcome<usize> {
    if to.is_null() {
        return Err(Fail::null(what));
    }
    // SAFETY: the structure begins with its size.
    let size = unsafe { to.cast::<usize>().read_unaligned() };
    check(size, T::FIRST)?;
    Ok(size)
}

/// Writes a structure that begins with its size; the caller's size stays as it is.
///
/// # Safety
/// As [`read_sized`], and the structure is writable.
#[inline]
pub(crate) unsafe fn write_sized<T: Grows>(to: *mut T, what: &'static str, value: T) -> Outcome {
    // SAFETY: as demanded of the caller.
    let size = unsafe { check_sized(to, what) }?;
    // SAFETY: the caller says that `size` bytes are writable.
    unsafe { copy_out(value, to.cast(), size) };
    // SAFETY: the structure begins with its size.
    unsafe { to.cast::<usize>().write_unaligned(size) };
    Ok(())
}

/// As [`write_sized`], for large structures: `make` writes the members where they stay, once nothing can fail any more.
/// Made elsewhere and copied, a structure waits for the stores of its members.
///
/// # Safety
/// As [`write_sized`], and `make` initializes its place when it succeeds.
#[inline(always)]
pub(crate) unsafe fn write_sized_with<T: Grows>(
    to: *mut T,
    what: &'static str,
    mut make: impl FnMut(&mut MaybeUninit<T>) -> Outcome,
) -> Outcome {
    // SAFETY: as demanded of the caller.
    let size = unsafe { check_sized(to, what) }?;
    if size == size_of::<T>() && to.is_aligned() {
        // SAFETY: the caller says that `size` bytes are writable; they need not be initialized.
        return make(unsafe { &mut *to.cast::<MaybeUninit<T>>() });
    }
    // SAFETY: as demanded of the caller.
    unsafe { write_part_with(to, what, &mut make) }
}

/// # Safety
/// As [`write_sized_with`].
#[cold]
#[inline(never)]
unsafe fn write_part_with<T: Grows>(
    to: *mut T,
    what: &'static str,
    make: &mut dyn FnMut(&mut MaybeUninit<T>) -> Outcome,
) -> Outcome {
    let mut room = MaybeUninit::uninit();
    make(&mut room)?;
    // SAFETY: it was made there.
    let value = unsafe { room.assume_init() };
    // SAFETY: as demanded of the caller.
    unsafe { write_sized(to, what, value) }
}

/// Writes one value into the room at `index`.
pub(crate) fn put<T>(room: &mut [MaybeUninit<T>], index: usize, value: T) {
    if let Some(place) = room.get_mut(index) {
        place.write(value);
    }
}

/// Checks what is reserved for members to come: a program that sets it was built for a version that knows more.
#[inline]
pub(crate) fn check_reserved(is_zero: bool) -> Outcome {
    if is_zero {
        return Ok(());
    }
    Err(Fail::argument(
        "a member named reserved is not 0: start from the structure's _INIT macro, or from zeroes",
    ))
}

/// Writes the first `size` bytes of what a structure starts from. One that is too small is refused where it is used.
///
/// # Safety
/// `to` is NULL, or `size` bytes are writable from there on.
pub(crate) unsafe fn init_sized<T: Grows>(to: *mut T, size: usize) {
    if to.is_null() || size < size_of::<usize>() {
        return;
    }
    // SAFETY: as demanded of the caller.
    unsafe { copy_out(T::EMPTY, to.cast(), size) };
    // SAFETY: the structure begins with its size.
    unsafe { to.cast::<usize>().write_unaligned(size) };
}
