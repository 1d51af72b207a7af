use super::*;
use alloc::vec::Vec;

/// The marks, computed byte by byte: whether each byte is an unescaped quote, and whether it is another marked byte.
fn expected(bytes: &[u8]) -> Vec<(bool, bool)> {
    let mut is_escaped = false;
    let tell = |byte: &u8| {
        let was_escaped = core::mem::take(&mut is_escaped);
        is_escaped = *byte == b'\\' && !was_escaped;
        let is_other = matches!(byte, b'\\' | 0..0x20);
        (*byte == b'"' && !was_escaped, is_other)
    };
    bytes.iter().map(tell).collect()
}

#[test]
fn the_marks_from_every_place_are_those_found_byte_by_byte() {
    let mut state = 1_u64;
    let mut random = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize
    };
    for round in 0..400 {
        let length = match round % 4 {
            // Whole blocks, with no bytes left over.
            0 => BLOCK * (1 + random() % BLOCKS),
            _ => BLOCK + random() % (BLOCKS * BLOCK),
        };
        let choices = [&b"a"[..], b"\"", b"\\", b"\\\\", b"\n", "\u{e9}".as_bytes()];
        let few = 1 + random() % choices.len();
        let mut bytes = Vec::new();
        while bytes.len() < length {
            bytes.extend_from_slice(choices[random() % few]);
        }
        bytes.truncate(length);
        let start = bytes.iter().position(|byte| *byte != b'\\').unwrap_or(0) as u32;
        let mut marks = Marks::default();
        assert!(marks.from(start).is_none());
        // The marks of an earlier call must not remain.
        marks.look(&[b'"'; BLOCKS * BLOCK], 0);
        marks.look(&bytes, start);
        let expected = expected(&bytes[start as usize..]);
        for at in 0..(BLOCKS - 1) * BLOCK {
            let marked = marks.from(start + at as u32).unwrap();
            for bit in 0..BLOCK {
                let (quote, other) = expected.get(at + bit).copied().unwrap_or_default();
                assert_eq!(marked.quotes >> bit & 1 == 1, quote, "{at} {bit}");
                assert_eq!(marked.others >> bit & 1 == 1, other, "{at} {bit}");
            }
        }
        assert!(marks.from(start + ((BLOCKS - 1) * BLOCK) as u32).is_none());
    }
}
