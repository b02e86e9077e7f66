//! Streams to the page. The first message may come before the command returns
//! the stream's number.

use std::pin::pin;
use std::time::Duration;

use berth_core::view::{Event, LogBatch};
use berth_core::{Berth, Problem};
use berth_engines::docker::LogOptions;
use futures_util::StreamExt;
use tauri::State;
use tauri::ipc::Channel;
use tokio::time::{Instant, sleep, sleep_until};
use tracing::warn;

use crate::log_backlog::LogBacklog;
use crate::opened::Opened;
use crate::streams::Streams;

/// Most events that one message carries.
const EVENTS_PER_MESSAGE: usize = 200;

/// How long to wait before the events are read again after a failure.
const EVENTS_PAUSE: Duration = Duration::from_secs(1);

/// Between two batches of log lines.
const LOG_INTERVAL: Duration = Duration::from_millis(100);

/// How many lines of the past a log begins with, per container.
const LOG_TAIL: u32 = 1_000;

/// Sends events after number `from` until the page says so; returns the
/// stream's number.
#[tauri::command]
pub(crate) async fn follow(
    opened: State<'_, Opened>,
    streams: State<'_, Streams>,
    from: i64,
    channel: Channel<Vec<Event>>,
) -> Result<u32, Problem> {
    let berth = opened.berth().await?;
    Ok(streams.open(send_events(berth, from, channel)))
}

#[tauri::command]
pub(crate) fn unfollow(streams: State<'_, Streams>, id: u32) {
    streams.close(id);
}

/// Sends the merged logs of an environment, the last lines first, until they
/// end or the page says so; returns the stream's number. No `services`: all.
#[tauri::command]
pub(crate) async fn follow_logs(
    opened: State<'_, Opened>,
    streams: State<'_, Streams>,
    environment_id: String,
    services: Vec<String>,
    channel: Channel<LogBatch>,
) -> Result<u32, Problem> {
    let berth = opened.berth().await?;
    let options = LogOptions {
        services,
        follow: true,
        tail: Some(LOG_TAIL),
    };
    Ok(streams.open(send_logs(berth, environment_id, options, channel)))
}

#[tauri::command]
pub(crate) fn unfollow_logs(streams: State<'_, Streams>, id: u32) {
    streams.close(id);
}

/// A page whose channel refuses a message is gone; so ends the stream.
async fn send_events(berth: Berth, mut from: i64, channel: Channel<Vec<Event>>) {
    loop {
        let mut batches = pin!(berth.follow(from));
        while let Some(batch) = batches.next().await {
            let events = match batch {
                Ok(events) => events,
                Err(problem) => {
                    warn!(?problem, "events cannot be read; trying again");
                    break;
                }
            };
            for some in events.chunks(EVENTS_PER_MESSAGE) {
                if channel.send(some.to_vec()).is_err() {
                    return;
                }
            }
            if let Some(last) = events.last() {
                from = last.sequence;
            }
        }
        sleep(EVENTS_PAUSE).await;
    }
}

async fn send_logs(
    berth: Berth,
    environment_id: String,
    options: LogOptions,
    channel: Channel<LogBatch>,
) {
    let mut lines = pin!(berth.logs(&environment_id, options));
    let mut backlog = LogBacklog::default();
    let mut next_send = Instant::now();
    loop {
        tokio::select! {
            line = lines.next(), if !backlog.has_ended() => match line {
                Some(Ok(line)) => backlog.push(line),
                Some(Err(problem)) => backlog.end(Some(problem)),
                None => backlog.end(None),
            },
            () = sleep_until(next_send), if !backlog.is_empty() => {
                let batch = backlog.next_batch();
                let last = batch.end.is_some();
                if channel.send(batch).is_err() || last {
                    return;
                }
                next_send = Instant::now() + LOG_INTERVAL;
            }
        }
    }
}
