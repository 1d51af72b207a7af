//! A database after years of use: the plans of its statements, and the speed of calls, emails and commands beside an empty
//! one.

mod fill;
mod keeping;
mod plans;
mod times;
