//! The placeholders that a handler's templates may have.

use berth_contracts::documents::ComposeSettings;
use berth_contracts::template;

use super::fault;
use super::variables::{IMAGE, NAMES, NAMESPACE};
use crate::problem::Place;

/// Every placeholder that names nothing. `input.` in front of any name is one:
/// whoever starts an environment may give it a value.
pub(super) fn faults(settings: &ComposeSettings) -> Vec<Place> {
    let mut faults = Vec::new();
    let mut look = |key: &str, text: &str, also: &[&'static str]| {
        faults.extend(unknown(text, also).map(|name| no_such(key, name, also)));
    };
    for (key, template) in [
        ("projectTemplate", &settings.project_template),
        ("imageTemplate", &settings.image_template),
    ] {
        look(key, template.as_deref().unwrap_or_default(), &[]);
    }
    for (name, template) in settings.env_template.iter().flatten() {
        look(
            &format!("envTemplate.{name}"),
            template,
            &[NAMESPACE, IMAGE],
        );
    }
    faults
}

fn unknown<'t>(text: &'t str, also: &[&'static str]) -> impl Iterator<Item = &'t str> {
    template::placeholders(text)
        .map(|placeholder| placeholder.name)
        .filter(|name| !name.starts_with("input.") && !NAMES.contains(name) && !also.contains(name))
}

fn no_such(key: &str, name: &str, also: &[&'static str]) -> Place {
    let known: Vec<&str> = NAMES.iter().chain(also).copied().collect();
    let likely = known
        .iter()
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|(distance, _)| *distance <= 3)
        .min();
    let hint = match likely {
        Some((_, likely)) => format!("Write {{{{{likely}}}}}."),
        None => format!("Write one of {}.", known.join(", ")),
    };
    fault(key, &format!("There is no variable {name}."), &hint)
}
