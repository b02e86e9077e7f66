/// A quote without its end, or a backslash at the very end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unfinished;

/// Splits a command as Docker Compose does: by the shell's rules of quoting, no
/// shell involved. Like there, the command ends at an unquoted `|`, `&`, `;`, `<`
/// or `>`.
///
/// # Errors
/// [`Unfinished`].
pub(crate) fn split(text: &str) -> Result<Vec<String>, Unfinished> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                let next = chars.next().ok_or(Unfinished)?;
                word.get_or_insert_default().push(next);
            }
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or(Unfinished)? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next().ok_or(Unfinished)? {
                        '"' => break,
                        '\\' => match chars.next().ok_or(Unfinished)? {
                            c @ ('"' | '\\' | '$' | '`') => word.push(c),
                            c => {
                                word.push('\\');
                                word.push(c);
                            }
                        },
                        c => word.push(c),
                    }
                }
            }
            ' ' | '\t' | '\r' | '\n' => words.extend(word.take()),
            '|' | '&' | ';' | '<' | '>' => break,
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_like_docker_compose() {
        let cases: &[(&str, &[&str])] = &[
            ("", &[]),
            ("a  b\tc\n", &["a", "b", "c"]),
            ("a 'b c' \"d e\"", &["a", "b c", "d e"]),
            ("a'b'\"c\"", &["abc"]),
            ("a '' b", &["a", "", "b"]),
            ("a\\ b", &["a b"]),
            ("\"a\\\"b\\n\"", &["a\"b\\n"]),
            ("a | b && c", &["a"]),
            ("sh -c 'a | b'", &["sh", "-c", "a | b"]),
            ("a \\\nb", &["a", "\nb"]),
        ];
        for (text, expected) in cases {
            assert_eq!(split(text).unwrap(), *expected, "{text:?}");
        }
        for text in ["a 'b", "a \"b", "a \\"] {
            assert_eq!(split(text), Err(Unfinished), "{text:?}");
        }
    }
}
