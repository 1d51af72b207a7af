//! The domains of the addresses that follow `mailto:`.

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
        self.addresses_before_gaps(begin..end);
        let is_unsure = self.soup.is_inner && !self.soup.is_utf8 && !together.is_ascii();
        if is_unsure && decoded.contains('@') {
            self.open(Clause::Charset, begin..end);
        }
    }

    /// Visits the domain before each gap: in a value without quotes, a tab or line break ends the last address.
    fn addresses_before_gaps(&mut self, addresses: Range<usize>) {
        let bytes = self.text.bytes;
        let mut last: Option<Range<usize>> = None;
        let mut at = addresses.start;
        while let Some(found) = memchr::memchr2(b'@', b'4', &bytes[at..addresses.end]) {
            at += found + 1;
            let begin = match bytes[at - 1] {
                b'@' => at,
                _ if bytes[at - 2..].starts_with(b"%40") => at + 1,
                _ => continue,
            };
            let gap = self.gap_in_address.next_of(self.text.gaps, at);
            let Some(gap) = gap.filter(|gap| *gap < addresses.end) else {
                break;
            };
            // Of the signs before a gap, only the last one is directly before a domain that the gap ends.
            if let Some(before) = last.replace(begin..gap.max(begin))
                && before.end < gap
            {
                self.address_before_gap(before);
            }
        }
        if let Some(last) = last {
            self.address_before_gap(last);
        }
    }

    fn address_before_gap(&mut self, domain: Range<usize>) {
        let bytes = self.text.bytes;
        let decoded = percent_decode(&bytes[domain.clone()]).decode_utf8_lossy();
        self.address(&decoded, domain);
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
        let (soup, searched) = (self.soup, self.text);
        host::visit_domain(domain.trim_end_matches('.'), &mut |host| {
            self.findings
                .host(host, || soup.written(searched, written.clone()));
        });
    }
}
