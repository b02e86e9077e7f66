//! Whether a port answers, and what it speaks.

use std::collections::HashMap;
use std::sync::PoisonError;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep, timeout};

use super::Address;
use super::address::{Candidate, Choice};
use super::apply::Run;
use crate::{EngineError, LastLines};

/// How long the address may take to answer once everything runs.
const REACH_LIMIT: Duration = Duration::from_secs(60);
/// How long an earlier port may still turn out to speak HTTP after a later one
/// did.
const EARLIER_GRACE: Duration = Duration::from_millis(1500);
/// How long a service is watched for ending right after its start.
const SETTLE: Duration = Duration::from_millis(500);

const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
const ANSWER_LIMIT: Duration = Duration::from_secs(10);
/// A forwarder with nobody behind it accepts and hangs up at once; a server that
/// waits for its client does not.
const SILENCE: Duration = Duration::from_millis(300);

/// How many bytes of an answer tell what is spoken.
const START: usize = 5;

/// What a port turned out to speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Speaks {
    Http,
    /// HTTP inside TLS.
    Https,
    /// Something else.
    Other,
}

/// One try.
#[derive(Debug)]
enum Answer {
    Speaks(Speaks),
    /// Nothing yet, and what was seen.
    NotYet(String),
}

/// Tries until the port answers. `last` is told what the latest try saw.
pub(super) async fn until_it_answers(candidate: &Candidate, last: &mut String) -> Speaks {
    let started = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        match ask(candidate).await {
            Answer::Speaks(speaks) => return speaks,
            Answer::NotYet(seen) => *last = seen,
        }
        sleep(pause).await;
        // Quick while it is most likely about to come, calm afterwards.
        if started.elapsed() > Duration::from_secs(2) {
            pause = (pause * 2).min(LONGEST_PAUSE);
        } else {
            pause = (pause * 3 / 2).min(Duration::from_millis(150));
        }
    }
}

async fn ask(candidate: &Candidate) -> Answer {
    let stream = match TcpStream::connect(("127.0.0.1", candidate.host_port)).await {
        Ok(stream) => stream,
        Err(error) => return Answer::NotYet(format!("connecting failed: {error}")),
    };
    match request(stream, candidate).await {
        Reply::Start(start) => spoken(&start, candidate),
        Reply::Silent => Answer::NotYet(format!(
            "it accepted the request and said nothing for {} s",
            ANSWER_LIMIT.as_secs()
        )),
        Reply::HungUp(seen) => after_hanging_up(candidate, seen).await,
    }
}

/// What came back for a request.
enum Reply {
    /// The first bytes, at least one.
    Start(Vec<u8>),
    /// Nothing in time.
    Silent,
    /// The connection ended first, and how.
    HungUp(String),
}

async fn request(mut stream: TcpStream, candidate: &Candidate) -> Reply {
    let request = format!(
        "GET / HTTP/1.1\r\nHost: {}:{}\r\nUser-Agent: berth\r\nAccept: */*\r\nConnection: close\r\n\r\n",
        candidate.host, candidate.host_port
    );
    if let Err(error) = stream.write_all(request.as_bytes()).await {
        return Reply::HungUp(format!("sending failed: {error}"));
    }
    let mut start = Vec::with_capacity(START);
    let reading = async {
        let mut limited = stream.take(START as u64);
        while start.len() < START && limited.read_buf(&mut start).await? > 0 {}
        Ok::<_, std::io::Error>(())
    };
    let read = timeout(ANSWER_LIMIT, reading).await;
    match read {
        _ if !start.is_empty() => Reply::Start(start),
        Ok(Ok(())) => Reply::HungUp("it hung up without an answer".to_owned()),
        Ok(Err(error)) => Reply::HungUp(format!("it hung up: {error}")),
        Err(_) => Reply::Silent,
    }
}

fn spoken(start: &[u8], candidate: &Candidate) -> Answer {
    Answer::Speaks(match start {
        // An answer in plain text to a port that speaks TLS ("use HTTPS").
        b"HTTP/" if candidate.https => Speaks::Https,
        b"HTTP/" => Speaks::Http,
        // A TLS alert.
        [0x15, 0x03, ..] => Speaks::Https,
        _ => Speaks::Other,
    })
}

