use std::net::IpAddr;

use crate::model::Port;
use crate::place::KeyPath;
use crate::reading::Reading;
use crate::yaml::Node;
use crate::{Rule, scalars};

/// Reads `ports:`, ranges spelled out; faults are reported.
pub(crate) fn read(node: &Node, path: &KeyPath<'_>, reading: &mut Reading<'_>) -> Vec<Port> {
    let mut ports: Vec<Port> = Vec::new();
    for (index, item) in node.as_list().unwrap_or_default().iter().enumerate() {
        let here = path.index(index);
        let read = match item.as_map() {
            Some(_) => long(item).map(|port| vec![port]),
            None => short(&item.scalar_text().unwrap_or_default()),
        };
        match read {
            // A range can say again what another entry says.
            Ok(read) => {
                for port in read {
                    if !ports.contains(&port) {
                        ports.push(port);
                    }
                }
            }
            Err(fault) => reading.problem(
                Rule::Invalid,
                item.place,
                &here,
                fault.message(item),
                Some(fault.hint()),
            ),
        }
    }
    ports
}

/// Reads `expose:` as `port/protocol`, ranges spelled out.
pub(crate) fn read_exposed(
    node: &Node,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Vec<String> {
    let mut exposed: Vec<String> = Vec::new();
    for (index, item) in node.as_list().unwrap_or_default().iter().enumerate() {
        let text = item.scalar_text().unwrap_or_default();
        match short(&text) {
            Ok(ports) if !text.contains(':') => {
                for port in ports {
                    let port = format!("{}/{}", port.target, port.protocol);
                    if !exposed.contains(&port) {
                        exposed.push(port);
                    }
                }
            }
            _ => reading.problem(
                Rule::Invalid,
                item.place,
                &path.index(index),
                format!("{} is not a port of the container", item.describe()),
                Some("Write PORT[/PROTOCOL] or a range, as in \"8000-8010/udp\"."),
            ),
        }
    }
    exposed
}

/// What is wrong with a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    Container,
    Host,
    Address,
    Protocol,
    Ranges,
    NoTarget,
}

impl Fault {
    fn message(self, item: &Node) -> String {
        let item = item.describe();
        match self {
            Fault::Container => format!("the container's port in {item} is not a port"),
            Fault::Host => format!("the host's port in {item} is not a port or a range of ports"),
            Fault::Address => format!("the address in {item} is not an IP address"),
            Fault::Protocol => format!("the protocol in {item} is none of tcp, udp and sctp"),
            Fault::Ranges => format!("the two ranges in {item} are of different length"),
            Fault::NoTarget => "the key \"target\" is missing".to_owned(),
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Fault::Container | Fault::Host => {
                "Write [ADDRESS:][HOST:]CONTAINER[/PROTOCOL] with ports from 1 to 65535, as in \"8080:80\"."
            }
            Fault::Address => {
                "Write an IPv4 address, or an IPv6 address in brackets, as in \"[::1]:8080:80\"."
            }
            Fault::Protocol => "Write tcp, udp or sctp.",
            Fault::Ranges => "Give both ranges the same length, as in \"8000-8002:80-82\".",
            Fault::NoTarget => "Say which port of the container is meant.",
        }
    }
}

/// A port or a range of ports, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Range {
    first: u16,
    last: u16,
}

impl Range {
    /// `least` is 1, or 0 where 0 means "any".
    fn parse(text: &str, least: u16) -> Option<Self> {
        let port = |text: &str| {
            text.bytes()
                .all(|byte| byte.is_ascii_digit())
                .then(|| text.parse::<u16>().ok())
                .flatten()
                .filter(|port| *port >= least)
        };
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (port(first)?, port(last)?);
        (first <= last).then_some(Self { first, last })
    }

    fn len(self) -> u16 {
        self.last - self.first
    }
}

fn protocol_of(text: &str) -> Result<String, Fault> {
    let protocol = text.to_ascii_lowercase();
    if matches!(protocol.as_str(), "tcp" | "udp" | "sctp") {
        Ok(protocol)
    } else {
        Err(Fault::Protocol)
    }
}

