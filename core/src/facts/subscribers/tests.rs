use super::*;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

fn subscriber(id: u64, email: &str) -> Subscriber<'_> {
    Subscriber {
        id,
        email,
        inactive: id.is_multiple_of(3),
        blacklisted: (!id.is_multiple_of(7)).then_some(id.is_multiple_of(5)),
    }
}

#[test]
fn every_answer_is_given_back_also_those_without_an_address() {
    // Bit n of `exists` says whether the subscriber in row n exists, bit n of `has_email` whether it has an address.
    for exists in 0..64_u64 {
        for has_email in 0..64_u64 {
            let emails: Vec<String> = (0..6).map(|row| format!("{row}@b.example")).collect();
            let answers: Vec<Option<Subscriber<'_>>> = (0..6)
                .zip(&emails)
                .map(|(row, email)| {
                    let email = if has_email >> row & 1 == 1 { email } else { "" };
                    (exists >> row & 1 == 1).then(|| subscriber(row + 1, email))
                })
                .collect();
            let column: Subscribers = answers.iter().copied().collect();
            assert!(column.iter().eq(answers.iter().copied()));
            assert_eq!(column.get(6), None);
            let none = answers.iter().filter(|answer| answer.is_none()).count();
            assert_eq!(column.none_count(), none);
        }
    }
}

#[test]
fn columns_with_the_same_answers_are_equal_in_whatever_way_they_were_given() {
    let ada = subscriber(1, "ada@b.example");
    let unsaid = Subscriber {
        blacklisted: None,
        ..ada
    };
    let given: Subscribers = [Some(ada), None].into_iter().collect();
    let mut said: Subscribers = [Some(unsaid), None].into_iter().collect();
    assert_ne!(given, said);
    said.say(|_| ada.blacklisted);
    assert_eq!(given, said);
    let mut reserved = Subscribers::default();
    reserved.try_reserve(9, 90).unwrap();
    reserved.push(Some(ada));
    assert_ne!(given, reserved);
    reserved.push(None);
    assert_eq!(given, reserved);
}

#[test]
fn an_invalid_id_is_found_in_every_row() {
    for (id, is_wrong) in [
        (0, true),
        (1, false),
        (1 << 63, true),
        ((1 << 63) - 1, false),
    ] {
        let mut column = Subscribers::default();
        column.push(Some(subscriber(7, "")));
        column.push(None);
        column.push(Some(subscriber(id, "")));
        column.push(Some(subscriber(8, "")));
        assert_eq!(column.wrong_id(), is_wrong);
    }
}
