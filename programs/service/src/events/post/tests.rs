//! Which addresses of a name are refused, and that the connection goes to the one that was judged.
#![expect(
    clippy::unwrap_used,
    reason = "a test that meets the unexpected should stop"
)]

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

fn networks(texts: &[&str]) -> Vec<IpNet> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn headers() -> Headers {
    use franking::webhook::{ID, SIGNATURE, TIMESTAMP};
    [ID, TIMESTAMP, SIGNATURE].map(|name| (name, "1".to_owned()))
}

/// A sender whose look-ups answer with one list after the other.
fn sender(allowed: &[&str], answers: Vec<Vec<SocketAddr>>) -> (Sender, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let mut sender = Sender::new(&networks(allowed)).unwrap();
    let counted = Arc::clone(&asked);
    sender.look_up = Arc::new(move |_, _| {
        let place = counted.fetch_add(1, Ordering::SeqCst);
        let answer = answers.get(place).cloned().unwrap_or_default();
        Box::pin(async move { Ok(answer) })
    });
    (sender, asked)
}

#[tokio::test]
async fn a_name_with_one_refused_address_among_others_is_refused() {
    let mixed: Vec<SocketAddr> = ["192.0.43.7:443", "10.0.0.1:443"]
        .map(|text| text.parse().unwrap())
        .into();
    let (sender, asked) = sender(&[], vec![mixed]);
    let (_, posted) = sender
        .post("https://shop.example/", headers(), Bytes::new())
        .await;
    assert!(
        matches!(posted, Err(PostError::Refused(address, _)) if address.to_string() == "10.0.0.1")
    );
    assert_eq!(asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn the_connection_goes_to_the_address_that_was_judged_whatever_the_name_says_next() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let judged = listener.local_addr().unwrap();
    let later = TcpListener::bind("127.0.0.2:0").await.unwrap();
    let answers = vec![vec![judged], vec![later.local_addr().unwrap()]];
    let (sender, asked) = sender(&["127.0.0.1/32"], answers);
    let posting = async {
        sender
            .post(
                "http://shop.example/hook",
                headers(),
                Bytes::from_static(b"{}"),
            )
            .await
    };
    let serving = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut read = [0; 1024];
        let length = stream.read(&mut read).await.unwrap();
        stream
            .write_all(b"HTTP/1.1 204 No Content\r\n\r\n")
            .await
            .unwrap();
        String::from_utf8(read.get(..length).unwrap().to_vec()).unwrap()
    };
    let ((_, posted), request) = tokio::join!(posting, serving);
    assert_eq!(posted.unwrap(), StatusCode::NO_CONTENT);
    assert!(request.starts_with("POST /hook HTTP/1.1\r\n"), "{request}");
    assert_eq!(asked.load(Ordering::SeqCst), 1);
    // The next attempt looks the name up anew, and judges what it says then.
    let (_, posted) = sender
        .post("http://shop.example/hook", headers(), Bytes::new())
        .await;
    assert!(matches!(posted, Err(PostError::Refused(..))));
}

#[tokio::test]
async fn http_is_for_the_networks_that_are_allowed_alone() {
    let address: SocketAddr = "192.0.43.7:80".parse().unwrap();
    let (sender, _) = sender(&["127.0.0.0/8"], vec![vec![address]]);
    let (_, posted) = sender
        .post("http://shop.example/", headers(), Bytes::new())
        .await;
    assert!(matches!(posted, Err(PostError::Plain(_))));
}
