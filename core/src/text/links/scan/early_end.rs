//! Comments that mail readers in a terminal end early: at `--`, white space and `>`.

use memchr::memchr_iter;

use super::super::span::Span;
use super::super::work;

/// Remembers where the rest of a comment begins for these readers. Comments in comments share their ends, so each end is
/// searched for once.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EarlyEnds {
    /// The span that was searched last. It has no early end in it, but one may begin where it ends.
    searched: Span,
    /// The position after that early end.
    after: Option<usize>,
    /// The rest that was handed out last.
    read: Span,
}

impl EarlyEnds {
    /// The rest of a comment after its early end, unless it is in the rest that was handed out last.
    pub(super) fn rest(&mut self, html: &[u8], data: Span) -> Option<Span> {
        if !self.knows(data) {
            self.search(html, data);
        }
        let rest = Span::new(self.after.filter(|after| *after <= data.end)?, data.end);
        let is_read = self.read.start <= rest.start && rest.end <= self.read.end;
        (!is_read).then(|| {
            self.read = rest;
            rest
        })
    }

    fn knows(&self, data: Span) -> bool {
        let Span { start, end } = self.searched;
        start <= data.start && data.start <= end && (self.after.is_some() || data.end <= end)
    }

    fn search(&mut self, html: &[u8], data: Span) {
        let bytes = data.bytes(html);
        let ends = memchr_iter(b'-', bytes);
        let mut found = ends.filter_map(|at| {
            let spaces = bytes.get(at..)?.strip_prefix(b"--")?;
            let rest = spaces.trim_ascii_start();
            let after = rest.strip_prefix(b">")?;
            (rest.len() < spaces.len()).then_some((at, bytes.len() - after.len()))
        });
        let (at, after) = found
            .next()
            .map_or((bytes.len(), None), |(at, after)| (at, Some(after)));
        work::count(after.unwrap_or(at));
        self.searched = Span::new(data.start, data.start + at);
        self.after = after.map(|after| data.start + after);
    }
}
