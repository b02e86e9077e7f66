use std::fmt;
use std::path::PathBuf;

use serde::Serialize;

/// Which rule a [`Diagnostic`] stands on: a closed set that callers may match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// No compose file and no Dockerfile in the folder.
    NothingFound,
    /// A file that was named cannot be read.
    Unreadable,
    /// The text is not YAML, or beyond the bounds Berth reads.
    Yaml,
    /// A `.env` or env file has a line that cannot be read.
    Dotenv,
    /// A `${…}` that is malformed, or a required variable that is not set.
    Interpolation,
    /// A value of the wrong type or outside the allowed ones.
    Invalid,
    /// A name that refers to nothing (a network, volume, service, env file …).
    Undefined,
    /// Services that wait for each other in a circle.
    Cycle,
    /// A key that the Compose Specification does not know.
    UnknownKey,
    /// A key of the specification that Berth cannot honour yet.
    Unsupported,
}

/// One thing wrong (or worth a warning) in a project, with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// The rule it stands on.
    pub rule: Rule,
    /// The file it is in, absolute. `None`: about the project as a whole.
    pub file: Option<PathBuf>,
    /// Line, from 1.
    pub line: Option<usize>,
    /// Column in characters, from 1.
    pub column: Option<usize>,
    /// The key it is about, dotted (`services.web.ports[0]`); empty at the root.
    pub key: String,
    /// What is wrong, one sentence, without the place.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{}", file.display())?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
                if let Some(column) = self.column {
                    write!(f, ":{column}")?;
                }
            }
            f.write_str(": ")?;
        }
        if !self.key.is_empty() {
            write!(f, "{}: ", self.key)?;
        }
        f.write_str(&self.message)
    }
}
