// Generated from the Rust types by src-tauri/core/tests/typescript.rs. Do not edit.
// After a change: BERTH_UPDATE=1 cargo test -p berth-core --test typescript

/**
 * What is done to a resource.
 */
export type Action = "create" | "change" | "keep" | "delete";

/**
 * One line of the activity.
 */
export type Activity = {
/**
 * Its id.
 */
id: number,
/**
 * When.
 */
at: number,
/**
 * What was done.
 */
verb: ActivityVerb,
/**
 * Whether it worked.
 */
outcome: Outcome,
/**
 * The environment.
 */
environmentId: string | null,
/**
 * Its name then.
 */
environmentName: string | null,
/**
 * The service's name then.
 */
serviceName: string | null,
/**
 * Where (`Local Docker`).
 */
engineLabel: string | null,
/**
 * Who asked.
 */
actor: Actor,
/**
 * How long it took, milliseconds.
 */
durationMs: number | null,
/**
 * Beyond the verb; for failures the problem's title.
 */
detail: string | null, };

/**
 * What was done.
 */
export type ActivityVerb = "service_added" | "service_removed" | "up" | "down" | "extended" | "expired" | "taken_back";

/**
 * Who asked for something.
 */
export type Actor = "window" | "command_line" | "berth";

/**
 * One way in.
 */
export type Address = {
/**
 * The service behind it.
 */
service: string,
/**
 * Port inside.
 */
target: number,
/**
 * Port on the loopback address.
 */
hostPort: number,
/**
 * `http://shop-api-main.localhost:41873`; `tcp://127.0.0.1:41873` when it
 * was seen to speak something else.
 */
url: string,
/**
 * *The* URL of the environment.
 */
primary: boolean, };

/**
 * One thing in a folder that can be started.
 */
export type Candidate = {
/**
 * What it would be stored as.
 */
provisioning: ServiceProvisioning,
/**
 * `compose.yaml`, `Dockerfile`.
 */
file: string,
/**
 * Names of the services in it, in file order.
 */
services: Array<string>,
/**
 * Named volumes in it.
 */
volumes: Array<string>,
/**
 * Ports it publishes, as written.
 */
ports: Array<string>,
/**
 * Why it cannot be started as it is.
 */
problem: Problem | null,
/**
 * Whether this engine exists in Berth yet (Kubernetes manifests are shown
 * but cannot be started yet).
 */
startable: boolean, };

/**
 * What an event is about.
 */
export type Change = { "type": "service",
/**
 * Its id.
 */
id: string, } | { "type": "environment",
/**
 * Its id.
 */
id: string, } | { "type": "document",
/**
 * Its id.
 */
id: string, } | { "type": "step",
/**
 * The environment's id.
 */
environment: string,
/**
 * The operation's id.
 */
operation: string,
/**
 * The step as it is now.
 */
step: Step, } | { "type": "expiresSoon",
/**
 * Its id.
 */
environment: string,
/**
 * When it ends.
 */
expiresAt: number, } | { "type": "activity",
/**
 * Its id.
 */
id: number, };

/**
 * What went wrong, as a closed set. The front end reacts to codes, never to
 * message text.
 */
export type Code = "engine_missing" | "engine_unreachable" | "engine_forbidden" | "engine_remote" | "engine_context" | "engine_version" | "engine_lost" | "engine_answer" | "project_invalid" | "project_unsupported" | "nothing_to_start" | "path_missing" | "ref_missing" | "git" | "image_pull" | "build_failed" | "container_exited" | "unhealthy" | "not_answering" | "port_taken" | "name_taken" | "disk_full" | "address_pools_exhausted" | "not_removed" | "timed_out" | "cancelled" | "interrupted" | "busy" | "not_found" | "ambiguous" | "invalid_input" | "invalid_document" | "store_newer" | "store" | "internal";

/**
 * Beside the code
 */
