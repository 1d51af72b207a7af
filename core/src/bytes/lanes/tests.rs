use super::*;

#[test]
fn every_byte_at_every_place_is_told_as_byte_by_byte() {
    for byte in 0..=u8::MAX {
        for at in 0..LANES {
            let mut bytes = [b'a'; LANES];
            bytes[at] = byte;
            let lanes = Lanes::of(&bytes);
            let bit = |is: bool| u32::from(is) << at;
            let is_plain = matches!(byte, b' '..=0x7f) && byte != b'"' && byte != b'\\';
            assert_eq!(
                lanes.plain_ascii(),
                ALL_LANES ^ bit(!is_plain),
                "{byte} {at}"
            );
            let mut block = [b'a'; BLOCK];
            block[at + 2 * LANES] = byte;
            let in_block = u64::from(bit(!is_plain)) << (2 * LANES);
            assert_eq!(no_plain_ascii(&block), in_block, "{byte} {at}");
            let lanes_of = |is: bool| if is { bit(true) } else { 0 };
            assert_eq!(lanes.positions_of(b'"'), lanes_of(byte == b'"'));
            let is_any = matches!(byte, b'"' | 0xff);
            assert_eq!(lanes.positions_of_any([b'"', 0xff]), lanes_of(is_any));
            let is_quote = byte == b'"';
            let all = (in_block, is_plain || is_quote);
            assert_eq!(tell_quotes(&block), all, "{byte} {at}");
            let of = |is: bool| if is { 1 << (at + 2 * LANES) } else { 0 };
            assert_eq!(
                positions_of(b'\\', &block),
                of(byte == b'\\'),
                "{byte} {at}"
            );
            let half = block.last_chunk().unwrap();
            assert_eq!(dots(half), bit(byte == b'.'), "{byte} {at}");
            assert_eq!(no_ascii(&block), of(byte > 0x7f), "{byte} {at}");
            let is_text = is_plain || byte > 0x7f;
            assert_eq!(lanes.no_text(), bit(!is_text), "{byte} {at}");
            let different = bit(byte != b'a');
            assert_eq!(
                lanes.same(&[b'a'; LANES]),
                ALL_LANES ^ different,
                "{byte} {at}"
            );
        }
    }
}
