//! What every program on this machine can read of the others: their arguments.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Looks at the arguments of all processes, again and again, until it is asked for what it saw.
pub(crate) struct Watch {
    over: Arc<AtomicBool>,
    thread: JoinHandle<Seen>,
}

/// What was seen.
#[derive(Default)]
pub(crate) struct Seen {
    /// Arguments that hold a secret.
    pub(crate) leaked: Vec<String>,
    /// How often a process of Berth was looked at.
    pub(crate) of_berth: usize,
}

impl Watch {
    pub(crate) fn for_secrets(secrets: Vec<String>) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&over);
        let thread = std::thread::spawn(move || {
            let mut seen = Seen::default();
            while !until.load(Ordering::SeqCst) {
                look(&secrets, &mut seen);
                std::thread::sleep(Duration::from_millis(10));
            }
            seen
        });
        Self { over, thread }
    }

    pub(crate) fn seen(self) -> Seen {
        self.over.store(true, Ordering::SeqCst);
        self.thread.join().unwrap()
    }
}

fn look(secrets: &[String], seen: &mut Seen) {
    let berth = berth_tests::programs::berth().display().to_string();
    for entry in fs::read_dir("/proc").unwrap().filter_map(Result::ok) {
        // Processes end while they are looked at.
        let Ok(arguments) = fs::read(entry.path().join("cmdline")) else {
            continue;
        };
        let arguments = String::from_utf8_lossy(&arguments).replace('\0', " ");
        if arguments.starts_with(&berth) {
            seen.of_berth += 1;
        }
        if secrets.iter().any(|secret| arguments.contains(secret)) {
            seen.leaked.push(arguments);
        }
    }
}
