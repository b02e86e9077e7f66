//! What the engine answered, told apart by what a person would do about it.

use bollard::errors::Error;

use crate::EngineError;

/// Translates an answer of the engine; `during` names what was under way
/// ("creating network shop_default").
pub(super) fn from_engine(during: &str, error: Error) -> EngineError {
    match error {
        Error::DockerResponseServerError {
            status_code,
            message,
        } => from_answer(during, status_code, message),
        Error::DockerStreamError { error } => from_answer(during, 500, error),
        Error::DockerContainerWaitError { error, .. } => from_answer(during, 500, error),
        Error::RequestTimeoutError => EngineError::TimedOut {
            what: during.to_owned(),
            seconds: super::client::CALL_SECONDS,
        },
        other => EngineError::EngineLost {
            during: during.to_owned(),
            source: Box::new(other),
        },
    }
}

/// Translates the engine's own words.
pub(super) fn from_answer(during: &str, status: u16, message: String) -> EngineError {
    let lower = message.to_ascii_lowercase();
    if lower.contains("no space left on device") || lower.contains("disk quota exceeded") {
        EngineError::DiskFull {
            during: during.to_owned(),
            message,
        }
    } else if lower.contains("address pools") || lower.contains("no available network") {
        // "could not find an available, non-overlapping IPv4 address pool among
        // the defaults" (20.10), "all predefined address pools have been fully
        // subnetted" (since 24).
        EngineError::AddressPoolsExhausted
    } else if lower.contains("non-overlapping ipv4 address pool") {
        EngineError::AddressPoolsExhausted
    } else {
        EngineError::Api {
            during: during.to_owned(),
            status,
            message,
        }
    }
}

/// Whether the engine says that what was asked for is not there.
pub(super) fn is_absent(error: &Error) -> bool {
    matches!(
        error,
        Error::DockerResponseServerError {
            status_code: 404,
            ..
        }
    )
}

/// Whether the engine says that somebody else is removing it just now.
pub(super) fn is_going(error: &Error) -> bool {
    matches!(
        error,
        Error::DockerResponseServerError {
            status_code: 409,
            message,
        } if message.contains("already in progress")
    )
}

/// The host port that the engine could not publish, when that is what it says:
/// `Bind for 127.0.0.1:8080 failed: port is already allocated`,
/// `listen tcp4 127.0.0.1:8080: bind: address already in use`,
/// `failed to bind host port for 127.0.0.1:8080:172.18.0.2:80/tcp: address already in use`.
pub(super) fn taken_port(message: &str) -> Option<u16> {
    let lower = message.to_ascii_lowercase();
    if !(lower.contains("port is already allocated")
        || lower.contains("address already in use")
        || lower.contains("ports are not available"))
    {
        return None;
    }
    [
        "Bind for ",
        "listen tcp4 ",
        "listen tcp ",
        "listen udp4 ",
        "listen udp ",
        "host port for ",
        "exposing port ",
    ]
    .iter()
    .filter_map(|lead| message.split_once(lead))
    .find_map(|(_, rest)| {
        let place = rest.split_whitespace().find(|word| word.contains(':'))?;
        let place = place.strip_prefix('[').map_or(place, |v6| {
            v6.split_once(']').map_or(v6, |(_, after)| after)
        });
        let digits: String = place
            .split_once(':')?
            .1
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        digits.parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_are_read_out_of_the_engines_words() {
        for message in [
            "driver failed programming external connectivity on endpoint a (0f): Bind for 127.0.0.1:8080 failed: port is already allocated",
            "driver failed programming external connectivity on endpoint a (0f): Error starting userland proxy: listen tcp4 127.0.0.1:8080: bind: address already in use",
            "failed to set up container networking: driver failed programming external connectivity on endpoint a (0f): failed to bind host port for 127.0.0.1:8080:172.18.0.2:80/tcp: address already in use",
            "Ports are not available: exposing port TCP 127.0.0.1:8080 -> 127.0.0.1:0: listen tcp 127.0.0.1:8080: bind: address already in use",
            "failed to bind host port for [::1]:8080:[fd00::2]:80/tcp: address already in use",
        ] {
            assert_eq!(taken_port(message), Some(8080), "{message}");
        }
        assert_eq!(taken_port("Bind for 127.0.0.1:8080 was fine"), None);
    }

    #[test]
    fn full_disks_and_exhausted_pools_have_their_own_names() {
        let full = from_answer(
            "pulling",
            500,
            "write /var/lib: no space left on device".into(),
        );
        assert!(matches!(full, EngineError::DiskFull { .. }));
        for message in [
            "could not find an available, non-overlapping IPv4 address pool among the defaults to assign to the network",
            "all predefined address pools have been fully subnetted",
        ] {
            let error = from_answer("creating", 500, message.into());
            assert!(
                matches!(error, EngineError::AddressPoolsExhausted),
                "{message}"
            );
        }
    }
}
