//! A database after years: how its statements are planned, and how quick calls, emails and commands are beside an empty one.

mod fill;
mod keeping;
mod plans;
mod times;
