//! The Compose Specification's own rules about keys and types, as data, and the
//! walk that holds a tree against them.

mod check;
mod keys;
mod parts;
mod service;

pub(crate) use check::check;

/// What a value may be.
pub(crate) enum Shape {
    Any,
    Null,
    Text,
    /// A text out of a few.
    Word(&'static [&'static str]),
    /// Any text or number.
    TextOrNumber,
    /// A text or an integer.
    TextOrInteger,
    /// Text, number or boolean.
    Scalar,
    /// A boolean, or a text that reads as one.
    Boolean,
    /// An integer in a range, or a text that reads as one.
    Integer(i64, i64),
    /// A number, or a text that reads as one.
    Number,
    /// A text like `1m30s`.
    Duration,
    /// A number of bytes, or a text like `64m`.
    Bytes,
    /// Any list.
    List(&'static Shape),
    /// A list in which nothing stands twice.
    Set(&'static Shape),
    /// A mapping with known keys.
    Record(&'static Record),
    /// A mapping with free keys.
    Table(Names, &'static Shape),
    /// The first alternative that is of the value's type.
    Either(&'static [Shape]),
}

/// A mapping with known keys; `x-` keys are always allowed.
pub(crate) struct Record {
    pub(crate) keys: &'static [(&'static str, Shape)],
    pub(crate) required: &'static [&'static str],
}

/// Which keys a table takes.
pub(crate) enum Names {
    Any,
    /// Letters, digits, `.`, `_` and `-`.
    Resource,
}

/// Holds a whole file (after merging) against the specification.
pub(crate) const FILE: Shape = keys::FILE;
