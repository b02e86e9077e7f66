//! `.env` and env files.

use std::fmt;

use indexmap::IndexMap;

use crate::interpolate::{self, Fault};

/// A line of an env file that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DotenvError {
    /// From 1.
    pub(crate) line: usize,
    pub(crate) kind: DotenvFault,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DotenvFault {
    NotUtf8,
    SpaceInKey,
    BadKey,
    EmptyKey,
    Unterminated,
    Interpolation(Fault),
}

// Values are secrets, and so may be anything else in a file whose lines are
// broken: only the line and the names of variables are told.
impl fmt::Display for DotenvFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DotenvFault::NotUtf8 => "the file is not UTF-8 text",
            DotenvFault::SpaceInKey => "the name before the \"=\" contains a space",
            DotenvFault::BadKey => {
                "the name before the \"=\" may have letters, digits, \"_\", \"-\" and \".\" only"
            }
            DotenvFault::EmptyKey => "there is no name before the \"=\"",
            DotenvFault::Unterminated => "the closing quote of the value is missing",
            DotenvFault::Interpolation(Fault::Required { name, .. }) => {
                return write!(
                    f,
                    "the value requires the variable {name}, which is not set"
                );
            }
            DotenvFault::Interpolation(_) => "the value has a malformed \"${…}\"",
        })
    }
}

/// Variables in file order.
pub(crate) type Variables = IndexMap<String, String>;

/// Reads an env file. `lookup` gives the variables of the surroundings, which
/// win over earlier lines of the file; names needed and not set go to `unset`.
///
/// # Errors
/// The first line that cannot be read.
pub(crate) fn parse(
    bytes: &[u8],
    lookup: &dyn Fn(&str) -> Option<String>,
    unset: &mut Vec<String>,
) -> Result<Variables, DotenvError> {
    let text = decode(bytes)?;
    let mut cursor = Cursor {
        rest: &text,
        line: 1,
    };
    let mut variables = Variables::new();
    while let Some(statement) = cursor.statement()? {
        let (key, value) = match statement {
            Statement::Inherited(key) => match lookup(&key) {
                Some(value) => (key, value),
                None => continue,
            },
            Statement::Literal(key, value) => (key, value),
            Statement::Expanding { key, value, line } => {
                let seen = &variables;
                let both = |name: &str| lookup(name).or_else(|| seen.get(name).cloned());
                let value =
                    interpolate::substitute(&value, &both, unset).map_err(|fault| DotenvError {
                        line,
                        kind: DotenvFault::Interpolation(fault),
                    })?;
                (key, value)
            }
        };
        variables.insert(key, value);
    }
    Ok(variables)
}

/// Reads an env file of `format: raw`: `NAME=value` lines, taken literally.
///
/// # Errors
/// When it is not UTF-8.
pub(crate) fn parse_raw(
    bytes: &[u8],
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<Variables, DotenvError> {
    let text = decode(bytes)?;
    let mut variables = Variables::new();
    for line in text.lines() {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        match line.split_once('=') {
            Some((key, value)) => {
                variables.insert(key.trim().to_owned(), value.to_owned());
            }
            None => {
                let key = line.trim();
                if let Some(value) = lookup(key) {
                    variables.insert(key.to_owned(), value);
                }
            }
        }
    }
    Ok(variables)
}

fn decode(bytes: &[u8]) -> Result<String, DotenvError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.replace("\r\n", "\n")),
        Err(error) => Err(DotenvError {
            line: bytes[..error.valid_up_to()]
                .iter()
                .filter(|byte| **byte == b'\n')
                .count()
                + 1,
            kind: DotenvFault::NotUtf8,
        }),
    }
}

enum Statement {
    /// A bare name: the value comes from the surroundings.
    Inherited(String),
    /// Single-quoted.
    Literal(String, String),
    /// Unquoted or double-quoted: variables are substituted.
    Expanding {
        key: String,
        value: String,
        line: usize,
    },
}