export type ColocatedManifests = {
/**
 * Path
 *
 * A file, or a folder whose .yaml, .yml and .json files are applied.
 */
path: string, };

/**
 * A schema of the contract, by name.
 */
export type ContractSchema = {
/**
 * What the contract calls it (`environmentManifestSchema`).
 */
name: string,
/**
 * What it describes, in two or three words.
 */
title: string,
/**
 * What it is for.
 */
description: string,
/**
 * Which part of the contract it belongs to.
 */
group: string,
/**
 * Whether documents of it are kept; those that carry secret values are not.
 */
storable: boolean, };

/**
 * What a folder contains.
 */
export type Detection = {
/**
 * Absolute, as it will be stored.
 */
path: string,
/**
 * Proposed service name.
 */
name: string,
/**
 * Whether it lies in a git working tree.
 */
git: boolean,
/**
 * The branch checked out.
 */
branch: string | null,
/**
 * What could be started, best first.
 */
candidates: Array<Candidate>,
/**
 * The service that already stands for this folder.
 */
existingServiceId: string | null, };

/**
 * A text, checked against a schema.
 */
export type DocumentCheck = {
/**
 * What came of it.
 */
verdict: Verdict,
/**
 * The document as it would be kept, indented JSON; absent unless valid.
 */
output: string | null,
/**
 * Every fault, in the schema's order. An unreadable text has one, of kind
 * `json`.
 */
issues: Array<Issue>,
/**
 * How many further faults were left out.
 */
omitted: number, };

/**
 * A document to be kept.
 */
export type DocumentDraft = {
/**
 * The document that is saved again, or the id of a new one; absent: a new
 * one with an id of Berth's choice.
 */
id?: string | null,
/**
 * The schema of the contract it is of.
 */
schema: string,
/**
 * What its owner calls it; 1 to 120 characters.
 */
name: string,
/**
 * JSON.
 */
text: string, };

/**
 * A file that was read as a document.
 */
export type DocumentFile = {
/**
 * The file's name, without its folder.
 */
name: string,
/**
 * What is in it.
 */
text: string, };

/**
 * A kept document, without its text.
 */
export type DocumentSummary = {
/**
 * Its id.
 */
id: string,
/**
 * The schema of the contract it is of.
 */
schema: string,
/**
 * What its owner calls it.
 */
name: string,
/**
 * When it was first saved.
 */
createdAt: number,
/**
 * When it was last saved.
 */
updatedAt: number, };

/**
 * Engine
 *
 * Where a handler runs what it builds.
 */
export type Engine = "local-docker" | "local-k3s" | "remote-kubernetes" | "remote-custom" | "none";

/**
 * What an engine says of itself.
 */
export type EngineInfo = {
/**
 * `28.5.2`.
 */
version: string,
/**
 * The API version agreed on, `1.51`.
 */
apiVersion: string,
/**
 * The engine's own id: the same engine through any socket.
 */
id: string,
/**
 * `linux/amd64`.
 */
platform: string,
/**
 * `Docker Engine - Community`, `Podman Engine` …
 */
product: string, };

/**
 * The Docker engine this machine would use.
 */
export type EngineStatus = {
/**
 * Its address, when a rule chose one.
 */
address: string | null,
/**
 * Which rule of the Docker CLI's order chose it.
 */
rule: string | null,
/**
 * What it says of itself.
 */
info: EngineInfo | null,
/**
 * Why it cannot be used.
 */
problem: Problem | null, };

/**
 * One environment.
 */
