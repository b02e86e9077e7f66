//! Whether the engine has an address range left for one more network.

use std::collections::BTreeSet;

use bollard::models::Network;
use ipnet::Ipv4Net;

use super::advice::{docker, failed_call};
use super::machine::About;
use crate::docker::{Endpoint, EndpointSources};
use crate::{Finding, platform};

/// With as many left or fewer, an environment of several networks may not fit.
const FEW: u64 = 2;

/// A range that networks of one size are cut out of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pool {
    base: Ipv4Net,
    /// Prefix length of each network.
    size: u8,
}

/// Docker's own, where `default-address-pools` is not set (moby,
/// `libnetwork/ipamutils`).
const BUILT_IN: [(&str, u8); 7] = [
    ("172.17.0.0/16", 16),
    ("172.18.0.0/16", 16),
    ("172.19.0.0/16", 16),
    ("172.20.0.0/14", 16),
    ("172.24.0.0/14", 16),
    ("172.28.0.0/14", 16),
    ("192.168.0.0/16", 20),
];

/// Counts networks and what is left for others. Makes none.
pub(super) async fn count(
    api: &bollard::Docker,
    about: &About,
    endpoint: &Endpoint,
    sources: &EndpointSources,
) -> (Finding, Option<()>) {
    let networks = match api.list_networks(None).await {
        Ok(networks) => networks,
        Err(error) => {
            let finding = failed_call(&error, "its networks", endpoint, sources);
            return (finding, None);
        }
    };
    // The networks of a rootless engine are in a namespace of their own.
    let around = if about.is_native && !about.rootless {
        tokio::task::spawn_blocking(platform::local_networks)
            .await
            .unwrap_or_default()
    } else {
        Vec::new()
    };
    (judge(about, &networks, &around, endpoint), Some(()))
}

fn judge(about: &About, networks: &[Network], around: &[Ipv4Net], endpoint: &Endpoint) -> Finding {
    let exist = match networks.len() {
        1 => "1 network exists".to_owned(),
        count => format!("{count} networks exist"),
    };
    let facts = |finding: Finding| finding.fact("Networks", networks.len().to_string());
    let Some((pools, configured)) = pools(about) else {
        return facts(Finding::passed(format!(
            "{exist}. How many more fit, this engine does not say."
        )));
    };
    let taken: Vec<Ipv4Net> = networks.iter().flat_map(subnets).collect();
    let used: Vec<Ipv4Net> = taken.iter().chain(around).copied().collect();
    let left = left(&pools, &used);
    // A network of the machine that is none of the engine's.
    let others: BTreeSet<String> = around
        .iter()
        .filter(|net| !taken.iter().any(|it| overlap(it, net)))
        .filter(|net| pools.iter().any(|pool| overlap(&pool.base, net)))
        .map(Ipv4Net::to_string)
        .collect();
    let room = |finding: Finding| {
        finding
            .hint("Remove networks nobody uses, or give the engine more ranges (“default-address-pools” in its daemon.json).")
            .command(docker(endpoint, "network prune"))
    };
    let finding = match left {
        0 => room(Finding::failed(format!(
            "{exist}, and no address range is left for another."
        ))),
        1..=FEW => room(Finding::warned(format!(
            "{exist}, and only {left} more {} in.",
            if left == 1 { "fits" } else { "fit" }
        ))),
        _ => Finding::passed(format!("{exist}, and {left} more fit in.")),
    };
    facts(finding)
        .fact("Room for", left.to_string())
        .fact(
            if configured {
                "Ranges"
            } else {
                "Docker's own ranges"
            },
            pools
                .iter()
                .map(|pool| format!("{} in /{}", pool.base, pool.size))
                .collect::<Vec<_>>()
                .join(", "),
        )
        .fact(
            "Taken by other networks of this machine",
            others.into_iter().collect::<Vec<_>>().join(", "),
        )
}

