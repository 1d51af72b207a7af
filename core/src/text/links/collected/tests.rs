use alloc::collections::BTreeSet;
use alloc::format;

use super::*;

#[test]
fn hosts_are_sorted_and_each_is_there_once_however_often_and_in_whatever_order_they_come() {
    for different in [0_usize, 1, 2, 63, 64, 65, 500, 3000] {
        let mut hosts = SortedHosts::default();
        let mut expected = BTreeSet::new();
        for number in 0..4 * different {
            let host = format!("{}.example", number.wrapping_mul(7919) % different);
            hosts.insert(&host);
            expected.insert(host);
        }
        hosts.sort();
        assert!(hosts.iter().eq(expected.iter()));
        assert_eq!(hosts.len(), expected.len());
        assert_eq!(hosts.get(0), expected.first().map(String::as_str));
        assert_eq!(hosts.get(different), None);
    }
}
