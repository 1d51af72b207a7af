use super::*;
use alloc::vec;
use alloc::vec::Vec;

#[test]
fn folded_texts_are_equal_and_ordered_as_in_lower_case() {
    let texts: [&[u8]; 6] = [b"a", b"B", b"b", b"Ab", b"aB", b"a_"];
    for (left, right) in texts
        .iter()
        .flat_map(|left| texts.map(|right| (left, right)))
    {
        let lower = (left.to_ascii_lowercase(), right.to_ascii_lowercase());
        let folded = (Folded((*left).into()), Folded(right.into()));
        assert_eq!(folded.0 == folded.1, lower.0 == lower.1);
        assert_eq!(folded.0.cmp(&folded.1), lower.0.cmp(&lower.1));
    }
}

#[test]
fn equal_items_are_grouped_also_when_other_items_share_their_hash() {
    let items = ["b", "a", "b", "c", "a", "a"];
    let mut tags: Vec<u64> = (0..6).map(|item| tag(7, item)).collect();
    let mut groups = vec![];
    equal_groups(
        &mut tags,
        |item| items[item as usize],
        |group| {
            groups.push(group.iter().map(|tag| item(*tag)).collect::<Vec<_>>());
        },
    );
    assert_eq!(groups, [vec![1, 4, 5], vec![0, 2]]);
}
