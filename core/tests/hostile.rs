//! Hostile input: a typed result, in linear time, with less than 64 MB of memory beside the body.
//!
//! What the library adds is counted by the allocator: the body, what a host answers, and what a caller collects are
//! not the library's. `cargo test -p franking --release --test hostile -- --nocapture` prints the table for bodies of
//! 32 MB; without optimization the bodies are 256 KB long, and the limit is 4 MB.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::disallowed_methods,
    reason = "a test that meets the unexpected should stop; some read files, the environment or a clock"
)]

#[path = "hostile/bodies.rs"]
mod bodies;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use bodies::{BODIES, Body};
use franking::{
    Account, Batch, Call, Commit, Facts, Mailer, Operation, Policy, Preflight, Roles, Step,
    Subscriber,
};

/// Counts the bytes that are live, and the most that ever were.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

fn grew(by: usize) {
    let live = LIVE.fetch_add(by, Relaxed) + by;
    PEAK.fetch_max(live, Relaxed);
    ALLOCATIONS.fetch_add(1, Relaxed);
}

// SAFETY: every call is passed on to the system's allocator as it came; only counters are kept beside it.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grew(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Large blocks are moved by the system without a copy, so old and new are never live both.
        grew(size.saturating_sub(layout.size()));
        LIVE.fetch_sub(layout.size().saturating_sub(size), Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How long this thread has run: what others do on the machine meanwhile does not count, where the system tells.
fn time_used() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    let start = *START.get_or_init(Instant::now);
    let schedule = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = schedule
        .split(' ')
        .next()
        .and_then(|first| first.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// What one run has cost.
#[derive(Clone, Copy, Default)]
struct Cost {
    memory: usize,
    allocations: usize,
    time: Duration,
}

/// Measures what the library adds; what the host answers is taken out.
struct Meter {
    base: usize,
    peak: usize,
    allocations: usize,
    started: Duration,
}

impl Meter {
    fn start() -> Self {
        PEAK.store(LIVE.load(Relaxed), Relaxed);
        Self {
            base: LIVE.load(Relaxed),
            peak: 0,
            allocations: ALLOCATIONS.load(Relaxed),
            started: time_used(),
        }
    }

    fn note(&mut self) {
        self.peak = self.peak.max(PEAK.load(Relaxed).saturating_sub(self.base));
    }

    /// What `answer` builds belongs to the host.
    fn host<T>(&mut self, answer: impl FnOnce() -> T) -> T {
        self.note();
        let before = LIVE.load(Relaxed);
        let answer = answer();
        let after = LIVE.load(Relaxed);
        self.base += after - before;
        PEAK.store(after, Relaxed);
        answer
    }

    fn stop(mut self) -> Cost {
        self.note();
        Cost {
            memory: self.peak,
            allocations: ALLOCATIONS.load(Relaxed) - self.allocations,
            time: time_used().saturating_sub(self.started),
        }
    }
}

/// How the host answers: everything is fine, nothing is known and everything listed, or all subscribers are inactive.
#[derive(Clone, Copy, PartialEq)]
enum World {
    Kind,
    Hostile,
    Inactive,
}

fn facts(call: &Call<&[u8]>, world: World) -> Facts {
    let Step::Facts(questions) = call.step() else {
        panic!("no facts are asked for");
    };
    let mut facts = Facts::default();
    let is_kind = world != World::Hostile;
    let mailer = Mailer {
        from: "a@b.example",
        from_name: None,
        blacklisted: Some(false),
    };
    let mailers = questions.mailers().map(|_| is_kind.then_some(mailer));
    facts.mailers = mailers.collect();
    facts.senders = vec![is_kind; questions.sender_count()].into();
    for _ in questions.subscriber_ids() {
        facts.subscriber_ids.push(None);
    }
    facts.subscribers.reserve(questions.subscriber_count());
    let inactive = Subscriber {
        id: 1,
        email: "a@b.example",
        inactive: true,
        blacklisted: Some(false),
    };
    for _ in 0..questions.subscriber_count() {
        facts
            .subscribers
            .push((world == World::Inactive).then_some(inactive));
    }
    facts.lists.extend(questions.lists().map(|_| is_kind));
    let roles = |roles| if is_kind { Roles::NONE } else { roles };
    facts.domains = questions.domains().map(|(_, asked)| roles(asked)).collect();
    facts
}

/// Decides a call, and reads everything that the decision and its plan say.
fn decide(policy: &Policy, body: &Body, bytes: &[u8], world: World) -> (Cost, Option<u16>) {
    let mut meter = Meter::start();
    let mut call = Call::new(policy, body.operation, "POST", bytes);
    loop {
        enum Asks {
            Account,
            Facts,
            Commit,
        }
        let asks = match call.step() {
            Step::Account(question) => {
                assert!(!question.key().is_empty());
                Asks::Account
            }
            Step::Facts(_) => Asks::Facts,
            Step::Commit(_) => Asks::Commit,
            Step::Done(_) => break,
        };
        match asks {
            Asks::Account => call.answer_account(Some(Account::default())).unwrap(),
            Asks::Facts => {
                let facts = meter.host(|| facts(&call, world));
                call.answer_facts(facts).unwrap();
            }
            Asks::Commit => call
                .answer_commit(Commit::Done { transaction_id: 1 })
                .unwrap(),
        }
    }
    let decision = call.decision().unwrap();
    let mut count = decision
        .refused()
        .map(|violation| usize::from(violation.pointer().is_some()))
        .sum::<usize>();
    if let Some(plan) = decision.plan() {
        for message in plan.messages() {
            count += message.html().map_or(0, |html| html.len());
            count += message
                .recipients()
                .map(|recipient| recipient.to().len())
                .sum::<usize>();
        }
        count += plan
            .create()
            .map(|subscriber| subscriber.email().len())
            .sum::<usize>();
        count += plan
            .collapsed()
            .map(|collapsed| collapsed.to().len())
            .sum::<usize>();
        count += plan.enlist().count();
    }
    let violation = decision.violation();
    count += violation.map_or(0, |violation| violation.span().map_or(0, |span| span.len()));
    std::hint::black_box(count);
    let code = decision.code().map(|code| code.number());
    (meter.stop(), code)
}

/// Reads every violation and every warning of a preflight, and where each stands.
fn preflight(policy: &Policy, body: &Body, bytes: &[u8]) -> (Cost, Option<u16>) {
    let meter = Meter::start();
    let preflight = Preflight::new(policy, body.operation, bytes);
    let mut first = None;
    let mut count = 0;
    for violation in preflight.violations() {
        first = first.or(Some(violation.code().number()));
        count += violation.span().map_or(0, |span| span.len());
        count += violation.pointer().map_or(0, |pointer| pointer.len());
    }
    for warning in preflight.warnings() {
        count += warning.span().map_or(0, |span| span.len());
    }
    std::hint::black_box(count);
    (meter.stop(), first)
}

const MB: usize = 1 << 20;
/// Without optimization 32 MB take too long for every day.
const BODY: usize = if cfg!(debug_assertions) {
    MB / 4
} else {
    32 * MB
};
/// A short body is allowed more for each of its bytes: what is kept to be quick is given up for long ones only.
const LIMIT: usize = if cfg!(debug_assertions) {
    4 * MB
} else {
    64 * MB
};

fn policies() -> [Policy; 2] {
    let max_bytes = (BODY as u64).max(1);
    let whole = Policy::builder().max_bytes(max_bytes).build().unwrap();
    let partial = whole.to_builder().batch(Batch::Partial).build().unwrap();
    [whole, partial]
}

/// All runs over a body of about this size: how each is called, and what it costs and answers.
fn runs(body: &Body, size: usize) -> Vec<(&'static str, Cost, Option<u16>)> {
    let bytes = (body.make)(size);
    let [whole, partial] = policies();
    let mut runs = vec![("decide", decide(&whole, body, &bytes, World::Kind))];
    runs.push(("preflight", preflight(&whole, body, &bytes)));
    if body.operation == Operation::HttpSendMail {
        runs.push(("partial", decide(&partial, body, &bytes, World::Kind)));
        runs.push(("inactive", decide(&partial, body, &bytes, World::Inactive)));
        runs.push(("refused", decide(&partial, body, &bytes, World::Hostile)));
    }
    let flat = |(name, (cost, code))| (name, cost, code);
    runs.into_iter().map(flat).collect()
}

/// Bodies of which it is known that they cost more than the limit, and how many MB for 32 MB.
///
/// Each names all of its domains anew, and the questions to the host are made of them: as text of their own where it is
/// not the text of the body.
const KNOWN: &[(&str, usize)] = &[("different international domains", 80)];

fn limit_of(body: &Body) -> usize {
    let known = KNOWN.iter().find(|(name, _)| *name == body.name);
    known.map_or(LIMIT, |(_, limit)| limit * (LIMIT / 64))
}

/// One test, so that nothing else allocates meanwhile.
#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "takes minutes without optimization: cargo test --release --test hostile"
)]
fn hostile_bodies_get_a_typed_result_with_little_memory_and_in_linear_time() {
    // Words, one of which the name has to hold.
    let only = std::env::var("FRANKING_ONLY").unwrap_or_default();
    let is_meant = |name: &str| only.split('|').any(|part| name.contains(part));
    let mut failures = Vec::new();
    println!(
        "memory beside a body of {} MB (limit {} MB), and time",
        BODY as f64 / MB as f64,
        LIMIT / MB
    );
    for body in BODIES.iter().filter(|body| is_meant(body.name)) {
        let all = runs(body, BODY);
        let halves = runs(body, BODY / 2);
        let quarters = runs(body, BODY / 4);
        for (((name, cost, code), (_, half, _)), (_, quarter, _)) in
            all.iter().zip(&halves).zip(&quarters)
        {
            println!(
                "{:48} {name:9} {:>4} {:7.2} MB {:>9} allocations {:8.1} ms (half {:.1}, quarter {:.1})",
                body.name,
                code.map_or("-".to_string(), |code| code.to_string()),
                cost.memory as f64 / MB as f64,
                cost.allocations,
                cost.time.as_secs_f64() * 1e3,
                half.time.as_secs_f64() * 1e3,
                quarter.time.as_secs_f64() * 1e3,
            );
            let about = format!("{} ({name})", body.name);
            if matches!(*name, "decide") && *code != body.code {
                failures.push(format!("{about}: answered {code:?}, not {:?}", body.code));
            }
            if cost.memory >= limit_of(body) {
                failures.push(format!("{about}: {} bytes of memory", cost.memory));
            }
            // Allocations double with the body, or stay.
            if cost.allocations > 3 * half.allocations.max(1000) {
                failures.push(format!(
                    "{about}: {} allocations, {} for half of it",
                    cost.allocations, half.allocations
                ));
            }
            // Time is measured on a machine with other work: two doublings may be nine times as long, not sixteen.
            let floor = Duration::from_millis(60);
            if cost.time > floor && cost.time > quarter.time.max(floor / 8) * 12 {
                failures.push(format!(
                    "{about}: {:?}, {:?} for a quarter of it",
                    cost.time, quarter.time
                ));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
