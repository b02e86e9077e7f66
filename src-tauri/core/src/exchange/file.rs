//! The text of a workspace file: read with every fault and its place, written so
//! that a changed value is a changed line. Pure.

use std::collections::HashSet;
use std::hash::Hash;
use std::path::{Component, Path};

use berth_contracts::documents::{WorkspaceFile, WorkspaceHandler, WorkspaceSource};
use berth_contracts::{Described, Group, NamedSchema, Segment, validate};
use serde_json::Value;

use super::portable;
use crate::documents::{MOST_WINDOW_BYTES, Rules, check, left_out, placed, places};
use crate::git::Location;
use crate::handlers::content;
use crate::problem::{Code, Place, Problem};
use crate::services::check_paths;
use crate::view::{HandlerKey, Verdict};

/// The format that is written, and the only one that is read.
const FORMAT: u64 = 1;
/// Entries that each list of a file may have: each is a line of the preview, and for
/// a service the disk is looked at.
const MOST_ENTRIES: usize = 1000;

const NAMED: NamedSchema = NamedSchema {
    name: "workspaceFileSchema",
    group: Group::Handlers,
    schema: WorkspaceFile::SCHEMA,
};

/// A workspace file that was read.
pub(super) struct Read {
    /// Its content, in the order in which it is written.
    pub(super) file: WorkspaceFile,
    /// Pointers to the keys in it that mean nothing.
    pub(super) unknown: Vec<String>,
}

/// A fault that no schema knows of.
type Fault = (Vec<Segment>, String);

/// What a handler of a file serves.
pub(super) fn key_of(handler: &WorkspaceHandler) -> HandlerKey {
    HandlerKey {
        provision_type: handler.provision_type,
        manifest_id: handler.manifest_id.clone(),
    }
}

/// Reads a file. Takes time for a large one.
///
/// # Errors
/// [`Code::InvalidDocument`] with every fault and its place; for a text that is no
/// workspace file, one of another format, and one of more than 1 MiB.
pub(super) fn read(text: &str) -> Result<Read, Problem> {
    if text.len() > MOST_WINDOW_BYTES {
        return Err(too_large(text.len())
            .hint("A workspace file is written by Berth; check that this is one."));
    }
    let input = berth_contracts::read(text.as_bytes()).unwrap_or_default();
    refuse_other_formats(&input, text)?;
    let checked = check(&NAMED, text.as_bytes(), Rules::Settings);
    let Some(output) = checked.output.as_deref() else {
        let title = match checked.verdict {
            Verdict::Unreadable => "The workspace file is not JSON",
            Verdict::Invalid | Verdict::Valid => "The workspace file is not valid",
        };
        return Err(faulty(title, places(&checked), checked.omitted));
    };
    let unread = |error: serde_json::Error| {
        Problem::internal("a workspace file that is valid cannot be read").caused_by(&error)
    };
    let mut file: WorkspaceFile = serde_json::from_str(output).map_err(unread)?;
    let mut faults = faults(&file);
    if !faults.is_empty() {
        let omitted = faults.len().saturating_sub(berth_contracts::MAX_ISSUES);
        faults.truncate(berth_contracts::MAX_ISSUES);
        let places = placed(text, faults);
        return Err(faulty("The workspace file is not valid", places, omitted));
    }
    let output: Value = serde_json::from_str(output).map_err(unread)?;
    let unknown = left_out(&input, &output);
    sort(&mut file);
    Ok(Read { file, unknown })
}

/// The text of a file, with a line break at its end.
///
/// # Errors
/// [`Code::InvalidDocument`] when it would be larger than what can be read.
pub(super) fn written(mut file: WorkspaceFile) -> Result<String, Problem> {
    let unwritten = |error: &dyn std::error::Error| {
        Problem::internal("the workspace cannot be written as a file").caused_by(error)
    };
    sort(&mut file);
    for (list, count) in [
        (
            "manifest types",
            file.manifest_types.as_ref().map_or(0, Vec::len),
        ),
        ("handlers", file.handlers.as_ref().map_or(0, Vec::len)),
        ("services", file.services.as_ref().map_or(0, Vec::len)),
    ] {
        if count > MOST_ENTRIES {
            let title =
                format!("The workspace has {count} {list}; a file has at most {MOST_ENTRIES}");
            return Err(Problem::new(Code::InvalidDocument, title)
                .hint("Remove those that are not used, and export again."));
        }
    }
    let value = serde_json::to_value(&file).map_err(|error| unwritten(&error))?;
    // As the contract writes it: what is read back is the same text.
    let value = validate(NAMED.schema, &value).map_err(|issues| unwritten(&issues))?;
    let text = format!("{value:#}\n");
    if text.len() > MOST_WINDOW_BYTES {
        return Err(too_large(text.len())
            .hint("Remove handlers that are not used, or their long texts, and export again."));
    }
    Ok(text)
}

fn sort(file: &mut WorkspaceFile) {
    if let Some(types) = &mut file.manifest_types {
        types.sort_by(|one, other| one.manifest_id.cmp(&other.manifest_id));
    }
    if let Some(handlers) = &mut file.handlers {
        handlers.sort_by(|one, other| {
            let key = |handler: &WorkspaceHandler| {
                (
                    content::word(handler.provision_type),
                    handler.manifest_id.clone(),
                )
            };
            key(one).cmp(&key(other))
        });
        for secrets in handlers.iter_mut().filter_map(|one| one.secrets.as_mut()) {
            secrets.sort_unstable();
            secrets.dedup();
        }
    }
    if let Some(services) = &mut file.services {
        services.sort_by(|one, other| one.name.cmp(&other.name));
    }
}

