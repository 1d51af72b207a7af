//! Finds the line and the column of a byte offset in a body.

use std::cell::OnceCell;

/// The number of bytes in a block. The place of each block's start is kept, so that finding a place reads at most one block.
const BLOCK: usize = 1024;

/// The place of a byte as people count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineColumn {
    /// The number of lines before it.
    pub(crate) line: usize,
    /// The number of characters before it in its line.
    pub(crate) column: usize,
}

/// The lines and columns of a body. They are counted when the first place is asked for.
pub(crate) struct Places<'b> {
    body: &'b [u8],
    /// The place of the first byte of each block.
    blocks: OnceCell<Vec<LineColumn>>,
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

    /// The place of the byte at an offset. Any offset after the end counts as the end.
    pub(crate) fn of(&self, offset: usize) -> LineColumn {
        let offset = offset.min(self.body.len());
        let blocks = self.blocks.get_or_init(|| count(self.body));
        let block = offset / BLOCK;
        let start = blocks
            .get(block)
            .copied()
            .unwrap_or(LineColumn { line: 0, column: 0 });
        let rest = self.body.get(block * BLOCK..offset).unwrap_or_default();
        advance(start, rest)
    }
}

fn count(body: &[u8]) -> Vec<LineColumn> {
    let mut at = LineColumn { line: 0, column: 0 };
    let mut blocks = vec![at];
    for block in body.chunks(BLOCK) {
        at = advance(at, block);
        blocks.push(at);
    }
    blocks
}

fn advance(from: LineColumn, bytes: &[u8]) -> LineColumn {
    bytes.iter().fold(from, |at, byte| match byte {
        b'\n' => LineColumn {
            line: at.line + 1,
            column: 0,
        },
        // A continuation byte of a character that was counted with its first byte.
        0x80..=0xbf => at,
        _ => LineColumn {
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
        let start = LineColumn { line: 0, column: 0 };
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