export type Environment = {
/**
 * Its id.
 */
id: string,
/**
 * Unique among live ones; what the command line takes (`shop-api-feature-checkout`).
 */
name: string,
/**
 * Its service.
 */
serviceId: string,
/**
 * Its service's name, kept when the service is gone.
 */
serviceName: string,
/**
 * What kind of thing it is provisioned as.
 */
provisionType: ProvisionType,
/**
 * What it is a copy of.
 */
selector: Selector,
/**
 * What it runs.
 */
revision: Revision,
/**
 * Its state.
 */
status: EnvironmentStatus,
/**
 * Where it runs.
 */
engine: Engine,
/**
 * The engine in words (`Local Docker`).
 */
engineLabel: string,
/**
 * Ways in, the primary first.
 */
addresses: Array<Address>,
/**
 * When it was first asked for.
 */
createdAt: number,
/**
 * When it was last brought up.
 */
readyAt: number | null,
/**
 * When it is removed; absent: never.
 */
expiresAt: number | null,
/**
 * When it was seen to be gone.
 */
tornDownAt: number | null,
/**
 * The latest operation.
 */
operation: Operation | null,
/**
 * Why it is `failed`.
 */
problem: Problem | null,
/**
 * Its containers as last seen.
 */
parts: Array<Part>, };

/**
 * One environment with its past.
 */
export type EnvironmentDetail = {
/**
 * Itself.
 */
environment: Environment,
/**
 * Its operations, newest first, at most 20.
 */
operations: Array<Operation>,
/**
 * The plan of its latest `up`.
 */
plan: PlanView | null, };

/**
 * Status
 *
 * The life of an environment.
 */
export type EnvironmentStatus = "provisioning" | "ready" | "failed" | "expired" | "tearing_down" | "torn_down";

/**
 * One event of the numbered sequence. It says what changed; the reader asks
 * for the rest.
 */
export type Event = {
/**
 * Its number; grows, may have gaps.
 */
sequence: number,
/**
 * When.
 */
at: number,
/**
 * What changed.
 */
change: Change, };

/**
 * A branch or tag that can be started.
 */
export type GitRef = {
/**
 * `feature/checkout`.
 */
name: string,
/**
 * `branch`, `remote` or `tag`.
 */
kind: GitRefKind,
/**
 * Full commit id.
 */
commit: string,
/**
 * Commit date.
 */
committedAt: number,
/**
 * It is what the folder has checked out.
 */
current: boolean, };

/**
 * What kind of ref.
 */
export type GitRefKind = "branch" | "remote" | "tag";

/**
 * A fault of a document.
 */
export type Issue = {
/**
 * Where in the document, from its root.
 */
path: Array<PathSegment>,
/**
 * The same as a JSON pointer.
 */
pointer: string,
/**
 * Which rule is broken.
 */
kind: string,
/**
 * What is wrong and what would be right, in words. Never quotes a value.
 */
message: string,
/**
 * The rule's number, pattern or key.
 */
requirement: IssueRequirement | null,
/**
 * Line in the text, from 1; of the object where a key is missing.
 */
line: number | null,
/**
 * Column in the text, in characters from 1.
 */
column: number | null, };

/**
 * What a broken rule asks for.
 */
export type IssueRequirement = number | string | Array<string>;

/**
 * Something that is shared on purpose and therefore worth saying.
 */
export type Kept = {
/**
 * The service it concerns.
 */
service: string,
/**
 * What is shared (`/home/me/shop/src`).
 */
what: string,
/**
 * What follows from it.
 */
note: string, };

/**
 * How long an environment lives.
 */
export type Lifetime = { "type": "default" } | { "type": "for",
/**
 * At least 1,000.
 */
milliseconds: number, } | { "type": "never" };

/**
 * Some lines of an environment's merged logs, as they travel to the window.
 */
export type LogBatch = {
/**
 * In the order they were read.
 */
lines: Array<LogLine>,
/**
 * How many lines were left out before these, because the window could not
 * keep up.
 */
skipped: number,
/**
 * Set in the last batch: no more lines follow.
 */
end: LogEnd | null, };

/**
 * Why a log ended.
 */
export type LogEnd = {
/**
 * What went wrong; absent when every container has ended.
 */
problem: Problem | null, };

