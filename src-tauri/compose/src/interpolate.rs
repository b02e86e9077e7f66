//! Variables in values: `$V`, `${V}`, `${V:-default}`, `${V-default}`,
//! `${V:?message}`, `${V?message}`, `${V:+other}`, `${V+other}`, nested, and `$$`
//! for a dollar.

use std::fmt;

use crate::Rule;
use crate::place::{KeyPath, Place};
use crate::reading::Reading;
use crate::yaml::{Node, Value};

/// Substitutions inside each other, at most.
const DEEPEST: usize = 50;

/// Why a text cannot be interpolated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// `${` without its `}`.
    Unclosed,
    /// `${…}` that is none of the known forms.
    Malformed(String),
    /// `${V:?message}` and V is not set (or empty).
    Required { name: String, message: String },
    /// Nested too deeply.
    TooDeep,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unclosed => f.write_str("\"${\" has no closing \"}\" on its line"),
            Fault::Malformed(form) => write!(f, "\"{form}\" is not a form of substitution"),
            Fault::Required { name, message } if message.is_empty() => {
                write!(f, "the required variable {name} is not set")
            }
            Fault::Required { name, message } => {
                write!(f, "the required variable {name} is not set: {message}")
            }
            Fault::TooDeep => write!(f, "substitutions are nested more than {DEEPEST} deep"),
        }
    }
}

/// Substitutes in `text`. `lookup` gives the value of a variable; the names of
/// those that were needed and not set are added to `unset`.
///
/// # Errors
/// The first fault, from the left.
pub(crate) fn substitute(
    text: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
    unset: &mut Vec<String>,
) -> Result<String, Fault> {
    nested(text, lookup, unset, 0)
}

fn nested(
    text: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
    unset: &mut Vec<String>,
    depth: usize,
) -> Result<String, Fault> {
    if depth > DEEPEST {
        return Err(Fault::TooDeep);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        if let Some(escaped) = after.strip_prefix('$') {
            out.push('$');
            rest = escaped;
        } else if let Some(inside) = after.strip_prefix('{') {
            let end = closing(inside).ok_or(Fault::Unclosed)?;
            out.push_str(&braced(&inside[..end], lookup, unset, depth)?);
            rest = &inside[end + 1..];
        } else {
            let name = name_at_start(after);
            if name.is_empty() {
                out.push('$');
            } else {
                out.push_str(&value_or_blank(name, lookup, unset));
            }
            rest = &after[name.len()..];
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// The length of the variable name that `text` begins with.
fn name_at_start(text: &str) -> &str {
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return "";
    }
    let end = text
        .find(|c: char| !(c == '_' || c.is_ascii_alphanumeric()))
        .unwrap_or(text.len());
    &text[..end]
}

/// Where the brace that `inside` stands behind is closed. A substitution does not
/// go beyond its line.
fn closing(inside: &str) -> Option<usize> {
    let mut open = 1usize;
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'{' => open += 1,
            b'}' => {
                open -= 1;
                if open == 0 {
                    return Some(at);
                }
            }
            b'\n' => return None,
            _ => {}
        }
    }
    None
}

fn value_or_blank(
    name: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
    unset: &mut Vec<String>,
) -> String {
    lookup(name).unwrap_or_else(|| {
        if !unset.iter().any(|known| known == name) {
            unset.push(name.to_owned());
        }
        String::new()
    })
}

fn braced(
    inside: &str,
    lookup: &dyn Fn(&str) -> Option<String>,
    unset: &mut Vec<String>,
    depth: usize,
) -> Result<String, Fault> {
    let name = name_at_start(inside);
    let rest = &inside[name.len()..];
    if name.is_empty() {
        return Err(Fault::Malformed(format!("${{{inside}}}")));
    }
    if rest.is_empty() {
        return Ok(value_or_blank(name, lookup, unset));
    }
    let (empty_counts_as_unset, operation) = match rest.strip_prefix(':') {
        Some(operation) => (true, operation),
        None => (false, rest),
    };
    let set = lookup(name).filter(|value| !(empty_counts_as_unset && value.is_empty()));
    let Some(operator) = operation.chars().next() else {
        return Err(Fault::Malformed(format!("${{{inside}}}")));
    };
    let word = &operation[operator.len_utf8()..];
    match (operator, set) {
        ('-' | '?', Some(value)) => Ok(value),
        ('-', None) => nested(word, lookup, unset, depth + 1),
        ('+', Some(_)) => nested(word, lookup, unset, depth + 1),
        ('+', None) => Ok(String::new()),
        // The message is told as it is written: what it substitutes may be secret.
        ('?', None) => {
            nested(word, lookup, unset, depth + 1)?;
            Err(Fault::Required {
                name: name.to_owned(),
                message: word.to_owned(),
            })
        }
        _ => Err(Fault::Malformed(format!("${{{inside}}}"))),
    }
}

