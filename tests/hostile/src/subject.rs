//! The subjects of the counts: each use of the library with each kind of input.

use franking::{Operation, Policy, Preflight, links_memory_bound, memory_bound};

use crate::bodies::{self, Body};
use crate::texts::texts;
use crate::uses::{self, Use, World};

/// A use whose input has been made.
pub(crate) type Prepared = Box<dyn FnOnce() -> Done>;

/// The result of a use.
#[derive(Clone, Copy, Default)]
pub(crate) struct Done {
    /// The code that is answered, where there is one.
    pub(crate) code: Option<u16>,
    /// The findings that were listed.
    pub(crate) listed: Listing,
}

/// How much was listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Listing {
    /// How many findings.
    pub(crate) findings: usize,
    /// How many names their pointers have together, besides the first three of each.
    pub(crate) names: usize,
}

impl Listing {
    /// Adds a finding with this pointer.
    pub(crate) fn add(&mut self, pointer: Option<&str>) {
        self.findings += 1;
        // The pointer of a field has at most three names: `/requests/0/to`.
        self.names += pointer.map_or(0, |pointer| pointer.matches('/').skip(3).count());
    }
}

impl Done {
    fn answered(code: Option<u16>) -> Self {
        Self {
            code,
            ..Self::default()
        }
    }

    fn listed(listed: Listing) -> Self {
        Self { code: None, listed }
    }
}

/// A use of the library with one kind of input.
pub(crate) struct Subject {
    /// The kind of input, and the use, as the tables show them.
    pub(crate) name: String,
    /// The code that the use has to answer, if it is known.
    pub(crate) code: Option<u16>,
    /// The memory that the use may take, if a limit is promised.
    pub(crate) limit: Option<Limit>,
    /// Makes input of about this many bytes.
    pub(crate) prepare: Box<dyn Fn(usize) -> Prepared>,
}

/// The memory that a use may take beside its input.
#[derive(Clone, Copy)]
pub(crate) enum Limit {
    /// The limit for a body under its policy.
    Body(&'static Body),
    /// The limit for finding hosts.
    Hosts,
    /// The limit for a cursor over links.
    Links,
}

impl Limit {
    /// The limit for input of this many bytes.
    pub(crate) fn bytes(self, size: usize) -> usize {
        match self {
            Self::Body(body) => body.policy(size).memory_bound(size),
            Self::Hosts => memory_bound(size),
            Self::Links => links_memory_bound(size),
        }
    }
}

/// All subjects. The uses of one body are next to each other.
pub(crate) fn subjects() -> Vec<Subject> {
    let mut subjects: Vec<Subject> = bodies::all().flat_map(of_body).collect();
    subjects.extend(longer());
    subjects.extend(texts());
    subjects
}

/// The factor by which these subjects are longer than the others. The core notes a few bytes of each domain, and scans them
/// a register at a time. A scan for each domain is quadratic, but weighs more than the rest only with tens of thousands of
/// domains.
const LONGER: usize = 8;

fn longer() -> impl Iterator<Item = Subject> {
    let longer = bodies::all().filter(|body| body.name == "different domains");
    longer.map(|body| Subject {
        name: format!("{}: decide, {LONGER} times as long", body.name),
        code: body.code,
        limit: None,
        prepare: Box::new(move |size| {
            let bytes = (body.make)(size * LONGER);
            let policy = body.policy(size * LONGER);
            Box::new(move || Done::answered(uses::decide_kind(&policy, body.operation, &bytes)))
        }),
    })
}

fn of_body(body: &'static Body) -> Vec<Subject> {
    let limit = Limit::Body(body);
    let subject = |name: &str, code, limit, part: usize, run: Use| Subject {
        name: format!("{}: {name}", body.name),
        code,
        limit,
        prepare: Box::new(move |size| {
            let bytes = (body.make)(size / part);
            let policy = body.policy(size / part);
            Box::new(move || Done::answered(run(&policy, body.operation, &bytes)))
        }),
    };
    let mut subjects = vec![
        subject("decide", body.code, Some(limit), 1, uses::decide_kind),
        subject("preflight", None, Some(limit), 1, uses::preflight),
        subject("compose", None, None, 1, uses::compose),
        // The JSON of the conversation makes this ten times the work of the other uses, so shorter bodies are used.
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
        subjects.extend(partial.map(|(name, run)| subject(name, None, Some(limit), 1, run)));
        subjects.push(listing(body, "rows", |policy, operation, bytes| {
            let call = uses::refused(policy, operation, bytes);
            Box::new(move || Done::listed(uses::list_refused(&call)))
        }));
    }
    subjects.push(listing(body, "listing", |policy, operation, bytes| {
        let preflight = Preflight::new(policy, operation, bytes);
        Box::new(move || Done::listed(uses::list_findings(&preflight)))
    }));
    subjects
}

/// Lists findings. The preparation finds them, and only the listing is counted.
fn listing(
    body: &'static Body,
    name: &str,
    prepare: fn(&Policy, Operation, Vec<u8>) -> Prepared,
) -> Subject {
    Subject {
        name: format!("{}: {name}", body.name),
        code: None,
        limit: None,
        prepare: Box::new(move |size| {
            prepare(&body.policy(size), body.operation, (body.make)(size))
        }),
    }
}