/**
 * One line of a log, without its line break.
 */
export type LogLine = {
/**
 * The service.
 */
service: string,
/**
 * The container's name.
 */
container: string,
/**
 * Milliseconds since the epoch, as the engine noted it.
 */
at: number,
/**
 * Standard error; never with a terminal, where the two cannot be told apart.
 */
stderr: boolean,
/**
 * The text, cut at 64 KiB.
 */
text: string, };

/**
 * Manifests
 *
 * Where the Kubernetes manifests of a service are.
 */
export type ManifestSource = { "type": "colocated" } & ColocatedManifests | { "type": "separate" } & SeparateManifests;

/**
 * One operation with its steps.
 */
export type Operation = {
/**
 * Its id.
 */
id: string,
/**
 * What is done.
 */
kind: OperationKind,
/**
 * How it stands.
 */
state: OperationState,
/**
 * When it began.
 */
startedAt: number,
/**
 * When it ended.
 */
finishedAt: number | null,
/**
 * In order.
 */
steps: Array<Step>,
/**
 * Why it failed.
 */
problem: Problem | null, };

/**
 * What is done to an environment.
 */
export type OperationKind = "up" | "down";

/**
 * How an operation ended.
 */
export type OperationState = "running" | "done" | "failed" | "cancelled" | "interrupted";

/**
 * How it ended.
 */
export type Outcome = "success" | "failure" | "cancelled";

/**
 * One container of an environment.
 */
export type Part = {
/**
 * The service.
 */
service: string,
/**
 * The container's name.
 */
name: string,
/**
 * The image it runs.
 */
image: string,
/**
 * Whether it runs.
 */
state: PartState,
/**
 * What its healthcheck says.
 */
health: PartHealth,
/**
 * Why it is as it is: exit code, out of memory, last probe output.
 */
cause: string | null,
/**
 * A one-shot that others waited for: ended well is well.
 */
oneShot: boolean,
/**
 * Its exit code, once ended.
 */
exitCode: number | null, };

/**
 * What its healthcheck says.
 */
export type PartHealth = "none" | "starting" | "healthy" | "unhealthy";

/**
 * Whether a container runs.
 */
export type PartState = "created" | "running" | "restarting" | "paused" | "exited";

/**
 * A step from a value into one of its parts.
 */
export type PathSegment = number | string;

/**
 * A place in a file.
 */
export type Place = {
/**
 * Path as the user knows it.
 */
file: string | null,
/**
 * From 1.
 */
line: number | null,
/**
 * From 1.
 */
column: number | null,
/**
 * Dotted key.
 */
key: string,
/**
 * What is wrong there.
 */
message: string,
/**
 * What to do about it.
 */
hint: string | null, };

/**
 * A plan as it is shown and recorded. Holds no value of any variable.
 */
export type PlanView = {
/**
 * Every resource and what happens to it.
 */
changes: Array<PlannedChange>,
/**
 * What was made different for isolation.
 */
rewrites: Array<Rewrite>,
/**
 * What stays shared with the host.
 */
kept: Array<Kept>,
/**
 * Files git ignores that were carried into the checkout, relative.
 */
carried: Array<string>,
/**
 * Warnings, one sentence each.
 */
warnings: Array<string>, };

/**
 * One line of a plan.
 */
export type PlannedChange = {
/**
 * What is done.
 */
action: Action,
/**
 * To what kind of thing.
 */
kind: ResourceKind,
/**
 * Its name on the engine.
 */
name: string,
/**
 * The service it belongs to, for containers and images.
 */
service: string | null,
/**
 * Why, for changes and deletions ("configuration changed").
 */
reason: string | null, };

/**
 * A failure with a face.
 */