struct Cursor<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> Cursor<'t> {
    /// Takes the rest of this line, without its end.
    fn take_line(&mut self) -> &'t str {
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.rest = rest;
        self.line += 1;
        line
    }

    fn statement(&mut self) -> Result<Option<Statement>, DotenvError> {
        loop {
            let trimmed = self.rest.trim_start();
            let skipped = &self.rest[..self.rest.len() - trimmed.len()];
            self.line += skipped.matches('\n').count();
            self.rest = trimmed;
            if self.rest.is_empty() {
                return Ok(None);
            }
            if !self.rest.starts_with('#') {
                break;
            }
            self.take_line();
        }
        if let Some(after) = self.rest.strip_prefix("export")
            && after.starts_with(|c: char| c.is_whitespace() && c != '\n')
        {
            self.rest = after.trim_start();
        }
        let line = self.line;
        let error = |kind| Err(DotenvError { line, kind });
        let end = self.rest.find(['=', ':', '\n']).unwrap_or(self.rest.len());
        let key = self.rest[..end].trim_end();
        let bare = !matches!(self.rest.as_bytes().get(end), Some(b'=' | b':'));
        if key.is_empty() {
            return error(DotenvFault::EmptyKey);
        }
        if key.contains(char::is_whitespace) {
            return error(DotenvFault::SpaceInKey);
        }
        let good = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '[' | ']');
        if !key.chars().all(good) {
            return error(DotenvFault::BadKey);
        }
        if bare {
            self.take_line();
            return Ok(Some(Statement::Inherited(key.to_owned())));
        }
        self.rest =
            self.rest[end + 1..].trim_start_matches(|c: char| c.is_whitespace() && c != '\n');
        let statement = match self.rest.as_bytes().first() {
            Some(b'\'') => Statement::Literal(key.to_owned(), self.quoted('\'')?),
            Some(b'"') => Statement::Expanding {
                key: key.to_owned(),
                value: unescape(&self.quoted('"')?),
                line,
            },
            _ => {
                let text = self.take_line();
                let text = text.split_once(" #").map_or(text, |(value, _)| value);
                Statement::Expanding {
                    key: key.to_owned(),
                    value: text.trim_end().to_owned(),
                    line,
                }
            }
        };
        Ok(Some(statement))
    }

    /// The text between quotes; what follows on the line is dropped.
    fn quoted(&mut self, quote: char) -> Result<String, DotenvError> {
        let mut value = String::new();
        let mut escaped = false;
        for (at, c) in self.rest.char_indices().skip(1) {
            if c == quote && !escaped {
                self.line += self.rest[..at].matches('\n').count();
                self.rest = &self.rest[at + 1..];
                self.take_line();
                return Ok(value);
            }
            if escaped && c != quote {
                value.push('\\');
            }
            let starts_escape = c == '\\' && !escaped;
            if !starts_escape {
                value.push(c);
            }
            escaped = starts_escape;
        }
        Err(DotenvError {
            line: self.line,
            kind: DotenvFault::Unterminated,
        })
    }
}

/// The escapes of a double-quoted value. `\$` becomes `$$`, which substitution
/// turns into a dollar.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('a') => out.push('\u{7}'),
            Some('b') => out.push('\u{8}'),
            Some('f') => out.push('\u{c}'),
            Some('v') => out.push('\u{b}'),
            Some('$') => out.push_str("$$"),
            Some(c @ ('"' | '\\')) => out.push(c),
            Some(c) => {
                out.push('\\');
                out.push(c);
            }
            None => out.push('\\'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(name: &str) -> Option<String> {
        (name == "SHELL_SET").then(|| "sh".to_owned())
    }

    fn get(text: &str) -> Variables {
        parse(text.as_bytes(), &shell, &mut Vec::new()).unwrap()
    }

    #[test]
    fn values_in_every_form() {
        let cases = [
            ("V=x", "x"),
            ("V = x ", "x"),
            ("V: x", "x"),
            ("export V=x", "x"),
            ("V=val # comment", "val"),
            ("V=val#none", "val#none"),
            ("V='q # in' # c", "q # in"),
            ("V=\"a\\nb\"", "a\nb"),
            ("V='a\\nb'", "a\\nb"),
            ("V=\"a\nb\"", "a\nb"),
            ("V=\"x\"y", "x"),
            ("V=\"say \\\"hi\\\"\"", "say \"hi\""),
            ("V=\"\\$A\"", "$A"),
            ("A=1\nV=${A}2", "12"),
            ("A=1\nV='${A}'", "${A}"),
            ("V=${SHELL_SET}-x", "sh-x"),
            ("V=a\nV=b", "b"),
            ("V=", ""),
            ("V=\nW=1", ""),
            ("\u{feff}V=x\r\n", "x"),
            ("# c\n\n  # d\nV=x", "x"),
            ("1V=1\na.b=2\nV=x", "x"),
        ];
        for (text, expected) in cases {
            assert_eq!(
                get(text).get("V").map(String::as_str),
                Some(expected),
                "{text:?}"
            );
        }
    }

    #[test]
    fn bare_names_come_from_the_shell() {
        let variables = get("SHELL_SET\nNOT_SET\nV=1\n");
        assert_eq!(variables.get("SHELL_SET").map(String::as_str), Some("sh"));
        assert!(!variables.contains_key("NOT_SET"));
        assert_eq!(variables.get("V").map(String::as_str), Some("1"));
    }

    #[test]
    fn faults_name_the_line_and_never_the_value() {
        let fault = |text: &str| parse(text.as_bytes(), &shell, &mut Vec::new()).unwrap_err();
        let space = fault("A=1\n\nFOO BAR=secret\n");
        assert_eq!(space.line, 3);
        assert_eq!(space.kind, DotenvFault::SpaceInKey);
        let open = fault("A=1\nB=\"secret\nC=2\n");
        assert_eq!(open.line, 2);
        assert!(!open.kind.to_string().contains("secret"));
        assert_eq!(fault("=x").kind, DotenvFault::EmptyKey);
        assert!(parse(b"A=\xff", &shell, &mut Vec::new()).is_err());
    }

    #[test]
    fn raw_files_are_taken_literally() {
        let variables = parse_raw(b"A='x'\nB=$A # c\n# no\nSHELL_SET\n", &shell).unwrap();
        assert_eq!(variables["A"], "'x'");
        assert_eq!(variables["B"], "$A # c");
        assert_eq!(variables["SHELL_SET"], "sh");
    }
}
