//! Lines and columns of a body, which knows bytes only.

use std::cell::OnceCell;

/// The number of bytes after which the count of lines and characters is noted. A place is found by reading at most these.
const BLOCK: usize = 1024;

/// Where a byte stands, as a person counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// From 0.
    pub(crate) line: usize,
    /// In characters, from 0.
    pub(crate) column: usize,
}

/// The lines and columns of a body, counted when the first is asked for.
pub(crate) struct Places<'b> {
    body: &'b [u8],
    /// The place of the first byte of each block.
    blocks: OnceCell<Vec<Place>>,
}

impl<'b> Places<'b> {
    pub(crate) fn new(body: &'b [u8]) -> Self {
        Self {
            body,
            blocks: OnceCell::new(),
        }
    }

    pub(crate) fn body(&self) -> &'b [u8] {
        self.body
    }

    /// The place of the byte at an offset; that of the end for any offset behind it.
    pub(crate) fn of(&self, offset: usize) -> Place {
        let offset = offset.min(self.body.len());
        let blocks = self.blocks.get_or_init(|| count(self.body));
        let block = offset / BLOCK;
        let start = blocks
            .get(block)
            .copied()
            .unwrap_or(Place { line: 0, column: 0 });
        let rest = self.body.get(block * BLOCK..offset).unwrap_or_default();
        advance(start, rest)
    }
}

fn count(body: &[u8]) -> Vec<Place> {
    let mut at = Place { line: 0, column: 0 };
    let mut blocks = vec![at];
    for block in body.chunks(BLOCK) {
        at = advance(at, block);
        blocks.push(at);
    }
    blocks
}

fn advance(from: Place, bytes: &[u8]) -> Place {
    bytes.iter().fold(from, |at, byte| match byte {
        b'\n' => Place {
            line: at.line + 1,
            column: 0,
        },
        // The rest of a character whose first byte was counted.
        0x80..=0xbf => at,
        _ => Place {
            column: at.column + 1,
            ..at
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_reading_from_the_start() {
        let body = "é日\n\nabc\n".repeat(700);
        let places = Places::new(body.as_bytes());
        let start = Place { line: 0, column: 0 };
        for offset in 0..=body.len() {
            assert_eq!(
                places.of(offset),
                advance(start, &body.as_bytes()[..offset])
            );
        }
        assert_eq!(places.of(usize::MAX), places.of(body.len()));
        assert_eq!(Places::new(b"").of(5), start);
    }
}
