//! Two accounts: whatever one of them does, the calls of the other one are accepted and its emails are sent.

use crate::neighbours::worst::{Size, Worst};
use crate::neighbours::{HEAD, measure, prepare, row};
use crate::support::database::on_both;

const SIZE: Size = Size {
    body: 5 << 20,
    idle: 200,
    recipients: 60_000,
    emails: 500,
    due: 10_000,
    callers: 64,
};
const CALLS: usize = 20;

on_both! {
    fn an_account_that_does_its_worst_takes_no_call_and_no_email_of_another(database: &Database) {
        prepare(database);
        let alone = measure(database, Worst::Nothing, SIZE, CALLS).seen;
        println!("{HEAD}");
        for worst in Worst::ALL {
            let measured = measure(database, worst, SIZE, CALLS);
            println!("{}", row(worst, &measured, &alone));
            let seen = measured.seen;
            assert!(seen.refused.is_empty(), "{}: {:?}", worst.name(), seen.refused);
            assert_eq!(seen.emails.len(), CALLS, "{}", worst.name());
            assert!(seen.others < 256, "{}: {} others", worst.name(), seen.others);
        }
    }
}
