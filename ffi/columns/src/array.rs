//! Columns that are lent to a consumer. Each column keeps its buffers until the consumer releases it.

use core::ffi::{CStr, c_char, c_void};
use core::ptr;
use std::ffi::CString;

use crate::error::ColumnError;
use crate::interface::{ArrowArray, ArrowSchema, Owned, Released};

/// The memory of a buffer. A vector of numbers has the alignment of its numbers.
pub(crate) enum Buffer {
    /// No buffer. For a bitmap of validity this means that no row is null.
    None,
    Bytes(Vec<u8>),
    Small(Vec<i32>),
    Large(Vec<i64>),
}

/// The target of the pointer to an empty buffer. An empty vector points to a small number, and the runtime of Go stops a
/// program that has one below 4,096 in a pointer.
static EMPTY: u64 = 0;

impl Buffer {
    const fn as_ptr(&self) -> *const c_void {
        match self {
            Self::None => ptr::null(),
            Self::Bytes(bytes) => start(bytes.as_slice()),
            Self::Small(numbers) => start(numbers.as_slice()),
            Self::Large(numbers) => start(numbers.as_slice()),
        }
    }
}

const fn start<T>(values: &[T]) -> *const c_void {
    if values.is_empty() {
        return (&raw const EMPTY).cast();
    }
    values.as_ptr().cast()
}

/// A column, or a batch of columns.
pub(crate) struct Array {
    pub(crate) length: usize,
    pub(crate) nulls: usize,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) children: Vec<Self>,
    pub(crate) dictionary: Option<Box<Self>>,
}

/// The data that a lent array keeps until it is released.
struct Kept {
    /// The targets of the pointers.
    _buffers: Vec<Buffer>,
    pointers: Vec<*const c_void>,
    children: Vec<*mut ArrowArray>,
    dictionary: *mut ArrowArray,
}

fn signed(number: usize) -> Result<i64, ColumnError> {
    i64::try_from(number).map_err(|_| ColumnError::TooLarge)
}

impl Array {
    /// Lends it. The receiver of the result has to release it.
    pub(crate) fn lend(self) -> Result<ArrowArray, ColumnError> {
        let (length, null_count) = (signed(self.length)?, signed(self.nulls)?);
        let children = self.children.into_iter().map(Self::lend);
        let children = children.collect::<Result<Vec<_>, _>>()?;
        let dictionary = self.dictionary.map(|own| own.lend()).transpose()?;
        let boxed = |array: ArrowArray| Box::into_raw(Box::new(array));
        let mut kept = Box::new(Kept {
            pointers: self.buffers.iter().map(Buffer::as_ptr).collect(),
            _buffers: self.buffers,
            children: children.into_iter().map(boxed).collect(),
            dictionary: dictionary.map_or(ptr::null_mut(), boxed),
        });
        Ok(ArrowArray {
            length,
            null_count,
            offset: 0,
            n_buffers: signed(kept.pointers.len())?,
            n_children: signed(kept.children.len())?,
            buffers: kept.pointers.as_mut_ptr(),
            children: kept.children.as_mut_ptr(),
            dictionary: kept.dictionary,
            release: Some(release_array),
            private_data: Box::into_raw(kept).cast(),
        })
    }
}

unsafe extern "C-unwind" fn release_array(array: *mut ArrowArray) {
    // SAFETY: by the interface, it is an array of this crate that was not released.
    let own = unsafe { ptr::replace(array, ArrowArray::EMPTY) };
    // SAFETY: the pointer comes from `lend` and is given back only here, since an array is released once.
    let kept: Box<Kept> = unsafe { Box::from_raw(own.private_data.cast()) };
    // SAFETY: the pointers come from `lend` and are given back only here.
    unsafe { release_members(kept.children, kept.dictionary) };
}

/// Releases the members of a structure. A member that the consumer has moved out has no release function, and is skipped.
///
/// # Safety
/// The pointers are those of boxes that no other code gives back. The dictionary may be NULL.
unsafe fn release_members<T: Released>(children: Vec<*mut T>, dictionary: *mut T) {
    let dictionary = (!dictionary.is_null()).then_some(dictionary);
    for member in children.into_iter().chain(dictionary) {
        // SAFETY: as demanded of the caller.
        let member = unsafe { Box::from_raw(member) };
        drop(Owned::new(*member));
    }
}

