//! Where something stands: in a file, and under which key.

use std::fmt;

/// A position in one of the files that a load has read. Packed: every node of
/// every file carries one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    /// Index into the load's list of sources.
    pub(crate) file: u32,
    /// From 1.
    pub(crate) line: u32,
    /// In characters, from 1.
    pub(crate) column: u32,
}

/// The key that is being looked at, as a chain up to the root. Lives on the
/// stack of the walk and is written out only for a message.
#[derive(Clone, Copy, Debug)]
pub(crate) enum KeyPath<'a> {
    Root,
    Key(&'a KeyPath<'a>, &'a str),
    Index(&'a KeyPath<'a>, usize),
}

impl<'a> KeyPath<'a> {
    pub(crate) fn key(&'a self, key: &'a str) -> KeyPath<'a> {
        KeyPath::Key(self, key)
    }

    pub(crate) fn index(&'a self, index: usize) -> KeyPath<'a> {
        KeyPath::Index(self, index)
    }

    /// Whether the path has exactly these parts; `*` stands for any one part.
    pub(crate) fn matches(&self, pattern: &str) -> bool {
        let mut here = *self;
        for part in pattern.rsplit('.') {
            here = match here {
                KeyPath::Root => return false,
                KeyPath::Key(parent, key) if part == "*" || part == key => *parent,
                KeyPath::Index(parent, _) if part == "*" => *parent,
                KeyPath::Key(..) | KeyPath::Index(..) => return false,
            };
        }
        matches!(here, KeyPath::Root)
    }
}

impl fmt::Display for KeyPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyPath::Root => Ok(()),
            KeyPath::Key(KeyPath::Root, key) => f.write_str(key),
            KeyPath::Key(parent, key) => write!(f, "{parent}.{key}"),
            KeyPath::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_dotted_and_match_patterns() {
        let services = KeyPath::Root.key("services");
        let web = services.key("web");
        let ports = web.key("ports");
        let first = ports.index(0);
        assert_eq!(first.to_string(), "services.web.ports[0]");
        assert!(ports.matches("services.*.ports"));
        assert!(!first.matches("services.*.ports"));
        assert!(first.matches("services.*.ports.*"));
        assert!(!web.matches("services"));
    }
}
