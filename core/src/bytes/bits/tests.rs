use super::*;

#[test]
fn what_was_added_is_in_the_set_and_nothing_else() {
    let mut bits = Bits::below(130);
    assert!(bits.is_empty());
    for number in [0, 63, 64, 129] {
        assert!(bits.insert(number));
        assert!(!bits.insert(number));
    }
    let found = (0..200).filter(|number| bits.contains(*number));
    assert!(found.eq([0, 63, 64, 129]));
    let nexts = [0, 1, 63, 64, 65, 129].map(|from| bits.next(from));
    assert_eq!(nexts, [0, 63, 63, 64, 129, 129].map(Some));
    assert_eq!((bits.next(130), bits.next(1000)), (None, None));
    assert!(!bits.contains(1000) && bits.insert(1000) && bits.contains(1000));
    assert_eq!(bits.next(130), Some(1000));
}