export type Problem = {
/**
 * What went wrong.
 */
code: Code,
/**
 * One short sentence.
 */
title: string,
/**
 * What is known beyond it.
 */
detail: string | null,
/**
 * The next thing to do.
 */
hint: string | null,
/**
 * Underlying causes, outermost first.
 */
causes: Array<string>,
/**
 * Where, for faults in files.
 */
places: Array<Place>,
/**
 * The last lines a container or build wrote.
 */
lines: Array<string>,
/**
 * Whether the same thing may succeed when tried again unchanged.
 */
retryable: boolean, };

/**
 * How far a step is, in bytes.
 */
export type Progress = {
/**
 * Done so far.
 */
current: number,
/**
 * Of how many; absent while the engine has not said.
 */
total: number | null, };

/**
 * Provision type
 *
 * What kind of thing a service is provisioned as.
 */
export type ProvisionType = "kubernetes" | "docker-compose" | "custom" | "infraless";

/**
 * What kind of thing a change is about.
 */
export type ResourceKind = "image" | "network" | "volume" | "container";

/**
 * The commit an environment runs.
 */
export type Revision = {
/**
 * Branch, tag or `pull 42`, as it is shown; absent for a folder without git.
 */
label: string | null,
/**
 * Full commit id.
 */
commit: string | null,
/**
 * The working tree differs from it.
 */
dirty: boolean,
/**
 * How many commits of its ref are newer than what runs; absent: unknown.
 */
behind: number | null, };

/**
 * One thing that Berth changed.
 */
export type Rewrite = {
/**
 * What kind of thing.
 */
kind: RewriteKind,
/**
 * The service or key it belongs to; empty for the project.
 */
subject: string,
/**
 * As the file says.
 */
from: string,
/**
 * As it runs.
 */
to: string, };

/**
 * What was made different from the file so that copies stand side by side.
 */
export type RewriteKind = "port" | "containerName" | "volumeName" | "networkName" | "projectName" | "imageTag";

/**
 * What a document is checked against.
 */
export type SchemaChoice = { "contract": string } | { "inline": object };

/**
 * The name of a secret, never its value.
 */
export type SecretKey = {
/**
 * What the document calls it.
 */
key: string,
/**
 * When its value was typed in; absent: the document refers to it, but Berth
 * holds no value.
 */
setAt: number | null, };

/**
 * What an environment is a copy of.
 */
export type Selector = { "type": "workingTree" } | { "type": "ref",
/**
 * As the user named it.
 */
name: string, } | { "type": "pullRequest",
/**
 * Its number.
 */
number: number, };

/**
 * Another repository
 */
export type SeparateManifests = {
/**
 * Repository
 *
 * Its owner and name.
 */
repo: string,
/**
 * Ref
 *
 * Branch, tag or commit; the default branch when empty.
 */
ref?: string,
/**
 * Path
 *
 * A file, or a folder whose .yaml, .yml and .json files are applied.
 */
path: string, };

/**
 * A service.
 */
export type Service = {
/**
 * Its id.
 */
id: string,
/**
 * Unique in its workspace.
 */
name: string,
/**
 * Where its files are.
 */
source: Source,
/**
 * What and where it is.
 */
provisioning: ServiceProvisioning,
/**
 * When it was added.
 */
createdAt: number, };

/**
 * Service provisioning
 *
 * What a service's environments are made of, and where that is.
 */
export type ServiceProvisioning = {
/**
 * Provision type
 *
 * What kind of thing the service is provisioned as.
 */
type: ProvisionType,
/**
 * Manifests
 *
 * Where the manifests are.
 */
manifestSource?: ManifestSource,
/**
 * Compose file
 *
 * Relative to the service's folder. When empty, the usual names are looked for, then a
 * Dockerfile.
 */
composePath?: string,
/**
 * Local development only
 *
 * The service runs on laptops and nowhere else.
 */
localDevOnly?: boolean,
/**
 * Manifest type
 *
 * Which manifest type of the catalogue; the handler that accepts it serves the service.
 */
manifestId?: string,
/**
 * Manifest path
 *
 * The manifest, relative to the service's folder.
 */
manifestPath?: string, };

