use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What is done to a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum Action {
    /// It is not there yet.
    Create,
    /// It is there, but not as wanted: made again.
    Change,
    /// It is there as wanted.
    Keep,
    /// It is there and no longer wanted.
    Delete,
}

/// What kind of thing a change is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum ResourceKind {
    /// An image.
    Image,
    /// A network.
    Network,
    /// A volume.
    Volume,
    /// A container.
    Container,
}

/// One line of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "PlannedChange")]
pub struct Change {
    /// What is done.
    pub action: Action,
    /// To what kind of thing.
    pub kind: ResourceKind,
    /// Its name on the engine.
    pub name: String,
    /// The service it belongs to, for containers and images.
    pub service: Option<String>,
    /// Why, for changes and deletions ("configuration changed").
    pub reason: Option<String>,
}

/// What was made different from the file so that copies stand side by side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum RewriteKind {
    /// A published port.
    Port,
    /// A fixed container name.
    ContainerName,
    /// A fixed volume name.
    VolumeName,
    /// A fixed network name.
    NetworkName,
    /// The project name that the file or folder would have given.
    ProjectName,
    /// The tag of an image that is built.
    ImageTag,
}

/// One thing that Berth changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Rewrite {
    /// What kind of thing.
    pub kind: RewriteKind,
    /// The service or key it belongs to; empty for the project.
    pub subject: String,
    /// As the file says.
    pub from: String,
    /// As it runs.
    pub to: String,
}

/// Something that is shared on purpose and therefore worth saying.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Kept {
    /// The service it concerns.
    pub service: String,
    /// What is shared (`/home/me/shop/src`).
    pub what: String,
    /// What follows from it.
    pub note: String,
}

/// A plan as it is shown and recorded. Holds no value of any variable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct PlanView {
    /// Every resource and what happens to it.
    pub changes: Vec<Change>,
    /// What was made different for isolation.
    pub rewrites: Vec<Rewrite>,
    /// What stays shared with the host.
    pub kept: Vec<Kept>,
    /// Files git ignores that were carried into the checkout, relative.
    pub carried: Vec<String>,
    /// Warnings, one sentence each.
    pub warnings: Vec<String>,
}
