//! The cases of the conformance executor.

mod cases;

/// The examples of the pages, compiled and run. They are here because the pages are outside the crate that they describe.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../../../README.md")]
    mod readme {}
    #[doc = include_str!("../../../../core/README.md")]
    mod readme_of_the_crate {}
    #[doc = include_str!("../../../../docs/rust.md")]
    mod rust {}
    #[doc = include_str!("../../../../docs/hosting.md")]
    mod hosting {}
    #[doc = include_str!("../../../../docs/events.md")]
    mod events {}
}

use serde_json::{Value, json};

pub use cases::run;

/// The answer to a line of input, with the `id` of its case. It is never a failure.
#[must_use]
pub fn answer(line: &[u8]) -> Value {
    let case: Value = match serde_json::from_slice(line) {
        Ok(case) => case,
        Err(error) => return json!({"id": null, "error": format!("the line is not JSON: {error}")}),
    };
    let id = case.get("id").cloned().unwrap_or_default();
    let mut answer = match run(&case) {
        Ok(Value::Object(answer)) => answer,
        Ok(_) => return json!({"id": id, "error": "the case has no answer"}),
        Err(error) => return json!({"id": id, "error": error}),
    };
    answer.insert("id".to_string(), id);
    Value::Object(answer)
}
