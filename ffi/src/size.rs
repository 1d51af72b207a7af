//! Structures that may grow: they begin with their own size, or their rows are passed with the size of one.
//!
//! A caller built against an older header passes a smaller structure, one built against a newer header a larger one.
//! The smallest size that is taken is that of the structure's first version.

use core::mem::MaybeUninit;

use crate::status::{FRANKING_STATUS_SIZE, Fail, Outcome};

/// A structure of the C ABI without padding whose every byte pattern is a value, so that it may be copied in part.
///
/// # Safety
/// The type is `repr(C)` and has no padding; every member takes any bytes. `FIRST` is the size of its first version.
pub(crate) unsafe trait Grows: Copy {
    /// The size of the first version.
    const FIRST: usize;
    /// A value for the members that the caller does not know of.
    const EMPTY: Self;
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
        "the size given is {size}, the structure has at least {first} bytes: start from its _INIT macro, and pass \
         sizeof of a row"
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
        // Almost always: no more than loads of the members.
        // SAFETY: so many bytes are there, and any bytes are a value of the type.
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
        // SAFETY: so many bytes are there.
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
    let size = unsafe { from.cast::<usize>().read() };
    check(size, T::FIRST)?;
    // SAFETY: the caller says that so many bytes are there.
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
        let size = unsafe { from.cast::<usize>().read() };
        if size >= size_of::<T>() {
            // SAFETY: not NULL, aligned, and the caller says that so many bytes are there; any bytes are a value.
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
    let size = unsafe { to.cast::<usize>().read() };
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
    // SAFETY: the caller says that so many bytes are there.
    unsafe { copy_out(value, to.cast(), size) };
    // SAFETY: the structure begins with its size.
    unsafe { to.cast::<usize>().write(size) };
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
        // SAFETY: the caller says that so many bytes are there; they need not be initialized.
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

/// Rows that the caller passed in, each of `row_size` bytes.
pub(crate) struct Rows<T> {
    data: *const T,
    count: usize,
    row_size: usize,
}

impl<T: Grows> Rows<T> {
    #[inline]
    pub(crate) fn new(
        data: *const T,
        count: usize,
        row_size: usize,
        what: &'static str,
    ) -> Outcome<Self> {
        let fits = !data.is_null() && count <= isize::MAX as usize / size_of::<T>();
        // Almost every caller's rows are as this version makes them.
        if row_size != size_of::<T>() || !(fits || count == 0) {
            check_rows(data.is_null(), count, row_size, T::FIRST, what)?;
        }
        Ok(Self {
            data,
            count,
            row_size,
        })
    }

    /// Hands each row to `take`, where it lies if that can be: one that was just written is quicker read member by member
    /// than copied.
    ///
    /// # Safety
    /// `count` rows of `row_size` bytes are readable, and nobody changes them meanwhile.
    #[inline(always)]
    pub(crate) unsafe fn each(&self, mut take: impl FnMut(&T) -> Outcome) -> Outcome {
        if self.count == 0 {
            return Ok(());
        }
        if self.row_size == size_of::<T>() && self.data.is_aligned() {
            // SAFETY: not NULL, aligned, no longer than memory, and readable as demanded of the caller.
            let rows = unsafe { core::slice::from_raw_parts(self.data, self.count) };
            return rows.iter().try_for_each(take);
        }
        // SAFETY: as demanded of the caller.
        unsafe { self.each_copied(&mut take) }
    }

    /// # Safety
    /// As [`Rows::each`].
    #[cold]
    #[inline(never)]
    unsafe fn each_copied(&self, take: &mut dyn FnMut(&T) -> Outcome) -> Outcome {
        for index in 0..self.count {
            // SAFETY: the row is one of the caller's.
            let row = unsafe { self.data.byte_add(index.saturating_mul(self.row_size)) };
            // SAFETY: as demanded of the caller.
            take(&unsafe { copy_in(row.cast(), self.row_size) })?;
        }
        Ok(())
    }
}

#[cold]
#[inline(never)]
fn check_rows(
    is_null: bool,
    count: usize,
    row_size: usize,
    first: usize,
    what: &'static str,
) -> Outcome {
    check(row_size, first)?;
    if count == 0 {
        return Ok(());
    }
    if is_null {
        return Err(Fail::null(what));
    }
    let size = count.checked_mul(row_size);
    if size.is_none_or(|size| size > isize::MAX as usize) {
        return Err(Fail::longer_than_memory(what));
    }
    Ok(())
}

/// Room for rows that the caller passed in, each of `row_size` bytes.
pub(crate) struct RowsRoom<T> {
    /// Where the next row goes, and for how many there is room.
    next: *mut T,
    left: usize,
    row_size: usize,
    capacity: usize,
}

impl<T: Grows> RowsRoom<T> {
    pub(crate) fn new(
        data: *mut T,
        capacity: usize,
        row_size: usize,
        what: &'static str,
    ) -> Outcome<Self> {
        Rows::new(data.cast_const(), capacity, row_size, what)?;
        Ok(Self {
            next: data,
            left: capacity,
            row_size,
            capacity,
        })
    }

    pub(crate) fn is_full(&self) -> bool {
        self.left == 0
    }

    pub(crate) fn written(&self) -> usize {
        self.capacity.saturating_sub(self.left)
    }

    /// The room as a slice, if its rows are those of this version.
    ///
    /// # Safety
    /// `capacity` rows of `row_size` bytes are writable, and used by nobody else.
    #[inline]
    pub(crate) unsafe fn as_slice(&mut self) -> Option<&mut [MaybeUninit<T>]> {
        if self.left == 0 {
            return Some(&mut []);
        }
        if self.row_size != size_of::<T>() || !self.next.is_aligned() {
            return None;
        }
        // SAFETY: not NULL, aligned, no longer than memory, and writable as demanded of the caller.
        Some(unsafe { core::slice::from_raw_parts_mut(self.next.cast(), self.left) })
    }

    /// # Safety
    /// `capacity` rows of `row_size` bytes are writable.
    #[inline]
    pub(crate) unsafe fn push(&mut self, value: T) {
        let Some(left) = self.left.checked_sub(1) else {
            return;
        };
        // SAFETY: the row is one of the caller's.
        unsafe { copy_out(value, self.next.cast(), self.row_size) };
        self.left = left;
        // SAFETY: behind the row there is another one, or the end of the caller's rows.
        self.next = unsafe { self.next.byte_add(self.row_size) };
    }
}

/// Writes one value into the room at `index`.
pub(crate) fn put<T>(room: &mut [MaybeUninit<T>], index: usize, value: T) {
    if let Some(place) = room.get_mut(index) {
        place.write(value);
    }
}
