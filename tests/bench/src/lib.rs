//! Measures what deciding costs, and what others would pay for it: workloads generated from a fixed seed, honest peers that
//! give the same codes, and a runner that times both in turns.
//!
//! - [`world`]: what the host knows, as plain data; [`database`]: the same in tables
//! - [`workload`]: the calls W1 to W5, their bytes and the codes that answer them
//! - [`contender`]: the trait that everything timed implements
//! - [`peer`]: the same decision made with well-known crates, and the limits that no program can pass
//! - [`ours`]: the library behind that trait, with a host that looks up many keys at once; [`ordinary`]: with the host of
//!   docs/rust.md; [`remote`]: contenders in other languages
//! - [`pairs`]: the paired runner; [`suite`] and [`threads`]: what is measured; [`ratios`]: the file that the medians go to
//! - [`processors`]: the processors that timed programs run on
//! - [`counting`]: an allocator that counts, for programs that measure memory instead of time
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a benchmark that meets the unexpected should stop"
)]

pub mod contender;
pub mod counting;
pub mod database;
pub mod ordinary;
pub mod ours;
pub mod pairs;
pub mod peer;
pub mod processors;
pub mod random;
pub mod ratios;
pub mod remote;
pub mod suite;
pub mod threads;
pub mod workload;
pub mod world;
