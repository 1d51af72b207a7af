//! The host of one reading.

use core::ops::Range;

use super::super::super::hidden::Clause;
use super::super::super::host;
use super::super::super::references::{self, Context};
use super::super::super::work;
use super::super::texts::Escapes;
use super::HostSearch;
use super::ends::End;
use crate::bytes::class::{ByteTable, byte_table};

impl HostSearch<'_, '_, '_, '_> {
    /// Visits the host that begins at `begin`. `reading` also has the user name before it and the port after it.
    pub(super) fn visit_host(&mut self, end: End, begin: usize, reading: Range<usize>) {
        let bytes = self.text.bytes;
        if end.loses_punctuation() && is_www_alone(&bytes[reading.clone()]) {
            return;
        }
        if self.text.is_apart {
            return self.visit_apart(begin..reading.end);
        }
        let part = host_part(&bytes[begin..reading.end]);
        let part = begin + part.start..begin + part.end;
        let has_host = self.looked.get(&part).unwrap_or_else(|| {
            let has_host = self.visit(part.clone());
            self.looked.add(part, has_host);
            has_host
        });
        if has_host && matches!(end, End::Short | End::Line) && self.text.escapes == Escapes::NONE {
            let from = reading.start;
            let next = || {
                let mut signs = memchr::memchr_iter(b'&', &bytes[from..]);
                signs.find(|at| is_open_reference(&bytes[from + at..]))
            };
            if self.open_reference.after(from, bytes.len(), next) < reading.end {
                self.open(Clause::OpenReference, reading);
            }
        }
    }

    /// Visits the host of a text, and returns whether it has one.
    fn visit(&mut self, part: Range<usize>) -> bool {
        let (soup, text) = (self.soup, self.text);
        let written = &text.bytes[part.clone()];
        if written.is_empty() {
            return false;
        }
        work::count(written.len());
        self.findings
            .hosts_of(written, || soup.written(text, part.clone()))
    }

    /// Visits the host of a part of a text, after the marks that are kept apart in the text were put back.
    fn visit_apart(&mut self, written: Range<usize>) {
        let (soup, text) = (self.soup, self.text);
        // Without what follows the port: many hosts can begin in it. No mark that is kept apart decides where the host ends.
        let length = host::host_length(&text.bytes[written.clone()]);
        let together = text.together(&text.bytes[written.start..written.start + length]);
        work::count(together.len());
        let host = &together[host_part(&together)];
        if !host.is_empty() {
            self.findings
                .hosts_of(host, || soup.written(text, written.clone()));
        }
    }

    /// Notes that any host could be hidden in this part of the text, by this clause.
    pub(super) fn open(&mut self, clause: Clause, part: Range<usize>) {
        let (soup, text) = (self.soup, self.text);
        self.findings.open(clause, || soup.written(text, part));
    }
}

/// The part of `host:port` that may be a host: without the port, and only the labels after a byte that no host has, because
/// they may be the end of a host.
fn host_part(text: &[u8]) -> Range<usize> {
    let text = &text[..host::host_length(text)];
    let refused = match text.first() {
        Some(b'[') => None,
        _ => text.iter().rposition(|byte| NEVER.of(*byte)),
    };
    refused.unwrap_or(0)..text.len()
}

/// Whether a reference begins here that is one in text but not in an attribute.
fn is_open_reference(text: &[u8]) -> bool {
    let is_one = |context| references::reference(text, context, &mut [0; 4]).is_some();
    is_one(Context::Text) && !is_one(Context::Attribute)
}

/// Whether a text is `www` and nothing else, which is not a link.
pub(super) fn is_www_alone(text: &[u8]) -> bool {
    text.eq_ignore_ascii_case(b"www")
}

/// The bytes that no host has, because the URL standard forbids them. Brackets and the bytes that end every reading are not
/// among them.
static NEVER: ByteTable<bool> =
    byte_table!(|byte| matches!(byte, 0..=b' ' | b'<' | b'>' | b'^' | b'|' | 0x7f));
