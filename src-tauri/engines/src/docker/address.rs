//! Which ports are ways in, and which of them is *the* URL.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::plan::{PlanInput, invalid};
use super::{PortKey, isolate, labels};
use crate::EngineError;

/// One way in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    /// The service behind it.
    pub service: String,
    /// Port inside.
    pub target: u16,
    /// Port on the loopback address.
    pub host_port: u16,
    /// `http://shop-api-main.localhost:41873`; `tcp://127.0.0.1:41873` when it
    /// was seen to speak something else.
    pub url: String,
    /// *The* URL of the environment.
    pub primary: bool,
}

/// Which way in is *the* URL and how it is opened, as far as somebody said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WantedAddress {
    /// The service behind it.
    pub service: Option<String>,
    /// The port inside its container.
    pub port: Option<u16>,
    /// `https`, or plain `http`.
    pub https: Option<bool>,
}

impl WantedAddress {
    fn fits(&self, candidate: &Candidate) -> bool {
        self.service
            .as_ref()
            .is_none_or(|it| *it == candidate.service)
            && self.port.is_none_or(|it| it == candidate.target)
    }

    fn names_one(&self) -> bool {
        self.service.is_some() || self.port.is_some()
    }
}

/// The ways in of a plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Addresses {
    /// Published TCP ports in file order.
    pub(super) candidates: Vec<Candidate>,
    pub(super) choice: Choice,
    /// `BERTH_URL_<SERVICE>` and its value.
    pub(super) variables: Vec<(String, String)>,
}

/// A port that may be the URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) service: String,
    /// The container behind it.
    pub(super) container: String,
    pub(super) target: u16,
    pub(super) host_port: u16,
    /// `shop-main.localhost` or `127.0.0.1`.
    pub(super) host: String,
    /// The file says that it speaks TLS.
    pub(super) https: bool,
}

/// Which candidate is the URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Choice {
    /// The first that answers HTTP.
    #[default]
    FirstAnswering,
    /// This one: it was asked for, or there is no other.
    Fixed(usize),
}

impl Candidate {
    pub(super) fn url(&self) -> String {
        let scheme = if self.https { "https" } else { "http" };
        format!("{scheme}://{}:{}", self.host, self.host_port)
    }
}

impl Addresses {
    /// The URL as far as it is known before anything answers.
    pub(super) fn first_url(&self) -> Option<String> {
        let index = match self.choice {
            Choice::Fixed(index) => index,
            Choice::FirstAnswering => 0,
        };
        self.candidates.get(index).map(Candidate::url)
    }
}

/// Lists the ways in and applies the rule: the given address, else the label, else
/// the only port, else the first that answers.
///
/// # Errors
/// [`EngineError::Refused`] when what was asked for is not a published port.
pub(super) fn of(input: &PlanInput<'_>) -> Result<Addresses, EngineError> {
    let host = if input.localhost_names_resolve && !input.identity.host.is_empty() {
        format!("{}.localhost", input.identity.host)
    } else {
        "127.0.0.1".to_owned()
    };
    let mut addresses = Addresses::default();
    for (name, service) in &input.project.services {
        if service.scale == 0 {
            continue;
        }
        for port in service.ports.iter().filter(|it| it.protocol == "tcp") {
            let key = PortKey {
                service: name.clone(),
                target: port.target,
                protocol: port.protocol.clone(),
            };
            let Some(host_port) = input.ports.get(&key) else {
                return Err(invalid(
                    format!("services.{name}.ports"),
                    format!("no port of this machine was set aside for {}", port.target),
                    "Try again.",
                ));
            };
            let mut candidate = Candidate {
                service: name.clone(),
                container: isolate::container_name(input.identity, name, 1),
                target: port.target,
                host_port: *host_port,
                host: host.clone(),
                https: port.app_protocol.as_deref() == Some("https"),
            };
            if let Some(https) = input.address.https
                && input.address.fits(&candidate)
            {
                candidate.https = https;
            }
            if addresses.candidates.contains(&candidate) {
                continue;
            }
            let variable = variable_name(name);
            if !addresses.variables.iter().any(|(it, _)| *it == variable) {
                addresses.variables.push((variable, candidate.url()));
            }
            addresses.candidates.push(candidate);
        }
    }
    addresses.choice = choice(input, &addresses.candidates)?;
    Ok(addresses)
}

