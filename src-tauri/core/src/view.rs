//! What the window and the command line are shown. Everything here is plain
//! data; times are milliseconds since the epoch.

use berth_contracts::{Engine, EnvironmentStatus, ProvisionType, ServiceProvisioning};
use berth_engines::docker::{Address, EngineInfo, LogLine, Part};
use berth_engines::{PlanView, Step};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::problem::Problem;

mod activity;
mod checks;
mod documents;
mod exchange;
mod handlers;
mod secrets;

pub use activity::{Activity, ActivityPlace, ActivityVerb, Outcome};
pub use checks::CheckUpdate;
pub use documents::{
    ContractSchema, DocumentCheck, DocumentDraft, DocumentFile, DocumentSummary, Issue,
    IssueRequirement, SchemaChoice, SecretKey, StoredDocument, Verdict,
};
pub use exchange::{
    ChangedValue, ImportAction, ImportChange, ImportPreview, Imported, MissingSecrets,
    WorkspaceExport,
};
pub use handlers::{
    Choice, ComparedField, Explanation, FoundEngine, Handler, HandlerDraft, HandlerKey, HandlerRef,
    HandlerRow, HandlerScope, Handlers, LookedAt, LookedAtVerdict, MadeWithAnother, Origin,
    Override, User,
};
pub use secrets::{SecretStoreKind, SecretStoreState, SecretStoreStatus};

/// What an environment is a copy of.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Selector {
    /// The folder as it is now.
    WorkingTree,
    /// A branch, tag or commit.
    Ref {
        /// As the user named it.
        name: String,
    },
    /// A pull or merge request of the remote.
    PullRequest {
        /// Its number.
        #[ts(type = "number")]
        number: u64,
    },
}

/// Everything the window shows at first sight, read in one transaction.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Snapshot {
    /// Number of the last event that is contained.
    #[ts(type = "number")]
    pub sequence: i64,
    /// The workspace shown.
    pub workspace: Workspace,
    /// Its services, by name.
    pub services: Vec<Service>,
    /// Its environments, newest first within a service; torn-down ones of the
    /// last 14 days included.
    pub environments: Vec<Environment>,
}

/// A named set of services.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Workspace {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// Where a service's source is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Source {
    /// A folder of this machine.
    Folder {
        /// Absolute.
        path: String,
        /// Whether it lies in a git working tree (refs can be started).
        git: bool,
    },
    /// A repository elsewhere.
    GitUrl {
        /// As given, without credentials.
        url: String,
        /// Folder inside the repository; empty: its root.
        subdirectory: String,
    },
}

/// A service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Service {
    /// Its id.
    pub id: String,
    /// Unique in its workspace.
    pub name: String,
    /// Where its files are.
    pub source: Source,
    /// What and where it is.
    pub provisioning: ServiceProvisioning,
    /// When it was added.
    #[ts(type = "number")]
    pub created_at: i64,
}

/// The commit an environment runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    /// Branch, tag or `pull 42`, as it is shown; absent for a folder without git.
    pub label: Option<String>,
    /// Full commit id.
    pub commit: Option<String>,
    /// The working tree differs from it.
    pub dirty: bool,
    /// How many commits of its ref are newer than what runs; absent: unknown.
    #[ts(type = "number | null")]
    pub behind: Option<u32>,
}

/// What is done to an environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OperationKind {
    /// Brought up, or updated in place.
    Up,
    /// Torn down.
    Down,
}

/// How an operation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum OperationState {
    /// Under way (or its process died and nobody took it back yet).
    Running,
    /// Done.
    Done,
    /// Failed.
    Failed,
    /// Stopped on request, taken back.
    Cancelled,
    /// Its process died.
    Interrupted,
}

/// One operation with its steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Operation {
    /// Its id.
    pub id: String,
    /// What is done.
    pub kind: OperationKind,
    /// How it stands.
    pub state: OperationState,
    /// When it began.
    #[ts(type = "number")]
    pub started_at: i64,
    /// When it ended.
    #[ts(type = "number | null")]
    pub finished_at: Option<i64>,
    /// In order.
    pub steps: Vec<Step>,
    /// Why it failed.
    pub problem: Option<Problem>,
}

/// One environment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Environment {
    /// Its id.
    pub id: String,
    /// Unique among live ones; what the command line takes (`shop-api-feature-checkout`).
    pub name: String,
    /// Its service.
    pub service_id: String,
    /// Its service's name, kept when the service is gone.
    pub service_name: String,
    /// What kind of thing it is provisioned as.
    pub provision_type: ProvisionType,
    /// What it is a copy of.
    pub selector: Selector,
    /// What it runs.
    pub revision: Revision,
    /// Its state.
    pub status: EnvironmentStatus,
    /// Where it runs.
    pub engine: Engine,
    /// The engine in words (`Local Docker`).
    pub engine_label: String,
    /// The handler it was made with, as it was then; absent: made before Berth had
    /// handlers.
    pub made_with: Option<HandlerRef>,
    /// Ways in, the primary first.
    pub addresses: Vec<Address>,
    /// When it was first asked for.
    #[ts(type = "number")]
    pub created_at: i64,
    /// When it was last brought up.
    #[ts(type = "number | null")]
    pub ready_at: Option<i64>,
    /// When it is removed; absent: never.
    #[ts(type = "number | null")]
    pub expires_at: Option<i64>,
    /// When it was seen to be gone.
    #[ts(type = "number | null")]
    pub torn_down_at: Option<i64>,
    /// The latest operation.
    pub operation: Option<Operation>,
    /// Why it is `failed`.
    pub problem: Option<Problem>,
    /// Its containers as last seen.
    pub parts: Vec<Part>,
}

