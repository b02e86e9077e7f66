//! Standard output for results, standard error for everything said on the way.

use std::io::{self, Write as _};

use berth_core::Problem;
use serde::Serialize;

use crate::failure::Failure;
use crate::problem;

/// Where and how results are printed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Output {
    json: bool,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Self { json }
    }

    /// Whether the reader is a program.
    pub(crate) fn is_json(self) -> bool {
        self.json
    }

    /// A line of the result, on standard output.
    pub(crate) fn line(self, text: &str) -> Result<(), Failure> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(text.as_bytes())?;
        stdout.write_all(b"\n")?;
        stdout.flush()?;
        Ok(())
    }

    /// One object on one line, on standard output.
    pub(crate) fn object(self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value)
            .map_err(|error| Problem::internal("a result cannot be written").caused_by(&error))?;
        self.line(&text)
    }

    /// A line for the person at the terminal, on standard error. Where that is
    /// closed there is nobody to tell.
    pub(crate) fn note(self, text: &str) {
        let mut stderr = io::stderr().lock();
        let _ = writeln!(stderr, "{text}");
    }

    /// A problem: for people on standard error, for programs as `{"problem": …}`
    /// on standard output.
    pub(crate) fn problem(self, what: &Problem) {
        if self.json {
            #[derive(Serialize)]
            struct Said<'a> {
                problem: &'a Problem,
            }
            // Nobody is left to tell when this fails too.
            let _ = self.object(&Said { problem: what });
        } else {
            for line in problem::lines(what, console::colors_enabled_stderr()) {
                self.note(&line);
            }
        }
    }
}
