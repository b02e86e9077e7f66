//! What a handler's templates are filled in with.

use std::collections::BTreeMap;

use berth_contracts::template;

use crate::git::{self, Hosted};
use crate::view::{Selector, Service, Source};

/// The variables of every template. Each is also there as `input.<name>`, so that
/// one dialect serves all engines.
pub(super) const NAMES: [&str; 6] = [
    "branch",
    "pullNumber",
    "pullUrl",
    "repoOwner",
    "repoName",
    "blockId",
];

/// The environment's compose project.
pub(super) const NAMESPACE: &str = "namespace";

/// The image, once its template is filled in.
pub(super) const IMAGE: &str = "image";

/// What is known about an environment when its templates are filled in. What is
/// not known becomes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Variables(BTreeMap<&'static str, String>);

/// What git says about a service's files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin<'a> {
    /// The address of the repository that a folder was cloned from.
    pub(crate) remote: Option<&'a str>,
    /// The branch that is checked out in the folder.
    pub(crate) branch: Option<&'a str>,
}

impl Variables {
    /// Those of an environment of `service` at `selector`.
    pub(crate) fn of(service: &Service, selector: &Selector, origin: Origin<'_>) -> Self {
        let (location, remote) = match &service.source {
            Source::Folder { path, .. } => (origin.remote.unwrap_or(path), origin.remote),
            Source::GitUrl { url, .. } => (url.as_str(), Some(url.as_str())),
        };
        let mut values = BTreeMap::from([
            ("blockId", service.id.clone()),
            ("repoName", git::last_part(location).to_owned()),
        ]);
        let hosted = remote.and_then(Hosted::of);
        values.extend(
            hosted
                .as_ref()
                .map(|hosted| ("repoOwner", hosted.owner.clone())),
        );
        match selector {
            Selector::WorkingTree => {
                values.extend(origin.branch.map(|branch| ("branch", branch.to_owned())));
            }
            Selector::Ref { name } => {
                values.insert("branch", name.clone());
            }
            Selector::PullRequest { number } => {
                values.insert("pullNumber", number.to_string());
                let url = hosted.and_then(|hosted| hosted.pull_request(*number));
                values.extend(url.map(|url| ("pullUrl", url)));
            }
        }
        Self(values)
    }

    /// With what is known once the environment has a project and an image.
    pub(super) fn with_project(mut self, project: &str, image: Option<&str>) -> Self {
        self.0.insert(NAMESPACE, project.to_owned());
        self.0.extend(image.map(|image| (IMAGE, image.to_owned())));
        self
    }

    /// A template with its placeholders filled in.
    pub(crate) fn render(&self, text: &str) -> String {
        template::render(text, |name| {
            let bare = name.strip_prefix("input.").unwrap_or(name);
            self.0.get(bare).cloned()
        })
    }

    #[cfg(test)]
    pub(super) fn test_with(values: &[(&'static str, &str)]) -> Self {
        Self(
            values
                .iter()
                .map(|(name, value)| (*name, (*value).to_owned()))
                .collect(),
        )
    }
}
