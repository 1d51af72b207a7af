//! Work in proportion to the length, shown by counted instructions.
//!
//! Valgrind's callgrind runs this program a second time and counts every instruction, those of the standard library
//! and of libc among them. The counts are the same in every run, however busy the machine is.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use crate::known;
use crate::planted::{is_quadratic, planted};
use crate::subject::{Done, Prepared, Subject, subjects};
use crate::{Settings, close};

/// Long enough for what is quadratic to weigh more than all else, short enough for a minute.
pub(crate) const BYTES: usize = 64 << 10;
/// The command with which this program counts in itself.
pub(crate) const COUNT: &str = "count";
/// How many times as long each input is as the one before it.
const TIMES: usize = 4;
/// The shortest input is at least as long. Counting begins there and ends as soon as the work is surely quadratic: for the
/// longest input, such work could take hours.
const SHORTEST: usize = 8 << 10;
/// Linear work is four times as much for four times the length, and what needs sorting a little more; quadratic work
/// is sixteen times as much.
const MOST: f64 = 5.5;
/// Above this, work is quadratic for short input, too. Below it, short input shows nothing: what is quick for a few items
/// may be given up for more of them.
const SURE: f64 = 10.0;

/// The most instructions that deciding and checking take for each byte of a body, but for the kinds of [`crate::known`].
pub(crate) const MOST_EACH: f64 = 400.0;
/// The most instructions that listing takes for each finding, beside what checking may take for each byte of the body.
const MOST_LISTED: f64 = 2000.0;
/// The uses of a body that decide or check it.
const BOUNDED: [&str; 5] = ["decide", "preflight", "partial", "inactive", "refused"];

/// The kinds of body that have hosts beyond ASCII.
const BEYOND_ASCII: [&str; 3] = [
    "beyond ASCII",
    "soup of everything",
    "soup with international",
];
/// For these, input is shorter by this factor: it grows as theirs does, and counting them would take longer than all else.
const SHORTER: usize = 8;
/// But it is as long as this. In shorter input, what is done once for each body weighs too much.
const LONG_ENOUGH: usize = 16 << 10;
/// What is made of many parts: short input does not have all of them, so how the work grows shows nothing. What is bounded is
/// the work for each byte of the longest.
const MANY_PARTS: &str = "a mixture";

fn is_beyond_ascii(name: &str) -> bool {
    BEYOND_ASCII.iter().any(|kind| name.contains(kind))
}

/// Whether a subject takes no more than is allowed, if it is one of [`BOUNDED`].
fn is_cheap(name: &str, growth: &Growth) -> bool {
    let own = name.rsplit_once(": ").map_or("", |(_, own)| own);
    !BOUNDED.contains(&own) || growth.each_byte() <= most_of(name)
}

/// The most instructions for each byte of the kind of body that a subject has.
fn most_of(name: &str) -> f64 {
    known::most(body_of(name))
}

fn body_of(name: &str) -> &str {
    name.rsplit_once(": ").map_or(name, |(body, _)| body)
}

/// The subjects, and what is planted among them.
fn all() -> Vec<Subject> {
    subjects().into_iter().chain(planted()).collect()
}

/// The instructions for one subject: for input of this many bytes, and for a quarter of it.
struct Growth {
    bytes: usize,
    quarter: u64,
    whole: u64,
    /// How many findings were listed.
    listed: usize,
}

impl Growth {
    fn ratio(&self) -> f64 {
        self.whole as f64 / self.quarter as f64
    }

    fn is_linear(&self) -> bool {
        self.is_below(MOST)
    }

    fn each_byte(&self) -> f64 {
        self.whole as f64 / self.bytes as f64
    }

    /// Whether a listing takes no more than is allowed: `most` for each byte, since it reads on from finding to finding.
    fn is_listed_cheaply(&self, most: f64) -> bool {
        self.whole as f64 <= self.listed as f64 * MOST_LISTED + self.bytes as f64 * most
    }

