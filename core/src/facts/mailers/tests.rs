use super::*;
use alloc::vec::Vec;

#[test]
fn every_answer_is_given_back_also_those_without_a_name() {
    let texts = ["", "a@b.example", "Caf\u{e9}"];
    let names = [None, Some(""), Some("The Shop")];
    let mut answers = Vec::new();
    for from in texts {
        for from_name in names {
            for blacklisted in [None, Some(false), Some(true)] {
                answers.push(Some(Mailer {
                    from,
                    from_name,
                    blacklisted,
                }));
                answers.push(None);
            }
        }
    }
    assert!(Mailers::default().is_empty());
    let column: Mailers = answers.iter().copied().collect();
    assert_eq!(column.len(), answers.len());
    assert!(column.iter().eq(answers.iter().copied()));
    assert_eq!(column.get(answers.len()), None);
}
