//! `berth validate --jsonl`: one document a line, one verdict a line, as they
//! come.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Read};

use berth_contracts::MAX_DOCUMENT_BYTES;
use berth_contracts::{Issue, Unreadable, validate};
use berth_core::documents;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::document_input::unreadable;
use crate::failure::Failure;
use crate::output::Output;

/// Bytes of a line: a document, and what stands around it.
const LONGEST_LINE: usize = MAX_DOCUMENT_BYTES + 64 * 1024;

/// One line in. Whatever else it says (what somebody expects, for example) is
/// not looked at.
#[derive(Deserialize)]
struct Asked<'a> {
    #[serde(borrow, default, deserialize_with = "given")]
    id: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "given")]
    schema: Option<&'a RawValue>,
    #[serde(borrow, default, deserialize_with = "given")]
    input: Option<&'a RawValue>,
}

/// `null` is a value like any other.
fn given<'de, D: Deserializer<'de>>(source: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(source).map(Some)
}

/// One line out.
#[derive(Serialize)]
struct Answer<'a> {
    id: Option<&'a RawValue>,
    #[serde(flatten)]
    verdict: Verdict,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Verdict {
    Valid {
        valid: bool,
        output: Value,
    },
    Invalid {
        valid: bool,
        issues: Vec<Issue>,
        #[serde(skip_serializing_if = "Option::is_none")]
        omitted: Option<usize>,
    },
    Unreadable {
        valid: bool,
        issues: [NoJson; 1],
    },
    /// There is no verdict: the line itself is wrong.
    Broken {
        line: usize,
        error: String,
    },
}

/// The fault of an input that is not read as JSON.
#[derive(Serialize)]
struct NoJson {
    path: &'static str,
    pointer: &'static str,
    kind: &'static str,
    requirement: Option<usize>,
    message: String,
}

pub(super) fn run(source: impl Read, shown: &str, output: &Output) -> Result<(), Failure> {
    let mut source = BufReader::with_capacity(64 * 1024, source);
    let mut line = Vec::new();
    let mut broken = false;
    for number in 1.. {
        let complete = match next_line(&mut source, &mut line) {
            Ok(None) => break,
            Ok(Some(complete)) => complete,
            Err(error) => return Err(unreadable(shown, &error).into()),
        };
        if number == 1 && line.starts_with(b"\xef\xbb\xbf") {
            line.drain(..3);
        }
        if complete && line.trim_ascii().is_empty() {
            continue;
        }
        let answer = if complete {
            answer(&line, number)
        } else {
            no_verdict(
                None,
                number,
                format!("The line is longer than {LONGEST_LINE} bytes. It was left out."),
            )
        };
        broken |= matches!(answer.verdict, Verdict::Broken { .. });
        output.object(&answer)?;
    }
    if broken {
        return Err(Failure::Said(2));
    }
    Ok(())
}

/// Reads the next line without its end, `false` when it was too long and is not
/// whole; `None` at the end.
fn next_line(source: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Option<bool>> {
    line.clear();
    let mut some = false;
    let mut complete = true;
    loop {
        let read = match source.fill_buf() {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if read.is_empty() {
            return Ok(some.then_some(complete));
        }
        some = true;
        let end = read.iter().position(|byte| *byte == b'\n');
        let part = &read[..end.unwrap_or(read.len())];
        if complete && line.len() + part.len() <= LONGEST_LINE {
            line.extend_from_slice(part);
        } else {
            complete = false;
            // What one long line took is not held for the rest of the run.
            *line = Vec::new();
        }
        let used = end.map_or(read.len(), |end| end + 1);
        source.consume(used);
        if end.is_some() {
            return Ok(Some(complete));
        }
    }
}

fn answer(line: &[u8], number: usize) -> Answer<'_> {
    let Ok(text) = std::str::from_utf8(line) else {
        return no_verdict(None, number, "The line is not UTF-8.".to_owned());
    };
    let asked = match asked(text) {
        Ok(asked) => asked,
        Err(error) => return no_verdict(None, number, error),
    };
    let Some(schema) = &asked.schema else {
        return no_verdict(asked.id, number, "The line names no schema.".to_owned());
    };
    // Whatever it is, the line has an id to answer to.
    let Ok(schema) = serde_json::from_str::<Cow<str>>(schema.get()) else {
        let error = "The line's schema is no text. Give the name of one.";
        return no_verdict(asked.id, number, error.to_owned());
    };
    let named = match documents::find_schema(&schema) {
        Ok(named) => named,
        Err(problem) => {
            let hint = problem.hint.unwrap_or_default();
            return no_verdict(asked.id, number, format!("{}. {hint}", problem.title));
        }
    };
    let Some(input) = asked.input else {
        return no_verdict(asked.id, number, "The line has no input.".to_owned());
    };
    let verdict = match berth_contracts::read(input.get().as_bytes()) {
        Ok(input) => match validate(named.schema, &input) {
            Ok(output) => Verdict::Valid {
                valid: true,
                output,
            },
            Err(issues) => Verdict::Invalid {
                valid: false,
                issues: issues.issues,
                omitted: Some(issues.omitted).filter(|omitted| *omitted > 0),
            },
        },
        Err(why) => no_json(why),
    };
    Answer {
        id: asked.id,
        verdict,
    }
}

fn asked(text: &str) -> Result<Asked<'_>, String> {
    let wrong =
        |reason: &str| format!("The line is not {{\"id\",\"schema\",\"input\"}}: {reason}.");
    // serde would take a list of the values for an object.
    if !text.trim_start().starts_with('{') {
        return Err(wrong("it is no object"));
    }
    serde_json::from_str(text).map_err(|error| {
        let parts = error.to_string();
        let found = parts.split(" at line ").next().unwrap_or_default();
        match berth_contracts::read(text.as_bytes()) {
            Err(why) => not_json(text, &why),
            Ok(_) => wrong(found),
        }
    })
}