/// Tells a server that does not like HTTP from one that is not there yet. It may
/// have come up since the request that was hung up on: a connection that stays
/// open is asked once more before it is judged.
async fn after_hanging_up(candidate: &Candidate, seen: String) -> Answer {
    let Ok(mut stream) = TcpStream::connect(("127.0.0.1", candidate.host_port)).await else {
        return Answer::NotYet(seen);
    };
    let mut byte = [0_u8; 1];
    match timeout(SILENCE, stream.read(&mut byte)).await {
        // It greets its client.
        Ok(Ok(1)) => Answer::Speaks(Speaks::Other),
        Ok(_) => Answer::NotYet(seen),
        // It waits for its client.
        Err(_) => match request(stream, candidate).await {
            Reply::Start(start) => spoken(&start, candidate),
            Reply::HungUp(_) => Answer::Speaks(Speaks::Other),
            Reply::Silent => Answer::NotYet(seen),
        },
    }
}

impl Run<'_> {
    /// Waits until the address answers, meanwhile watching that nothing that was
    /// started ends badly at once, and lists all ways in.
    pub(super) async fn reach(
        &self,
        containers: &HashMap<String, String>,
    ) -> Result<Vec<Address>, EngineError> {
        let settled = self.settle();
        let reached = async {
            match self.plan.addresses.first_url() {
                None => Ok(None),
                Some(url) => {
                    let reaching = self.first_answer(&url, containers);
                    self.steps.run("reach", reaching).await
                }
            }
        };
        let ((), primary) = tokio::try_join!(settled, reached)?;
        Ok(self.listed(primary))
    }

    /// Which candidate is the URL, and what it speaks.
    async fn first_answer(
        &self,
        url: &str,
        containers: &HashMap<String, String>,
    ) -> Result<Option<(usize, Speaks)>, EngineError> {
        let addresses = &self.plan.addresses;
        let watched: Vec<(usize, &Candidate)> = match addresses.choice {
            Choice::Fixed(index) => addresses
                .candidates
                .get(index)
                .map(|it| (index, it))
                .into_iter()
                .collect(),
            Choice::FirstAnswering => addresses.candidates.iter().enumerate().collect(),
        };
        let mut last: Vec<String> = vec![String::new(); watched.len()];
        let failures: FuturesUnordered<_> = watched
            .iter()
            .filter_map(|(_, candidate)| {
                let id = containers.get(&candidate.container)?;
                Some(
                    self.docker
                        .until_it_fails(&self.wakes, id, &candidate.service),
                )
            })
            .collect();
        let fixed = matches!(addresses.choice, Choice::Fixed(_));
        let answering = answers(&watched, &mut last, fixed);
        let outcome = tokio::select! {
            biased;
            answer = timeout(REACH_LIMIT, answering) => answer.ok(),
            error = first_failure(failures) => return Err(error),
        };
        if let Some(answer) = outcome {
            return Ok(answer);
        }
        let (position, candidate) = match watched.first() {
            Some((_, candidate)) => (0, *candidate),
            None => return Ok(None),
        };
        let lines = match containers.get(&candidate.container) {
            Some(id) => self
                .docker
                .last_lines(id, "reading what it wrote last")
                .await
                .unwrap_or_default(),
            None => LastLines::default(),
        };
        Err(EngineError::NotAnswering {
            url: url.to_owned(),
            service: candidate.service.clone(),
            last: last.swap_remove(position),
            lines,
        })
    }

    /// All ways in, the primary one first.
    fn listed(&self, primary: Option<(usize, Speaks)>) -> Vec<Address> {
        let mut listed: Vec<Address> = self
            .plan
            .addresses
            .candidates
            .iter()
            .enumerate()
            .map(|(index, candidate)| {
                let speaks = primary
                    .filter(|(at, _)| *at == index)
                    .map(|(_, speaks)| speaks);
                let url = match speaks {
                    Some(Speaks::Https) => {
                        format!("https://{}:{}", candidate.host, candidate.host_port)
                    }
                    Some(Speaks::Other) => format!("tcp://127.0.0.1:{}", candidate.host_port),
                    Some(Speaks::Http) | None => candidate.url(),
                };
                Address {
                    service: candidate.service.clone(),
                    target: candidate.target,
                    host_port: candidate.host_port,
                    url,
                    primary: speaks.is_some(),
                }
            })
            .collect();
        listed.sort_by_key(|address| !address.primary);
        listed
    }

    /// A service that ends badly right after its start has failed, even when
    /// nothing waits for it. One that answers or is healthy needs no such watch;
    /// one that the engine starts again is left to it.
    async fn settle(&self) -> Result<(), EngineError> {
        let mut watched = {
            let unproven = self.unproven.lock();
            unproven.unwrap_or_else(PoisonError::into_inner).clone()
        };
        let addresses = &self.plan.addresses;
        if let Choice::Fixed(index) = addresses.choice
            && let Some(candidate) = addresses.candidates.get(index)
        {
            watched.remove(&candidate.service);
        }
        let Some(latest) = watched.values().max() else {
            return Ok(());
        };
        tokio::time::sleep_until(*latest + SETTLE).await;
        let environment = &self.plan.identity.environment;
        let ended = self.docker.ended_badly(environment).await?;
        for (id, service) in ended {
            if watched.contains_key(&service) {
                let during = format!("looking at {service}");
                let container = self.docker.inspect(&id, &during).await?;
                return Err(self.docker.exited(&container, &service, &during).await);
            }
        }
        Ok(())
    }
}

