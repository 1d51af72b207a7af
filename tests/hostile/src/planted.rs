//! Planted work that is quadratic on purpose, in each way in which that happens. The counts of instructions have to show all
//! of it. The linear work beside it must not be mistaken for quadratic work.

use std::hint::black_box;

use crate::subject::{Done, Prepared, Subject};

/// The work that is done with that many bytes.
type Work = fn(Vec<u8>);

const QUADRATIC: [(&str, Work); 5] = [
    ("items looked through for each item", |bytes| {
        let mut seen: Vec<u32> = Vec::new();
        for number in 0..bytes.len() as u32 / 16 {
            if !seen.contains(black_box(&number)) {
                seen.push(number);
            }
        }
        black_box(seen);
    }),
    ("the rest searched for each item, in wide steps", |bytes| {
        for start in (0..bytes.len()).step_by(64) {
            black_box(bytes.get(start..).unwrap_or_default().contains(&b'x'));
        }
    }),
    ("all moved for each item", |bytes| {
        let mut items: Vec<u8> = Vec::new();
        for _ in 0..bytes.len() / 8 {
            items.insert(0, 0);
        }
        black_box(items);
    }),
    ("all copied for each item", |bytes| {
        for start in (0..bytes.len()).step_by(64) {
            let copy = bytes.get(start..).map(<[u8]>::to_vec);
            black_box(copy);
        }
    }),
    ("all compared for each item", |bytes| {
        for start in (0..bytes.len()).step_by(64) {
            let (one, other) = (bytes.get(start..), bytes.get(..bytes.len() - start));
            black_box(one == other);
        }
    }),
];

const LINEAR: [(&str, Work); 2] = [
    ("each byte looked at", |bytes| {
        for byte in &bytes {
            black_box(byte);
        }
    }),
    ("all sorted", |bytes| {
        let scrambled = (0..bytes.len() as u64).map(|at| at.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut numbers: Vec<u64> = scrambled.collect();
        numbers.sort_unstable();
        black_box(numbers);
    }),
];

/// Whether a subject of this name is quadratic on purpose.
pub(crate) fn is_quadratic(name: &str) -> bool {
    name.starts_with("quadratic: ")
}

/// The planted work as subjects.
pub(crate) fn planted() -> impl Iterator<Item = Subject> {
    let subject = |kind: &'static str| {
        move |(name, work): (&str, Work)| Subject {
            name: format!("{kind}: {name}"),
            code: None,
            limit: None,
            prepare: Box::new(move |size| -> Prepared {
                let bytes = vec![b' '; size];
                Box::new(move || {
                    work(bytes);
                    Done::default()
                })
            }),
        }
    };
    let quadratic = QUADRATIC.into_iter().map(subject("quadratic"));
    quadratic.chain(LINEAR.into_iter().map(subject("linear")))
}
