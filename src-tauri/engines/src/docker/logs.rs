use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use bollard::models::ContainerSummary;
use bollard::query_parameters::{EventsOptions, ListContainersOptions};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::task::AbortOnDropHandle;
use ts_rs::TS;

use super::log_decode::{DecodedLine, Decoder};
use super::{Docker, failure, labels, ownership};
use crate::EngineError;

/// Longest text of a line, in bytes.
pub(super) const TEXT_LIMIT: usize = 64 * 1024;
/// How long lines of several containers are gathered to be put in order.
const GATHER: Duration = Duration::from_millis(30);
const GATHER_LINES: usize = 512;
/// Lines under way between the engine and the listener. A slow listener makes the
/// engine wait, not the memory grow.
const UNDER_WAY: usize = 256;
const DURING: &str = "reading logs";

/// Which log lines.
#[derive(Clone, Debug, Default)]
pub struct LogOptions {
    /// Only these services; empty: all.
    pub services: Vec<String>,
    /// Keep going, also through containers that are made again.
    pub follow: bool,
    /// At most so many lines of the past per container; `None`: all.
    pub tail: Option<u32>,
}

/// One line of a log, without its line break.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LogLine {
    /// The service.
    pub service: String,
    /// The container's name.
    pub container: String,
    /// Milliseconds since the epoch, as the engine noted it.
    #[ts(type = "number")]
    pub at: i64,
    /// Standard error; never with a terminal, where the two cannot be told apart.
    pub stderr: bool,
    /// The text, cut at 64 KiB.
    pub text: String,
}

type Item = Result<LogLine, EngineError>;

/// A container whose log is read.
#[derive(Clone, Debug)]
struct Source {
    id: String,
    name: String,
    service: String,
}

/// Where a log is read from.
#[derive(Clone, Copy, Debug)]
enum From {
    /// The last lines; `None`: all.
    Tail(Option<u32>),
    /// After this moment, nanoseconds since the epoch.
    After(i128),
}

