use std::fmt;

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use ts_rs::TS;

/// Everything that is wrong with a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Issues {
    /// In the order of the schema; never empty.
    pub issues: Vec<Issue>,
    /// How many more there are than [`MAX_ISSUES`], which are not kept.
    pub omitted: usize,
}

/// No more issues than this are kept of one document, so that a hostile one costs little.
pub const MAX_ISSUES: usize = 1000;

/// One rule that a document breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct Issue {
    /// Where, from the document's root.
    pub path: Vec<Segment>,
    /// Which kind of rule.
    pub kind: IssueKind,
    /// The rule's own number, text or choices.
    pub requirement: Option<Requirement>,
    /// The rule and what breaks it, in plain words. Quotes no text of the document but one that
    /// stands where a fixed choice is meant.
    pub message: String,
}

/// A step into an object or an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(untagged)]
pub enum Segment {
    /// A key of an object; one of more than [`Segment::MAX_BYTES`] is cut off.
    Key(String),
    /// A place in an array, from 0.
    Index(usize),
}

/// The kinds of rules, by the names that the contract's own validators give them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IssueKind {
    /// A text is meant.
    String,
    /// A number is meant.
    Number,
    /// A whole number is meant.
    Integer,
    /// `true` or `false` is meant.
    Boolean,
    /// An object is meant, or one of its required keys is missing.
    Object,
    /// An array is meant.
    Array,
    /// An object with keys of one's own choosing is meant.
    Record,
    /// One of a set of words is meant.
    Picklist,
    /// One of several kinds of objects is meant, and it is none of them.
    Variant,
    /// A text does not have the required form.
    Regex,
    /// A text is too short.
    MinLength,
    /// A text is too long.
    MaxLength,
    /// A number is too small.
    MinValue,
    /// A number is too large.
    MaxValue,
    /// A name is taken.
    Check,
}

/// What a rule asks for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Requirement {
    /// A length in UTF-16 code units, or a bound of a number.
    Number(f64),
    /// The regular expression of a pattern, or the key that is missing.
    Text(&'static str),
    /// The words to choose from, or (for [`IssueKind::Check`]) those that are taken.
    Words(Vec<&'static str>),
}

impl Segment {
    /// A key longer than this is cut off in an issue.
    pub const MAX_BYTES: usize = 512;

    pub(crate) fn key(key: &str) -> Self {
        if key.len() <= Self::MAX_BYTES {
            return Self::Key(key.to_owned());
        }
        let whole = key
            .char_indices()
            .map(|(at, _)| at)
            .take_while(|at| *at <= Self::MAX_BYTES)
            .last()
            .unwrap_or_default();
        Self::Key(format!("{}…", &key[..whole]))
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => f.write_str(key),
            Self::Index(index) => write!(f, "{index}"),
        }
    }
}

impl Issue {
    /// See [`path_text`].
    #[must_use]
    pub fn path_text(&self) -> String {
        path_text(&self.path)
    }

    /// See [`pointer`].
    #[must_use]
    pub fn pointer(&self) -> String {
        pointer(&self.path)
    }
}

/// A path with dots between its steps: `status.headers.0.name`. Empty at the root.
#[must_use]
pub fn path_text(path: &[Segment]) -> String {
    let steps: Vec<_> = path.iter().map(ToString::to_string).collect();
    steps.join(".")
}

/// A path as a JSON pointer (RFC 6901): `/status/headers/0/name`. Empty at the root.
#[must_use]
pub fn pointer(path: &[Segment]) -> String {
    let mut pointer = String::new();
    for step in path {
        pointer.push('/');
        match step {
            Segment::Key(key) => pointer.push_str(&key.replace('~', "~0").replace('/', "~1")),
            Segment::Index(index) => pointer.push_str(&index.to_string()),
        }
    }
    pointer
}

impl Serialize for Issue {
    /// `path`, `pointer`, `kind`, `requirement` and `message`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut issue = serializer.serialize_struct("Issue", 5)?;
        issue.serialize_field("path", &self.path_text())?;
        issue.serialize_field("pointer", &self.pointer())?;
        issue.serialize_field("kind", &self.kind)?;
        issue.serialize_field("requirement", &self.requirement)?;
        issue.serialize_field("message", &self.message)?;
        issue.end()
    }
}

impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            return f.write_str(&self.message);
        }
        write!(f, "{}: {}", self.path_text(), self.message)
    }
}

impl fmt::Display for Issues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, issue) in self.issues.iter().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            write!(f, "{issue}")?;
        }
        if self.omitted > 0 {
            write!(f, "\nand {} more", self.omitted)?;
        }
        Ok(())
    }
}

impl std::error::Error for Issues {}
