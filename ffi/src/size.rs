//! Structures that may grow in later versions: they begin with their own size.
//!
//! A caller built against an older header passes a smaller structure, and one built against a newer header a larger one. The
//! smallest size that is accepted is that of the structure's first version. Of a larger structure, the part that this library
//! does not know has to be 0: it would ignore what the caller has set there.

use core::mem::MaybeUninit;

use crate::status::{FRANKING_STATUS_SIZE, Fail, Outcome};

/// A type whose layout programs may rely on: a structure of the table in layout.rs, which has a line in ffi/abi.txt, or a
/// number or a pointer. Only rows and structures of these types cross the boundary.
///
/// # Safety
/// The type has no padding, and a structure is `repr(C)`.
pub(crate) unsafe trait LaidOut: Copy {}

// SAFETY: a number.
unsafe impl LaidOut for u8 {}
// SAFETY: a number.
unsafe impl LaidOut for u64 {}
// SAFETY: a pointer.
unsafe impl<T> LaidOut for *const T {}

/// A structure of the C ABI of which every byte pattern is a valid value, so that a part of it may be copied.
///
/// # Safety
/// The type begins with its size, and every member takes any bytes. `FIRST` is the size of its first version.
pub(crate) unsafe trait Grows: LaidOut {
    /// The size of the first version.
    const FIRST: usize;
    /// The values of the members that the caller does not know: absent, 0 or NULL.
    const EMPTY: Self = empty();
}

/// Zeroes, except the size.
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

#[cold]
fn too_new(size: usize, known: usize) -> Fail {
    let message = format!(
        "the size given is {size}, and a byte after the first {known} is not 0: this library does not know that member"
    );
    Fail::new(FRANKING_STATUS_SIZE, message)
}

/// Reads a structure of `size` bytes. Members that the caller does not know have the values of [`Grows::EMPTY`].
///
/// # Safety
/// `size` bytes are readable from `from` on.
#[inline]
unsafe fn copy_in<T: Grows>(from: *const u8, size: usize) -> Outcome<T> {
    if size == size_of::<T>() {
        // The usual case, which compiles to plain loads of the members.
        // SAFETY: `size` bytes are readable, and any bytes are a value of the type.
        return Ok(unsafe { from.cast::<T>().read_unaligned() });
    }
    // SAFETY: as demanded of the caller.
    unsafe { copy_in_part(from, size) }
}

/// # Safety
/// As [`copy_in`].
#[cold]
#[inline(never)]
unsafe fn copy_in_part<T: Grows>(from: *const u8, size: usize) -> Outcome<T> {
    let mut value = T::EMPTY;
    let known = size.min(size_of::<T>());
    for at in known..size {
        // SAFETY: `size` bytes are readable.
        if unsafe { from.wrapping_add(at).read() } != 0 {
            return Err(too_new(size, known));
        }
    }
    // SAFETY: both sides have `known` bytes, and any bytes are a value of the type.
    unsafe { core::ptr::copy_nonoverlapping(from, (&raw mut value).cast(), known) };
    Ok(value)
}

/// Writes as many members as both sides know, and clears the rest of `size` bytes. The value is passed by value: by
/// reference, it would have to be in memory first.
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
    unsafe { copy_in(from.cast(), size) }
}

