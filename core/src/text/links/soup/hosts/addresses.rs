//! The domains of the addresses that follow `mailto:`.

#![expect(
    clippy::indexing_slicing,
    reason = "every position is that of a byte that was found in the text, or the end of the text"
)]

use core::ops::Range;

use percent_encoding::percent_decode;

use super::super::super::hidden::Clause;
use super::super::super::host;
use super::super::super::work;
use super::HostSearch;

impl HostSearch<'_, '_, '_, '_> {
    /// Visits the domains of the addresses that follow `mailto:`, up to the next `>`, or up to the end of a value that begins
    /// with it in quotes.
    pub(super) fn addresses(&mut self, begin: usize) {
        let bytes = self.text.bytes;
        if begin < self.addressed {
            return;
        }
        let rest = &bytes[begin..];
        let before = begin.checked_sub(b"\"mailto:".len()).map(|at| bytes[at]);
        let quote = before.filter(|byte| matches!(byte, b'"' | b'\''));
        let closing = quote.and_then(|quote| memchr::memchr(quote, rest));
        let text = match memchr::memchr(b'>', rest) {
            Some(end) => &rest[..closing.map_or(end, |closing| closing.max(end))],
            None => rest,
        };
        let end = begin + text.len();
        self.addressed = end;
        if let Some(changes) = self.text.changes {
            let since = begin.saturating_sub(b"mailto:".len());
            let change = self.changed_address.next_of(changes, since);
            if change.is_none_or(|change| change > end) {
                return;
            }
        }
        work::count(text.len());
        let together = self.text.together(text);
        let decoded = percent_decode(&together).decode_utf8_lossy();
        for domain in decoded.split('@').skip(1) {
            self.address(domain, begin..end);
        }
        // In a value without quotes, a tab or line break ends the last address.
        let mut at = begin;
        while let Some(found) = memchr::memchr2(b'@', b'4', &bytes[at..end]) {
            at += found + 1;
            let is_sign = bytes[at - 1] == b'@' || bytes[at - 2..].starts_with(b"%40");
            if is_sign
                && let Some(gap) = self
                    .gap_in_address
                    .next_of(self.text.gaps, at)
                    .filter(|gap| *gap < end)
            {
                let domain = &bytes[at..gap];
                let domain = domain
                    .strip_prefix(b"0")
                    .filter(|_| bytes[at - 1] == b'4')
                    .unwrap_or(domain);
                if memchr::memchr(b'@', domain).is_none() {
                    self.address(&percent_decode(domain).decode_utf8_lossy(), at..gap);
                }
            }
        }
        let is_unsure = self.soup.is_inner && !self.soup.is_utf8 && !together.is_ascii();
        if is_unsure && decoded.contains('@') {
            self.open(Clause::Charset, begin..end);
        }
    }

    /// Visits the domain that follows the `@` of an address.
    fn address(&mut self, text: &str, written: Range<usize>) {
        let ends = |character: char| {
            character.is_whitespace()
                || matches!(
                    character,
                    '"' | '\'' | '<' | '>' | ',' | ';' | '(' | ')' | '?' | '&' | '#' | '/' | '\\'
                )
        };
        let domain = text.split(ends).next().unwrap_or(text);
        work::count(domain.len());
        let Self {
            soup,
            text,
            findings,
            ..
        } = self;
        host::visit_domain(domain.trim_end_matches('.'), &mut |host| {
            findings.host(host, || soup.written(text, written.clone()));
        });
    }
}
