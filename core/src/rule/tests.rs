use super::*;
use alloc::collections::BTreeSet;

#[test]
fn numbers_and_identifiers_are_unique_and_lead_back_to_their_rule() {
    let numbers: BTreeSet<_> = Rule::ALL.iter().map(|rule| rule.number()).collect();
    assert_eq!(numbers.len(), Rule::ALL.len());
    for rule in Rule::ALL {
        assert_eq!(Rule::from_number(rule.number()), Some(*rule));
        assert_eq!(Rule::from_identifier(rule.identifier()), Some(*rule));
    }
}

#[test]
fn a_remedy_of_one_operation_names_no_field_of_the_other() {
    let foreign = [
        (Operation::SendMailer, ["ApiKey", "to, cc", "httpSendMail"]),
        (Operation::HttpSendMail, ["apiKey", "subID", "sendMailer"]),
    ];
    for (operation, words) in foreign {
        for rule in Rule::ALL
            .iter()
            .filter(|rule| rule.code(operation).is_some())
        {
            let remedy = rule.remedy_on(operation);
            let own = operation.name();
            let named = words
                .iter()
                .find(|word| **word != own && remedy.contains(**word));
            assert_eq!(named, None, "{rule} on {own}: {remedy}");
            assert!(rule.remedy().contains(remedy), "{rule}");
        }
    }
}

#[test]
fn every_code_of_a_rule_is_one_that_its_operation_lists() {
    for rule in Rule::ALL {
        for operation in Operation::ALL.iter().copied() {
            if let Some(code) = rule.code(operation) {
                assert!(code.meaning(operation).is_some(), "{rule} {code}");
                assert!(
                    ![417, 418, 451, 452].contains(&code.number()),
                    "{rule} answers with an outcome"
                );
            }
        }
    }
}

#[test]
fn every_error_code_of_the_interface_is_some_rules() {
    for operation in Operation::ALL.iter().copied() {
        for code in
            Code::all(operation).filter(|code| ![200, 417, 418, 451, 452].contains(&code.number()))
        {
            let found = Rule::ALL
                .iter()
                .any(|rule| rule.code(operation) == Some(code));
            assert!(found, "{} {code}", operation.name());
        }
    }
}