    /// Below an instruction for each byte it is of no account how the work grows.
    fn is_below(&self, most: f64) -> bool {
        self.ratio() <= most || self.whole < self.bytes as u64
    }
}

/// Counts each subject for longer and longer input, and prints the last two counts for the program that started this one.
pub(crate) fn count(settings: &Settings) -> Result<bool, String> {
    let count_all = || -> io::Result<()> {
        let folder = folder(settings.share.0)?;
        let mut written = 0;
        let mut count = |subject: &Subject, bytes| {
            let done = counted((subject.prepare)(bytes));
            // Callgrind numbers the counts that it writes down.
            written += 1;
            let total = total(&folder.join(format!("out.{written}")))?;
            io::Result::Ok((total, done.listed))
        };
        for subject in settings.chosen(all()) {
            let name = &subject.name;
            let is_mixed = name.contains(MANY_PARTS);
            let longest = match is_beyond_ascii(name) && !is_mixed {
                true => (settings.bytes / SHORTER).max(LONG_ENOUGH),
                false => settings.bytes,
            };
            let mut bytes = longest / TIMES;
            while !is_mixed && bytes / TIMES >= SHORTEST {
                bytes /= TIMES;
            }
            let (mut quarter, _) = count(&subject, bytes)?;
            loop {
                bytes *= TIMES;
                let (whole, listed) = count(&subject, bytes)?;
                let growth = Growth {
                    bytes,
                    quarter,
                    whole,
                    listed,
                };
                if bytes * TIMES > longest || !growth.is_below(SURE) {
                    println!("{bytes} {quarter} {whole} {listed} {}", subject.name);
                    break;
                }
                quarter = whole;
            }
        }
        Ok(())
    };
    count_all().map_err(describe)?;
    Ok(true)
}

/// Has a name of its own: callgrind is told to count in here alone, and to write down each count by itself.
#[inline(never)]
fn counted(prepared: Prepared) -> Done {
    prepared()
}

/// Counts all subjects, on every processor at hand, and judges how their work grows. Whether all is well.
pub(crate) fn run(settings: &Settings) -> Result<bool, String> {
    if !is_installed() {
        println!("NOT CHECKED, for want of valgrind (apt-get install valgrind): how work grows");
        return Ok(true);
    }
    let workers = thread::available_parallelism().map_or(1, usize::from);
    let all = thread::scope(|scope| {
        let started: Vec<_> = (0..workers)
            .map(|which| scope.spawn(move || counts(settings, which, workers)))
            .collect();
        let ended = started.into_iter().map(|worker| {
            worker
                .join()
                .unwrap_or_else(|_| Err("a counter panicked".to_string()))
        });
        ended.collect::<Result<Vec<_>, String>>()
    })?;
    println!(
        "instructions, how many times those for a quarter of the input, bytes of input, instructions for each, findings listed"
    );
    let mut failures = Vec::new();
    let mut passed = 0;
    for (name, growth) in all.iter().flatten() {
        let Growth {
            bytes,
            quarter,
            whole,
            listed,
        } = growth;
        println!(
            "{name:60} {whole:>14} {:6.2} {bytes:>9} {:8.1} {listed:>6}",
            growth.ratio(),
            growth.each_byte()
        );
        if *listed > 0 && !growth.is_listed_cheaply(most_of(name)) {
            failures.push(format!(
                "{name}: {whole} instructions for {listed} findings"
            ));
        } else if !is_cheap(name, growth) {
            failures.push(format!(
                "{name}: {:.0} instructions for each byte, at most {} are expected ({})",
                growth.each_byte(),
                most_of(name),
                known::why(body_of(name))
            ));
        } else if name.contains(MANY_PARTS) || growth.is_linear() != is_quadratic(name) {
            passed += 1;
        } else if growth.is_linear() {
            failures.push(format!("not noticed: {name}"));
        } else {
            failures.push(format!(
                "{name}: {whole} instructions for {bytes} bytes of input, {quarter} for a quarter of it"
            ));
        }
    }
    Ok(close(passed, &failures))
}

