use std::net::Ipv4Addr;
use std::path::Path;

use ipnet::Ipv4Net;

use super::{Kernel, Space};

/// The kernel of this machine.
pub(crate) fn kernel() -> Option<Kernel> {
    let about = rustix::system::uname();
    Some(Kernel {
        release: about.release().to_string_lossy().into_owned(),
        host: about.nodename().to_string_lossy().into_owned(),
    })
}

/// The space of the file system that holds a folder. Blocking.
pub(crate) fn free_space(folder: &Path) -> std::io::Result<Space> {
    let about = rustix::fs::statvfs(folder)?;
    Ok(Space {
        free: about.f_bavail.saturating_mul(about.f_frsize),
        total: about.f_blocks.saturating_mul(about.f_frsize),
    })
}

/// The IPv4 networks that this machine is on, its virtual ones (VPN, bridges)
/// included. Blocking.
pub(crate) fn local_networks() -> Vec<Ipv4Net> {
    on_link(&std::fs::read_to_string("/proc/net/route").unwrap_or_default())
}

/// `Iface Destination Gateway Flags RefCnt Use Metric Mask …`, addresses as the
/// hex of a number in the machine's byte order. A route with a gateway leads
/// elsewhere.
fn on_link(table: &str) -> Vec<Ipv4Net> {
    let address = |hex: &str| {
        let number = u32::from_str_radix(hex, 16).ok()?;
        Some(Ipv4Addr::from(number.to_ne_bytes()))
    };
    table
        .lines()
        .skip(1)
        .filter_map(|line| {
            let columns: Vec<&str> = line.split_whitespace().collect();
            let [_, destination, gateway, _, _, _, _, mask, ..] = columns.as_slice() else {
                return None;
            };
            let network = Ipv4Net::with_netmask(address(destination)?, address(mask)?).ok()?;
            let leads_elsewhere = address(gateway)? != Ipv4Addr::UNSPECIFIED;
            (!leads_elsewhere && network.prefix_len() > 0).then_some(network)
        })
        .collect()
}

/// The program that listens on a TCP port of this machine, when it can be told:
/// the socket from `/proc/net/tcp{,6}`, its owner from `/proc/<pid>/fd`. Other
/// users' programs cannot be told by an ordinary user. Blocking.
pub(crate) fn listener_on(port: u16) -> Option<String> {
    let inodes: Vec<String> = ["/proc/net/tcp", "/proc/net/tcp6"]
        .iter()
        .filter_map(|table| std::fs::read_to_string(table).ok())
        .flat_map(|table| listening_inodes(&table, port))
        .map(|inode| format!("socket:[{inode}]"))
        .collect();
    if inodes.is_empty() {
        return None;
    }
    let processes = std::fs::read_dir("/proc").ok()?;
    for process in processes.flatten() {
        let folder = process.path();
        let Some(pid) = folder
            .file_name()
            .and_then(|name| name.to_str())
            .filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()))
        else {
            continue;
        };
        if holds_one_of(&folder.join("fd"), &inodes) {
            let name = std::fs::read_to_string(folder.join("comm")).unwrap_or_default();
            return Some(format!("{} (process {pid})", name.trim()));
        }
    }
    None
}

fn holds_one_of(descriptors: &Path, inodes: &[String]) -> bool {
    std::fs::read_dir(descriptors).is_ok_and(|entries| {
        entries
            .flatten()
            .filter_map(|entry| std::fs::read_link(entry.path()).ok())
            .any(|target| {
                inodes
                    .iter()
                    .any(|inode| target.as_os_str() == inode.as_str())
            })
    })
}

/// `sl local_address rem_address st … uid timeout inode`, addresses in hex,
/// state `0A` is listening.
fn listening_inodes(table: &str, port: u16) -> Vec<String> {
    let wanted = format!(":{port:04X}");
    table
        .lines()
        .skip(1)
        .filter_map(|line| {
            let columns: Vec<&str> = line.split_whitespace().collect();
            let listens = columns.get(1)?.ends_with(&wanted) && *columns.get(3)? == "0A";
            listens.then(|| columns.get(9).map(|inode| (*inode).to_owned()))?
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_endian = "little")]
    #[test]
    fn networks_are_read_out_of_the_routing_table() {
        let table = "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n\
            eth0\t00000000\t0100A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n\
            eth0\t0000A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n\
            tun0\t000010AC\t00000000\t0001\t0\t0\t0\t0000F0FF\t0\t0\t0\n\
            eth0\t0000000A\t0100A8C0\t0003\t0\t0\t0\t000000FF\t0\t0\t0\n\
            broken\tline\n";
        let networks: Vec<String> = on_link(table).iter().map(Ipv4Net::to_string).collect();
        assert_eq!(networks, ["192.168.0.0/24", "172.16.0.0/12"]);
    }

    #[test]
    fn this_machine_has_a_kernel_and_space() {
        assert!(!kernel().unwrap().release.is_empty());
        let space = free_space(Path::new("/")).unwrap();
        assert!(space.total >= space.free && space.total > 0);
    }

    #[test]
    fn this_program_is_found_by_its_port() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let holder = listener_on(port).unwrap();
        assert!(
            holder.ends_with(&format!("(process {})", std::process::id())),
            "{holder}"
        );
        drop(listener);
        assert_eq!(listener_on(port), None);
    }
}