async fn first_failure(
    mut failures: FuturesUnordered<impl Future<Output = EngineError>>,
) -> EngineError {
    match failures.next().await {
        Some(error) => error,
        None => std::future::pending().await,
    }
}

/// The first candidate in file order that speaks HTTP, once it is clear that no
/// earlier one does. `None`: none of several does.
async fn answers(
    watched: &[(usize, &Candidate)],
    last: &mut [String],
    fixed: bool,
) -> Option<(usize, Speaks)> {
    let mut asking: FuturesUnordered<_> = watched
        .iter()
        .zip(last.iter_mut())
        .enumerate()
        .map(|(position, ((_, candidate), last))| async move {
            (position, until_it_answers(candidate, last).await)
        })
        .collect();
    let mut seen: Vec<Option<Speaks>> = vec![None; watched.len()];
    let mut grace: Option<Instant> = None;
    loop {
        let next = match grace {
            None => asking.next().await,
            // `None`: the earlier ones had their time.
            Some(until) => tokio::time::timeout_at(until, asking.next())
                .await
                .unwrap_or_default(),
        };
        let over = next.is_none();
        if let Some((position, speaks)) = next {
            seen[position] = Some(speaks);
        }
        let speaks_http = |it: &Option<Speaks>| matches!(it, Some(Speaks::Http | Speaks::Https));
        let Some(first) = seen.iter().position(speaks_http) else {
            if let (true, [(index, _)], [Some(speaks)]) = (fixed, watched, seen.as_slice()) {
                return Some((*index, *speaks));
            }
            if over {
                return None;
            }
            continue;
        };
        if over || seen[..first].iter().all(Option::is_some) {
            let (index, _) = watched[first];
            return Some((index, seen[first].unwrap_or(Speaks::Http)));
        }
        grace.get_or_insert_with(|| Instant::now() + EARLIER_GRACE);
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    fn candidate(host_port: u16) -> Candidate {
        Candidate {
            service: "web".to_owned(),
            container: "p-web-1".to_owned(),
            target: 80,
            host_port,
            host: "127.0.0.1".to_owned(),
            https: false,
        }
    }

    /// Serves every connection: reads a little, answers, hangs up.
    async fn server(answer: &'static [u8], hang_up: bool) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            let mut held = Vec::new();
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                if hang_up {
                    continue;
                }
                tokio::spawn(async move {
                    let mut request = [0_u8; 1024];
                    let _ = stream.read(&mut request).await;
                    let _ = stream.write_all(answer).await;
                });
                held.push(());
            }
        });
        port
    }

    #[tokio::test]
    async fn http_tls_and_others_are_told_apart() {
        for (answer, speaks) in [
            (&b"HTTP/1.1 503 Busy\r\n\r\n"[..], Speaks::Http),
            (b"\x15\x03\x01\x00\x02\x02\x46", Speaks::Https),
            (b"-ERR unknown command\r\n", Speaks::Other),
            // Postgres hangs up on a client that does not speak its protocol.
            (b"", Speaks::Other),
        ] {
            let port = server(answer, false).await;
            let seen = until_it_answers(&candidate(port), &mut String::new()).await;
            assert_eq!(seen, speaks, "{answer:?}");
        }
    }

    #[tokio::test]
    async fn a_forwarder_with_nobody_behind_it_is_not_an_answer() {
        let port = server(b"", true).await;
        let mut last = String::new();
        let outcome = timeout(
            Duration::from_millis(700),
            until_it_answers(&candidate(port), &mut last),
        )
        .await;
        assert!(outcome.is_err());
        assert!(last.contains("hung up"), "{last}");
    }

    /// The request meets a forwarder with nobody behind it; a moment later the
    /// server is there.
    #[tokio::test]
    async fn a_server_that_comes_up_between_two_looks_is_asked_again() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            drop(listener.accept().await.unwrap());
            loop {
                let (mut stream, _) = listener.accept().await.unwrap();
                tokio::spawn(async move {
                    let mut request = [0_u8; 1024];
                    if stream.read(&mut request).await.unwrap() > 0 {
                        stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n").await.unwrap();
                    }
                });
            }
        });
        let seen = until_it_answers(&candidate(port), &mut String::new()).await;
        assert_eq!(seen, Speaks::Http);
    }
}
