use super::*;
use alloc::format;
use alloc::string::ToString as _;
use alloc::vec::Vec;

#[test]
fn parents_start_after_each_dot_but_the_last() {
    let labels = ["", "a", "bc", &"d".repeat(63), "example"];
    let mut names = Vec::from(labels.map(str::to_string));
    for _ in 0..4 {
        let longer = names
            .iter()
            .flat_map(|name| labels.map(|label| format!("{name}.{label}")));
        names.extend(longer.collect::<Vec<_>>());
        names.sort();
        names.dedup();
        names.truncate(900);
    }
    for name in names {
        let dots = name.match_indices('.').map(|(dot, _)| dot + 1);
        let mut expected: Vec<usize> = dots.collect();
        expected.pop();
        for behind in ["", ".example.com", &".".repeat(99)] {
            let text = format!("{name}{behind}");
            let parents = Parents::of(text.as_bytes(), name.len());
            assert_eq!(parents.name(), name.as_bytes());
            assert!(parents.eq(expected.iter().copied()), "{name} {behind}");
        }
    }
    assert_eq!({ Parents::NONE }.next(), None);
}
