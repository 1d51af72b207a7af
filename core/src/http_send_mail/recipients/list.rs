//! Collects the valid entries of an address list.

use super::Collector;
use crate::bytes::text_part;
use crate::text::address::{self, scan_places};
use crate::wire::entries::entries;
use crate::wire::json::{Shape, Value};
use crate::wire::value::is_text;

impl Collector {
    /// Adds the valid entries of a list. Returns whether it has entries, and whether one of them is malformed.
    pub(crate) fn push_list(&mut self, list: Value, sent: &str) -> (bool, bool) {
        let mut found = (false, false);
        if list.shape == Shape::Escaped {
            for entry in entries(list, sent) {
                found.0 = true;
                found.1 |= !self.push_text(entry.span.start, &entry.text);
            }
            return found;
        }
        if !is_text(list) {
            return found;
        }
        let offset = list.content().start;
        let list = text_part(sent, list.content());
        for entry in scan_places(list.as_bytes()) {
            found.0 = true;
            let start = offset + entry.start;
            let text = text_part(list, entry.start..list.len());
            match entry.ascii {
                Some(scan) => self.push_scanned(start, text.as_bytes(), scan),
                None => found.1 |= !self.push_text(start, text_part(text, 0..entry.len)),
            }
        }
        found
    }

    /// Adds an entry if it is valid. Returns whether it is.
    fn push_text(&mut self, start: usize, text: &str) -> bool {
        let Ok(address) = address::parse(text) else {
            return false;
        };
        self.push(start, None, address.match_key().as_bytes());
        true
    }
}
