use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a step does. The window and the command line word it; nothing else does.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum StepKind {
    /// Read the service's files at its ref.
    Read,
    /// Look at what the engine holds and decide what to do.
    Plan,
    /// Bring an image onto the engine.
    Pull {
        /// The image, as the project names it.
        image: String,
    },
    /// Build a service's image.
    Build {
        /// The service.
        service: String,
    },
    /// Make a network.
    CreateNetwork {
        /// The network's name.
        name: String,
    },
    /// Make a volume.
    CreateVolume {
        /// The volume's name.
        name: String,
    },
    /// Make a container (again, when its configuration changed).
    Create {
        /// The container's name.
        container: String,
        /// Its service.
        service: String,
    },
    /// Start a container.
    Start {
        /// The container's name.
        container: String,
        /// Its service.
        service: String,
    },
    /// Wait until a service is healthy.
    WaitHealthy {
        /// The service.
        service: String,
    },
    /// Wait until a service has ended with exit code 0.
    WaitCompleted {
        /// The service.
        service: String,
    },
    /// Wait until the address answers.
    Reach {
        /// The address.
        url: String,
    },
    /// Stop and remove a container.
    Remove {
        /// The container's name.
        container: String,
    },
    /// Remove a network.
    RemoveNetwork {
        /// The network's name.
        name: String,
    },
    /// Remove a volume.
    RemoveVolume {
        /// The volume's name.
        name: String,
    },
    /// Remove an image that was built for this environment.
    RemoveImage {
        /// The image's name, or its id when it has none.
        image: String,
    },
    /// Remove the checkout.
    RemoveCheckout,
    /// Ask the engine again whether everything is gone.
    Verify,
    /// Take back what a cut-off or cancelled operation made.
    TakeBack,
}

/// Where a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub enum StepState {
    /// Not begun.
    Waiting,
    /// Under way.
    Running,
    /// Done.
    Done,
    /// Failed; it ends the operation.
    Failed,
    /// Not needed, or not reached since an earlier step failed.
    Skipped,
}

/// How far a step is, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// Done so far.
    #[ts(type = "number")]
    pub current: u64,
    /// Of how many; absent while the engine has not said.
    #[ts(type = "number | null")]
    pub total: Option<u64>,
}

/// One named part of an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Unique within its operation.
    pub key: String,
    /// What it does.
    pub kind: StepKind,
    /// Where it is.
    pub state: StepState,
    /// What is worth saying beyond the kind; one line.
    pub detail: Option<String>,
    /// While pulling or sending.
    pub progress: Option<Progress>,
    /// Milliseconds since the epoch.
    #[ts(type = "number | null")]
    pub started_at: Option<i64>,
    /// Milliseconds since the epoch.
    #[ts(type = "number | null")]
    pub finished_at: Option<i64>,
}

/// Who listens to an operation. Calls return at once: an implementation hands
/// the step on and never blocks.
pub trait Reporter: Send + Sync {
    /// The steps that are known to come, in order, all [`StepState::Waiting`].
    /// May be called again when more become known; known keys keep their place.
    fn expect(&self, steps: Vec<Step>);

    /// A step changed. Times are filled in by the listener. No detail leaves the
    /// last one as it is, an empty one takes it away.
    fn step(&self, key: &str, state: StepState, detail: Option<String>, progress: Option<Progress>);
}
