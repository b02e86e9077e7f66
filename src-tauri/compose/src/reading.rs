use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use crate::place::{KeyPath, Place};
use crate::{Diagnostic, Files, Rule};

/// Files larger than this are refused unread: no compose file is.
pub(crate) const LARGEST_FILE: usize = 16 << 20;

/// All files of a project together, counted again for each time that one is
/// included or extended: what a circle-free project can be made to grow to.
const MOST_BYTES: usize = 128 << 20;
const MOST_READS: usize = 10_000;

/// Problems beyond this are not kept: nobody reads them.
const MOST_PROBLEMS: usize = 200;

/// What one load learns on its way: the files it read, and what is wrong with
/// them.
pub(crate) struct Reading<'a> {
    files: &'a dyn Files,
    /// Files by the index that a [`Place`] carries.
    sources: Vec<PathBuf>,
    read: Vec<PathBuf>,
    reads: usize,
    bytes: usize,
    dotenv_values: BTreeSet<String>,
    problems: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

/// What a load without problems learned.
pub(crate) struct Learned {
    /// Every file that was read, in reading order.
    pub(crate) read: Vec<PathBuf>,
    /// The values of all `.env` files.
    pub(crate) dotenv_values: BTreeSet<String>,
    pub(crate) warnings: Vec<Diagnostic>,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(files: &'a dyn Files) -> Self {
        Self {
            files,
            sources: Vec::new(),
            read: Vec::new(),
            reads: 0,
            bytes: 0,
            dotenv_values: BTreeSet::new(),
            problems: Vec::new(),
            warnings: Vec::new(),
        }
    }

    pub(crate) fn files(&self) -> &'a dyn Files {
        self.files
    }

    /// Reads a file and notes that it was read.
    ///
    /// # Errors
    /// As the file system's; [`io::ErrorKind::FileTooLarge`] for a file over
    /// [`LARGEST_FILE`] and when the project as a whole is too large.
    pub(crate) fn read(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        let bytes = self.files.read(path)?;
        if !self.read.iter().any(|read| read == path) {
            self.read.push(path.to_owned());
        }
        self.reads += 1;
        self.bytes += bytes.len();
        if bytes.len() > LARGEST_FILE || self.bytes > MOST_BYTES || self.reads > MOST_READS {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        Ok(bytes)
    }

    /// The index under which places in this file are kept.
    pub(crate) fn source(&mut self, path: &Path) -> u32 {
        let index = self
            .sources
            .iter()
            .position(|known| known == path)
            .unwrap_or_else(|| {
                self.sources.push(path.to_owned());
                self.sources.len() - 1
            });
        u32::try_from(index).unwrap_or(u32::MAX)
    }

    /// The file a place is in.
    pub(crate) fn file_of(&self, place: Place) -> Option<&Path> {
        self.sources.get(place.file as usize).map(PathBuf::as_path)
    }

    fn diagnostic(
        &self,
        rule: Rule,
        place: Option<Place>,
        key: String,
        message: String,
        hint: Option<String>,
    ) -> Diagnostic {
        Diagnostic {
            rule,
            file: place
                .and_then(|place| self.file_of(place))
                .map(Path::to_owned),
            line: place
                .map(|place| place.line as usize)
                .filter(|line| *line > 0),
            column: place
                .map(|place| place.column as usize)
                .filter(|column| *column > 0),
            key,
            message,
            hint,
        }
    }

    /// Notes a problem; the same one at the same place is kept once.
    pub(crate) fn problem(
        &mut self,
        rule: Rule,
        place: Place,
        key: &KeyPath<'_>,
        message: impl Into<String>,
        hint: Option<&str>,
    ) {
        let problem = self.diagnostic(
            rule,
            Some(place),
            key.to_string(),
            message.into(),
            hint.map(str::to_owned),
        );
        self.push(problem);
    }

    /// Notes a problem of a file, or of the project as a whole.
    pub(crate) fn file_problem(
        &mut self,
        rule: Rule,
        file: Option<&Path>,
        message: impl Into<String>,
        hint: Option<&str>,
    ) {
        self.push(Diagnostic {
            rule,
            file: file.map(Path::to_owned),
            line: None,
            column: None,
            key: String::new(),
            message: message.into(),
            hint: hint.map(str::to_owned),
        });
    }

    fn push(&mut self, problem: Diagnostic) {
        if self.problems.len() < MOST_PROBLEMS && !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Notes something worth saying that does not stop the load.
    pub(crate) fn warn(
        &mut self,
        rule: Rule,
        place: Place,
        key: &KeyPath<'_>,
        message: impl Into<String>,
        hint: Option<&str>,
    ) {
        let warning = self.diagnostic(
            rule,
            Some(place),
            key.to_string(),
            message.into(),
            hint.map(str::to_owned),
        );
        if self.warnings.len() < MOST_PROBLEMS && !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Notes what a `.env` file says.
    pub(crate) fn dotenv<'v>(&mut self, values: impl IntoIterator<Item = &'v String>) {
        self.dotenv_values.extend(values.into_iter().cloned());
    }

    /// The outcome: what was read and warned of, or every problem in file order.
    pub(crate) fn finish(mut self) -> Result<Learned, Vec<Diagnostic>> {
        if self.problems.is_empty() {
            return Ok(Learned {
                read: self.read,
                dotenv_values: self.dotenv_values,
                warnings: self.warnings,
            });
        }
        let sources = self.sources;
        let order = |file: &Option<PathBuf>| {
            file.as_ref()
                .and_then(|file| sources.iter().position(|source| source == file))
        };
        self.problems
            .sort_by_key(|problem| (order(&problem.file), problem.line, problem.column));
        Err(self.problems)
    }

    /// Whether further problems are no longer kept.
    pub(crate) fn is_full(&self) -> bool {
        self.problems.len() >= MOST_PROBLEMS
    }

    /// Whether nothing is wrong so far.
    pub(crate) fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }
}
