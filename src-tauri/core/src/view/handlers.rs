//! Handlers, whose choice is in effect, and why.

use berth_contracts::documents::HandlerConfig;
use berth_contracts::{Engine, ProvisionType, ServiceProvisioning};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::SecretKey;

/// What a handler serves: one of these per workspace, and one per workspace and
/// user.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct HandlerKey {
    /// The services it takes.
    pub provision_type: ProvisionType,
    /// Of `custom` services, those of this manifest type; absent: whatever
    /// manifest type it accepts.
    pub manifest_id: Option<String>,
}

/// Whose handler it is.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum HandlerScope {
    /// Serves everyone in the workspace.
    Workspace,
    /// Replaces the workspace's for one user: an override.
    User {
        /// The user's id.
        user_id: String,
    },
}

/// One handler, as it is named beside something else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct HandlerRef {
    /// Whose it is.
    pub scope: HandlerScope,
    /// What it serves.
    pub key: HandlerKey,
    /// What people see.
    pub label: String,
    /// Where it runs what it builds.
    pub engine: Engine,
    /// The manifest type that it accepts; `remote-custom` only.
    pub accepts_manifest_id: Option<String>,
}

/// One handler.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Handler {
    /// Who it is.
    #[serde(flatten)]
    pub handler: HandlerRef,
    /// The implementation that builds it: `compose`, `kubernetes`, `manifest`, or a
    /// custom slug.
    pub backend_kind: String,
    /// Where it connects to: a socket, an API server, a base URL; absent: the Docker
    /// engine that the `docker` command uses.
    pub address: Option<String>,
    /// Its document, without the values of secrets.
    pub config: HandlerConfig,
    /// The secrets it has or needs, by name.
    pub secrets: Vec<SecretKey>,
    /// When it was first registered.
    #[ts(type = "number")]
    pub created_at: i64,
    /// When it was last changed.
    #[ts(type = "number")]
    pub updated_at: i64,
}

/// Where one value of an override comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// It is what the workspace's handler says.
    Workspace,
    /// It is what the workspace's handler said when it was copied; that says
    /// something else now.
    Copied,
    /// The user changed it.
    Own,
}

/// One field in which an override and the workspace's handler can differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ComparedField {
    /// RFC 6901 pointer into the handler's document.
    pub pointer: String,
    /// What the form calls it (`Compose settings · Port`).
    pub title: String,
    /// The workspace's value; absent: it says nothing.
    #[ts(type = "unknown")]
    pub workspace: Option<serde_json::Value>,
    /// The override's value; absent: it says nothing.
    #[ts(type = "unknown")]
    pub own: Option<serde_json::Value>,
    /// Where the override's value comes from.
    pub origin: Origin,
}

/// A user's own handler in place of the workspace's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Override {
    /// Itself.
    #[serde(flatten)]
    pub handler: Handler,
    /// Whether it is in front of the workspace's.
    pub enabled: bool,
    /// In how many fields it differs from the workspace's; absent where there is
    /// none to compare with.
    #[ts(type = "number | null")]
    pub differences: Option<usize>,
}

/// A live environment that was made with another handler than the one in effect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct MadeWithAnother {
    /// Its id.
    pub environment_id: String,
    /// Its name.
    pub environment_name: String,
    /// The handler it was made with, as it was then; absent: made before Berth had
    /// handlers.
    pub made_with: Option<HandlerRef>,
}

/// Everything about one key: a row of the handlers page.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct HandlerRow {
    /// What is served.
    pub key: HandlerKey,
    /// Names of the services of that kind.
    pub services: Vec<String>,
    /// The workspace's handler.
    pub workspace: Option<Handler>,
    /// The current user's override.
    pub own: Option<Override>,
    /// What starting a service of that kind would come to, and why.
    pub in_effect: Explanation,
    /// Live environments of these services that use another one.
    pub made_with_another: Vec<MadeWithAnother>,
}

/// A user of this laptop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// Its id: the name in lower-case letters, digits and dashes.
    pub id: String,
    /// What people see.
    pub name: String,
    /// Overrides of this user are in effect.
    pub current: bool,
    /// The user of the operating system, who is there without being added.
    pub system: bool,
    /// How many overrides it has in this workspace.
    pub overrides: u32,
}

/// The handlers page, read in one transaction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Handlers {
    /// By provision type, then manifest id; at most 100.
    pub rows: Vec<HandlerRow>,
    /// There are more rows than these: a search finds them.
    pub more: bool,
    /// Whose overrides are shown.
    pub user: User,
}

/// Why a row was or was not chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LookedAtVerdict {
    /// It serves the service.
    Chosen,
    /// It would, and so would another: neither was chosen.
    Candidate,
    /// It serves another provision type.
    OtherType,
    /// It serves another manifest type.
    OtherManifestType,
    /// It is an override that is switched off.
    SwitchedOff,
    /// It would serve the service, but an override stands in front of it.
    Overridden,
    /// It would serve the service, but it is not on this machine.
    NotLocal,
}

/// One row that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LookedAt {
    /// The row.
    pub handler: HandlerRef,
    /// What came of it.
    pub verdict: LookedAtVerdict,
}

/// What the choice came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    tag = "type",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
pub enum Choice {
    /// The service is `infraless`: nothing is started.
    NothingToRun,
    /// One handler serves it.
    Handled {
        /// Which.
        handler: HandlerRef,
    },
    /// No handler serves it.
    NoHandler,
    /// Several would serve it.
    Ambiguous {
        /// Which.
        candidates: Vec<HandlerRef>,
    },
    /// The service is for local development only, and what would serve it is not
    /// on this machine.
    LocalDevOnly {
        /// What would serve it.
        handler: HandlerRef,
    },
}

/// What will happen when Start is pressed, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Explanation {
    /// What was asked for.
    pub provisioning: ServiceProvisioning,
    /// What it came to.
    pub choice: Choice,
    /// The rows that were looked at: the user's overrides first, each list oldest
    /// first; beside those that would serve at most 200 of each.
    pub looked_at: Vec<LookedAt>,
}

/// A handler to be saved or tested.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct HandlerDraft {
    /// Whose it is to be.
    pub scope: HandlerScope,
    /// What it is to serve; absent: what its document says.
    pub key: Option<HandlerKey>,
    /// The implementation that builds it; absent: the first that serves its engine.
    pub backend_kind: Option<String>,
    /// Its document, JSON text.
    pub text: String,
}

/// An engine of this machine that a handler can be made of with one click.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct FoundEngine {
    /// `Docker Desktop`, `Colima` …
    pub product: String,
    /// Its socket.
    pub address: String,
    /// Which rule of the Docker CLI's order chooses it, when one does.
    pub rule: Option<String>,
    /// A live workspace handler names it.
    pub has_handler: bool,
}