/// Borrows a structure that begins with its size in place, if it is aligned and of this library's size: when it was just
/// written, reading single members is faster than copying it. Otherwise copies it into `room`.
///
/// # Safety
/// As [`read_sized`]. No code changes the structure while the result is used.
#[inline]
pub(crate) unsafe fn borrow_sized<'a, T: Grows>(
    from: *const T,
    room: &'a mut MaybeUninit<T>,
    what: &'static str,
) -> Outcome<&'a T> {
    if !from.is_null() && from.is_aligned() {
        // SAFETY: the structure begins with its size.
        let size = unsafe { from.cast::<usize>().read_unaligned() };
        if size == size_of::<T>() {
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

/// Writes a structure that begins with its size. The caller's size stays as it is.
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

/// As [`write_sized`], for large structures: `make` writes the members in place, once nothing can fail any more. A structure
/// that is made elsewhere and copied would wait for the stores of its members.
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

/// Writes one value at `index`, if there is such a place.
pub(crate) fn put<T>(room: &mut [MaybeUninit<T>], index: usize, value: T) {
    if let Some(place) = room.get_mut(index) {
        place.write(value);
    }
}

/// Checks the bytes that are reserved for future members. A program that sets them was built for a later version.
#[inline]
pub(crate) fn check_reserved(is_zero: bool) -> Outcome {
    if is_zero {
        return Ok(());
    }
    Err(Fail::argument(
        "a member named reserved is not 0: start from the structure's _INIT macro, or from zeroes",
    ))
}

/// Writes the first `size` bytes of a structure's initial value. A structure that is too small is refused when it is used.
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

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]
mod tests {
    use super::*;

    /// A structure that has grown by a member since its first version.
    #[repr(C)]
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Grown {
        size: usize,
        first: u64,
        later: u64,
    }

    // SAFETY: repr(C), 3 * 8 bytes without padding.
    unsafe impl LaidOut for Grown {}

    // SAFETY: it begins with its size, and every member takes any bytes.
    unsafe impl Grows for Grown {
        const FIRST: usize = 16;
    }

    const VALUE: Grown = Grown {
        size: 24,
        first: 5,
        later: 6,
    };

    /// The memory of a program: a structure of `size` bytes, and other data after it.
    fn program(size: usize, first: u64) -> [u64; 5] {
        [size as u64, first, 7, 8, 9]
    }

    #[test]
    fn of_an_older_program_a_library_reads_what_it_has_and_takes_the_rest_for_absent() {
        let older = program(16, 5);
        // SAFETY: the memory is longer than the size that it begins with.
        let read = unsafe { read_sized(older.as_ptr().cast::<Grown>(), "it") };
        let expected = Grown {
            size: 16,
            first: 5,
            later: 0,
        };
        assert_eq!(read.ok().unwrap(), expected);
        let mut room = MaybeUninit::uninit();
        // SAFETY: as above.
        let lent = unsafe { borrow_sized(older.as_ptr().cast::<Grown>(), &mut room, "it") };
        assert_eq!(*lent.ok().unwrap(), expected);
    }

    #[test]
    fn to_an_older_program_a_library_writes_no_more_than_it_has_room_for() {
        let mut older = program(16, 0);
        // SAFETY: the memory is longer than the size that it begins with.
        unsafe { write_sized(older.as_mut_ptr().cast::<Grown>(), "it", VALUE) }
            .ok()
            .unwrap();
        assert_eq!(older, [16, 5, 7, 8, 9]);
        let make = |place: &mut MaybeUninit<Grown>| {
            place.write(VALUE);
            Ok(())
        };
        let mut older = program(16, 0);
        // SAFETY: as above.
        unsafe { write_sized_with(older.as_mut_ptr().cast::<Grown>(), "it", make) }
            .ok()
            .unwrap();
        assert_eq!(older, [16, 5, 7, 8, 9]);
    }

    #[test]
    fn to_a_newer_program_a_library_says_that_what_it_does_not_know_is_absent() {
        let mut newer = program(32, 0);
        // SAFETY: the memory is longer than the size that it begins with.
        unsafe { write_sized(newer.as_mut_ptr().cast::<Grown>(), "it", VALUE) }
            .ok()
            .unwrap();
        assert_eq!(newer, [32, 5, 6, 0, 9]);
    }

    #[test]
    fn of_a_newer_program_a_library_refuses_a_member_that_it_does_not_know_unless_it_is_0() {
        for (later, expected) in [(0_u64, None), (1, Some(FRANKING_STATUS_SIZE))] {
            // The 7 between is a member that the library knows.
            let newer = [32, 5, 7, later.swap_bytes(), 9];
            let from = newer.as_ptr().cast::<Grown>();
            // SAFETY: the memory is longer than the size that it begins with.
            let read = unsafe { read_sized(from, "it") };
            assert_eq!(read.err().map(|fail| fail.status), expected);
            let mut room = MaybeUninit::uninit();
            // SAFETY: as above.
            let lent = unsafe { borrow_sized(from, &mut room, "it") };
            let known = lent.as_ref().ok().map(|own| own.later);
            assert_eq!(known, expected.is_none().then_some(7));
            assert_eq!(lent.err().map(|fail| fail.status), expected);
        }
    }

    #[test]
    fn a_structure_may_lie_at_any_address_and_one_smaller_than_the_first_is_refused() {
        let mut bytes = [0_u8; 41];
        let odd = bytes.as_mut_ptr().wrapping_add(1).cast::<Grown>();
        for (size, expected) in [
            (15_usize, None),
            (16, Some(5)),
            (24, Some(5)),
            (32, Some(5)),
        ] {
            // SAFETY: eight bytes from there on.
            unsafe { odd.cast::<usize>().write_unaligned(size) };
            // SAFETY: the memory is longer than the size that it begins with.
            let written = unsafe { write_sized(odd, "it", VALUE) };
            // SAFETY: the memory is longer than the size that it begins with.
            let read = unsafe { read_sized(odd, "it") }.ok();
            assert_eq!(read.map(|value| value.first), expected);
            assert_eq!(
                written.err().map(|fail| fail.status),
                expected.is_none().then_some(FRANKING_STATUS_SIZE)
            );
        }
    }
}
