//! Comments that mail readers in a terminal end early: at `--`, white space and `>`.

use memchr::memchr_iter;

use super::super::span::Span;
use super::super::work;

/// The rest of a comment after its early end, if it has one.
pub(super) fn rest(html: &[u8], data: Span) -> Option<Span> {
    let bytes = data.bytes(html);
    let after = memchr_iter(b'-', bytes).find_map(|at| {
        let spaces = bytes.get(at..)?.strip_prefix(b"--")?;
        let rest = spaces.trim_ascii_start();
        let after = rest.strip_prefix(b">")?;
        (rest.len() < spaces.len()).then_some(bytes.len() - after.len())
    });
    work::count(after.unwrap_or(bytes.len()));
    Some(Span::new(data.start + after?, data.end))
}
