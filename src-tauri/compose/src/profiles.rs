use std::collections::BTreeSet;

/// The profiles that are switched on.
pub(crate) struct Profiles {
    on: BTreeSet<String>,
}

impl Profiles {
    /// Those asked for; when none are, those of `COMPOSE_PROFILES`.
    pub(crate) fn new(asked: &[String], variable: Option<&str>) -> Self {
        let on = if asked.is_empty() {
            variable
                .unwrap_or_default()
                .split(',')
                .map(str::trim)
                .filter(|profile| !profile.is_empty())
                .map(str::to_owned)
                .collect()
        } else {
            asked.iter().cloned().collect()
        };
        Self { on }
    }

    /// Whether a service with these profiles is active.
    pub(crate) fn activate(&self, profiles: &[String]) -> bool {
        profiles.is_empty()
            || self.on.contains("*")
            || profiles.iter().any(|profile| self.on.contains(profile))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_replaces_the_variable() {
        let list = |names: &[&str]| {
            names
                .iter()
                .map(|name| (*name).to_owned())
                .collect::<Vec<_>>()
        };
        let from_variable = Profiles::new(&[], Some("x, y"));
        assert!(from_variable.activate(&[]));
        assert!(from_variable.activate(&list(&["y"])));
        assert!(!from_variable.activate(&list(&["z"])));
        let asked = Profiles::new(&list(&["z"]), Some("x"));
        assert!(!asked.activate(&list(&["x"])) && asked.activate(&list(&["z"])));
        assert!(Profiles::new(&list(&["*"]), None).activate(&list(&["q"])));
    }
}