fn choice(input: &PlanInput<'_>, candidates: &[Candidate]) -> Result<Choice, EngineError> {
    let published = || {
        let all: Vec<String> = candidates
            .iter()
            .map(|it| format!("{}:{}", it.service, it.target))
            .collect();
        if all.is_empty() {
            "Publish a port under `ports`.".to_owned()
        } else {
            format!("Published are {}.", all.join(", "))
        }
    };
    if input.address.names_one() {
        return candidates
            .iter()
            .position(|it| input.address.fits(it))
            .map(Choice::Fixed)
            .ok_or_else(|| {
                let WantedAddress { service, port, .. } = &input.address;
                let who = service.as_deref().unwrap_or("no service");
                let what = match (service, port) {
                    (_, None) => format!("{who} publishes no port"),
                    (Some(_), Some(port)) => format!("{who} does not publish port {port}"),
                    (None, Some(port)) => format!("no service publishes port {port}"),
                };
                invalid("address".to_owned(), what, &published())
            });
    }
    for (name, service) in &input.project.services {
        let Some(wanted) = service.labels.get(labels::URL_CHOICE) else {
            continue;
        };
        let key = format!("services.{name}.labels.{}", labels::URL_CHOICE);
        let target: Option<u16> = match wanted.trim() {
            "" => None,
            digits => Some(digits.parse().map_err(|_| {
                invalid(
                    key.clone(),
                    format!("`{digits}` is not a port"),
                    "Write the port inside the container, or nothing for its first.",
                )
            })?),
        };
        return candidates
            .iter()
            .position(|it| it.service == *name && target.is_none_or(|port| it.target == port))
            .map(Choice::Fixed)
            .ok_or_else(|| {
                let what = target.map_or("a port".to_owned(), |port| format!("port {port}"));
                invalid(key, format!("{name} does not publish {what}"), &published())
            });
    }
    Ok(match candidates {
        [_] => Choice::Fixed(0),
        _ => Choice::FirstAnswering,
    })
}

fn variable_name(service: &str) -> String {
    let name: String = service
        .chars()
        .map(|it| match it {
            'a'..='z' => it.to_ascii_uppercase(),
            'A'..='Z' | '0'..='9' => it,
            _ => '_',
        })
        .collect();
    format!("BERTH_URL_{name}")
}

/// Whether what a container was told is still true. Further addresses are no
/// reason to make it again.
pub(super) fn still_hold(told: &str, now: &[(String, String)]) -> bool {
    told.lines().all(|line| {
        line.split_once('=')
            .is_none_or(|(name, url)| now.iter().any(|(it, value)| it == name && value == url))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_named_for_services() {
        assert_eq!(variable_name("my-web.v2"), "BERTH_URL_MY_WEB_V2");
    }

    #[test]
    fn a_further_address_changes_nothing_for_those_told_before() {
        let now = vec![
            ("BERTH_URL_WEB".to_owned(), "http://127.0.0.1:1".to_owned()),
            ("BERTH_URL_API".to_owned(), "http://127.0.0.1:2".to_owned()),
        ];
        assert!(still_hold("BERTH_URL_WEB=http://127.0.0.1:1", &now));
        assert!(still_hold("", &now));
        assert!(!still_hold("BERTH_URL_WEB=http://127.0.0.1:9", &now));
        assert!(!still_hold("BERTH_URL_OLD=http://127.0.0.1:1", &now));
    }
}