/**
 * Everything the window shows at first sight, read in one transaction.
 */
export type Snapshot = {
/**
 * Number of the last event that is contained.
 */
sequence: number,
/**
 * The workspace shown.
 */
workspace: Workspace,
/**
 * Its services, by name.
 */
services: Array<Service>,
/**
 * Its environments, newest first within a service; torn-down ones of the
 * last 14 days included.
 */
environments: Array<Environment>, };

/**
 * Where a service's source is.
 */
export type Source = { "type": "folder",
/**
 * Absolute.
 */
path: string,
/**
 * Whether it lies in a git working tree (refs can be started).
 */
git: boolean, } | { "type": "gitUrl",
/**
 * As given, without credentials.
 */
url: string,
/**
 * Folder inside the repository; empty: its root.
 */
subdirectory: string, };

/**
 * One named part of an operation.
 */
export type Step = {
/**
 * Unique within its operation.
 */
key: string,
/**
 * What it does.
 */
kind: StepKind,
/**
 * Where it is.
 */
state: StepState,
/**
 * What is worth saying beyond the kind; one line.
 */
detail: string | null,
/**
 * While pulling or sending.
 */
progress: Progress | null,
/**
 * Milliseconds since the epoch.
 */
startedAt: number | null,
/**
 * Milliseconds since the epoch.
 */
finishedAt: number | null, };

/**
 * What a step does. The window and the command line word it; nothing else does.
 */
export type StepKind = { "type": "read" } | { "type": "plan" } | { "type": "pull",
/**
 * The image, as the project names it.
 */
image: string, } | { "type": "build",
/**
 * The service.
 */
service: string, } | { "type": "createNetwork",
/**
 * The network's name.
 */
name: string, } | { "type": "createVolume",
/**
 * The volume's name.
 */
name: string, } | { "type": "create",
/**
 * The container's name.
 */
container: string,
/**
 * Its service.
 */
service: string, } | { "type": "start",
/**
 * The container's name.
 */
container: string,
/**
 * Its service.
 */
service: string, } | { "type": "waitHealthy",
/**
 * The service.
 */
service: string, } | { "type": "waitCompleted",
/**
 * The service.
 */
service: string, } | { "type": "reach",
/**
 * The address.
 */
url: string, } | { "type": "remove",
/**
 * The container's name.
 */
container: string, } | { "type": "removeNetwork",
/**
 * The network's name.
 */
name: string, } | { "type": "removeVolume",
/**
 * The volume's name.
 */
name: string, } | { "type": "removeImage",
/**
 * The image's name, or its id when it has none.
 */
image: string, } | { "type": "removeCheckout" } | { "type": "verify" } | { "type": "takeBack" };

/**
 * Where a step is.
 */
export type StepState = "waiting" | "running" | "done" | "failed" | "skipped";

/**
 * A kept document.
 */
export type StoredDocument = {
/**
 * Indented JSON, as the contract writes it.
 */
text: string,
/**
 * Its id.
 */
id: string,
/**
 * The schema of the contract it is of.
 */
schema: string,
/**
 * What its owner calls it.
 */
name: string,
/**
 * When it was first saved.
 */
createdAt: number,
/**
 * When it was last saved.
 */
updatedAt: number, };

/**
 * A request to bring an environment up.
 */
export type UpRequest = {
/**
 * The service.
 */
serviceId: string,
/**
 * What to copy.
 */
selector: Selector,
/**
 * Names the environment instead of the selector.
 */
name: string | null,
/**
 * How long it lives from now on.
 */
lifetime: Lifetime, };

/**
 * What came of checking a text.
 */
export type Verdict = "valid" | "invalid" | "unreadable";

/**
 * A named set of services.
 */
export type Workspace = {
/**
 * Its id.
 */
id: string,
/**
 * Its name.
 */
name: string, };