/// Columns are told in characters.
fn not_json(text: &str, why: &Unreadable) -> String {
    let before = text.get(..why.column.saturating_sub(1)).unwrap_or(text);
    let column = before.chars().count() + 1;
    format!("The line is not JSON, column {column}: {}", why.reason)
}

fn no_json(why: Unreadable) -> Verdict {
    Verdict::Unreadable {
        valid: false,
        issues: [NoJson {
            path: "",
            pointer: "",
            kind: "json",
            requirement: None,
            message: why.reason,
        }],
    }
}

fn no_verdict(id: Option<&RawValue>, line: usize, error: String) -> Answer<'_> {
    Answer {
        id,
        verdict: Verdict::Broken { line, error },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut source: impl BufRead) -> Vec<(usize, bool)> {
        let mut line = Vec::new();
        let mut lines = Vec::new();
        while let Some(complete) = next_line(&mut source, &mut line).expect("it can be read") {
            lines.push((line.len(), complete));
        }
        lines
    }

    fn answered(line: &str) -> Value {
        serde_json::to_value(answer(line.as_bytes(), 7)).expect("it is JSON")
    }

    #[test]
    fn what_is_wrong_with_a_line_is_said_with_its_id_and_place() {
        for (line, id, part) in [
            (
                r#"{"id":5,"schema":5,"input":1}"#,
                Some(5),
                "schema is no text",
            ),
            (
                r#"{"id":5,"schema":null,"input":1}"#,
                Some(5),
                "schema is no text",
            ),
            (r#"{"id":5,"input":1}"#, Some(5), "names no schema"),
            (
                r#"{"id":5,"schema":"manifestIdSchema"}"#,
                Some(5),
                "no input",
            ),
            (
                r#"{"id":"é","input":1,}"#,
                None,
                "column 21: Nothing follows",
            ),
            (r#"{"id":5,"id":6}"#, None, "duplicate field"),
            ("[5]", None, "no object"),
        ] {
            let answer = answered(line);
            let error = answer["error"].as_str().expect("it is an error");
            assert!(error.contains(part), "{line}: {error}");
            assert_eq!(answer["id"], serde_json::json!(id), "{line}");
            assert_eq!(answer["line"], 7, "{line}");
        }
    }

    #[test]
    fn lines_end_with_a_break_or_the_end() {
        assert_eq!(lines(&b""[..]), []);
        assert_eq!(lines(&b"a\n\nbc"[..]), [(1, true), (0, true), (2, true)]);
        assert_eq!(lines(&b"a\r\n"[..]), [(2, true)]);
    }

    #[test]
    fn a_line_without_end_is_left_out_and_the_next_is_read() {
        let endless = io::repeat(b'x').take(LONGEST_LINE as u64 + 1);
        let source = BufReader::new(endless.chain(&b"\nnext\n"[..]));
        assert_eq!(lines(source), [(0, false), (4, true)]);
    }
}
