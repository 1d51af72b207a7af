//! Lists that are longer than a page.

use super::{desk, get, links};
use crate::support::database::{Database, on_both};

/// Adds 1,100 accounts.
fn many_accounts(database: &Database) {
    let columns = "(name, blocked, expired, deactivated)";
    let accounts = match database.address() {
        None => format!(
            "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1100)
             INSERT INTO accounts {columns} SELECT 'Shop ' || n, 0, 0, 0 FROM numbers"
        ),
        Some(_) => format!(
            "INSERT INTO accounts {columns} SELECT 'Shop ' || n, false, false, false FROM generate_series(1, 1100) n"
        ),
    };
    database.script(&format!(
        "{accounts}; INSERT INTO credits (account) SELECT id FROM accounts WHERE name LIKE 'Shop %'"
    ));
}

on_both! {
    fn next_leads_to_every_account_of_the_list_and_of_a_page_that_asks_for_one(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        many_accounts(database);
        for path in ["/desk/account/list", "/desk/delivery/list?recipient=a@b.example"] {
            let first = get(&service, path, &cookie);
            let next: Vec<_> = links(&first.body).into_iter().filter(|link| link.contains("skip=1000")).collect();
            let page = path.split('?').next().unwrap();
            let second = get(&service, &format!("{page}{}", next[0]), &cookie);
            let shops = [&first, &second].map(|answer| answer.body.matches("Shop ").count());
            // The first account is that of the world.
            assert_eq!((next.len(), shops), (1, [999, 101]), "{path}");
            assert!(!links(&second.body).iter().any(|link| link.contains("skip=2000")), "{path}");
        }
    }

    fn emails_in_the_order_in_which_they_are_due_have_no_link_that_is_refused(database: &Database) {
        let (service, cookie) = desk(database, &[]);
        for (query, goes_on) in [("account=1&limit=1", true), ("account=1&limit=1&queued=on", false)] {
            let page = get(&service, &format!("/desk/delivery/list?{query}"), &cookie);
            assert!(page.status == 200 && page.body.contains("S…@customer.example"), "{page:?}");
            let next = links(&page.body).into_iter().find(|link| link.contains("before="));
            assert_eq!(next.is_some(), goes_on, "{query}: {page:?}");
            if let Some(next) = next {
                assert_eq!(get(&service, &format!("/desk/delivery/list{next}"), &cookie).status, 200);
            }
        }
    }
}
