//! The files of a project, as one tree.

use std::io;
use std::path::{Path, PathBuf};

use crate::environment::{self, Surroundings};
use crate::place::{KeyPath, Place};
use crate::reading::Reading;
use crate::yaml::{self, Node, Value};
use crate::{Rule, extends, include, interpolate, merge, schema};

/// Projects that include each other in a row, at most.
const LONGEST: usize = 50;

/// The way of includes that led to a file.
pub(crate) struct Chain<'a> {
    file: PathBuf,
    before: Option<&'a Chain<'a>>,
}

impl Chain<'_> {
    pub(crate) fn start(file: &Path) -> Self {
        Self {
            file: file.to_owned(),
            before: None,
        }
    }

    /// The way, one include longer.
    ///
    /// # Errors
    /// What is wrong with that: a circle, or no end.
    pub(crate) fn with(&self, file: &Path) -> Result<Chain<'_>, String> {
        let mut way = vec![file];
        let mut link = Some(self);
        while let Some(chain) = link {
            way.push(&chain.file);
            if chain.file == file {
                way.reverse();
                let names: Vec<_> = way.iter().map(|file| file.display().to_string()).collect();
                return Err(format!(
                    "files include each other in a circle: {}",
                    names.join(" → ")
                ));
            }
            link = chain.before;
        }
        if way.len() > LONGEST {
            return Err(format!(
                "more than {LONGEST} files include each other in a row"
            ));
        }
        Ok(Chain {
            file: file.to_owned(),
            before: Some(self),
        })
    }
}

/// Interpolates documents, fills in what they extend and include, and puts each
/// over the ones before. `folder` is where relative paths start. `None`: there is
/// no document.
pub(crate) fn merge(
    documents: Vec<(PathBuf, Node)>,
    folder: &Path,
    chain: &Chain<'_>,
    surroundings: &Surroundings,
    reading: &mut Reading<'_>,
) -> Option<Node> {
    let lookup = |name: &str| surroundings.get(name);
    let mut merged: Option<Node> = None;
    for (file, mut document) in documents {
        interpolate::tree(&mut document, &KeyPath::Root, &lookup, reading);
        extends::apply(&mut document, &file, folder, surroundings, reading);
        include::apply(&mut document, folder, chain, surroundings, reading);
        let base =
            merged.unwrap_or_else(|| Node::new(document.place, Value::Map(yaml::Map::new())));
        let whole = merge::merge(base, document, &KeyPath::Root, reading);
        schema::check(&whole, &schema::FILE, &KeyPath::Root, reading);
        merged = Some(whole);
    }
    merged
}

/// Reads a file that must be there. `named_at`: what named it, for the report.
pub(crate) fn read_text(
    file: &Path,
    named_at: Option<(Place, &KeyPath<'_>)>,
    reading: &mut Reading<'_>,
) -> Option<Vec<u8>> {
    let error = match reading.read(file) {
        Ok(bytes) => return Some(bytes),
        Err(error) => error,
    };
    let message = match (error.kind(), named_at) {
        (io::ErrorKind::NotFound, None) => "the file does not exist".to_owned(),
        (_, None) => format!("the file cannot be read: {error}"),
        (io::ErrorKind::NotFound, Some(_)) => {
            format!("the file {} does not exist", file.display())
        }
        (_, Some(_)) => format!("the file {} cannot be read: {error}", file.display()),
    };
    match named_at {
        None => reading.file_problem(Rule::Unreadable, Some(file), message, None),
        Some((place, path)) => {
            reading.problem(Rule::Unreadable, place, path, message, None);
        }
    }
    None
}

/// The documents of a compose file, each a mapping. `None`: reported.
pub(crate) fn read_documents(
    file: &Path,
    named_at: Option<(Place, &KeyPath<'_>)>,
    reading: &mut Reading<'_>,
) -> Option<Vec<Node>> {
    let bytes = read_text(file, named_at, reading)?;
    let source = reading.source(file);
    let documents = match yaml::documents(&bytes, source) {
        Ok(documents) => documents,
        Err(error) => {
            let root = KeyPath::Root;
            reading.problem(Rule::Yaml, error.place, &root, error.message, error.hint);
            return None;
        }
    };
    let hint = Some("Begin it with \"services:\".");
    let mut mappings = Vec::new();
    for document in documents {
        match document.value {
            Value::Map(_) => mappings.push(document),
            Value::Null => {}
            _ => {
                let message = format!("a compose file is a mapping, not {}", document.describe());
                reading.problem(Rule::Yaml, document.place, &KeyPath::Root, message, hint);
                return None;
            }
        }
    }
    if mappings.is_empty() {
        reading.file_problem(Rule::Yaml, Some(file), "the compose file is empty", hint);
        return None;
    }
    Some(mappings)
}

/// The first document of a file that another one names.
pub(crate) fn document(
    file: &Path,
    named_at: Place,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Option<Node> {
    let documents = read_documents(file, Some((named_at, path)), reading)?;
    documents.into_iter().next()
}

/// Adds the variables of a `.env` file that is there.
pub(crate) fn add_dotenv(file: &Path, surroundings: &mut Surroundings, reading: &mut Reading<'_>) {
    match environment::read_file(file, surroundings, reading) {
        Ok(variables) => {
            let variables = variables.unwrap_or_default();
            reading.dotenv(variables.values());
            surroundings.add(variables);
        }
        Err(error) => reading.file_problem(
            Rule::Unreadable,
            Some(file),
            format!("the file cannot be read: {error}"),
            None,
        ),
    }
}