/// Substitutes in every value of a tree; keys stay as they are. A value that
/// cannot be interpolated is reported and becomes [`Value::Broken`].
pub(crate) fn tree(
    node: &mut Node,
    path: &KeyPath<'_>,
    lookup: &dyn Fn(&str) -> Option<String>,
    reading: &mut Reading<'_>,
) {
    match &mut node.value {
        Value::Text(text) if text.contains('$') => {
            match in_text(text, node.place, path, lookup, reading) {
                Some(done) => {
                    node.substituted |= done != *text;
                    *text = done;
                }
                None => node.value = Value::Broken,
            }
        }
        Value::List(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                tree(item, &path.index(index), lookup, reading);
            }
        }
        Value::Map(map) => {
            for (key, entry) in map.iter_mut() {
                tree(&mut entry.node, &path.key(key), lookup, reading);
            }
        }
        _ => {}
    }
}

fn in_text(
    text: &str,
    place: Place,
    path: &KeyPath<'_>,
    lookup: &dyn Fn(&str) -> Option<String>,
    reading: &mut Reading<'_>,
) -> Option<String> {
    let mut unset = Vec::new();
    let outcome = substitute(text, lookup, &mut unset);
    for name in unset {
        reading.warn(
            Rule::Interpolation,
            place,
            path,
            format!("the variable {name} is not set; it is taken as blank"),
            Some("Set it in the shell or in .env, or give a default: ${NAME:-default}."),
        );
    }
    match outcome {
        Ok(done) => Some(done),
        Err(fault) => {
            let hint = match &fault {
                Fault::Required { .. } => "Set it in the shell or in the project's .env file.",
                Fault::Unclosed | Fault::Malformed(_) => {
                    "Write $$ for a dollar that is meant literally."
                }
                Fault::TooDeep => "Use fewer defaults inside defaults.",
            };
            reading.problem(
                Rule::Interpolation,
                place,
                path,
                fault.to_string(),
                Some(hint),
            );
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lookup(name: &str) -> Option<String> {
        match name {
            "A" => Some("a".to_owned()),
            "EMPTY" => Some(String::new()),
            "DOLLAR" => Some("x$y".to_owned()),
            _ => None,
        }
    }

    fn run(text: &str) -> Result<String, Fault> {
        substitute(text, &lookup, &mut Vec::new())
    }

    #[test]
    fn every_operator() {
        let cases = [
            ("$A-${A}", "a-a"),
            ("$A_B", ""),
            ("${EMPTY:-d}", "d"),
            ("${EMPTY-d}", ""),
            ("${U:-d}", "d"),
            ("${U-d}", "d"),
            ("${A:-d}", "a"),
            ("${A:+r}", "r"),
            ("${EMPTY:+r}", ""),
            ("${EMPTY+r}", "r"),
            ("${U+r}", ""),
            ("${A:?e}", "a"),
            ("${EMPTY?e}", ""),
            ("${U:-${V:-${A}}}", "a"),
            ("${U:-x${A}y${A}z}", "xayaz"),
            ("${A:+<${A}>}", "<a>"),
            ("${U:-{\"k\": 1}}", "{\"k\": 1}"),
            ("$$A $$$A", "$A $a"),
            ("${U:-$$A}", "$A"),
            ("$ $1 5$", "$ $1 5$"),
            ("${DOLLAR}", "x$y"),
            ("${U:-}", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(run(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn faults() {
        assert_eq!(run("${V"), Err(Fault::Unclosed));
        assert!(matches!(run("${}"), Err(Fault::Malformed(_))));
        assert!(matches!(run("${V.x}"), Err(Fault::Malformed(_))));
        assert!(matches!(run("${A:x}"), Err(Fault::Malformed(_))));
        assert!(matches!(run("${A:}"), Err(Fault::Malformed(_))));
        let required = run("${U:?need ${A}}").unwrap_err();
        assert_eq!(
            required.to_string(),
            "the required variable U is not set: need ${A}"
        );
        assert!(run("${EMPTY:?}").is_err());
        let deep = format!("{}x{}", "${U:-".repeat(5_000), "}".repeat(5_000));
        assert_eq!(run(&deep), Err(Fault::TooDeep));
    }

    #[test]
    fn what_was_not_set_is_told() {
        let mut unset = Vec::new();
        substitute("$U ${V} ${W:-x} $U", &lookup, &mut unset).unwrap();
        assert_eq!(unset, ["U", "V"]);
    }
}
