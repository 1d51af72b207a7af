//! Memory and allocations, counted in this process.

use crate::meter::{Cost, measure};
use crate::subject::{Limit, Subject, subjects};
use crate::{Settings, close};

pub(crate) const MB: usize = 1 << 20;
/// The length of the bodies for which the limit is promised.
pub(crate) const FULL: usize = 32 * MB;

/// Measures each promise at the given size and at half of it. Returns whether all promises are kept.
pub(crate) fn run(settings: &Settings) -> bool {
    let size = settings.bytes;
    println!(
        "memory beside {:.2} MB of input, limit of deciding {:.2} MB; the last number is bytes for a byte, beyond 2 MiB",
        size as f64 / MB as f64,
        Limit::Hosts.bytes(size) as f64 / MB as f64
    );
    let mut failures = Vec::new();
    let mut passed = 0;
    let promised = subjects()
        .into_iter()
        .filter(|subject| subject.limit.is_some());
    for subject in settings.chosen(promised.collect()) {
        let Some(limit) = subject.limit else {
            continue;
        };
        let (half, _) = cost(&subject, size / 2);
        let (whole, code) = cost(&subject, size);
        println!(
            "{:60} {:>4} {:7.2} MB {:>9} allocations {:6.2}",
            subject.name,
            code.map_or("-".to_string(), |code| code.to_string()),
            whole.memory as f64 / MB as f64,
            whole.allocations,
            whole.memory.saturating_sub(2 * MB) as f64 / size as f64,
        );
        match judge(half, whole, limit.bytes(size), subject.code, code) {
            None => passed += 1,
            Some(failure) => failures.push(format!("{}: {failure}", subject.name)),
        }
    }
    close(passed, &failures)
}

fn cost(subject: &Subject, size: usize) -> (Cost, Option<u16>) {
    let prepared = (subject.prepare)(size);
    let (cost, done) = measure(prepared);
    (cost, done.code)
}

/// What is wrong with the cost or the code of a use; `None` if nothing is.
fn judge(
    half: Cost,
    whole: Cost,
    limit: usize,
    expected: Option<u16>,
    code: Option<u16>,
) -> Option<String> {
    if expected.is_some() && code != expected {
        return Some(format!("answered {code:?}, not {expected:?}"));
    }
    if whole.memory >= limit {
        return Some(format!("{} bytes of memory", whole.memory));
    }
    // Allocations may double with the body, but not more.
    (whole.allocations > 3 * half.allocations.max(1000)).then(|| {
        let (more, less) = (whole.allocations, half.allocations);
        format!("{more} allocations, {less} for half of it")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost(memory: usize, allocations: usize) -> Cost {
        Cost {
            memory,
            allocations,
        }
    }

    #[test]
    fn memory_up_to_the_limit_an_unexpected_code_and_allocations_by_the_square_are_noticed() {
        let judge = |half, whole, code| judge(half, whole, MB, Some(200), code);
        let (half, whole) = (cost(MB / 2, 10_000), cost(MB - 1, 20_000));
        assert_eq!(judge(half, whole, Some(200)), None);
        assert!(judge(half, whole, Some(412)).is_some());
        assert!(judge(half, whole, None).is_some());
        assert!(judge(half, cost(MB, 20_000), Some(200)).is_some());
        assert!(judge(half, cost(MB - 1, 40_000), Some(200)).is_some());
    }

    #[test]
    fn what_another_thread_takes_and_frees_meanwhile_changes_no_measurement() {
        let held = vec![0_u8; 1 << 20];
        let (cost, ()) = measure(|| std::thread::spawn(|| drop(held)).join().unwrap());
        assert!(cost.memory < 1 << 20, "{}", cost.memory);
        let (cost, ()) = measure(|| {
            let freed =
                crate::meter::host(|| std::thread::spawn(|| vec![0_u8; 1 << 20]).join().unwrap());
            drop(std::hint::black_box(freed));
        });
        assert!(cost.memory < 1 << 20, "{}", cost.memory);
        let of_another = || drop(std::hint::black_box(vec![0_u8; 1 << 20]));
        let (cost, ()) = measure(|| std::thread::spawn(of_another).join().unwrap());
        assert!(cost.memory < 1 << 20, "{}", cost.memory);
    }

    #[test]
    fn short_bodies_made_to_cost_much_get_a_typed_result_with_little_memory() {
        let (cost, ()) = measure(|| drop(std::hint::black_box(vec![0_u8; 5000])));
        assert_eq!((cost.memory, cost.allocations), (5000, 1));
        let settings = Settings {
            bytes: 16 << 10,
            only: String::new(),
            without: None,
            seconds: u64::MAX,
            share: (0, 1),
        };
        assert!(run(&settings));
        println!("NOT CHECKED here: how work grows, and longer bodies (see README.md, Tests)");
    }
}
