use super::*;

#[test]
fn a_byte_that_no_encoder_leaves_is_noticed_wherever_it_is() {
    for byte in 0..=u8::MAX {
        for at in 0..70 {
            let mut text = [b'a'; 70];
            text[at] = byte;
            assert_eq!(has_unencoded(&text), is_unencoded(byte), "{byte} {at}");
        }
    }
}
