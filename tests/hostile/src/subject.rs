//! What is counted: each use of the library with each kind of input.

use franking::Operation;

use crate::bodies::{BODIES, Body};
use crate::texts::texts;
use crate::uses::{self, Use, World};

/// A use whose input has been made. It gives the code that is answered, where there is one.
pub(crate) type Prepared = Box<dyn FnOnce() -> Option<u16>>;

/// A use of the library with one kind of input.
pub(crate) struct Subject {
    /// The kind of input, and the use.
    pub(crate) name: String,
    /// The code that has to be answered.
    pub(crate) code: Option<u16>,
    /// The memory that it may take beside a body of 32 MB, where that is promised.
    pub(crate) megabytes: Option<usize>,
    /// Makes input of about this many bytes.
    pub(crate) prepare: Box<dyn Fn(usize) -> Prepared>,
}

/// The memory that deciding may take beside a body of 32 MB.
const MEGABYTES: usize = 64;

/// Bodies of which it is known that they cost more than the limit, and how many MB for 32 MB.
///
/// Each names all of its domains anew, and the questions to the host are made of them: as text of their own where it is
/// not the text of the body.
const KNOWN: &[(&str, usize)] = &[("different international domains", 80)];

/// All subjects, the uses of one body side by side.
pub(crate) fn subjects() -> Vec<Subject> {
    let mut subjects: Vec<Subject> = BODIES.iter().flat_map(of_body).collect();
    subjects.extend(texts());
    subjects
}

fn of_body(body: &'static Body) -> Vec<Subject> {
    let known = KNOWN.iter().find(|(name, _)| *name == body.name);
    let megabytes = known.map_or(MEGABYTES, |(_, megabytes)| *megabytes);
    let subject = |name: &str, code, megabytes, part: usize, run: Use| Subject {
        name: format!("{}: {name}", body.name),
        code,
        megabytes,
        prepare: Box::new(move |size| {
            let bytes = (body.make)(size / part);
            let policy = body.policy(size / part);
            Box::new(move || run(&policy, body.operation, &bytes))
        }),
    };
    let limit = body.has_default_limits().then_some(megabytes);
    let mut subjects = vec![
        subject("decide", body.code, limit, 1, uses::decide_kind),
        subject("preflight", None, limit, 1, uses::preflight),
        subject("compose", None, None, 1, uses::compose),
        // Ten times the work of the others, in JSON of the conversation: shorter bodies show how it grows.
        subject("replay", None, None, 8, uses::replay),
    ];
    if body.operation == Operation::HttpSendMail {
        let partial: [(&str, Use); 3] = [
            ("partial", |policy, operation, bytes| {
                uses::decide_partly(policy, operation, bytes, World::Kind)
            }),
            ("inactive", |policy, operation, bytes| {
                uses::decide_partly(policy, operation, bytes, World::Inactive)
            }),
            ("refused", |policy, operation, bytes| {
                uses::decide_partly(policy, operation, bytes, World::Hostile)
            }),
        ];
        subjects.extend(partial.map(|(name, run)| subject(name, None, limit, 1, run)));
    }
    subjects
}
