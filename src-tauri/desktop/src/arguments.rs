//! The window's command line: it has next to none.

use std::ffi::OsString;

/// What the arguments ask for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The window.
    Window,
    /// A text on standard output, and no window.
    Print(String),
    /// Something that does not exist; the text says so.
    Wrong(String),
}

const HELP: &str = "\
Berth: every branch of a service, running on your laptop.

Usage: berth-desktop [--help] [--version]

Opens Berth's window, or brings the open one to the front.
On the command line `berth` does the same work without a window.

State lives in the platform's data folder, or in BERTH_DATA_DIR.
";

/// Reads the arguments after the program's name.
pub(crate) fn parse(arguments: impl IntoIterator<Item = OsString>) -> Asked {
    let Some(first) = arguments.into_iter().next() else {
        return Asked::Window;
    };
    match first.to_str() {
        Some("--help" | "-h") => Asked::Print(HELP.to_owned()),
        Some("--version" | "-V") => {
            Asked::Print(format!("berth-desktop {}\n", env!("CARGO_PKG_VERSION")))
        }
        _ => Asked::Wrong(format!(
            "Berth's window takes no argument {}.\n\
             To bring a folder up, run `berth up FOLDER`; `berth-desktop --help` says more.",
            first.display()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(arguments: &[&str]) -> Asked {
        parse(arguments.iter().map(OsString::from))
    }

    #[test]
    fn no_argument_opens_the_window() {
        assert_eq!(asked(&[]), Asked::Window);
    }

    #[test]
    fn version_and_help_are_printed() {
        assert_eq!(
            asked(&["--version"]),
            Asked::Print(format!("berth-desktop {}\n", env!("CARGO_PKG_VERSION")))
        );
        assert_eq!(asked(&["-h"]), Asked::Print(HELP.to_owned()));
    }

    #[test]
    fn an_unknown_argument_is_named() {
        let Asked::Wrong(text) = asked(&["--frobnicate"]) else {
            panic!("accepted");
        };
        assert!(text.contains("--frobnicate"), "{text}");
    }
}