fn refuse_other_formats(input: &Value, text: &str) -> Result<(), Problem> {
    let Value::Object(members) = input else {
        // Not JSON, or refused by the schema.
        return Ok(());
    };
    let Some(format) = members.get("berth") else {
        return Err(Problem::new(
            Code::InvalidDocument,
            "This is not a workspace file of Berth",
        )
        .detail(format!(
            "A workspace file says \"berth\": {FORMAT} at its top."
        ))
        .hint("Choose the file that “berth workspace export” wrote."));
    };
    match format {
        Value::Number(number) if number.as_f64() != Some(1.0) => {
            let title =
                format!("The workspace file has format {number}; this Berth reads format {FORMAT}");
            let mut problem = Problem::new(Code::InvalidDocument, title)
                .hint("Import it with the Berth that wrote it, or a newer one.");
            let at = vec![Segment::Key("berth".to_owned())];
            let said = format!("Format {number} is not known here.");
            problem.places = placed(text, vec![(at, said)]);
            Err(problem)
        }
        _ => Ok(()),
    }
}

fn too_large(bytes: usize) -> Problem {
    Problem::new(
        Code::InvalidDocument,
        format!("The workspace file has {bytes} bytes"),
    )
    .detail(format!("At most {MOST_WINDOW_BYTES} (1 MiB) are read."))
}

fn faulty(title: &str, places: Vec<Place>, omitted: usize) -> Problem {
    let mut problem = Problem::new(Code::InvalidDocument, title)
        .hint("Correct what is named, then import it again. Nothing was changed.");
    problem.places = places;
    if omitted > 0 {
        problem.detail = Some(format!("And {omitted} more."));
    }
    problem
}

fn faults(file: &WorkspaceFile) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut ids = Entries::of("manifestTypes", "manifestId");
    for one in file.manifest_types.iter().flatten() {
        ids.add(&one.manifest_id, &mut faults);
    }
    let mut keys = Entries::of("handlers", "provisionType");
    for handler in file.handlers.iter().flatten() {
        let key = key_of(handler);
        let index = keys.add(key.clone(), &mut faults);
        if let Err(problem) = content::content(handler.config.clone(), Some(key), None) {
            faults.push((at("handlers", index, &["provisionType"]), in_words(problem)));
        }
    }
    let mut names = Entries::of("services", "name");
    for service in file.services.iter().flatten() {
        let index = names.add(&service.name, &mut faults);
        for (member, said) in source_faults(&service.source) {
            faults.push((at("services", index, &["source", member]), said));
        }
        if let Err((member, problem)) = check_paths(&service.provisioning) {
            let at = at("services", index, &["provisioning", member]);
            faults.push((at, in_words(*problem)));
        }
    }
    faults
}

/// The entries of a list, of which none may stand twice.
struct Entries<T> {
    list: &'static str,
    /// What tells them apart.
    member: &'static str,
    known: HashSet<T>,
    count: usize,
}

impl<T: Eq + Hash> Entries<T> {
    fn of(list: &'static str, member: &'static str) -> Self {
        Self {
            list,
            member,
            known: HashSet::new(),
            count: 0,
        }
    }

    /// Gives back its index.
    fn add(&mut self, one: T, faults: &mut Vec<Fault>) -> usize {
        let index = self.count;
        self.count += 1;
        if index == MOST_ENTRIES {
            let said = format!("A workspace file has at most {MOST_ENTRIES} {}.", self.list);
            faults.push((at(self.list, index, &[]), said));
        }
        if !self.known.insert(one) {
            let said = "It stands here for the second time. Remove one of the two.";
            faults.push((at(self.list, index, &[self.member]), said.to_owned()));
        }
        index
    }
}

fn source_faults(source: &WorkspaceSource) -> Vec<(&'static str, String)> {
    let mut faults = Vec::new();
    match source {
        WorkspaceSource::Folder(folder) => {
            if !is_relative(&folder.path) {
                let said =
                    "Must be a path from the folder of this file, such as “.” or “services/shop”.";
                faults.push(("path", said.to_owned()));
            }
        }
        WorkspaceSource::Git(repository) => {
            match Location::parse(&repository.url) {
                Location::Path(_) => {
                    let said = "Must be the address of a git repository, such as https://example.com/shop.git.";
                    faults.push(("url", said.to_owned()));
                }
                Location::Url {
                    had_secret: true, ..
                } => {
                    let said = "Holds a user name or password. Remove it from here; git's credential helper keeps it.";
                    faults.push(("url", said.to_owned()));
                }
                Location::Url { .. } if portable::address(&repository.url).is_none() => {
                    let said = "Must mean the same on every machine: no file:// address, and no “?” or “#”. Berth does not export such addresses either.";
                    faults.push(("url", said.to_owned()));
                }
                Location::Url { .. } => {}
            }
            let inside = |path: &str| {
                Path::new(path)
                    .components()
                    .all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
            };
            if repository
                .subdirectory
                .as_deref()
                .is_some_and(|path| !inside(path))
            {
                let said = "Must be a folder inside the repository.";
                faults.push(("subdirectory", said.to_owned()));
            }
        }
    }
    faults
}

/// Whichever system the file comes from.
fn is_relative(path: &str) -> bool {
    let drive = path.as_bytes().get(1) == Some(&b':');
    !path.starts_with(['/', '\\', '~']) && !drive && !path.chars().any(char::is_control)
}

fn at(list: &str, index: usize, members: &[&str]) -> Vec<Segment> {
    let key = |key: &str| Segment::Key(key.to_owned());
    let mut path = vec![key(list), Segment::Index(index)];
    path.extend(members.iter().map(|member| key(member)));
    path
}

fn in_words(problem: Problem) -> String {
    match problem.hint {
        Some(hint) => format!("{}. {hint}", problem.title),
        None => format!("{}.", problem.title),
    }
}
