use super::*;

#[test]
fn the_first_letters_of_a_name_are_told_as_byte_by_byte() {
    for byte in 0..=u8::MAX {
        for at in 0..16 {
            let mut window = [b'z'; 20];
            window[at] = byte;
            let is_letter = (b'@'..=b'~').contains(&byte);
            let expected = if is_letter { 16 } else { at };
            let word = Word::of(&window[..expected]);
            assert_eq!(first_letters(&window, 0), (expected, word), "{byte} {at}");
            window[at..].fill(byte);
            let word = Word::of(&window[..expected]);
            assert_eq!(first_letters(&window, 0), (expected, word), "{byte} {at}");
        }
    }
    assert_eq!(first_letters(&[b'z'; 20], 5), (0, Word(0)));
}
