//! Slices of the buffers that a producer lends. All code that reads pointers of arrays is here.

use core::ffi::{CStr, c_char, c_void};
use core::slice;

use crate::error::ColumnError;
use crate::interface::ArrowArray;

/// Converts a length or an offset of the interface, which are signed numbers.
pub(crate) fn count(number: i64) -> Result<usize, ColumnError> {
    usize::try_from(number).map_err(|_| ColumnError::Interface("a length or an offset is negative"))
}

/// The number of bytes of `count` items of `size` bytes each.
pub(crate) fn bytes_of(count: usize, size: usize) -> Result<usize, ColumnError> {
    count
        .checked_mul(size)
        .filter(|bytes| *bytes <= isize::MAX.unsigned_abs())
        .ok_or(ColumnError::Interface("a buffer is larger than the memory"))
}

/// A text of a structure. `None` if the pointer is NULL.
///
/// # Safety
/// The pointer is NULL or points to a text that ends with a NUL and outlives the result.
pub(crate) unsafe fn text<'a>(text: *const c_char) -> Option<&'a CStr> {
    if text.is_null() {
        return None;
    }
    // SAFETY: as demanded of the caller.
    Some(unsafe { CStr::from_ptr(text) })
}

/// The members that a structure points to.
///
/// # Safety
/// `first` is NULL or points to `many` pointers. Each is NULL or points to a structure. All outlive the result.
pub(crate) unsafe fn members<'a, T>(
    first: *mut *mut T,
    many: i64,
) -> Result<Vec<&'a T>, ColumnError> {
    let many = count(many)?;
    if many == 0 {
        return Ok(Vec::new());
    }
    if first.is_null() {
        return Err(ColumnError::Interface("the pointer to children is NULL"));
    }
    // SAFETY: as demanded of the caller.
    let all = unsafe { slice::from_raw_parts(first, many) };
    all.iter()
        .map(|member| {
            // SAFETY: as demanded of the caller.
            let member = unsafe { member.as_ref() };
            member.ok_or(ColumnError::Interface("the pointer to a child is NULL"))
        })
        .collect()
}

/// The buffers of an array.
#[derive(Clone, Copy)]
pub(crate) struct Buffers<'a>(&'a [*const c_void]);

impl<'a> Buffers<'a> {
    /// # Safety
    /// The array is not released, and outlives the result. Its buffers are as long as its length and type say.
    pub(crate) unsafe fn new(array: &'a ArrowArray) -> Result<Self, ColumnError> {
        let many = count(array.n_buffers)?;
        if many == 0 {
            return Ok(Self(&[]));
        }
        if array.buffers.is_null() {
            return Err(ColumnError::Interface("the pointer to buffers is NULL"));
        }
        // SAFETY: as demanded of the caller.
        Ok(Self(unsafe {
            slice::from_raw_parts(array.buffers.cast_const(), many)
        }))
    }

    pub(crate) const fn len(self) -> usize {
        self.0.len()
    }

    /// The buffer at a position, if there is one.
    pub(crate) fn find(self, at: usize, bytes: usize) -> Result<Option<&'a [u8]>, ColumnError> {
        let missing = ColumnError::Interface("an array has too few buffers");
        let buffer = *self.0.get(at).ok_or(missing)?;
        if buffer.is_null() {
            return Ok(None);
        }
        // SAFETY: as demanded of the caller of `new`: the buffer has that many bytes. Their number is checked to be at most
        // isize::MAX.
        Ok(Some(unsafe { slice::from_raw_parts(buffer.cast(), bytes) }))
    }

    /// The buffer at a position. It may be missing only if it has no bytes.
    pub(crate) fn get(self, at: usize, bytes: usize) -> Result<&'a [u8], ColumnError> {
        match self.find(at, bytes)? {
            Some(buffer) => Ok(buffer),
            None if bytes == 0 => Ok(&[]),
            None => Err(ColumnError::Interface("the pointer to a buffer is NULL")),
        }
    }
}

/// The bytes of the number at a position in a buffer of such numbers.
pub(crate) fn number<const SIZE: usize>(buffer: &[u8], at: usize) -> Option<[u8; SIZE]> {
    let begin = at.checked_mul(SIZE)?;
    let bytes = buffer.get(begin..begin.checked_add(SIZE)?)?;
    bytes.try_into().ok()
}
