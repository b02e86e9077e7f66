//! Damaged projects never panic and never hang: the oracle's inputs with bytes
//! changed, doubled, cut and swapped, from a fixed seed. `BERTH_MUTATIONS` sets how
//! many are tried of each file (for long runs by hand).
#![allow(clippy::unwrap_used)] // A broken test set must fail the test.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use berth_compose::{Files, Request, load};

/// One project in memory; a file that a mutated project names beyond it is absent.
struct Memory(BTreeMap<PathBuf, Vec<u8>>);

impl Files for Memory {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = self.0.get(path).cloned();
        file.ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn is_file(&self, path: &Path) -> bool {
        self.0.contains_key(path)
    }

    fn is_dir(&self, _: &Path) -> bool {
        false
    }
}

/// xorshift64: the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 8).unwrap() % end.max(1)
    }
}

/// What breaks readers of YAML, variables, ports and env files.
const FRAGMENTS: [&str; 28] = [
    "${",
    "}",
    "$$",
    ":-",
    "&a ",
    "*a",
    "<<: *a\n",
    "\t",
    "\n",
    "- ",
    "? ",
    ": ",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "|\n",
    ">\n",
    "!reset ",
    "!override ",
    "#",
    "\u{feff}",
    "é",
    "---\n",
    "0x",
    "99999999999999999999",
];

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        match random.below(5) {
            0 => {
                let fragment = FRAGMENTS[random.below(FRAGMENTS.len())];
                bytes.splice(at..at, fragment.bytes());
            }
            1 => bytes.truncate(at),
            2 if at < bytes.len() => bytes[at] = u8::try_from(random.below(256)).unwrap(),
            3 if at < bytes.len() => {
                bytes.remove(at);
            }
            _ => {
                let end = (at + random.below(40)).min(bytes.len());
                let part = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, part);
            }
        }
    }
}

fn inputs(folder: &Path, into: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            inputs(&path, into);
        } else if !path.ends_with("case.json") {
            let bytes = std::fs::read(&path).unwrap();
            into.push((path, bytes));
        }
    }
}

#[test]
fn damaged_projects_never_panic_or_hang() {
    let rounds: usize = std::env::var("BERTH_MUTATIONS")
        .ok()
        .map_or(3, |rounds| rounds.parse().unwrap());
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/compose/config");
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut loads = 0;
    for folder in std::fs::read_dir(oracle).unwrap() {
        let folder = folder.unwrap().path();
        let mut files = Vec::new();
        inputs(&folder, &mut files);
        for _ in 0..rounds {
            for damaged in 0..files.len() {
                let mut project: BTreeMap<_, _> = files.iter().cloned().collect();
                let bytes = project.get_mut(&files[damaged].0).unwrap();
                mutate(bytes, &mut random);
                let text = String::from_utf8_lossy(bytes).into_owned();
                let named: Vec<PathBuf> = project
                    .keys()
                    .filter(|path| path.ends_with("compose.yaml"))
                    .cloned()
                    .collect();
                let environment = BTreeMap::from([("A".to_owned(), "a".to_owned())]);
                let started = Instant::now();
                let outcome = load(&Request {
                    directory: &folder,
                    files: &named,
                    project_name: None,
                    profiles: &["*".to_owned()],
                    environment: &environment,
                    files_from: &Memory(project),
                });
                assert!(outcome.is_ok() || !outcome.unwrap_err().is_empty());
                let took = started.elapsed();
                assert!(took < Duration::from_secs(20), "{took:?} for:\n{text}");
                loads += 1;
            }
        }
    }
    println!("{loads} damaged projects were loaded or refused");
}
