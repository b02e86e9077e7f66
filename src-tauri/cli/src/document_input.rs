//! Documents as they come in: a file, or standard input.

use std::fs::File;
use std::io::{self, IsTerminal as _, Read};
use std::path::Path;

use berth_contracts::MAX_DOCUMENT_BYTES;
use berth_core::{Code, Problem};

use crate::output::Output;

/// What standard input is called in messages.
pub(crate) const STDIN: &str = "standard input";

/// A document's text, and where it came from.
pub(crate) struct Document {
    pub(crate) text: Vec<u8>,
    pub(crate) shown: String,
}

/// A document from a file, or (`None` or `-`) from standard input; one that is too
/// long is cut off after the first byte too many.
///
/// # Errors
/// [`Code::PathMissing`], [`Code::InvalidInput`].
pub(crate) fn read(source: Option<&str>, output: &Output) -> Result<Document, Problem> {
    let (text, shown) = match source.filter(|source| *source != "-") {
        Some(file) => (read_from(open(file)?, file)?, file),
        None => {
            if io::stdin().is_terminal() {
                output.note("Reading the document from the terminal. Ctrl-D ends it.");
            }
            (read_from(io::stdin().lock(), STDIN)?, STDIN)
        }
    };
    Ok(Document {
        text,
        shown: shown.to_owned(),
    })
}

/// The same, off the async runtime.
///
/// # Errors
/// Those of [`read`].
pub(crate) async fn read_aside(source: Option<&str>, output: &Output) -> Result<Document, Problem> {
    let (source, output) = (source.map(str::to_owned), *output);
    let reading = tokio::task::spawn_blocking(move || read(source.as_deref(), &output));
    reading
        .await
        .map_err(|error| Problem::internal("reading broke off").caused_by(&error))?
}

/// Documents and secrets cannot both come from standard input.
pub(crate) fn both_from_stdin() -> Problem {
    Problem::new(
        Code::InvalidInput,
        "Standard input cannot be both the document and the secrets",
    )
    .hint("Give the document as a file.")
}

/// A file to read from.
///
/// # Errors
/// [`Code::PathMissing`], [`Code::InvalidInput`].
pub(crate) fn open(file: &str) -> Result<File, Problem> {
    File::open(file).map_err(|error| unreadable(file, &error))
}

/// At most one byte more than a document may have.
fn read_from(source: impl Read, shown: &str) -> Result<Vec<u8>, Problem> {
    let mut text = Vec::new();
    source
        .take(MAX_DOCUMENT_BYTES as u64 + 1)
        .read_to_end(&mut text)
        .map_err(|error| unreadable(shown, &error))?;
    Ok(text)
}

/// Why something cannot be read.
pub(crate) fn unreadable(shown: &str, error: &io::Error) -> Problem {
    if error.kind() == io::ErrorKind::NotFound {
        Problem::new(Code::PathMissing, format!("There is no file {shown}"))
            .hint("Check the spelling of the path.")
    } else if Path::new(shown).is_dir() {
        Problem::new(Code::InvalidInput, format!("{shown} is a folder"))
            .hint("Give the file of one document.")
    } else {
        Problem::new(Code::InvalidInput, format!("{shown} cannot be read")).caused_by(error)
    }
}
