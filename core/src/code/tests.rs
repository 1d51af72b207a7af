use super::*;
use alloc::vec::Vec;

#[test]
fn codes_ascend_and_each_is_there_once_for_each_operation() {
    for operation in Operation::ALL {
        let codes: Vec<Code> = Code::all(*operation).collect();
        assert!(codes.windows(2).all(|pair| pair[0] < pair[1]));
    }
}

#[test]
fn the_same_number_can_mean_different_things_on_the_two_operations() {
    let code = Code::new(454).unwrap();
    assert_eq!(
        code.meaning(Operation::SendMailer),
        Some("Subscriber does not exist")
    );
    assert_eq!(
        code.meaning(Operation::HttpSendMail),
        Some("API call exceeds the allowed size")
    );
}
