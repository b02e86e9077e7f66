//! Asking the person at the terminal.

use std::io::{self, IsTerminal as _};

use berth_core::{Code, Problem};
use console::Term;
use secrecy::SecretString;

use crate::failure::{Failure, STOPPED};
use crate::platform::{Hidden, has_terminal};

/// A terminal with somebody at it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terminal(());

impl Terminal {
    /// The terminal, when what is asked would be seen. Documents and results may
    /// come and go elsewhere.
    pub(crate) fn find() -> Option<Self> {
        (io::stderr().is_terminal() && has_terminal()).then_some(Self(()))
    }

    /// Asks for a text that is not shown.
    ///
    /// # Errors
    /// [`Code::InvalidInput`] when nothing was entered; [`Failure::Said`] with
    /// [`STOPPED`] after Ctrl-C.
    pub(crate) async fn secret(self, what: &str) -> Result<SecretString, Failure> {
        // Shows again what is typed, also when the answer is no longer waited for.
        let _hidden = Hidden::begin().map_err(|error| unusable(&error))?;
        let mut line = OpenLine(true);
        let question = format!("{what}: ");
        let asking = tokio::task::spawn_blocking(move || rpassword::prompt_password(question));
        let answer = asking
            .await
            .map_err(|error| Problem::internal("asking broke off").caused_by(&error))?;
        line.0 = false;
        match answer {
            Ok(text) if text.is_empty() => Err(nothing(what).into()),
            Ok(text) => Ok(SecretString::from(text)),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(Failure::Said(STOPPED)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(nothing(what).into()),
            Err(error) => Err(unusable(&error).into()),
        }
    }

    /// Asks whether to go on; nothing entered means no.
    ///
    /// # Errors
    /// [`Code::InvalidInput`] for a terminal that cannot be read.
    pub(crate) async fn confirm(self, question: &str) -> Result<bool, Failure> {
        let mut line = OpenLine(true);
        let question = format!("{question} [y/N] ");
        let asking = tokio::task::spawn_blocking(move || {
            let terminal = Term::stderr();
            terminal.write_str(&question)?;
            terminal.read_line()
        });
        let answer = asking
            .await
            .map_err(|error| Problem::internal("asking broke off").caused_by(&error))?
            .map_err(|error| unusable(&error))?;
        line.0 = false;
        Ok(is_yes(&answer))
    }
}

/// The line of a question: ended when the answer is no longer waited for.
struct OpenLine(bool);

impl Drop for OpenLine {
    fn drop(&mut self) {
        if self.0 {
            // A terminal that is gone has no lines.
            let _ = Term::stderr().write_line("");
        }
    }
}

fn is_yes(answer: &str) -> bool {
    ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}

fn nothing(what: &str) -> Problem {
    Problem::new(Code::InvalidInput, "Nothing was entered")
        .detail(format!("Asked for was: {what}."))
        .hint("Run it again and enter a value.")
}

fn unusable(error: &io::Error) -> Problem {
    Problem::new(Code::InvalidInput, "The terminal cannot be read").caused_by(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_yes_is_one() {
        for yes in ["y", "Y", "yes\n", " YES "] {
            assert!(is_yes(yes), "{yes:?}");
        }
        for no in ["", "n", "no", "yess", "j"] {
            assert!(!is_yes(no), "{no:?}");
        }
    }
}
