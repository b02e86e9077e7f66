use std::path::Path;

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
