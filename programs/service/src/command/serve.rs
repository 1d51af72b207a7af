//! `franking-service serve`.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use sd_notify::NotifyState;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::{AbortOnDropHandle, TaskTracker};

use super::{As, Failure, demo, open, report};
use crate::events;
use crate::http::{self, Certificate, Feed, Outcomes, Readiness, Server};
use crate::key_file::KeyFile;
use crate::mail::Composer;
use crate::operate::retention::{Kept, Retention};
use crate::outbox::{Limits, Retry, Worker};
use crate::outcomes;
use crate::settings::{InstanceName, Settings, TransportKind};
use crate::store::Broken;
use crate::telemetry::{self, Metrics};
use crate::transcripts::Transcripts;
use crate::upkeep;

#[derive(Args)]
pub(super) struct Serve {
    /// Print all settings as a settings file, each with its value and where the value comes from, and exit
    #[arg(long)]
    print_settings: bool,
    /// Make an account with a new key for a first try, and show how to call the service with it
    #[arg(long)]
    demo: bool,
}

impl Serve {
    /// Whether the settings are printed, and nothing is served.
    pub(super) const fn prints(&self) -> bool {
        self.print_settings
    }

    pub(super) async fn run(self, mut settings: Settings) -> Result<ExitCode, Failure> {
        if self.demo && settings.transport.is_none() {
            settings.transport = Some(TransportKind::Maildir);
        }
        let mut mail = settings.mail()?;
        telemetry::log(settings.log_format)?;
        let metrics = Metrics::install()?;
        // If a task panics, nobody does its work any more, so the process ends.
        let tasks = Broken::default();
        let counting = tasks.watch("keeping the metrics", metrics.clone().keep_up());
        let _counting = AbortOnDropHandle::new(tokio::spawn(counting));
        let store = open(&settings, As::Server).await?;
        let keys = key_file(&settings)?;
        mail.return_paths = settings.return_paths()?;
        mail.unsubscribe_links = settings.unsubscribe_links()?;
        mail.tracking_links = settings.tracking_links()?;
        let intake = report::intake(Arc::clone(&store), &settings)?;
        let key = match self.demo {
            true => Some(demo::fill(&*store).await?),
            false => None,
        };
        let composer = Arc::new(Composer::new(&mail)?);
        let transport = mail.transport(&settings.data)?;
        let server = Server::bind(&settings).await?;
        let for_operator = Server::bind_for_operator(&settings).await?;
        let certificate = server.certificate().cloned();
        let urls = [server.url()?, for_operator.url()?];
        let (calls, ready, end) = (
            TaskTracker::new(),
            Readiness::default(),
            CancellationToken::new(),
        );
        let (tells, last_event) = watch::channel(0);
        let (transcripts, keeping) = Transcripts::start(
            Arc::clone(&store),
            settings.transcripts,
            keys.clone(),
            settings.transcript_bytes.get(),
        );
        let outcomes = Outcomes {
            intake: Arc::clone(&intake),
            unsubscribe: mail.unsubscribe_links.clone(),
            tracking: mail.tracking_links.clone(),
            feed: Feed::new(last_event, end.clone()),
        };
        let routers = http::routers(
            &settings,
            Arc::clone(&store),
            metrics,
            outcomes,
            calls.clone(),
            ready.clone(),
            transcripts,
        );
        let name = settings.instance.clone().or_else(InstanceName::of_host);
        let _name = match (name, &transport) {
            (Some(name), Some(_)) => store.hold_name(name.as_str().to_owned()).await?,
            _ => None,
        };
        // Without a transport, deliveries stay accepted.
        let sending = transport.map(|transport| {
            let (outbox, state) = (Arc::clone(&store), ready.sending().clone());
            Worker::new(outbox, composer, transport, limits(&settings), state)
                .start(settings.shutdown_seconds.into())
        });
        let sampling = telemetry::sample(
            Arc::clone(&store),
            settings.data.clone(),
            ready.sending().clone(),
        );
        let sampling = tasks.watch("measuring the database", sampling);
        let _sampling = AbortOnDropHandle::new(tokio::spawn(sampling));
        // Signals are caught before the service announces that it is ready.
        let mut terminate = signal(SignalKind::terminate())?;
        let mut interrupt = signal(SignalKind::interrupt())?;
        let hangup = signal(SignalKind::hangup())?;
        let certificates = tasks.watch("reading certificates", read_again(certificate, hangup));
        let _certificates = AbortOnDropHandle::new(tokio::spawn(certificates));
        let retention = Retention::new(Arc::clone(&store), kept(&settings));
        calls.spawn(tasks.watch("removing what is old", retention.run(end.clone())));
        if let Some(folder) = settings.reports_maildir.clone() {
            let reading = outcomes::watch(folder, Arc::clone(&intake), end.clone());
            calls.spawn(tasks.watch("reading reports", reading));
        }
        let keeping_up = upkeep::keep_up(Arc::clone(&store), intake, tells, end.clone());
        calls.spawn(tasks.watch("numbering events", keeping_up));
        let sender = events::Sender::new(&settings.webhook_networks)?;
        let webhooks = events::Webhooks::new(Arc::clone(&store), sender, keys);
        calls.spawn(tasks.watch("posting to webhooks", webhooks.run(end.clone())));
        let broken = store.broken();
        let (failed, keeping_failed) = (tasks.reported(), keeping.broken());
        let failed = async {
            tokio::select! {
                cause = failed => cause,
                cause = keeping_failed => cause,
            }
        };
        let serving = [
            server.serve(routers.calls, end.clone()),
            for_operator.serve(routers.operator, end.clone()),
        ];
        let serving = serving.map(|serving| tokio::spawn(tasks.watch("serving", serving)));
        // Only systemd reads this, for a unit with Type=notify.
        let _ = sd_notify::notify(&[NotifyState::Ready]);
        // Standard output may be closed: the service does not depend on it.
        let _ = demo::show(&mut std::io::stdout(), &urls, key.as_ref());

        let is_broken = tokio::select! {
            _ = terminate.recv() => false,
            _ = interrupt.recv() => false,
            cause = broken => {
                tracing::error!(%cause, "the database cannot go on, so the service ends: restart it to read what the database holds");
                true
            }
            cause = failed => {
                tracing::error!(%cause, "a task of the service cannot go on, so the service ends: restart it, and report this fault of the program");
                true
            }
        };
        ready.end();
        let _ = sd_notify::notify(&[NotifyState::Stopping]);
        if let Some(drain) = settings.drain_seconds.filter(|_| !is_broken) {
            tracing::info!("draining: calls are still taken, and /readyz already answers 503");
            // clock: the setting says how long balancers take to notice
            tokio::select! {
                () = sleep(drain.into()) => {}
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
        }
        tracing::info!("ending: calls and emails in flight are finished");
        end.cancel();
        if let Some(sending) = &sending {
            sending.stop();
        }
        let ended = async {
            for serving in serving {
                let _ = serving.await;
            }
            calls.close();
            calls.wait().await;
            keeping.end().await;
            if let Some(sending) = sending {
                sending.end().await;
            }
        };
        // Connections have `shutdown_seconds` to end, and then the calls that they began have as long again.
        let time = Duration::from(settings.shutdown_seconds).saturating_mul(2);
        // clock: the setting says how long calls in flight may take
        let is_late = tokio::select! {
            ended = timeout(time, ended) => ended.is_err(),
            _ = terminate.recv() => true,
            _ = interrupt.recv() => true,
        };
        if is_late {
            tracing::error!("ended before all calls were finished");
        }
        Ok(match is_broken || is_late {
            true => ExitCode::FAILURE,
            false => ExitCode::SUCCESS,
        })
    }
}

/// Reads the key file. With a SQLite database it is made if it is missing. The processes of a PostgreSQL database share a
/// key file, which `migrate` makes. It is read at the start, so that a fault shows then and not at its first use.
fn key_file(settings: &Settings) -> Result<Option<KeyFile>, Failure> {
    let path = settings.key_file();
    Ok(match (&settings.database, &settings.key_file) {
        (None, _) => Some(KeyFile::make(&path)?),
        (Some(_), Some(_)) => Some(KeyFile::read(&path)?),
        (Some(_), None) => KeyFile::read_if_there(&path)?,
    })
}

/// Reads the certificate again at each SIGHUP. It does not return.
async fn read_again(certificate: Option<Certificate>, mut hangup: Signal) {
    while hangup.recv().await.is_some() {
        match certificate.as_ref().map(Certificate::read_again) {
            Some(Ok(())) => tracing::info!("the certificate was read again"),
            Some(Err(error)) => {
                tracing::error!(%error, "the new certificate cannot be used: the old one stays in use");
            }
            None => tracing::info!("SIGHUP has no effect, because tls_certificate is not set"),
        }
    }
}

/// The days for which each kind of data is kept.
fn kept(settings: &Settings) -> Kept {
    Kept {
        contents: settings.content_days.get(),
        deliveries: settings.delivery_days.get(),
        calls: settings.call_days.get(),
        transcripts: settings.transcript_days.get(),
        // Subscribers are judged by their events of `suppress_days`.
        events: settings.events_days.get().max(settings.suppress_days.get()),
        reports: settings.reports_days.get(),
        readers: settings.reader_days.map(|days| days.get()),
        hits: settings.hit_days.get(),
        audit: settings.audit_days.get(),
    }
}

/// How much is sent at once, and for how long it is tried.
fn limits(settings: &Settings) -> Limits {
    let sends = settings.max_sends.get();
    Limits {
        // A worker claims again when half of what it can hold is free, so it holds several times what it sends at once.
        batch: u16::try_from(sends.saturating_mul(6)).map_or(6144, |batch| batch.clamp(256, 6144)),
        sends,
        domains: settings.domain_limits.clone(),
        retry: Retry {
            give_up: settings.give_up_hours.into(),
            ..Retry::default()
        },
        ..Limits::default()
    }
}