impl Docker {
    /// Merged logs of an environment, in time order as far as the engine
    /// delivers it: exactly without `follow`, within a short while with it. An
    /// error about one container's log does not end the others'. With `follow` it
    /// ends when the engine goes away. Must be called inside a Tokio runtime.
    pub fn logs(
        &self,
        environment: &str,
        options: LogOptions,
    ) -> impl Stream<Item = Item> + Send + 'static + use<> {
        let (sender, receiver) = mpsc::channel(UNDER_WAY);
        let docker = self.clone();
        let environment = environment.to_owned();
        let task = tokio::spawn(async move {
            let outcome = if options.follow {
                docker.follow(&environment, &options, &sender).await
            } else {
                docker.past(&environment, &options, &sender).await
            };
            if let Err(error) = outcome {
                // No receiver: nobody wants to know any more.
                let _ = sender.send(Err(error)).await;
            }
        });
        let state = (receiver, AbortOnDropHandle::new(task));
        stream::unfold(state, async |mut state| {
            state.0.recv().await.map(|item| (item, state))
        })
    }

    async fn past(
        &self,
        environment: &str,
        options: &LogOptions,
        sender: &mpsc::Sender<Item>,
    ) -> Result<(), EngineError> {
        let sources = self.sources(environment, options).await?;
        let mut logs = Vec::new();
        for source in sources {
            let lines = self.lines(source, From::Tail(options.tail), false);
            logs.push((Box::pin(lines), None::<(i128, LogLine)>));
        }
        loop {
            // The oldest of each container's next lines comes first.
            let mut index = 0;
            while index < logs.len() {
                let (lines, head) = &mut logs[index];
                if head.is_none() {
                    match lines.next().await {
                        Some(Ok(line)) => *head = Some(line),
                        Some(Err(error)) => {
                            if sender.send(Err(error)).await.is_err() {
                                return Ok(());
                            }
                            continue;
                        }
                        None => {
                            drop(logs.swap_remove(index));
                            continue;
                        }
                    }
                }
                index += 1;
            }
            let oldest = logs
                .iter_mut()
                .min_by_key(|(_, head)| head.as_ref().map(|(at, _)| *at));
            let Some((_, line)) = oldest.and_then(|(_, head)| head.take()) else {
                return Ok(());
            };
            if sender.send(Ok(line)).await.is_err() {
                return Ok(());
            }
        }
    }

    async fn follow(
        &self,
        environment: &str,
        options: &LogOptions,
        sender: &mpsc::Sender<Item>,
    ) -> Result<(), EngineError> {
        let (found, mut lines) =
            mpsc::channel::<(String, Result<(i128, LogLine), EngineError>)>(UNDER_WAY);
        let mut starts = std::pin::pin!(self.starts(environment));
        let mut readers: JoinSet<String> = JoinSet::new();
        // Who is being read, and up to where each was.
        let mut reading: HashMap<String, bool> = HashMap::new();
        let mut upto: HashMap<String, i128> = HashMap::new();
        let read = |readers: &mut JoinSet<String>, source: Source, from: From| {
            let lines = self.lines(source.clone(), from, true);
            let found = found.clone();
            readers.spawn(async move {
                let mut lines = std::pin::pin!(lines);
                while let Some(line) = lines.next().await {
                    if found.send((source.id.clone(), line)).await.is_err() {
                        break;
                    }
                }
                source.id
            });
        };
        for source in self.sources(environment, options).await? {
            reading.insert(source.id.clone(), true);
            read(&mut readers, source, From::Tail(options.tail));
        }
        let mut gathered: Vec<(i128, LogLine)> = Vec::new();
        let mut gather_until: Option<Instant> = None;
        loop {
            let gathering = async {
                match gather_until {
                    Some(until) => tokio::time::sleep_until(until).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                line = lines.recv(), if gathered.len() < GATHER_LINES => match line {
                    Some((id, Ok((at, line)))) => {
                        upto.insert(id, at);
                        gathered.push((at, line));
                        gather_until.get_or_insert_with(|| Instant::now() + GATHER);
                    }
                    Some((_, Err(error))) => {
                        if sender.send(Err(error)).await.is_err() {
                            return Ok(());
                        }
                    }
                    // Never: this function holds a sender.
                    None => return Ok(()),
                },
                () = gathering => {
                    gather_until = None;
                    gathered.sort_by_key(|(at, _)| *at);
                    for (_, line) in gathered.drain(..) {
                        if sender.send(Ok(line)).await.is_err() {
                            return Ok(());
                        }
                    }
                }
                ended = readers.join_next(), if !readers.is_empty() => {
                    if let Some(Ok(id)) = ended {
                        reading.insert(id, false);
                    }
                }
                started = starts.next() => {
                    let source = match started {
                        Some(Ok(source)) => source,
                        Some(Err(error)) => return Err(error),
                        None => return Err(EngineError::EngineLost {
                            during: DURING.to_owned(),
                            source: "the engine closed its event stream".into(),
                        }),
                    };
                    let wanted = options.services.is_empty() || options.services.contains(&source.service);
                    if wanted && reading.get(&source.id) != Some(&true) {
                        let from = match upto.get(&source.id) {
                            Some(at) => From::After(*at),
                            None => From::Tail(None),
                        };
                        reading.insert(source.id.clone(), true);
                        read(&mut readers, source, from);
                    }
                }
                () = sender.closed() => return Ok(()),
            }
        }
    }

    /// Containers of an environment as they start, the last seconds replayed.
    fn starts(&self, environment: &str) -> impl Stream<Item = Result<Source, EngineError>> + use<> {
        let since = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |now| now.as_secs().saturating_sub(5));
        let mut filters = labels::of_environment(environment);
        filters.insert("type".to_owned(), vec!["container".to_owned()]);
        filters.insert("event".to_owned(), vec!["start".to_owned()]);
        self.slow
            .events(Some(EventsOptions {
                since: Some(since.to_string()),
                until: None,
                filters: Some(filters),
            }))
            .filter_map(async |event| match event {
                Ok(event) => {
                    let actor = event.actor?;
                    let id = actor.id?;
                    let mut attributes = actor.attributes?;
                    let name = attributes.remove("name")?;
                    ownership::environment_of_container(&id, &name, &attributes)?;
                    Some(Ok(Source {
                        id,
                        name,
                        service: attributes.remove(labels::SERVICE).unwrap_or_default(),
                    }))
                }
                Err(error) => Some(Err(failure::from_engine(DURING, error))),
            })
    }

    async fn sources(
        &self,
        environment: &str,
        options: &LogOptions,
    ) -> Result<Vec<Source>, EngineError> {
        let listed = self
            .api
            .list_containers(Some(ListContainersOptions {
                all: true,
                filters: Some(labels::of_environment(environment)),
                ..ListContainersOptions::default()
            }))
            .await
            .map_err(|error| failure::from_engine(DURING, error))?;
        let mut sources: Vec<Source> = listed
            .into_iter()
            .filter_map(source)
            .filter(|it| options.services.is_empty() || options.services.contains(&it.service))
            .collect();
        sources.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(sources)
    }

    /// The lines of one container, with their times in nanoseconds.
    fn lines(
        &self,
        source: Source,
        from: From,
        follow: bool,
    ) -> impl Stream<Item = Result<(i128, LogLine), EngineError>> + Send + 'static + use<> {
        let (sender, receiver) = mpsc::channel(UNDER_WAY);
        let docker = self.clone();
        let task = tokio::spawn(async move {
            if let Err(error) = docker.read(&source, from, follow, &sender).await {
                let _ = sender.send(Err(error)).await;
            }
        });
        let state = (receiver, AbortOnDropHandle::new(task));
        stream::unfold(state, async |mut state| {
            state.0.recv().await.map(|item| (item, state))
        })
    }

    async fn read(
        &self,
        source: &Source,
        from: From,
        follow: bool,
        sender: &mpsc::Sender<Result<(i128, LogLine), EngineError>>,
    ) -> Result<(), EngineError> {
        let during = format!("reading the log of {}", source.name);
        let container = match self.inspect(&source.id, &during).await {
            Ok(container) => container,
            // Removed meanwhile: nothing more to read.
            Err(EngineError::Api { status: 404, .. }) => return Ok(()),
            Err(error) => return Err(error),
        };
        let tty = container
            .config
            .and_then(|config| config.tty)
            .unwrap_or(false);
        let which = match from {
            From::Tail(Some(lines)) => format!("tail={lines}"),
            From::Tail(None) => "tail=all".to_owned(),
            From::After(at) => {
                let after = at + 1;
                format!(
                    "tail=all&since={}.{:09}",
                    after / 1_000_000_000,
                    after % 1_000_000_000
                )
            }
        };
        let mut chunks = std::pin::pin!(self.raw_get(format!(
            "/containers/{}/logs?stdout=1&stderr=1&timestamps=1&follow={}&{which}",
            source.id,
            u8::from(follow)
        )));
        let mut decoder = Decoder::new(tty);
        let mut lines = Vec::new();
        loop {
            match chunks.next().await {
                Some(Ok(chunk)) => decoder.feed(&chunk, &mut lines),
                Some(Err(error)) if failure::is_absent(&error) => return Ok(()),
                Some(Err(error)) => return Err(failure::from_engine(&during, error)),
                None => {
                    decoder.finish(&mut lines);
                    for line in lines.drain(..) {
                        let _ = sender.send(Ok(named(source, line))).await;
                    }
                    return Ok(());
                }
            }
            for line in lines.drain(..) {
                if sender.send(Ok(named(source, line))).await.is_err() {
                    return Ok(());
                }
            }
        }
    }

    /// The last lines of one container, in order.
    pub(super) async fn last_of(&self, id: &str, count: u32) -> Result<Vec<String>, EngineError> {
        let source = Source {
            id: id.to_owned(),
            name: id.chars().take(12).collect(),
            service: String::new(),
        };
        let mut lines = std::pin::pin!(self.lines(source, From::Tail(Some(count)), false));
        let mut last = Vec::new();
        while let Some(line) = lines.next().await {
            last.push(line?);
        }
        // The two streams of a container come one after the other's pauses.
        last.sort_by_key(|(at, _)| *at);
        Ok(last.into_iter().map(|(_, line)| line.text).collect())
    }

    /// A GET whose answer is handed on byte by byte, as it comes. The client's own
    /// log call takes a terminal's text for frames when it begins with the wrong
    /// bytes, and holds a line until it ends, however long it is; its only raw
    /// answer is that of an export, so an export is asked for and sent elsewhere.
    fn raw_get(
        &self,
        path: String,
    ) -> impl Stream<Item = Result<Bytes, bollard::errors::Error>> + Send + 'static + use<> {
        let api = self.slow.clone().with_request_modifier(move |mut request| {
            let uri = request.uri().to_string();
            if let Some(at) = uri.rfind("/containers/")
                && let Ok(elsewhere) = format!("{}{path}", &uri[..at]).parse()
            {
                *request.uri_mut() = elsewhere;
            }
            request
        });
        api.export_container("logs")
    }
}

fn source(container: ContainerSummary) -> Option<Source> {
    ownership::environment_of(&container)?;
    Some(Source {
        name: ownership::name_of(&container).to_owned(),
        id: container.id?,
        service: container.labels?.remove(labels::SERVICE)?,
    })
}

fn named(source: &Source, line: DecodedLine) -> (i128, LogLine) {
    let at = i64::try_from(line.at / 1_000_000).unwrap_or_default();
    (
        line.at,
        LogLine {
            service: source.service.clone(),
            container: source.name.clone(),
            at,
            stderr: line.stderr,
            text: line.text,
        },
    )
}
