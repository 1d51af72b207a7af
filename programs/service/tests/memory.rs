//! The memory of calls that have ended, while nobody reads the metrics. It is a program of its own, because it counts all
//! allocations.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that meets the unexpected should stop"
)]

#[expect(dead_code, unreachable_pub, reason = "the benchmarks use all of it")]
#[path = "../../../tests/bench/src/counting.rs"]
mod counting;
#[expect(dead_code, reason = "the other tests need the rest of it")]
#[path = "store/world.rs"]
mod world;

use std::net::SocketAddr;
use std::sync::Arc;

use counting::Counting;
use franking_service::http::{Feed, Outcomes, Readiness, Server, routers};
use franking_service::outcomes::Intake;
use franking_service::settings::Settings;
use franking_service::store::Store;
use franking_service::store::sqlite::Sqlite;
use franking_service::telemetry::Metrics;
use franking_service::transcripts::{TranscriptKind, Transcripts};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The number of calls of a round.
const CALLS: u64 = 1_000;

/// Sends a round of calls over one connection. One call in ten is accepted, and the others have an unknown key.
async fn round(stream: &mut TcpStream, answer: &mut [u8]) {
    for number in 0..CALLS {
        let is_accepted = number % 10 == 0;
        let key = if is_accepted { world::KEY } else { "nobody's" };
        let body = format!(r#"{{"apiKey":"{key}","mailerID":42,"email":"reader@reader.example"}}"#);
        let length = body.len();
        let request = format!(
            "POST /v4/sendMailer HTTP/1.1\r\nHost: h\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        let read = stream.read(answer).await.unwrap();
        let text = String::from_utf8_lossy(answer.get(..read).unwrap());
        assert_eq!(text.contains(r#""code":"200""#), is_accepted, "{text}");
    }
}

#[test]
fn calls_leave_no_memory_behind_while_nobody_reads_the_metrics() {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.enable_all().build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings {
        listen: SocketAddr::from(([127, 0, 0, 1], 0)),
        ..Settings::default()
    };
    let metrics = Metrics::install().unwrap();
    let (mut stream, mut answer) = runtime.block_on(async {
        let store: Arc<dyn Store> = Arc::new(Sqlite::open(folder.path()).unwrap());
        world::account(&store, 2_000_000, 2_000_000).await;
        let server = Server::bind(&settings).await.unwrap();
        let url = server.url().unwrap();
        let (calls, ready) = (TaskTracker::new(), Readiness::default());
        let intake = Arc::new(Intake::new(store.clone(), None, settings.suppression()));
        let outcomes = Outcomes {
            intake,
            unsubscribe: None,
            tracking: None,
            feed: Feed::new(watch::channel(0).1, CancellationToken::new()),
        };
        let (transcripts, _keeping) =
            Transcripts::start(Arc::clone(&store), TranscriptKind::Masked, None, 64 << 20);
        let routers = routers(
            &settings,
            store,
            metrics.clone(),
            outcomes,
            calls,
            ready,
            transcripts,
        );
        tokio::spawn(server.serve(routers.calls, CancellationToken::new()));
        let address = url.trim_start_matches("http://");
        let stream = TcpStream::connect(address).await.unwrap();
        (stream, vec![0_u8; 4096])
    });
    // The number of bytes by which `count` rounds increase what is allocated.
    let mut rounds = |count: u64, is_kept_up: bool| {
        let before = counting::live();
        for _ in 0..count {
            runtime.block_on(round(&mut stream, &mut answer));
            if is_kept_up {
                metrics.count_together();
            }
        }
        counting::live().saturating_sub(before)
    };
    // These rounds make what is made only once.
    rounds(10, true);
    // ROUNDS=10000 sends ten million calls.
    let count = std::env::var("ROUNDS").map_or(10, |count| count.parse().unwrap());
    let (kept, forgotten) = (rounds(count, true), rounds(10, false));
    println!(
        "{kept} bytes more after {count} times {CALLS} calls, {forgotten} after ten times as many where nothing is counted together"
    );
    // The measurements of a round are 16 bytes for each call. The rest is for other threads.
    assert!(kept < 64 * 1024, "{kept}");
    assert!(forgotten > 100 * 1024, "{forgotten}");
}
