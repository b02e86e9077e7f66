//! Faults in a project's files, worded for a person.

use std::path::Path;

use berth_compose::{Diagnostic, Rule};

use super::{Code, Place, Problem};

impl Problem {
    /// Every fault found in a project, as one problem. Paths are shown relative
    /// to `folder` when they lie in it.
    pub(crate) fn from_diagnostics(diagnostics: &[Diagnostic], folder: Option<&Path>) -> Self {
        let unsupported = !diagnostics.is_empty()
            && diagnostics
                .iter()
                .all(|fault| fault.rule == Rule::Unsupported);
        let nothing = diagnostics
            .iter()
            .any(|fault| fault.rule == Rule::NothingFound);
        let places: Vec<Place> = diagnostics
            .iter()
            .map(|fault| place(fault, folder))
            .collect();
        let title = match (diagnostics, nothing, unsupported) {
            (_, true, _) => "Nothing to start here".to_owned(),
            ([only], _, false) => format!("The project has a fault: {}", only.message),
            ([only], _, true) => format!("Berth cannot honour {} yet", only.key),
            (many, _, false) => format!("The project has {} faults", many.len()),
            (many, _, true) => format!(
                "The project asks for {} things that Berth cannot honour yet",
                many.len()
            ),
        };
        let code = if nothing {
            Code::NothingToStart
        } else if unsupported {
            Code::ProjectUnsupported
        } else {
            Code::ProjectInvalid
        };
        let hint = if nothing {
            Some("Choose a folder with a compose file or a Dockerfile.".to_owned())
        } else if diagnostics.len() == 1 {
            // It stands at the place.
            None
        } else {
            Some("Correct the places named, then try again.".to_owned())
        };
        Self {
            places,
            hint,
            ..Self::new(code, title)
        }
    }
}

fn place(fault: &Diagnostic, folder: Option<&Path>) -> Place {
    let file = fault.file.as_deref().map(|file| {
        folder
            .and_then(|folder| file.strip_prefix(folder).ok())
            .unwrap_or(file)
            .display()
            .to_string()
    });
    Place {
        file,
        line: fault.line,
        column: fault.column,
        key: fault.key.clone(),
        message: fault.message.clone(),
        hint: fault.hint.clone(),
    }
}
