//! The Rust side of the benchmark of the C interface: it does in Rust what ffi/bench/crossing.c does through C, in the same
//! process. A library that is shipped does not have it. `ffi/bench/run.sh` builds and runs it, and prints one line of JSON
//! with the medians and their ratio.
//!
//! The host's answers and the texts that it gets go through a black box. Otherwise the compiler would fold the constants,
//! and would not build a text of which only the length is used. It cannot do so for a host with real rows.

use core::hint::black_box;
use core::sync::atomic::{AtomicU64, Ordering};
use std::alloc::{GlobalAlloc, Layout, System};

use franking_core::{Account, Call, Commit, Mailer, Misuse, Operation, Policy, Step, Subscriber};

use crate::text::FrankingBytes;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

/// Counts with a load and a store, because the benchmark has one thread. A locked increment would wait for all earlier
/// stores, and would distort the measurement.
fn count() {
    let count = ALLOCATIONS.load(Ordering::Relaxed);
    ALLOCATIONS.store(count.wrapping_add(1), Ordering::Relaxed);
}

struct Counting;

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The number of allocations so far.
#[unsafe(no_mangle)]
pub extern "C" fn franking_bench_allocations() -> u64 {
    ALLOCATIONS.load(Ordering::Relaxed)
}

/// Decides the body `rounds` times. Returns a number that depends on everything that was read.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_bench_rust(body: FrankingBytes, rounds: u64) -> u64 {
    // SAFETY: the benchmark passes bytes that can be read.
    let body = unsafe { body.read("body") }.unwrap_or_default();
    let policy = Policy::default();
    let mut sum = 0_u64;
    for _ in 0..rounds {
        sum = sum.wrapping_add(decide(&policy, body).unwrap_or_default());
    }
    sum
}

fn decide(policy: &Policy, body: &[u8]) -> Option<u64> {
    let mut call = Call::new(policy, Operation::SendMailer, "POST", body);
    let mut sum = 0_u64;
    let mut add = |text: &str| sum = sum.wrapping_add(black_box(text).len() as u64);
    let mut numbers = 0_u64;
    let mut add_number = |number: u64| numbers = numbers.wrapping_add(number);
    loop {
        match call.step() {
            Step::Account(question) => {
                add(&question.key());
                let account = black_box(Some(Account::default()));
                call.answer_account(account).ok()?;
            }
            Step::Facts(_) => {
                // As a host of any call: every column, each member looked up.
                let mailer = black_box(Some(Mailer {
                    from: "shop@example.com",
                    from_name: Some("The Shop"),
                    blacklisted: Some(false),
                }));
                let subscriber = black_box(Some(Subscriber {
                    id: 7,
                    email: "known@example.org",
                    inactive: false,
                    blacklisted: Some(false),
                }));
                let yes = black_box(true);
                call.fill_facts(|questions, facts| {
                    for id in questions.mailers() {
                        add_number(id);
                        facts.mailers.push(mailer);
                    }
                    for key in questions.senders() {
                        add(&key);
                        facts.senders.push(yes);
                    }
                    for id in questions.subscriber_ids() {
                        add_number(id);
                        facts.subscriber_ids.push(subscriber);
                    }
                    for key in questions.subscribers() {
                        add(&key);
                        facts.subscribers.push(subscriber);
                    }
                    for list in questions.lists() {
                        add(&list);
                        facts.lists.push(yes);
                    }
                    for (domain, roles) in questions.domains() {
                        add(&domain);
                        facts
                            .domains
                            .push(franking_core::DomainRoles::from_bits(roles.bits() & 16));
                    }
                    Ok::<_, Misuse>(())
                })
                .ok()?;
            }
            Step::Commit(plan) => {
                let plan = plan.single()?;
                for (name, value) in plan.fields() {
                    add(name);
                    add(&value);
                }
                add(&plan.list().unwrap_or_default());
                add_number(plan.mailer());
                add(&plan.from());
                add(&plan.from_name().unwrap_or_default());
                add(&plan.custom_field().unwrap_or_default());
                add_number(u64::from(plan.track_opens()));
                add_number(u64::from(plan.track_clicks()));
                add_number(plan.subscriber().unwrap_or_default());
                add(&plan.to());
                call.answer_commit(Commit::Done { transaction_id: 9 })
                    .ok()?;
            }
            Step::Done(decision) => {
                add_number(decision.code().map_or(0, |code| u64::from(code.number())));
                add_number(decision.transaction_id().unwrap_or_default());
                add(&decision.response()?);
                return Some(sum.wrapping_add(numbers));
            }
        }
    }
}
