//! The operator's routes, which have an address of their own: the metrics, the intake of reports, and the desk.

use std::net::IpAddr;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_TYPE, HeaderValue};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::{host, leave, not_found, other_host};
use crate::settings::HostName;
use crate::telemetry::Metrics;

/// The routes. `reports` has those of reports and of the desk. `hosts` are names by which the routes may be called, besides
/// addresses and `localhost`.
pub(super) fn router(metrics: Metrics, reports: Router, hosts: Vec<HostName>) -> Router {
    Router::new()
        .route("/metrics", get(page))
        .with_state(metrics)
        .merge(reports)
        .fallback(async |request: Request| {
            leave(request);
            not_found()
        })
        .layer(middleware::from_fn_with_state(hosts, is_for_us))
}

async fn page(State(metrics): State<Metrics>) -> Response {
    let kind = HeaderValue::from_static("text/plain; version=0.0.4");
    ([(CONTENT_TYPE, kind)], metrics.render()).into_response()
}

/// Refuses requests to other names. A web page could make a browser send requests here (DNS rebinding), but only under the
/// page's own name.
async fn is_for_us(State(hosts): State<Vec<HostName>>, request: Request, next: Next) -> Response {
    let is_ours =
        host(&request).is_some_and(|host| is_local(host) || hosts.iter().any(|name| name.is(host)));
    match is_ours {
        true => next.run(request).await,
        false => other_host(request),
    }
}

/// Whether the value of a Host header is an address or `localhost`, which no page can have as its own name.
fn is_local(host: &str) -> bool {
    let name = HostName::without_port(host);
    let address = name
        .strip_prefix('[')
        .and_then(|name| name.strip_suffix(']'));
    name.eq_ignore_ascii_case("localhost") || address.unwrap_or(name).parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::is_local;

    #[test]
    fn an_address_and_localhost_are_local_and_names_are_not() {
        for host in [
            "127.0.0.1:8485",
            "localhost",
            "LOCALHOST:1",
            "[::1]:8485",
            "10.0.0.7",
        ] {
            assert!(is_local(host), "{host}");
        }
        for host in [
            "attacker.example",
            "127.0.0.1.attacker.example:8485",
            "",
            "[::1",
            "::x",
        ] {
            assert!(!is_local(host), "{host}");
        }
    }
}
