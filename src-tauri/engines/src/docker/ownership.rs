//! Which things on the engine are Berth's own.
//!
//! Labels alone do not tell: a container has the labels of its image, and
//! `docker commit` writes those of a container into the image it makes. So a
//! thing counts as Berth's only when its name, too, is the one Berth gave it.

use std::collections::HashMap;

use bollard::models::{ContainerSummary, ImageHistoryResponseItem, ImageSummary};

use super::{Docker, erase, failure, labels};
use crate::EngineError;

type Labels = HashMap<String, String>;

/// The name a container has while the one that replaces it is made.
pub(super) fn aside_name(id: &str, name: &str) -> String {
    format!("{}_{name}", id.get(..12).unwrap_or(id))
}

/// The environment that Berth made a container for; `None` when it did not.
pub(super) fn environment_of_container<'a>(
    id: &str,
    name: &str,
    found: &'a Labels,
) -> Option<&'a str> {
    let environment = found.get(labels::ENVIRONMENT)?;
    if name == erase::container_name(environment) {
        return Some(environment);
    }
    let project = project_of(found)?;
    let service = found.get(labels::SERVICE)?;
    let number = found.get(labels::NUMBER)?;
    let given = format!("{project}-{service}-{number}");
    (name == given || name == aside_name(id, &given)).then_some(environment)
}

/// As [`environment_of_container`], for one of a list.
pub(super) fn environment_of(container: &ContainerSummary) -> Option<&str> {
    let id = container.id.as_deref().unwrap_or_default();
    environment_of_container(id, name_of(container), container.labels.as_ref()?)
}

/// A container's own name; links of others to it are listed as further ones.
pub(super) fn name_of(container: &ContainerSummary) -> &str {
    container
        .names
        .iter()
        .flatten()
        .map(|name| name.trim_start_matches('/'))
        .find(|name| !name.contains('/'))
        .unwrap_or_default()
}

/// The environment that Berth made a network for; `None` when it did not.
pub(super) fn environment_of_network<'a>(name: &str, found: &'a Labels) -> Option<&'a str> {
    let environment = found.get(labels::ENVIRONMENT)?;
    let project = project_of(found)?;
    let network = found.get(labels::NETWORK)?;
    (name == format!("{project}_{network}")).then_some(environment)
}

/// The environment that Berth made a volume for; `None` when it did not.
pub(super) fn environment_of_volume<'a>(name: &str, found: &'a Labels) -> Option<&'a str> {
    let environment = found.get(labels::ENVIRONMENT)?;
    let key = name.strip_prefix(project_of(found)?)?.strip_prefix('_')?;
    let volume = found.get(labels::VOLUME)?;
    // One that the file does not name has its whole name for a key.
    (volume == key || volume == name).then_some(environment)
}

/// The project, on what Berth made: Compose writes its own version over ours on
/// whatever it makes of an image that was committed from a container of Berth's.
fn project_of(found: &Labels) -> Option<&str> {
    let by_berth = found.contains_key(labels::OPERATION)
        && found
            .get(labels::VERSION)
            .is_some_and(|version| version.starts_with(labels::MADE_BY_PREFIX));
    found
        .get(labels::PROJECT)
        .filter(|_| by_berth)
        .map(String::as_str)
}

/// An image that Berth built, still as it was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OwnImage {
    pub(super) environment: String,
    /// What to remove: the name Berth gave it, or the id of one without a name.
    pub(super) handle: String,
}

impl Docker {
    /// Those of the listed images that Berth built and that go by its name, or by
    /// none (earlier builds).
    pub(super) async fn own_images(
        &self,
        listed: Vec<ImageSummary>,
    ) -> Result<Vec<OwnImage>, EngineError> {
        let mut own = Vec::new();
        for image in listed {
            if let Some(candidate) = own_by_name(&image)
                && self.is_last_built_by_berth(&image.id).await?
            {
                own.push(candidate);
            }
        }
        Ok(own)
    }

    /// Whether nothing was built on top of what Berth built: a child image has
    /// the labels of its parent.
    pub(super) async fn is_last_built_by_berth(&self, id: &str) -> Result<bool, EngineError> {
        match self.api.image_history(id).await {
            Ok(history) => Ok(ends_with_our_labels(&history)),
            Err(error) if failure::is_absent(&error) => Ok(false),
            Err(error) => Err(failure::from_engine("looking at an image's history", error)),
        }
    }
}