fn is_installed() -> bool {
    let mut valgrind = Command::new("valgrind");
    let run = valgrind.arg("--version").stdout(Stdio::null()).status();
    run.is_ok_and(|status| status.success())
}

/// What one counting program finds, by the subjects' names: its share of them.
fn counts(settings: &Settings, which: usize, of: usize) -> Result<Vec<(String, Growth)>, String> {
    // This program's part of the part that is asked for begins here.
    let first = settings.share.0 + settings.share.1 * which;
    let read = || -> io::Result<_> {
        let folder = folder(first)?;
        // What an end by force left behind goes with the next run.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder)?;
        let run = start(&folder, settings, first, of)?;
        let found = match run.status.success() {
            true => growths(&String::from_utf8_lossy(&run.stdout)),
            false => Err(io::Error::other(format!("valgrind: {}", run.status))),
        };
        fs::remove_dir_all(&folder)?;
        found
    };
    read().map_err(describe)
}

fn describe(error: io::Error) -> String {
    format!("counting instructions: {error}")
}

/// Where the counts of a counting program are written: beside this program, among all that was built.
fn folder(first: usize) -> io::Result<PathBuf> {
    Ok(std::env::current_exe()?.with_extension(format!("counts-{first}")))
}

fn start(
    folder: &Path,
    settings: &Settings,
    first: usize,
    of: usize,
) -> io::Result<std::process::Output> {
    let mut valgrind = Command::new("valgrind");
    valgrind
        .args(["--quiet", "--tool=callgrind"])
        .arg(format!(
            "--callgrind-out-file={}",
            folder.join("out").display()
        ))
        .arg("--toggle-collect=franking_hostile::work::counted")
        .arg("--dump-after=franking_hostile::work::counted")
        .arg(std::env::current_exe()?)
        .arg(COUNT)
        .arg(format!("bytes={}", settings.bytes))
        .arg(format!("only={}", settings.only))
        .args(settings.without.iter().map(|all| format!("without={all}")))
        .arg(format!("seconds={}", settings.seconds))
        .arg(format!("share={}/{}", first + 1, settings.share.1 * of))
        .stderr(Stdio::inherit())
        .output()
}

/// Reads what a counting program has printed.
fn growths(printed: &str) -> io::Result<Vec<(String, Growth)>> {
    let read = |line: &str| {
        let mut parts = line.splitn(5, ' ');
        let growth = Growth {
            bytes: parts.next()?.parse().ok()?,
            quarter: parts.next()?.parse().ok()?,
            whole: parts.next()?.parse().ok()?,
            listed: parts.next()?.parse().ok()?,
        };
        Some((parts.next()?.to_string(), growth))
    };
    let growths = printed.lines().map(read).collect::<Option<_>>();
    growths.ok_or_else(|| io::Error::other("it printed no counts"))
}

/// The instructions that callgrind has written down.
fn total(path: &Path) -> io::Result<u64> {
    let text = fs::read_to_string(path)?;
    let line = text.lines().find_map(|line| line.strip_prefix("totals: "));
    let number = line.and_then(|number| number.trim().parse().ok());
    number.ok_or_else(|| io::Error::other("callgrind counted nothing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_a_body_is_bounded_for_each_byte_and_other_uses_are_not() {
        let growth = |whole| Growth {
            bytes: 1000,
            quarter: whole / 4,
            whole,
            listed: 0,
        };
        // A kind that is known to take more.
        let most = known::most("soup of hosts beyond ASCII") as u64 * 1000;
        for (name, whole, expected) in [
            ("commas: decide", 400_000, true),
            ("commas: decide", 401_000, false),
            ("soup of hosts beyond ASCII: decide", most, true),
            ("soup of hosts beyond ASCII: decide", most + 1000, false),
            ("commas: preflight", 401_000, false),
            ("commas: replay", 401_000, true),
            (
                "different domains: decide, 8 times as long",
                2_401_000,
                true,
            ),
        ] {
            assert_eq!(is_cheap(name, &growth(whole)), expected, "{name} {whole}");
        }
    }
}