/// `[ADDRESS:][HOST:]CONTAINER[/PROTOCOL]`.
pub(crate) fn short(text: &str) -> Result<Vec<Port>, Fault> {
    let (ports, protocol) = match text.split_once('/') {
        Some((_, "")) => return Err(Fault::Protocol),
        Some((ports, protocol)) => (ports, protocol_of(protocol)?),
        None => (text, "tcp".to_owned()),
    };
    let (rest, container) = match ports.rsplit_once(':') {
        Some((rest, container)) => (Some(rest), container),
        None => (None, ports),
    };
    let (address, host) = match rest.map(|rest| (rest, rest.rsplit_once(':'))) {
        None => (None, ""),
        Some((host, None)) => (None, host),
        Some((_, Some((address, host)))) => (Some(address), host),
    };
    let container = Range::parse(container, 1).ok_or(Fault::Container)?;
    let host_ip = match address {
        None | Some("") => None,
        Some(address) => Some(ip(address)?),
    };
    let host = match host {
        "" => None,
        host => Some(Range::parse(host, 0).ok_or(Fault::Host)?),
    };
    if let Some(host) = host
        && container.len() > 0
        && host.len() != container.len()
    {
        return Err(Fault::Ranges);
    }
    let port = |target: u16| {
        let published = host.map(|host| match (container.len(), host.len()) {
            (0, 0) => host.first.to_string(),
            // The engine picks one out of the range.
            (0, _) => format!("{}-{}", host.first, host.last),
            _ => (host.first + (target - container.first)).to_string(),
        });
        Port {
            target,
            published: published.filter(|published| published != "0"),
            host_ip: host_ip.clone(),
            protocol: protocol.clone(),
            app_protocol: None,
            name: None,
        }
    };
    Ok((container.first..=container.last).map(port).collect())
}

fn ip(text: &str) -> Result<String, Fault> {
    let bare = match text.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']').ok_or(Fault::Address)?,
        None if text.contains(':') => return Err(Fault::Address),
        None => text,
    };
    bare.parse::<IpAddr>()
        .map(|_| bare.to_owned())
        .map_err(|_| Fault::Address)
}

fn long(node: &Node) -> Result<Port, Fault> {
    // The keys are those of the specification by the check before; `mode` chooses
    // between Swarm's ways of publishing and means nothing on one engine.
    let text = |key: &str| node.get(key).and_then(Node::scalar_text);
    let target = match node.get("target") {
        None => return Err(Fault::NoTarget),
        Some(target) => scalars::integer(target)
            .and_then(|target| u16::try_from(target).ok())
            .filter(|target| *target > 0)
            .ok_or(Fault::Container)?,
    };
    let published = match text("published").filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => {
            Range::parse(&text, 0).ok_or(Fault::Host)?;
            Some(text).filter(|text| text != "0")
        }
    };
    let host_ip = match text("host_ip").filter(|text| !text.is_empty()) {
        None => None,
        Some(text) => Some(
            text.parse::<IpAddr>()
                .map(|_| text)
                .map_err(|_| Fault::Address)?,
        ),
    };
    Ok(Port {
        target,
        published,
        host_ip,
        protocol: protocol_of(text("protocol").as_deref().unwrap_or("tcp"))?,
        app_protocol: text("app_protocol"),
        name: text("name"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> Result<Vec<String>, Fault> {
        short(text).map(|ports| {
            ports
                .into_iter()
                .map(|port| {
                    format!(
                        "{}|{}|{}/{}",
                        port.host_ip.unwrap_or_default(),
                        port.published.unwrap_or_default(),
                        port.target,
                        port.protocol
                    )
                })
                .collect()
        })
    }

    #[test]
    fn short_forms() {
        let cases: &[(&str, &[&str])] = &[
            ("80", &["||80/tcp"]),
            ("8080:80", &["|8080|80/tcp"]),
            ("8080:80/udp", &["|8080|80/udp"]),
            ("127.0.0.1:8080:80", &["127.0.0.1|8080|80/tcp"]),
            ("127.0.0.1::80", &["127.0.0.1||80/tcp"]),
            ("[::1]:8080:80", &["::1|8080|80/tcp"]),
            ("3000-3001", &["||3000/tcp", "||3001/tcp"]),
            ("8000-8001:80-81", &["|8000|80/tcp", "|8001|81/tcp"]),
            ("8000-8010:80", &["|8000-8010|80/tcp"]),
            ("0:80", &["||80/tcp"]),
            (":80", &["||80/tcp"]),
        ];
        for (text, expected) in cases {
            assert_eq!(spelled(text).unwrap(), *expected, "{text}");
        }
    }

    #[test]
    fn faults() {
        for (text, expected) in [
            ("http:80", Fault::Host),
            ("127.0.0.1:80", Fault::Host),
            ("::1:8081:81", Fault::Address),
            ("80:70000", Fault::Container),
            ("80:0", Fault::Container),
            (" 80:80 ", Fault::Container),
            ("8005-8001:80", Fault::Host),
            ("8000-8001:80-82", Fault::Ranges),
            ("80/icmp", Fault::Protocol),
            ("80/", Fault::Protocol),
            ("", Fault::Container),
            ("+80", Fault::Container),
        ] {
            assert_eq!(short(text).unwrap_err(), expected, "{text}");
        }
    }
}
