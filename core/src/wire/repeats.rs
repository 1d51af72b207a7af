//! Names that stand twice in one object, found in linear time whatever the names.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use smallvec::SmallVec;

use super::json::{Name, Reader};
use crate::bytes::distinct::{GONE, equal_groups, hash, item, leave_two, tag};
use crate::bytes::narrow;

/// Collects the names of the objects that are open, and the repeats found in those that were closed.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    /// A hash and the offset of each name of the open objects, the innermost last.
    names: Vec<u64>,
    /// The offset of the second value of every name that stands twice.
    values: Vec<u32>,
    /// The open objects, the innermost last.
    open: SmallVec<[Object; 2]>,
}

/// How far an object's names were looked through. One of many names is looked through as it grows: of each name only
/// two are kept, so that repeated ones take no room.
#[derive(Debug)]
struct Object {
    /// Its first name.
    start: u32,
    /// The repeats among the names before this offset are known.
    judged: u32,
    /// The number of names at which it is looked through next.
    limit: u32,
}

/// An object of fewer names is looked through at its end only.
const MANY: u32 = if cfg!(test) { 4 } else { 1 << 16 };

impl Repeats {
    /// An object is opened.
    pub(crate) fn open(&mut self) {
        let start = narrow(self.names.len());
        self.open.push(Object {
            start,
            judged: 0,
            limit: start + MANY,
        });
    }

    /// A name of the innermost object.
    #[inline]
    pub(crate) fn name(&mut self, name: &Name<'_>, body: &[u8]) {
        let at = narrow(name.at);
        let count = self.names.len();
        if self
            .open
            .last()
            .is_some_and(|object| count >= object.limit as usize)
        {
            self.look_through(at, body);
        }
        if self.names.len() == self.names.capacity() {
            self.make_room();
        }
        self.names.push(tag(hash(&name.text()), at));
    }

    /// Room for a quarter more of many names: the double, as a vector makes it, would take more memory than the names.
    #[cold]
    fn make_room(&mut self) {
        if self.names.len() >= MANY as usize {
            self.names.reserve_exact(self.names.len() / 4);
        }
    }

    /// Notes the repeats so far, and leaves two of each name. It is called whenever the names that were left have
    /// doubled: it sorts all of them, and with smaller steps they would be sorted too often.
    #[cold]
    fn look_through(&mut self, at: u32, body: &[u8]) {
        self.judge(body);
        self.names.retain(|tag| *tag != GONE);
        let count = narrow(self.names.len());
        if let Some(object) = self.open.last_mut() {
            object.judged = at;
            let own = (count - object.start).max(MANY);
            object.limit = count + own;
        }
    }

    /// Notes the repeats of the innermost object that are not known yet.
    fn judge(&mut self, body: &[u8]) {
        let Some(object) = self.open.last() else {
            return;
        };
        let Some(own) = self.names.get_mut(object.start as usize..) else {
            return;
        };
        let name = |at: u32| name_at(body, at);
        equal_groups(own, name, |group| {
            let second = group.get(1).copied().map(item);
            let new = second.filter(|second| *second >= object.judged);
            self.values
                .extend(new.map(|second| value_of_name_at(body, second)));
            leave_two(group);
        });
    }

    /// The innermost object ends.
    pub(crate) fn close(&mut self, body: &[u8]) {
        self.judge(body);
        if let Some(object) = self.open.pop() {
            self.names.truncate(object.start as usize);
        }
    }

    /// A field of the interface stands a second time, here.
    pub(crate) fn field(&mut self, value_at: usize) {
        self.values.push(narrow(value_at));
    }

    /// The offsets of all second values, by position.
    // Of a reference: taking all of it would copy what was just written, and wait for it (store forwarding).
    pub(crate) fn finish(&mut self) -> Vec<u32> {
        self.values.sort_unstable();
        core::mem::take(&mut self.values)
    }
}

fn name_at(body: &[u8], at: u32) -> Cow<'_, [u8]> {
    let mut reader = Reader::at(body, at as usize);
    match reader.next_name(true) {
        Ok(Some(name)) => name.text(),
        _ => Cow::Borrowed(&[]),
    }
}

fn value_of_name_at(body: &[u8], at: u32) -> u32 {
    let mut reader = Reader::at(body, at as usize);
    // The name was read before, so it has no error. It is read again for the place behind it.
    let _ = reader.next_name(true);
    narrow(reader.position())
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    #[test]
    fn names_are_sorted_again_only_when_those_that_are_kept_have_doubled() {
        const COUNT: usize = 1000;
        for different in [1, 10, COUNT / 2, COUNT] {
            let members = (0..COUNT).map(|number| format!(r#""{}":0,"#, number % different));
            let body = format!("{{{}\"end\":0}}", members.collect::<String>());
            let mut reader = Reader::at(body.as_bytes(), 1);
            let mut repeats = Repeats::default();
            repeats.open();
            let judged = |repeats: &Repeats| repeats.open[0].judged;
            let (mut is_first, mut sorted) = (true, 0);
            while let Some(name) = reader.next_name(is_first).unwrap() {
                let before = judged(&repeats);
                let count = repeats.names.len();
                repeats.name(&name, body.as_bytes());
                if judged(&repeats) != before {
                    sorted += count;
                }
                reader.value(0, &mut Repeats::default()).unwrap();
                is_first = false;
            }
            assert!(sorted > 0 && sorted <= 2 * COUNT, "{sorted} of {different}");
            // Two of each, those of the last look aside.
            let most = (4 * different).max(2 * different + MANY as usize);
            assert!(repeats.names.len() <= most, "{}", repeats.names.len());
            repeats.close(body.as_bytes());
            assert_eq!(
                repeats.finish().len(),
                if different < COUNT { different } else { 0 }
            );
        }
    }
}