fn own_by_name(image: &ImageSummary) -> Option<OwnImage> {
    let environment = image.labels.get(labels::IMAGE_OF)?.clone();
    let mut tags = image
        .repo_tags
        .iter()
        .filter(|tag| *tag != "<none>:<none>")
        .peekable();
    let handle = if tags.peek().is_none() {
        image.id.clone()
    } else {
        let given = format!("{}:latest", image.labels.get(labels::IMAGE_NAME)?);
        tags.find(|tag| **tag == given)?.clone()
    };
    Some(OwnImage {
        environment,
        handle,
    })
}

/// The newest entry comes first. The engine writes the labels of a build last; an
/// image that was imported has one entry in all.
fn ends_with_our_labels(history: &[ImageHistoryResponseItem]) -> bool {
    match history {
        [] => false,
        [_] => true,
        [last, ..] => {
            last.created_by.contains("LABEL ")
                && (last.created_by.contains(labels::IMAGE_OF)
                    || last.created_by.contains(labels::IMAGE_OPERATION))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::docker::Identity;

    const ID: &str = "0123456789abcdef";

    fn made(further: &[(&str, &str)]) -> Labels {
        let mut found = labels::common(&Identity {
            environment: "e1".to_owned(),
            operation: "o1".to_owned(),
            project: "shop-main".to_owned(),
            ..Identity::default()
        });
        for (key, value) in further {
            found.insert((*key).to_owned(), (*value).to_owned());
        }
        found
    }

    #[test]
    fn a_container_is_ours_by_labels_and_name() {
        let found = made(&[(labels::SERVICE, "db"), (labels::NUMBER, "1")]);
        let ours = |name| environment_of_container(ID, name, &found).is_some();
        assert!(ours("shop-main-db-1"));
        assert!(ours("0123456789ab_shop-main-db-1"));
        assert!(!ours("ba9876543210_shop-main-db-1"));
        assert!(!ours("mine"));
        assert!(!ours(""));
        assert!(ours("berth-erase-e1"));
    }

    #[test]
    fn neither_a_hand_written_label_nor_a_compose_project_of_a_copy_is_ours() {
        let by_hand = Labels::from([(labels::ENVIRONMENT.to_owned(), "e1".to_owned())]);
        assert_eq!(environment_of_container(ID, "mine", &by_hand), None);
        assert_eq!(environment_of_volume("mine", &by_hand), None);
        assert_eq!(environment_of_network("mine", &by_hand), None);
        let copy = made(&[
            (labels::PROJECT, "mine"),
            (labels::SERVICE, "app"),
            (labels::NUMBER, "1"),
            (labels::VERSION, "2.24.6"),
        ]);
        assert_eq!(environment_of_container(ID, "mine-app-1", &copy), None);
    }

    #[test]
    fn networks_and_volumes_are_ours_by_labels_and_name() {
        let network = made(&[(labels::NETWORK, "default")]);
        assert_eq!(
            environment_of_network("shop-main_default", &network),
            Some("e1")
        );
        assert_eq!(environment_of_network("other_default", &network), None);
        for key in ["data", "shop-main_data"] {
            let volume = made(&[(labels::VOLUME, key)]);
            assert_eq!(environment_of_volume("shop-main_data", &volume), Some("e1"));
            assert_eq!(environment_of_volume("copy_data", &volume), None);
        }
    }

    #[test]
    fn an_image_is_ours_by_its_name_or_without_any() {
        let image = |tags: &[&str]| ImageSummary {
            id: "sha256:1".to_owned(),
            repo_tags: tags.iter().map(|it| (*it).to_owned()).collect(),
            labels: Labels::from([
                (labels::IMAGE_OF.to_owned(), "e1".to_owned()),
                (labels::IMAGE_NAME.to_owned(), "shop-main-app".to_owned()),
            ]),
            ..ImageSummary::default()
        };
        let handle = |tags: &[&str]| own_by_name(&image(tags)).map(|it| it.handle);
        assert_eq!(handle(&[]).as_deref(), Some("sha256:1"));
        assert_eq!(handle(&["<none>:<none>"]).as_deref(), Some("sha256:1"));
        let both = handle(&["mine:1", "shop-main-app:latest"]);
        assert_eq!(both.as_deref(), Some("shop-main-app:latest"));
        assert_eq!(handle(&["mine:1"]), None);
    }
}
