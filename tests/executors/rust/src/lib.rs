//! The host and the cases of the conformance executor, as a library for other programs that need a small world.

mod cases;
mod world;

pub use cases::run;
pub use world::World;
