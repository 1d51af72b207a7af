//! Serves the two operations over HTTP, with a database in a file.
//!
//! ```text
//! cargo run --example server -- shop.db 127.0.0.1:8026
//! curl --data @body.json http://127.0.0.1:8026/v4/sendMailer
//! ```

use std::error::Error;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use franking::http::{Answer, Outcome, answer};
use franking::{Call, Operation, Policy, Route, decide, route};
use franking_examples::Store;
use http_body_util::LengthLimitError;

/// The length of the longest body that is read. It is a little more than the interface allows, so that the answer can say
/// that the body is too long.
const LONGEST: usize = (32 << 20) + 4096;

type Shared = Arc<Mutex<Store>>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(database), Some(address)) = (arguments.next(), arguments.next()) else {
        return Err("usage: server DATABASE ADDRESS:PORT".into());
    };
    let store = Arc::new(Mutex::new(Store::open(Path::new(&database))?));
    let listener = tokio::net::TcpListener::bind(address).await?;
    println!("http://{}", listener.local_addr()?);
    axum::serve(listener, Router::new().fallback(handle).with_state(store)).await?;
    Ok(())
}

async fn handle(State(store): State<Shared>, request: Request) -> Response {
    let method = request.method().as_str().to_owned();
    let operation = match route(&method, request.uri().path()) {
        // A known path with another method is a call, too. Its answer is the 401 of the interface.
        Some(Route::Call(operation) | Route::WrongMethod(operation)) => operation,
        None => return empty(StatusCode::NOT_FOUND),
    };
    let policy = Policy::default();
    let body = match to_bytes(request.into_body(), LONGEST).await {
        Ok(body) => body,
        Err(error) if is_too_long(&error) => {
            return respond(answer(&policy, operation, Outcome::TooLarge));
        }
        Err(_) => return empty(StatusCode::BAD_REQUEST),
    };
    // SQLite and the decision block the thread, so they run on a thread for blocking work.
    let of_call = policy.clone();
    let decided = tokio::task::spawn_blocking(move || {
        let call = Call::new(&of_call, operation, &method, Vec::from(body));
        decide_call(&store, &of_call, operation, call)
    });
    // After a panic it is not known whether the plan was carried out.
    let answer = decided
        .await
        .unwrap_or_else(|_| answer(&policy, operation, Outcome::Unknown));
    respond(answer)
}

fn is_too_long(error: &axum::Error) -> bool {
    let cause = error.source();
    cause.is_some_and(|cause| cause.is::<LengthLimitError>())
}

/// Decides one call at a time, because SQLite has one writer. `Call::new` has read the body before, on many threads at once. Its
/// addresses and its HTML are checked here, while other calls wait. A server for large bodies should lock the store for each answer
/// only, and not for the whole call.
fn decide_call(
    store: &Shared,
    policy: &Policy,
    operation: Operation,
    mut call: Call<'static>,
) -> Answer {
    let mut store = store.lock().unwrap_or_else(PoisonError::into_inner);
    match decide(&mut call, &mut *store) {
        Ok(decision) => decision.http(),
        Err(error) => answer(policy, operation, error.outcome()),
    }
}

/// Makes the HTTP response from the answer of the library.
fn respond(answer: Answer) -> Response {
    let mut response = Response::builder().status(answer.status);
    for (name, value) in answer.headers {
        response = response.header(*name, *value);
    }
    let body = Body::from(answer.body);
    response
        .body(body)
        .unwrap_or_else(|_| empty(StatusCode::INTERNAL_SERVER_ERROR))
}

fn empty(status: StatusCode) -> Response {
    let mut response = Response::default();
    *response.status_mut() = status;
    response
}
