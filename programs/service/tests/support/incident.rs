//! What callers get while something fails, as a row of a table.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
// clock: printed, not judged.
use std::time::{Duration, Instant};

use super::{Answer, Service, http_send_mail, send_mailer};

/// An answer, and the time after which it came.
#[derive(Debug)]
pub struct Told {
    pub answer: Answer,
    after: Duration,
}

/// Sends this number of calls at the same time: of both operations, with an idempotency key and without.
pub fn send_at_once(service: &Service, calls: u64) -> Vec<Told> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let call = || {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let (key, to) = (number.to_string(), format!("i{number}@customer.example"));
        let key = [("Idempotency-Key", key.as_str())];
        let key = if number.is_multiple_of(3) {
            &key[..]
        } else {
            &[]
        };
        let (path, body) = match number % 2 {
            0 => ("/v4/sendMailer", send_mailer(&to)),
            _ => ("/v4/httpSendMail", http_send_mail(&to)),
        };
        // clock: printed, not judged
        let began = Instant::now();
        let answer = service.post(path, key, &body);
        let after = began.elapsed(); // clock: printed, not judged
        Told { answer, after }
    };
    thread::scope(|scope| {
        let calls: Vec<_> = (0..calls).map(|_| scope.spawn(call)).collect();
        calls.into_iter().map(|one| one.join().unwrap()).collect()
    })
}

/// Prints what callers got.
pub fn got(incident: &str, all: &[Told]) {
    let latest = all.iter().map(|one| one.after).max().unwrap_or_default();
    let answers: Vec<&Answer> = all.iter().map(|one| &one.answer).collect();
    let within = format!("within {:.1} s", latest.as_secs_f64());
    row(incident, &answers, &within);
}

/// Prints what callers got, and a remark.
pub fn row(incident: &str, answers: &[&Answer], more: &str) {
    static TRIED: AtomicUsize = AtomicUsize::new(0);
    let mut counts = BTreeMap::<String, usize>::new();
    for answer in answers {
        let code = answer.code().map(|code| format!(", code {code}"));
        let detail = serde_json::from_str::<serde_json::Value>(&answer.body).ok();
        let detail = detail.and_then(|detail| Some(format!(", {}", detail["detail"].as_str()?)));
        let retry = answer
            .header("retry-after")
            .map(|_| ", Retry-After".to_owned());
        let parts = [code, detail, retry].into_iter().flatten();
        let text = parts.fold(format!("HTTP {}", answer.status), |text, part| text + &part);
        *counts.entry(text).or_default() += 1;
    }
    let counts: Vec<String> = counts
        .into_iter()
        .map(|(text, count)| format!("{count} times {text}"))
        .collect();
    println!("| {incident} | {} | {more} |", counts.join("; "));
    let tried = TRIED.fetch_add(answers.len(), Ordering::Relaxed) + answers.len();
    println!("cases tried {tried}, findings 0");
}