/// The pools, and whether somebody set them; nothing where the engine has rules of
/// its own.
fn pools(about: &About) -> Option<(Vec<Pool>, bool)> {
    if about.product.contains("Podman") {
        return None;
    }
    let set = about.info.default_address_pools.as_deref();
    let set: Vec<Pool> = set
        .unwrap_or_default()
        .iter()
        .filter_map(|pool| {
            Some(Pool {
                base: pool.base.as_deref()?.parse::<Ipv4Net>().ok()?.trunc(),
                size: u8::try_from(pool.size?).ok()?,
            })
        })
        .filter(|pool| (pool.base.prefix_len()..=32).contains(&pool.size))
        .collect();
    if !set.is_empty() {
        return Some((set, true));
    }
    let built_in = BUILT_IN
        .iter()
        .filter_map(|(base, size)| {
            Some(Pool {
                base: base.parse().ok()?,
                size: *size,
            })
        })
        .collect();
    Some((built_in, false))
}

fn subnets(network: &Network) -> Vec<Ipv4Net> {
    let configs = network
        .ipam
        .as_ref()
        .and_then(|ipam| ipam.config.as_deref());
    configs
        .unwrap_or_default()
        .iter()
        .filter_map(|config| config.subnet.as_deref()?.parse().ok())
        .collect()
}

fn overlap(one: &Ipv4Net, other: &Ipv4Net) -> bool {
    one.contains(other) || other.contains(one)
}

/// How many networks can still be cut out of pools.
fn left(pools: &[Pool], used: &[Ipv4Net]) -> u64 {
    pools.iter().map(|pool| left_of(*pool, used)).sum()
}

fn left_of(pool: Pool, used: &[Ipv4Net]) -> u64 {
    let width = 32 - u32::from(pool.size);
    let slot = |address: u32| u64::from(address) >> width;
    let first = slot(pool.base.network().into());
    let last = slot(pool.base.broadcast().into());
    let mut blocked: Vec<(u64, u64)> = used
        .iter()
        .filter(|net| overlap(net, &pool.base))
        .map(|net| {
            let from = slot(net.network().into()).max(first);
            let to = slot(net.broadcast().into()).min(last);
            (from, to)
        })
        .collect();
    blocked.sort_unstable();
    let mut free = last - first + 1;
    let mut next = first;
    for (from, to) in blocked {
        let from = from.max(next);
        if to >= from {
            free -= to - from + 1;
            next = to + 1;
        }
    }
    free
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nets(list: &[&str]) -> Vec<Ipv4Net> {
        list.iter().map(|it| it.parse().unwrap()).collect()
    }

    fn pool(base: &str, size: u8) -> Pool {
        Pool {
            base: base.parse().unwrap(),
            size,
        }
    }

    #[test]
    fn what_is_left_of_a_pool_is_counted() {
        let pool = pool("10.232.0.0/16", 24);
        assert_eq!(left(&[pool], &[]), 256);
        // Smaller, larger, doubled, and elsewhere.
        let used = nets(&[
            "10.232.1.0/24",
            "10.232.1.0/28",
            "10.232.8.0/22",
            "10.232.10.0/24",
            "10.99.0.0/16",
        ]);
        assert_eq!(left(&[pool], &used), 256 - 1 - 4);
        assert_eq!(left(&[pool], &nets(&["10.0.0.0/8"])), 0);
    }

    #[test]
    fn the_widest_and_narrowest_pools_are_counted() {
        assert_eq!(left(&[pool("0.0.0.0/0", 32)], &[]), 1 << 32);
        assert_eq!(left(&[pool("10.0.0.0/32", 32)], &nets(&["10.0.0.0/32"])), 0);
    }

    #[test]
    fn dockers_own_ranges_are_thirty_one_networks() {
        let built_in: Vec<Pool> = BUILT_IN
            .iter()
            .map(|(base, size)| pool(base, *size))
            .collect();
        assert_eq!(left(&built_in, &[]), 31);
    }
}