/// A type of a column.
pub(crate) struct Type {
    /// The format string of the interface.
    pub(crate) format: &'static CStr,
    pub(crate) name: &'static CStr,
    pub(crate) is_nullable: bool,
    /// Pairs of a key and a value.
    pub(crate) metadata: Vec<(String, String)>,
    pub(crate) children: Vec<Self>,
    pub(crate) dictionary: Option<Box<Self>>,
}

impl Type {
    pub(crate) const fn new(name: &'static CStr, format: &'static CStr) -> Self {
        Self {
            format,
            name,
            is_nullable: true,
            metadata: Vec::new(),
            children: Vec::new(),
            dictionary: None,
        }
    }
}

/// The data that a lent type keeps until it is released.
struct KeptType {
    _metadata: Option<Vec<u8>>,
    children: Vec<*mut ArrowSchema>,
    dictionary: *mut ArrowSchema,
}

/// Rows of this column may be null.
const NULLABLE: i64 = 2;

impl Type {
    /// Lends it. The receiver of the result has to release it.
    pub(crate) fn lend(self) -> Result<ArrowSchema, ColumnError> {
        let metadata = (!self.metadata.is_empty()).then(|| encoded(&self.metadata));
        let metadata = metadata.transpose()?;
        let children = self.children.into_iter().map(Self::lend);
        let children = children.collect::<Result<Vec<_>, _>>()?;
        let dictionary = self.dictionary.map(|own| own.lend()).transpose()?;
        let boxed = |schema: ArrowSchema| Box::into_raw(Box::new(schema));
        let mut kept = Box::new(KeptType {
            children: children.into_iter().map(boxed).collect(),
            dictionary: dictionary.map_or(ptr::null_mut(), boxed),
            _metadata: metadata,
        });
        let metadata = kept._metadata.as_ref();
        Ok(ArrowSchema {
            format: self.format.as_ptr(),
            name: self.name.as_ptr(),
            metadata: metadata.map_or(ptr::null(), |bytes| bytes.as_ptr().cast::<c_char>()),
            flags: if self.is_nullable { NULLABLE } else { 0 },
            n_children: signed(kept.children.len())?,
            children: kept.children.as_mut_ptr(),
            dictionary: kept.dictionary,
            release: Some(release_schema),
            private_data: Box::into_raw(kept).cast(),
        })
    }
}

unsafe extern "C-unwind" fn release_schema(schema: *mut ArrowSchema) {
    // SAFETY: by the interface, it is a schema of this crate that was not released.
    let own = unsafe { ptr::replace(schema, ArrowSchema::EMPTY) };
    // SAFETY: the pointer comes from `lend` and is given back only here, since a schema is released once.
    let kept: Box<KeptType> = unsafe { Box::from_raw(own.private_data.cast()) };
    // SAFETY: the pointers come from `lend` and are given back only here.
    unsafe { release_members(kept.children, kept.dictionary) };
}

/// Metadata in the encoding of the interface: each text comes after its length, a number of 32 bits.
fn encoded(pairs: &[(String, String)]) -> Result<Vec<u8>, ColumnError> {
    let number = |length: usize| {
        let length = i32::try_from(length).map_err(|_| ColumnError::TooLarge)?;
        Ok::<_, ColumnError>(length.to_ne_bytes())
    };
    let mut bytes = number(pairs.len())?.to_vec();
    for text in pairs.iter().flat_map(|(key, value)| [key, value]) {
        bytes.extend(number(text.len())?);
        bytes.extend(text.as_bytes());
    }
    Ok(bytes)
}

/// A text without NULs, for a consumer. What follows a NUL is left out.
pub(crate) fn c_text(text: &str) -> CString {
    let bytes = text
        .bytes()
        .take_while(|byte| *byte != 0)
        .collect::<Vec<_>>();
    CString::new(bytes).unwrap_or_default()
}