/// One environment with its past.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentDetail {
    /// Itself.
    pub environment: Environment,
    /// Its operations, newest first, at most 20.
    pub operations: Vec<Operation>,
    /// The plan of its latest `up`.
    pub plan: Option<PlanView>,
}

/// One event of the numbered sequence. It says what changed; the reader asks
/// for the rest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Its number; grows, may have gaps.
    #[ts(type = "number")]
    pub sequence: i64,
    /// When.
    #[ts(type = "number")]
    pub at: i64,
    /// What changed.
    pub change: Change,
}

/// What an event is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Change {
    /// A service was added, changed or removed.
    Service {
        /// Its id.
        id: String,
    },
    /// An environment or its operation changed.
    Environment {
        /// Its id.
        id: String,
    },
    /// Handlers, overrides, users or manifest types changed: what is in effect may
    /// be another.
    Handlers,
    /// A document was saved or deleted.
    Document {
        /// Its id.
        id: String,
    },
    /// A step changed.
    Step {
        /// The environment's id.
        environment: String,
        /// The operation's id.
        operation: String,
        /// The step as it is now.
        step: Step,
    },
    /// An environment ends soon.
    ExpiresSoon {
        /// Its id.
        environment: String,
        /// When it ends.
        #[ts(type = "number")]
        expires_at: i64,
    },
    /// Something was added to the activity.
    Activity {
        /// Its id.
        #[ts(type = "number")]
        id: i64,
    },
}

/// Who asked for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// A person in the window.
    Window,
    /// A person on the command line.
    CommandLine,
    /// Berth itself (expiry, taking back).
    Berth,
}

/// What a folder contains.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Detection {
    /// Absolute, as it will be stored.
    pub path: String,
    /// Proposed service name.
    pub name: String,
    /// Whether it lies in a git working tree.
    pub git: bool,
    /// The branch checked out.
    pub branch: Option<String>,
    /// What could be started, best first.
    pub candidates: Vec<Candidate>,
    /// The service that already stands for this folder.
    pub existing_service_id: Option<String>,
}

/// One thing in a folder that can be started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// What it would be stored as.
    pub provisioning: ServiceProvisioning,
    /// `compose.yaml`, `Dockerfile`.
    pub file: String,
    /// Names of the services in it, in file order.
    pub services: Vec<String>,
    /// Named volumes in it.
    pub volumes: Vec<String>,
    /// Ports it publishes, as written.
    pub ports: Vec<String>,
    /// Why it cannot be started as it is.
    pub problem: Option<Problem>,
    /// Whether this engine exists in Berth yet (Kubernetes manifests are shown
    /// but cannot be started yet).
    pub startable: bool,
}

/// The Docker engine this machine would use.
#[derive(Clone, Debug, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EngineStatus {
    /// Its address, when a rule chose one.
    pub address: Option<String>,
    /// Which rule of the Docker CLI's order chose it.
    pub rule: Option<String>,
    /// What it says of itself.
    pub info: Option<EngineInfo>,
    /// Why it cannot be used.
    pub problem: Option<Problem>,
}

/// What Berth is told once and goes by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Settings {
    /// How many days the activity is kept, 1 to 3650.
    pub activity_days: u32,
}

/// Who will remove an environment when its time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Remover {
    /// A running window or agent: on time.
    Owner,
    /// Nobody now: the next start of Berth.
    NextStart,
}

/// A request to bring an environment up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct UpRequest {
    /// The service.
    pub service_id: String,
    /// What to copy.
    pub selector: Selector,
    /// Names the environment instead of the selector.
    pub name: Option<String>,
    /// How long it lives from now on.
    pub lifetime: Lifetime,
}

/// How long an environment lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum Lifetime {
    /// Two hours for a new one; an existing one keeps its end, but never less
    /// than two hours from now.
    Default,
    /// So many milliseconds from now.
    For {
        /// At least 1,000.
        #[ts(type = "number")]
        milliseconds: i64,
    },
    /// Until it is torn down.
    Never,
}

/// A branch or tag that can be started.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct GitRef {
    /// `feature/checkout`.
    pub name: String,
    /// `branch`, `remote` or `tag`.
    pub kind: GitRefKind,
    /// Full commit id.
    pub commit: String,
    /// Commit date.
    #[ts(type = "number")]
    pub committed_at: i64,
    /// It is what the folder has checked out.
    pub current: bool,
}

/// What kind of ref.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum GitRefKind {
    /// A local branch.
    Branch,
    /// A branch of the remote.
    Remote,
    /// A tag.
    Tag,
}

/// Some lines of an environment's merged logs, as they travel to the window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LogBatch {
    /// In the order they were read.
    pub lines: Vec<LogLine>,
    /// How many lines were left out before these, because the window could not
    /// keep up.
    #[ts(type = "number")]
    pub skipped: u64,
    /// Set in the last batch: no more lines follow.
    pub end: Option<LogEnd>,
}

/// Why a log ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LogEnd {
    /// What went wrong; absent when every container has ended.
    pub problem: Option<Problem>,
}
