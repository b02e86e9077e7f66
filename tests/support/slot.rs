//! A numbered place for one engine: a folder, a bridge and an address range that no other engine has.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};

/// How many engines can run at once on one machine.
const SLOTS: u8 = 40;

/// Held by one living process through a file lock. Whoever takes a slot first removes what a killed
/// predecessor left in it: processes, mounts, bridges, files.
#[derive(Debug)]
pub(crate) struct Slot {
    number: u8,
    folder: PathBuf,
    _lock: File,
}

impl Slot {
    /// Takes the first free slot and empties it.
    pub(crate) fn take() -> Self {
        // Short: a socket's path may have 107 bytes at most.
        let parent = std::env::temp_dir().join("berth-engines");
        fs::create_dir_all(&parent).expect("the folder of the test engines can be made");
        for number in 0..SLOTS {
            let lock = File::options()
                .create(true)
                .append(true)
                .open(parent.join(format!("{number}.lock")))
                .expect("the lock file of a test engine can be opened (test engines need root)");
            match lock.try_lock() {
                Ok(()) => {
                    let slot = Self {
                        number,
                        folder: parent.join(number.to_string()),
                        _lock: lock,
                    };
                    slot.clear();
                    fs::create_dir_all(&slot.folder).expect("the engine's folder can be made");
                    slot.add_network();
                    return slot;
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => {
                    panic!("cannot lock a place for a test engine: {error}")
                }
            }
        }
        panic!(
            "all {SLOTS} places for test engines are taken (locks in {})",
            parent.display()
        );
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn bridge(&self) -> String {
        format!("bth{}", self.number)
    }

    /// The range of the engine's own networks.
    pub(crate) fn address_pool(&self) -> String {
        format!("base=10.{}.0.0/17,size=24", self.second_byte())
    }

    fn second_byte(&self) -> u8 {
        210 + self.number
    }

    fn range(&self) -> String {
        format!("10.{}.0.0/16", self.second_byte())
    }

    /// The bridge of the engine's default network. The engines run without iptables, because two daemons
    /// on one host empty each other's chains; a host that drops forwarded packets needs this rule instead.
    fn add_network(&self) {
        let bridge = self.bridge();
        run("ip", &["link", "add", &bridge, "type", "bridge"]);
        run(
            "ip",
            &[
                "address",
                "add",
                &format!("10.{}.128.1/24", self.second_byte()),
                "dev",
                &bridge,
            ],
        );
        run("ip", &["link", "set", &bridge, "up"]);
        run(
            "iptables",
            &self.forward_rule("-I").each_ref().map(String::as_str),
        );
    }

    fn forward_rule(&self, action: &str) -> [String; 9] {
        let range = self.range();
        [
            "-w", action, "FORWARD", "-s", &range, "-d", &range, "-j", "ACCEPT",
        ]
        .map(str::to_owned)
    }

    /// Ends every process of the slot's engine and removes its mounts, bridges and files.
    pub(crate) fn clear(&self) {
        self.end_processes();
        self.unmount();
        self.remove_network();
        if self.folder.exists() {
            fs::remove_dir_all(&self.folder)
                .unwrap_or_else(|error| panic!("cannot remove {}: {error}", self.folder.display()));
        }
    }

    /// dockerd, containerd and the shims carry the folder in their arguments; a shim's children are the
    /// first processes of containers, whose death ends all others in them.
    fn end_processes(&self) {
        let mark = format!("{}/", self.folder.display());
        let own: Vec<Pid> = processes()
            .filter(|pid| command_line(*pid).contains(&mark))
            .collect();
        for pid in &own {
            let shim = command_line(*pid).contains("containerd-shim");
            for child in if shim { children(*pid) } else { Vec::new() } {
                // Already gone is as good.
                let _ = kill_process(child, Signal::KILL);
            }
        }
        for pid in &own {
            let _ = kill_process(*pid, Signal::KILL);
        }
        let deadline = std::time::Instant::now() + std::time::Duration::from_secs(10);
        while own.iter().any(|pid| command_line(*pid).contains(&mark)) {
            assert!(
                std::time::Instant::now() < deadline,
                "processes of {mark} do not end"
            );
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }

    fn unmount(&self) {
        let table =
            fs::read_to_string("/proc/self/mountinfo").expect("the mount table can be read");
        let mut points: Vec<&str> = table
            .lines()
            .filter_map(|line| line.split(' ').nth(4))
            .filter(|point| Path::new(point).starts_with(&self.folder))
            .collect();
        points.sort_unstable();
        for point in points.into_iter().rev() {
            // Lazily: a mount that a dying process still holds goes with it.
            let _ = Command::new("umount").args(["--lazy", point]).output();
        }
    }

    fn remove_network(&self) {
        let rule = self.forward_rule("-D");
        while Command::new("iptables")
            .args(&rule)
            .output()
            .is_ok_and(|output| output.status.success())
        {}
        let prefix = format!("10.{}.", self.second_byte());
        let listing = Command::new("ip")
            .args(["-oneline", "-4", "address"])
            .output();
        let listing = listing.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        let listing = listing.expect("`ip` can be run (package iproute2)");
        // "7: br-1f2e    inet 10.210.3.1/24 brd …"
        for line in listing.lines() {
            let mut words = line.split_whitespace().skip(1);
            if let (Some(name), Some("inet"), Some(address)) =
                (words.next(), words.next(), words.next())
                && address.starts_with(&prefix)
            {
                let _ = Command::new("ip").args(["link", "delete", name]).output();
            }
        }
        // Without its address when its maker was killed between two commands.
        let _ = Command::new("ip")
            .args(["link", "delete", &self.bridge()])
            .output();
    }
}

fn run(program: &str, arguments: &[&str]) {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .unwrap_or_else(|error| {
            panic!("{program} cannot be run: {error}. Run scripts/test-engines first")
        });
    assert!(
        output.status.success(),
        "{program} {} failed (test engines need root): {}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn processes() -> impl Iterator<Item = Pid> {
    fs::read_dir("/proc")
        .expect("/proc can be read")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter_map(Pid::from_raw)
}

/// The arguments of a process, joined by blanks; empty for one that has ended.
fn command_line(pid: Pid) -> String {
    let bytes = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).replace('\0', " ")
}

fn children(pid: Pid) -> Vec<Pid> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    tasks
        .filter_map(|task| fs::read_to_string(task.ok()?.path().join("children")).ok())
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(|pid| pid.parse().ok())
                .collect::<Vec<i32>>()
        })
        .filter_map(Pid::from_raw)
        .collect()
}
