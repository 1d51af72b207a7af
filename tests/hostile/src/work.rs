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
use crate::subject::{Done, Listing, Prepared, Subject, subjects};
use crate::{Settings, close};

/// Input of this length is long enough that quadratic work outweighs everything else, and short enough for a run of a
/// minute.
pub(crate) const BYTES: usize = 64 << 10;
/// The command with which this program, started under valgrind, counts instructions.
pub(crate) const COUNT: &str = "count";
/// The factor by which each input is longer than the one before it.
const TIMES: usize = 4;
/// The shortest input is at least this long. Counting begins there and ends as soon as the work is surely quadratic: for the
/// longest input, such work could take hours.
const SHORTEST: usize = 8 << 10;
/// Linear work grows four times for four times the length, and sorting a little more. Quadratic work grows sixteen times.
const MOST: f64 = 5.5;
/// Above this ratio, work is quadratic even if the input is short. A lower ratio of short input shows nothing: a method that
/// is quick for a few items may be replaced by another one for more of them.
const SURE: f64 = 10.0;

/// The most instructions that deciding and checking take for each byte of a body. The kinds of [`crate::known`] may take
/// more.
pub(crate) const MOST_EACH: f64 = 400.0;
/// The most instructions that listing takes for each finding, and for each name in its pointer after the third, besides what
/// checking may take for each byte of the body.
const MOST_LISTED: f64 = 2000.0;
const MOST_NAMED: f64 = 500.0;
/// The uses of a body that decide or check it.
const BOUNDED: [&str; 5] = ["decide", "preflight", "partial", "inactive", "refused"];

/// The kinds of body that have hosts beyond ASCII.
const BEYOND_ASCII: [&str; 2] = ["beyond ASCII", "soup of everything"];
/// Input of these kinds is shorter by this factor. Their work grows as that of the others does, and counting it would take
/// longer than everything else.
const SHORTER: usize = 8;
/// Input of these kinds is at least this long. In shorter input, work that is done once for each body weighs too much.
const LONG_ENOUGH: usize = 16 << 10;
/// The name of the bodies that are made of many parts. Short input does not have all of the parts, so it does not show how
/// the work grows. Only the work for each byte of the longest input is bounded.
const MANY_PARTS: &str = "a mixture";

fn is_beyond_ascii(name: &str) -> bool {
    BEYOND_ASCII.iter().any(|kind| name.contains(kind))
}

/// Whether the numbers of instructions for each byte and for each finding are judged. Without optimization, the same work takes
/// several times more instructions. So in a development build only the growth of the work is judged.
const HAS_LIMITS: bool = !cfg!(debug_assertions);

/// Whether a subject takes no more than is allowed. Only the uses of [`BOUNDED`] have a limit.
fn is_cheap(name: &str, growth: &Growth) -> bool {
    let own = name.rsplit_once(": ").map_or("", |(_, own)| own);
    !BOUNDED.contains(&own) || growth.each_byte() <= most_of(name)
}

/// The most instructions for each byte that the body of a subject may take.
fn most_of(name: &str) -> f64 {
    known::most(body_of(name))
}

fn body_of(name: &str) -> &str {
    name.rsplit_once(": ").map_or(name, |(body, _)| body)
}

/// All subjects, with the planted ones.
fn all() -> Vec<Subject> {
    subjects().into_iter().chain(planted()).collect()
}

/// The instructions for one subject: for input of `bytes` bytes, and for a quarter of that.
struct Growth {
    bytes: usize,
    quarter: u64,
    whole: u64,
    listed: Listing,
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

    /// Whether a listing takes no more than is allowed. `most` instructions for each byte are allowed as well, since a
    /// listing reads on from finding to finding.
    fn is_listed_cheaply(&self, most: f64) -> bool {
        let findings = self.listed.findings as f64 * MOST_LISTED;
        let names = self.listed.names as f64 * MOST_NAMED;
        self.whole as f64 <= findings + names + self.bytes as f64 * most
    }

    /// Whether the work grows by no more than this factor. Growth does not matter if the work is less than one instruction
    /// for each byte.
    fn is_below(&self, most: f64) -> bool {
        self.ratio() <= most || self.whole < self.bytes as u64
    }
}

/// Counts each subject for longer and longer input. Prints the last two counts, for the program that started this one.
pub(crate) fn count(settings: &Settings) -> Result<bool, String> {
    let count_all = || -> io::Result<()> {
        let folder = folder(settings.share.0)?;
        let mut written = 0;
        let mut count = |subject: &Subject, bytes| {
            let done = counted((subject.prepare)(bytes));
            // Callgrind numbers the counts that it writes.
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
                    let Listing { findings, names } = listed;
                    println!(
                        "{bytes} {quarter} {whole} {findings} {names} {}",
                        subject.name
                    );
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

/// This function exists so that callgrind can count in it alone, and write each count on its own.
#[inline(never)]
fn counted(prepared: Prepared) -> Done {
    prepared()
}

/// Counts all subjects, on every available processor, and judges how their work grows. Returns whether all of them pass.
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
        "instructions, how many times those for a quarter of the input, bytes of input, instructions for each, findings listed, names in their pointers"
    );
    if !HAS_LIMITS {
        println!("a development build: how the work grows is judged, and not how much it is");
    }
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
            "{name:60} {whole:>14} {:6.2} {bytes:>9} {:8.1} {:>6} {:>7}",
            growth.ratio(),
            growth.each_byte(),
            listed.findings,
            listed.names
        );
        if HAS_LIMITS && listed.findings > 0 && !growth.is_listed_cheaply(most_of(name)) {
            failures.push(format!(
                "{name}: {whole} instructions for {} findings with {} names in their pointers",
                listed.findings, listed.names
            ));
        } else if HAS_LIMITS && !is_cheap(name, growth) {
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

/// The results of one counting program, by the names of the subjects in its share.
fn counts(settings: &Settings, which: usize, of: usize) -> Result<Vec<(String, Growth)>, String> {
    // The share of this program begins here, within the share that was asked for.
    let first = settings.share.0 + settings.share.1 * which;
    let read = || -> io::Result<_> {
        let folder = folder(first)?;
        // A run that was killed may have left this folder.
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

/// The folder for the counts of a counting program: next to this program, in the build's folder.
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

/// Reads the output of a counting program.
fn growths(printed: &str) -> io::Result<Vec<(String, Growth)>> {
    let read = |line: &str| {
        let mut parts = line.splitn(6, ' ');
        let growth = Growth {
            bytes: parts.next()?.parse().ok()?,
            quarter: parts.next()?.parse().ok()?,
            whole: parts.next()?.parse().ok()?,
            listed: Listing {
                findings: parts.next()?.parse().ok()?,
                names: parts.next()?.parse().ok()?,
            },
        };
        Some((parts.next()?.to_string(), growth))
    };
    let growths = printed.lines().map(read).collect::<Option<_>>();
    growths.ok_or_else(|| io::Error::other("it printed no counts"))
}

/// The instructions that callgrind counted.
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
            listed: Listing::default(),
        };
        // This kind is known to take more.
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
