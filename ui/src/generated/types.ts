// Generated from the Rust types by src-tauri/core/tests/typescript.rs. Do not edit.
// After a change: BERTH_UPDATE=1 cargo test -p berth-core --test typescript

/**
 * Access mapping
 *
 * Where the answer has the credentials that open the environment.
 */
export type AccessMapping = {
/**
 * Kind
 */
scheme: AccessScheme,
/**
 * Token at
 *
 * Dotted path to the bearer token.
 */
tokenPath?: string,
/**
 * User name at
 *
 * Dotted path to the user name.
 */
usernamePath?: string,
/**
 * Password at
 *
 * Dotted path to the password.
 */
passwordPath?: string,
/**
 * Header name
 *
 * The header that opens the environment, as it is.
 */
headerName?: string,
/**
 * Header value at
 *
 * Dotted path to that header's value.
 */
headerValuePath?: string, };

/**
 * Access
 */
export type AccessScheme = "none" | "bearer" | "basic" | "custom_header";

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
 * A place in the activity: the line that a page ended with.
 */
export type ActivityPlace = {
/**
 * When it was.
 */
at: number,
/**
 * Its id: tells lines of one millisecond apart.
 */
id: number, };

/**
 * What was done.
 */
export type ActivityVerb = "service_added" | "service_changed" | "service_removed" | "up" | "down" | "extended" | "expired" | "taken_back" | "handler_set" | "handler_removed" | "secrets_changed" | "override_set" | "override_on" | "override_off" | "override_removed" | "imported";

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
 * API key
 */
export type ApiKeyAuth = {
/**
 * Header
 *
 * The request header that carries the key.
 */
headerName: string,
/**
 * Key
 *
 * The secret that is sent.
 */
secretRef: SecretRef,
/**
 * Prefix
 *
 * Put before the key as it is, for example “Token ” with the space at its end.
 */
valuePrefix?: string, };

/**
 * Authentication
 *
 * How requests show who they are from.
 */
export type AuthScheme = { "type": "none" } & NoAuth | { "type": "api_key" } & ApiKeyAuth | { "type": "bearer" } & BearerAuth | { "type": "basic" } & BasicAuth | { "type": "oauth2_client_credentials" } & OAuth2Auth | { "type": "custom_headers" } & CustomHeadersAuth;

/**
 * Environment backend
 *
 * Which implementation makes environments, and what it needs to know.
 */
export type BackendConfig = { "kind": "manifest" } & ManifestBackend | { "kind": "kubernetes" } & KubernetesBackend | CustomBackend;

/**
 * User name and password
 */
export type BasicAuth = {
/**
 * User name
 */
usernameSecretRef: SecretRef,
/**
 * Password
 */
passwordSecretRef: SecretRef, };

/**
 * Bearer token
 */
export type BearerAuth = {
/**
 * Token
 *
 * The secret that is sent as “Authorization: Bearer …”.
 */
secretRef: SecretRef, };

/**
 * Prepare a repository
 *
 * Writes into a repository what a provider needs there.
 */
export type BootstrapRepository = {
/**
 * Owner
 */
owner: string,
/**
 * Repository
 */
repo: string,
/**
 * Ref
 *
 * Branch, tag or commit; the default branch when empty.
 */
gitRef?: string,
/**
 * Host
 */
provider?: GitProvider,
/**
 * Inputs
 *
 * What the provider asked for.
 */
inputs: { [key in string]: string },
/**
 * Open a pull request
 */
openPr?: boolean,
/**
 * Allow an agent
 *
 * Lets an agent try when the provider's own way fails.
 */
allowAgentFallback?: boolean, };

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
id: string, } | { "type": "handlers" } | { "type": "document",
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
 * One value that would change.
 */
export type ChangedValue = {
/**
 * RFC 6901 pointer.
 */
pointer: string,
/**
 * As it is here; absent: it says nothing.
 */
before: unknown,
/**
 * As it is in the file; absent: it says nothing.
 */
after: unknown, };

/**
 * Something that was found out.
 */
export type CheckFact = {
/**
 * What it is, in one or two words (`API version`).
 */
name: string,
/**
 * What was found.
 */
value: string, };

/**
 * What a test tells as it runs. The first message lists every check as waiting.
 */
export type CheckUpdate = { "type": "expected",
/**
 * All of them, waiting.
 */
checks: Array<ConnectionCheck>, } | { "type": "changed",
/**
 * As it is now.
 */
check: ConnectionCheck, } | { "type": "refused",
/**
 * Why.
 */
problem: Problem, } | { "type": "finished",
/**
 * No check failed, and at least one found that something is as it should be.
 */
passed: boolean, };

/**
 * How a check stands.
 */
export type CheckVerdict = { "state": "waiting" } | { "state": "running" } | { "state": "passed" } | { "state": "warned" } | { "state": "failed" } | { "state": "skipped",
/**
 * Key of the check that has to pass first.
 */
because: string, };

/**
 * What the choice came to.
 */
export type Choice = { "type": "nothing_to_run" } | { "type": "handled",
/**
 * Which.
 */
handler: HandlerRef, } | { "type": "no_handler" } | { "type": "ambiguous",
/**
 * Which.
 */
candidates: Array<HandlerRef>, } | { "type": "local_dev_only",
/**
 * What would serve it.
 */
handler: HandlerRef, };

/**
 * What went wrong, as a closed set. The front end reacts to codes, never to
 * message text.
 */
export type Code = "engine_missing" | "engine_unreachable" | "engine_forbidden" | "engine_remote" | "engine_context" | "engine_version" | "engine_lost" | "engine_answer" | "project_invalid" | "project_unsupported" | "nothing_to_start" | "path_missing" | "ref_missing" | "git" | "image_pull" | "build_failed" | "container_exited" | "unhealthy" | "not_answering" | "port_taken" | "name_taken" | "disk_full" | "address_pools_exhausted" | "not_removed" | "timed_out" | "cancelled" | "interrupted" | "busy" | "not_found" | "ambiguous" | "invalid_input" | "invalid_document" | "nothing_to_run" | "no_handler" | "ambiguous_handler" | "local_dev_only" | "made_elsewhere" | "secret_missing" | "secret_store_missing" | "secret_store_locked" | "secret_store_dismissed" | "secret_store_silent" | "secret_store_not_persistent" | "secret_store_broken" | "store_newer" | "store" | "internal";

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
 * One field in which an override and the workspace's handler can differ.
 */
export type ComparedField = {
/**
 * RFC 6901 pointer into the handler's document.
 */
pointer: string,
/**
 * What the form calls it (`Compose settings · Port`).
 */
title: string,
/**
 * The workspace's value; absent: it says nothing.
 */
workspace: unknown,
/**
 * The override's value; absent: it says nothing.
 */
own: unknown,
/**
 * Where the override's value comes from.
 */
origin: Origin, };

/**
 * Compose settings
 *
 * How environments of compose files run on the local Docker engine.
 */
export type ComposeSettings = {
/**
 * Service
 *
 * The service of the compose file whose address is the environment's; found by Berth when
 * empty.
 */
service?: string,
/**
 * Port
 *
 * The port that this service listens on inside its container; found by Berth when empty.
 */
port?: string,
/**
 * Docker engine
 *
 * The address of its socket; the engine that the docker command uses when empty.
 */
endpoint?: string,
/**
 * Scheme
 *
 * How the address is opened; http when empty.
 */
scheme?: UrlScheme,
/**
 * Compose file
 *
 * Relative to the repository; the usual names are looked for when empty.
 */
composePath?: string,
/**
 * Repository of the compose file
 *
 * Its owner and name, when the file is not beside the code.
 */
composeRepo?: string,
/**
 * Ref of the compose file
 *
 * Branch, tag or commit in that repository; its default branch when empty.
 */
composeRef?: string,
/**
 * Project name
 *
 * The name of each environment's compose project; made valid and unique by Berth.
 */
projectTemplate?: string,
/**
 * Image
 *
 * Given to the compose file as the variable IMAGE.
 */
imageTemplate?: string,
/**
 * Environment variables
 *
 * Given to the compose file, beside those of its own .env.
 */
envTemplate?: { [key in string]: string },
/**
 * Lifetime
 *
 * How long an environment lives; the default lifetime when empty, for ever when 0.
 */
ttlMinutes?: string, };

/**
 * Field
 *
 * One setting that a provider asks for.
 */
export type ConfigField = {
/**
 * Key
 */
key: string,
/**
 * Label
 */
label: string,
/**
 * Help
 */
help?: string,
/**
 * Placeholder
 */
placeholder?: string,
/**
 * Secret
 *
 * Its value is kept as a secret.
 */
secret?: boolean,
/**
 * Required
 */
required?: boolean,
/**
 * Type
 */
type?: ConfigFieldType,
/**
 * Options
 *
 * For a select: what there is to choose from.
 */
options?: Array<ConfigOption>,
/**
 * Default
 */
default?: string, };

/**
 * Type
 */
export type ConfigFieldType = "text" | "password" | "select";

/**
 * Option
 */
export type ConfigOption = {
/**
 * Value
 */
value: string,
/**
 * Label
 */
label: string, };

/**
 * Environment connection
 *
 * What is shown of a registered backend; never a secret's value.
 */
export type Connection = {
/**
 * Kind
 */
kind: string,
/**
 * Provider id
 */
providerId: string,
/**
 * Label
 */
label: string,
/**
 * Base URL
 */
baseUrl: string,
/**
 * Connected
 *
 * Milliseconds since 1970.
 */
connectedAt: number,
/**
 * Secret keys
 *
 * The names of the secrets that are set.
 */
secretKeys: Array<string>,
/**
 * Configuration
 *
 * As it was registered, to begin a change with.
 */
config?: BackendConfig, };

/**
 * One stage of a connection test.
 */
export type ConnectionCheck = {
/**
 * Names it within its test (`socket`, `reachable`, `permission` …).
 */
key: string,
/**
 * What it looks at, as a short sentence.
 */
title: string,
/**
 * How it stands.
 */
verdict: CheckVerdict,
/**
 * How long it took, milliseconds; absent until it ran.
 */
durationMs: number | null,
/**
 * What was found, or the cause of the failure, in one sentence.
 */
detail: string | null,
/**
 * What was found out beside it.
 */
facts: Array<CheckFact>,
/**
 * The next thing to do, when it warned or failed.
 */
hint: string | null,
/**
 * A command that does it, to be copied.
 */
command: string | null, };

/**
 * Connection test result
 */
export type ConnectionTestResult = {
/**
 * Passed
 */
ok: boolean,
/**
 * Message
 */
message?: string, };

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
 * Custom kind
 */
export type CustomBackend = {
/**
 * Kind
 *
 * The name of the kind: lower-case letters, digits and “-”.
 */
kind: string,
/**
 * Manifest
 *
 * Carries the kind's own settings as provider settings.
 */
manifest: EnvironmentManifest, };

/**
 * Custom headers
 */
export type CustomHeadersAuth = {
/**
 * Headers
 *
 * Each is sent with every request.
 */
headers: Array<SecretHeader>, };

/**
 * Custom manifest type
 *
 * A kind of manifest that services name and handlers accept.
 */
export type CustomManifestType = {
/**
 * Manifest id
 *
 * The name that services and handlers meet through.
 */
manifestId: string,
/**
 * Label
 *
 * What people see.
 */
label: string,
/**
 * Source
 *
 * Where the type comes from.
 */
source: ManifestTypeSource,
/**
 * Input hint
 *
 * What a service's manifest of this type should hold.
 */
acceptsInputHint?: string,
/**
 * Description
 */
description?: string, };

/**
 * Custom kind
 */
export type CustomRunnerBackend = {
/**
 * Kind
 *
 * The name of the kind: lower-case letters, digits and “-”.
 */
kind: string,
/**
 * Manifest
 *
 * What the kind needs to know.
 */
manifest: RunnerPoolManifest, };

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
 * The handler it was made with, as it was then; absent: made before Berth had
 * handlers.
 */
madeWith: HandlerRef | null,
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
 * Access
 *
 * The credentials that open an environment.
 */
export type EnvironmentAccess = {
/**
 * Kind
 */
scheme: AccessScheme,
/**
 * Token
 */
token?: string,
/**
 * User name
 */
username?: string,
/**
 * Password
 */
password?: string,
/**
 * Header name
 */
headerName?: string,
/**
 * Header value
 */
headerValue?: string, };

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
 * Environment
 *
 * One environment as it is told of: where it is, how it is, until when.
 */
export type EnvironmentHandle = {
/**
 * Id
 */
id: string,
/**
 * Workspace
 */
workspaceId: string,
/**
 * Service
 */
blockId: Nullable<string>,
/**
 * Run
 *
 * The run that asked for it, where one did.
 */
executionId: Nullable<string>,
/**
 * Provider id
 */
providerId: string,
/**
 * External id
 *
 * Its id in the engine.
 */
externalId: Nullable<string>,
/**
 * Address
 */
url: Nullable<string>,
/**
 * Status
 */
status: EnvironmentStatus,
/**
 * Access
 */
access?: EnvironmentAccess,
/**
 * Created
 *
 * Milliseconds since 1970.
 */
createdAt: number,
/**
 * Ends
 *
 * Milliseconds since 1970; null when it does not.
 */
expiresAt: Nullable<number>,
/**
 * Last error
 */
lastError: Nullable<string>,
/**
 * Provision type
 */
provisionType?: Nullable<ProvisionType>,
/**
 * Engine
 */
engine?: Nullable<Engine>, };

/**
 * Environment manifest
 *
 * Describes an organisation's own HTTP API for preview environments: how an environment is
 * asked for, looked after and removed, and what the answers mean.
 */
export type EnvironmentManifest = {
/**
 * Provider id
 *
 * A short name for the API, in lower-case letters, digits and “-”.
 */
providerId: string,
/**
 * Label
 *
 * What people see.
 */
label: string,
/**
 * Base URL
 *
 * Root of the management API; the paths of the requests are appended to it.
 */
baseUrl: string,
/**
 * Authentication
 *
 * How requests show who they are from.
 */
auth: AuthScheme,
/**
 * Provision request
 *
 * Asks for an environment.
 */
provision: RequestTemplate,
/**
 * Status request
 *
 * Asks how far an environment is, until it is ready. Without it an environment counts as
 * ready once it was asked for.
 */
status?: RequestTemplate,
/**
 * Teardown request
 *
 * Removes an environment, by hand or when its time is over. Without it nothing is removed.
 */
teardown?: RequestTemplate,
/**
 * Response mapping
 *
 * Where the answers say what Berth wants to know.
 */
response: ResponseMapping,
/**
 * Default lifetime
 *
 * How long an environment lives when the API names no end; at least a minute.
 */
defaultTtlMs?: number,
/**
 * Provider settings
 *
 * Settings of a custom kind; the HTTP engine itself does not read them.
 */
providerConfig?: { [key in string]: JsonValue }, };

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
 * What will happen when Start is pressed, and why.
 */
export type Explanation = {
/**
 * What was asked for.
 */
provisioning: ServiceProvisioning,
/**
 * What it came to.
 */
choice: Choice,
/**
 * The rows that were looked at: the user's overrides first, each list oldest
 * first; beside those that would serve at most 200 of each.
 */
lookedAt: Array<LookedAt>, };

/**
 * An engine of this machine that a handler can be made of with one click.
 */
export type FoundEngine = {
/**
 * `Docker Desktop`, `Colima` …
 */
product: string,
/**
 * Its socket.
 */
address: string,
/**
 * Which rule of the Docker CLI's order chooses it, when one does.
 */
rule: string | null,
/**
 * A live workspace handler names it.
 */
hasHandler: boolean, };

/**
 * Host
 */
export type GitProvider = "github" | "gitlab";

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
 * One handler.
 */
export type Handler = {
/**
 * The implementation that builds it: `compose`, `kubernetes`, `manifest`, or a
 * custom slug.
 */
backendKind: string,
/**
 * Where it connects to: a socket, an API server, a base URL; absent: the Docker
 * engine that the `docker` command uses.
 */
address: string | null,
/**
 * Its document, without the values of secrets.
 */
config: HandlerConfig,
/**
 * The secrets it has or needs, by name.
 */
secrets: Array<SecretKey>,
/**
 * When it was first registered.
 */
createdAt: number,
/**
 * When it was last changed.
 */
updatedAt: number,
/**
 * Whose it is.
 */
scope: HandlerScope,
/**
 * What it serves.
 */
key: HandlerKey,
/**
 * What people see.
 */
label: string,
/**
 * Where it runs what it builds.
 */
engine: Engine,
/**
 * The manifest type that it accepts; `remote-custom` only.
 */
acceptsManifestId: string | null, };

/**
 * Handler
 *
 * The engine and the connection that serve services of one provision type.
 */
export type HandlerConfig = { "engine": "local-docker" } & LocalDockerHandler | { "engine": "local-k3s" } & KubernetesHandler | { "engine": "remote-kubernetes" } & KubernetesHandler | { "engine": "remote-custom" } & RemoteCustomHandler;

/**
 * A handler to be saved or tested.
 */
export type HandlerDraft = {
/**
 * Whose it is to be.
 */
scope: HandlerScope,
/**
 * What it is to serve; absent: what its document says.
 */
key: HandlerKey | null,
/**
 * The implementation that builds it; absent: the first that serves its engine.
 */
backendKind: string | null,
/**
 * Its document, JSON text.
 */
text: string, };

/**
 * What a handler serves: one of these per workspace, and one per workspace and
 * user.
 */
export type HandlerKey = {
/**
 * The services it takes.
 */
provisionType: ProvisionType,
/**
 * Of `custom` services, those of this manifest type; absent: whatever
 * manifest type it accepts.
 */
manifestId: string | null, };

/**
 * One handler, as it is named beside something else.
 */
export type HandlerRef = {
/**
 * Whose it is.
 */
scope: HandlerScope,
/**
 * What it serves.
 */
key: HandlerKey,
/**
 * What people see.
 */
label: string,
/**
 * Where it runs what it builds.
 */
engine: Engine,
/**
 * The manifest type that it accepts; `remote-custom` only.
 */
acceptsManifestId: string | null, };

/**
 * Everything about one key: a row of the handlers page.
 */
export type HandlerRow = {
/**
 * What is served.
 */
key: HandlerKey,
/**
 * Names of the services of that kind.
 */
services: Array<string>,
/**
 * The workspace's handler.
 */
workspace: Handler | null,
/**
 * The current user's override.
 */
own: Override | null,
/**
 * What starting a service of that kind would come to, and why.
 */
inEffect: Explanation,
/**
 * Live environments of these services that use another one.
 */
madeWithAnother: Array<MadeWithAnother>, };

/**
 * Whose handler it is.
 */
export type HandlerScope = { "type": "workspace" } | { "type": "user",
/**
 * The user's id.
 */
userId: string, };

/**
 * The handlers page, read in one transaction.
 */
export type Handlers = {
/**
 * By provision type, then manifest id; at most 100.
 */
rows: Array<HandlerRow>,
/**
 * There are more rows than these: a search finds them.
 */
more: boolean,
/**
 * Whose overrides are shown.
 */
user: User, };

/**
 * Method
 */
export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * What would happen to one of them.
 */
export type ImportAction = "add" | "change" | "keep";

/**
 * One line of the diff.
 */
export type ImportChange = {
/**
 * What it is about.
 */
what: Imported,
/**
 * What would happen.
 */
action: ImportAction,
/**
 * Value by value, for what would change.
 */
values: Array<ChangedValue>, };

/**
 * What importing a file would do. What is here and not in the file stays.
 */
export type ImportPreview = {
/**
 * Types, then handlers, then services.
 */
changes: Array<ImportChange>,
/**
 * What has to be given beside the file.
 */
missingSecrets: Array<MissingSecrets>,
/**
 * What cannot be taken over, in words.
 */
warnings: Array<string>, };

/**
 * What an import is about.
 */
export type Imported = { "type": "service",
/**
 * Its name.
 */
name: string, } | { "type": "handler",
/**
 * What it serves.
 */
key: HandlerKey,
/**
 * What people see.
 */
label: string, } | { "type": "manifestType",
/**
 * Its id.
 */
manifestId: string, };

/**
 * From an ingress
 */
export type IngressStatusUrl = {
/**
 * Ingress
 *
 * Its name; the first ingress of the namespace when empty.
 */
ingressName?: string,
/**
 * Scheme
 *
 * https when empty.
 */
scheme?: UrlScheme, };

/**
 * From a host template
 */
export type IngressTemplateUrl = {
/**
 * Host
 *
 * The host name that the environment's ingress answers to.
 */
hostTemplate: string,
/**
 * Scheme
 *
 * https when empty.
 */
scheme?: UrlScheme, };

/**
 * A fault of a document.
 */
export type Issue = {
/**
 * Where in the document, from its root.
 */
path: Array<Segment>,
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
 * State
 */
export type JobState = "running" | "done" | "failed";

/**
 * State mapping
 */
export type JobStateMapping = {
/**
 * The scheduler says
 *
 * Capital and small letters are the same.
 */
from: string,
/**
 * Means
 */
to: JobState, };

export type JsonValue = number | string | boolean | Array<JsonValue> | { [key in string]: JsonValue } | null;

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
 * Kubernetes
 */
export type KubernetesBackend = {
/**
 * Kubernetes
 *
 * The cluster and the manifests.
 */
kubernetes: KubernetesEnvironmentConfig, };

/**
 * Kubernetes engine
 *
 * A cluster that environments run on; each service says where its manifests are.
 */
export type KubernetesEngineConfig = {
/**
 * Label
 *
 * What people see.
 */
label: string,
/**
 * API server
 *
 * The address of the cluster's API server.
 */
apiServerUrl: string,
/**
 * Certificate authority
 *
 * The certificates, as PEM, that the API server's own is checked against; those of the
 * system when empty.
 */
caCertPem?: string,
/**
 * Skip TLS verification
 *
 * Accepts any certificate. Only for a cluster on your own machine: whoever is in between
 * can read the token.
 */
insecureSkipTlsVerify?: boolean,
/**
 * Namespace
 *
 * The name of each environment's namespace; made valid and unique by Berth.
 */
namespaceTemplate?: string,
/**
 * Address
 *
 * Where the environment's URL comes from.
 */
url: UrlSource,
/**
 * Image
 *
 * The image that the manifests name as {{image}}.
 */
imageTemplate?: string,
/**
 * Default lifetime
 *
 * How long an environment lives; at least a minute.
 */
defaultTtlMs?: number,
/**
 * Labels
 *
 * Put on the namespace and everything in it.
 */
labels?: { [key in string]: string },
/**
 * Annotations
 *
 * Put on the namespace.
 */
annotations?: { [key in string]: string }, };

/**
 * Kubernetes environment
 *
 * A cluster, and the manifests that an environment on it is made of.
 */
export type KubernetesEnvironmentConfig = {
/**
 * Label
 *
 * What people see.
 */
label: string,
/**
 * API server
 *
 * The address of the cluster's API server.
 */
apiServerUrl: string,
/**
 * Certificate authority
 *
 * The certificates, as PEM, that the API server's own is checked against; those of the
 * system when empty.
 */
caCertPem?: string,
/**
 * Skip TLS verification
 *
 * Accepts any certificate. Only for a cluster on your own machine: whoever is in between
 * can read the token.
 */
insecureSkipTlsVerify?: boolean,
/**
 * Namespace
 *
 * The name of each environment's namespace; made valid and unique by Berth.
 */
namespaceTemplate?: string,
/**
 * Manifests
 *
 * Where the Kubernetes manifests are.
 */
manifestSource: ManifestSource,
/**
 * Address
 *
 * Where the environment's URL comes from.
 */
url: UrlSource,
/**
 * Image
 *
 * The image that the manifests name as {{image}}.
 */
imageTemplate?: string,
/**
 * Default lifetime
 *
 * How long an environment lives; at least a minute.
 */
defaultTtlMs?: number,
/**
 * Labels
 *
 * Put on the namespace and everything in it.
 */
labels?: { [key in string]: string },
/**
 * Annotations
 *
 * Put on the namespace.
 */
annotations?: { [key in string]: string }, };

/**
 * Kubernetes
 */
export type KubernetesHandler = {
/**
 * Cluster
 *
 * The cluster that environments run on.
 */
kubernetes: KubernetesEngineConfig, };

/**
 * Kubernetes
 */
export type KubernetesRunnerBackend = {
/**
 * Kubernetes
 *
 * The cluster that jobs run on.
 */
kubernetes: KubernetesRunnerConfig, };

/**
 * Kubernetes runner
 *
 * A cluster on which every job runs in a pod of its own.
 */
export type KubernetesRunnerConfig = {
/**
 * Label
 *
 * What people see.
 */
label: string,
/**
 * API server
 *
 * The address of the cluster's API server.
 */
apiServerUrl: string,
/**
 * Namespace
 *
 * Where the pods are made; it has to exist.
 */
namespace: string,
/**
 * Certificate authority
 *
 * The certificates, as PEM, that the API server's own is checked against; those of the
 * system when empty.
 */
caCertPem?: string,
/**
 * Skip TLS verification
 *
 * Accepts any certificate. Only for a cluster on your own machine: whoever is in between
 * can read the token.
 */
insecureSkipTlsVerify?: boolean,
/**
 * Image
 *
 * The image that the pods run.
 */
image: string,
/**
 * Image for UI jobs
 *
 * A larger image, for jobs that need a browser.
 */
imageUi?: string,
/**
 * Port
 *
 * The port that the runner listens on in its pod; 8080 when empty.
 */
harnessPort?: number,
/**
 * Image pull secret
 *
 * The name of the secret in the namespace that a private registry asks for.
 */
imagePullSecretName?: string,
/**
 * Service account
 *
 * The account that pods run as; not the one that Berth calls the API server with.
 */
serviceAccountName?: string,
/**
 * Resources
 *
 * For every pod.
 */
resources?: PodResources,
/**
 * Resources by size
 *
 * Other amounts for jobs of a size: small, medium, large, xlarge.
 */
resourcesBySize?: { [key in string]: ResourceAmounts },
/**
 * Node selector
 *
 * Labels that a node must have.
 */
nodeSelector?: { [key in string]: string },
/**
 * Tolerations
 *
 * Put into the pods as they are.
 */
tolerations?: Array<{ [key in string]: JsonValue }>,
/**
 * Labels
 *
 * Put on every pod.
 */
labels?: { [key in string]: string },
/**
 * Annotations
 *
 * Put on every pod.
 */
annotations?: { [key in string]: string }, };

/**
 * How long an environment lives.
 */
export type Lifetime = { "type": "default" } | { "type": "for",
/**
 * At least 1,000.
 */
milliseconds: number, } | { "type": "never" };

/**
 * Local Docker
 */
export type LocalDockerHandler = {
/**
 * Manifest
 *
 * Carries the label and, as its provider settings, the compose settings.
 */
manifest: EnvironmentManifest, };

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
 * Provisioning log entry
 *
 * One thing that was done to an environment or a job, and how it went.
 */
export type LogEntry = {
/**
 * Id
 */
id: string,
/**
 * Workspace
 */
workspaceId: string,
/**
 * Subsystem
 */
subsystem: LogSubsystem,
/**
 * Operation
 */
operation: LogOperation,
/**
 * Target
 *
 * The environment or job.
 */
targetId: Nullable<string>,
/**
 * Provider id
 */
providerId: Nullable<string>,
/**
 * Service
 */
blockId: Nullable<string>,
/**
 * Run
 */
executionId: Nullable<string>,
/**
 * Outcome
 */
outcome: LogOutcome,
/**
 * Error
 */
error: Nullable<string>,
/**
 * Detail
 */
detail: Nullable<string>,
/**
 * Time
 *
 * Milliseconds since 1970.
 */
createdAt: number, };

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
 * Operation
 */
export type LogOperation = "provision" | "teardown" | "status" | "dispatch" | "release" | "poll-failure";

/**
 * Outcome
 */
export type LogOutcome = "success" | "failure";

/**
 * Subsystem
 */
export type LogSubsystem = "environment" | "runner-pool" | "container";

/**
 * One row that was looked at.
 */
export type LookedAt = {
/**
 * The row.
 */
handler: HandlerRef,
/**
 * What came of it.
 */
verdict: LookedAtVerdict, };

/**
 * Why a row was or was not chosen.
 */
export type LookedAtVerdict = "chosen" | "candidate" | "other_type" | "other_manifest_type" | "switched_off" | "overridden" | "not_local";

/**
 * A live environment that was made with another handler than the one in effect.
 */
export type MadeWithAnother = {
/**
 * Its id.
 */
environmentId: string,
/**
 * Its name.
 */
environmentName: string,
/**
 * The handler it was made with, as it was then; absent: made before Berth had
 * handlers.
 */
madeWith: HandlerRef | null, };

/**
 * HTTP management API
 */
export type ManifestBackend = {
/**
 * Manifest
 *
 * Describes the HTTP API.
 */
manifest: EnvironmentManifest, };

/**
 * Manifests
 *
 * Where the Kubernetes manifests of a service are.
 */
export type ManifestSource = { "type": "colocated" } & ColocatedManifests | { "type": "separate" } & SeparateManifests;

/**
 * Source
 */
export type ManifestTypeSource = "registered" | "workspace";

/**
 * Secrets that a handler of the file needs and that are not set here.
 */
export type MissingSecrets = {
/**
 * The handler.
 */
key: HandlerKey,
/**
 * What people see.
 */
label: string,
/**
 * Their names.
 */
keys: Array<string>, };

/**
 * No authentication
 */
export type NoAuth = Record<symbol, never>;

/**
 * A value that is there but may be `null`; an `Option` field may be missing, but not `null`.
 */
export type Nullable<T> = T | null;

/**
 * OAuth 2 client credentials
 */
export type OAuth2Auth = {
/**
 * Token URL
 *
 * Where an access token is asked for.
 */
tokenUrl: string,
/**
 * Client id
 */
clientIdSecretRef: SecretRef,
/**
 * Client secret
 */
clientSecretSecretRef: SecretRef,
/**
 * Scope
 *
 * Sent with the request for a token when it is not empty.
 */
scope?: string,
/**
 * Audience
 *
 * Sent with the request for a token when it is not empty.
 */
audience?: string, };

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
 * Where one value of an override comes from.
 */
export type Origin = "workspace" | "copied" | "own";

/**
 * How it ended.
 */
export type Outcome = "success" | "failure" | "cancelled";

/**
 * A user's own handler in place of the workspace's.
 */
export type Override = {
/**
 * Whether it is in front of the workspace's.
 */
enabled: boolean,
/**
 * In how many fields it differs from the workspace's; absent where there is
 * none to compare with.
 */
differences: number | null,
/**
 * The implementation that builds it: `compose`, `kubernetes`, `manifest`, or a
 * custom slug.
 */
backendKind: string,
/**
 * Where it connects to: a socket, an API server, a base URL; absent: the Docker
 * engine that the `docker` command uses.
 */
address: string | null,
/**
 * Its document, without the values of secrets.
 */
config: HandlerConfig,
/**
 * The secrets it has or needs, by name.
 */
secrets: Array<SecretKey>,
/**
 * When it was first registered.
 */
createdAt: number,
/**
 * When it was last changed.
 */
updatedAt: number,
/**
 * Whose it is.
 */
scope: HandlerScope,
/**
 * What it serves.
 */
key: HandlerKey,
/**
 * What people see.
 */
label: string,
/**
 * Where it runs what it builds.
 */
engine: Engine,
/**
 * The manifest type that it accepts; `remote-custom` only.
 */
acceptsManifestId: string | null, };

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
 * A place in a file. Serialised, it is clean: see [`Problem`].
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
 * Resources
 */
export type PodResources = {
/**
 * Requests
 *
 * What a pod is sure to get.
 */
requests?: ResourceAmounts,
/**
 * Limits
 *
 * What a pod can use at most.
 */
limits?: ResourceAmounts, };

/**
 * HTTP pool
 */
export type PoolRunnerBackend = {
/**
 * Manifest
 *
 * Describes the scheduler's API.
 */
manifest: RunnerPoolManifest, };

/**
 * A failure with a face. As it is serialised (for the store, the window and
 * `--json`) or displayed, it is clean of what looks like a secret.
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
 * Provider
 *
 * What a provider can do and asks for.
 */
export type ProviderDescriptor = {
/**
 * Provider id
 */
providerId: string,
/**
 * Label
 */
label: string,
/**
 * Kind
 */
kind: ProviderKind,
/**
 * Fields
 */
configFields: Array<ConfigField>,
/**
 * Can test its connection
 */
supportsTest: boolean,
/**
 * Missing
 *
 * The keys of required settings that have no value yet.
 */
missingRequired: Array<string>,
/**
 * Can check a repository
 */
supportsRepoValidation?: boolean,
/**
 * Can prepare a repository
 */
supportsRepoBootstrap?: boolean,
/**
 * Inputs for preparing a repository
 */
bootstrapInputs?: Array<ConfigField>,
/**
 * Manifest to begin with
 */
manifestTemplate?: { [key in string]: JsonValue },
/**
 * Manifest as saved
 */
savedManifest?: { [key in string]: JsonValue }, };

/**
 * Kind
 */
export type ProviderKind = "native" | "manifest";

/**
 * Provision an environment
 */
export type ProvisionEnvironment = {
/**
 * Service
 */
blockId?: string,
/**
 * Inputs
 *
 * Values for the templates, as {{input.name}}.
 */
inputs?: { [key in string]: string }, };

/**
 * Provision type
 *
 * What kind of thing a service is provisioned as.
 */
export type ProvisionType = "kubernetes" | "docker-compose" | "custom" | "infraless";

/**
 * Query parameter
 */
export type QueryParameter = {
/**
 * Name
 */
key: string,
/**
 * Value
 */
value: string, };

/**
 * Register a backend
 *
 * A backend and the values of the secrets that it names.
 */
export type RegisterProvider = {
/**
 * Configuration
 */
config: BackendConfig,
/**
 * Secret values
 *
 * A value for every secret that the configuration names.
 */
secrets: { [key in string]: string }, };

/**
 * Register a runner backend
 *
 * A runner backend and the values of the secrets that it names.
 */
export type RegisterRunner = {
/**
 * Configuration
 */
config: RunnerBackendConfig,
/**
 * Secret values
 *
 * A value for every secret that the configuration names.
 */
secrets: { [key in string]: string }, };

/**
 * Management API
 */
export type RemoteCustomHandler = {
/**
 * Manifest
 *
 * Describes the HTTP API.
 */
manifest: EnvironmentManifest,
/**
 * Serves the manifest type
 *
 * The custom manifest type whose services this handler takes.
 */
acceptsManifestId: string, };

/**
 * Header
 */
export type RequestHeader = {
/**
 * Name
 */
name: string,
/**
 * Value
 */
value: string, };

/**
 * Request
 *
 * One HTTP request; placeholders such as {{input.branch}} are filled in for every call.
 */
export type RequestTemplate = {
/**
 * Method
 */
method: HttpMethod,
/**
 * Path
 *
 * Appended to the base URL; empty for the base URL itself.
 */
pathTemplate: string,
/**
 * Query
 *
 * Appended to the path, encoded for a URL.
 */
query?: Array<QueryParameter>,
/**
 * Headers
 *
 * Sent with those of the authentication.
 */
headers?: Array<RequestHeader>,
/**
 * Body
 *
 * Sent as JSON unless a content-type header says otherwise; never with GET.
 */
bodyTemplate?: string,
/**
 * Timeout
 *
 * The call is given up after this time, at most a minute.
 */
timeoutMs?: number, };

/**
 * Amounts
 */
export type ResourceAmounts = {
/**
 * CPU
 *
 * In Kubernetes' own terms: 500m, 2.
 */
cpu?: string,
/**
 * Memory
 *
 * In Kubernetes' own terms: 512Mi, 2Gi.
 */
memory?: string, };

/**
 * What kind of thing a change is about.
 */
export type ResourceKind = "image" | "network" | "volume" | "container";

/**
 * Response mapping
 *
 * Where the answers of the API say what Berth wants to know. A path such as data.links.0.href
 * goes into objects by name and into lists by number.
 */
export type ResponseMapping = {
/**
 * Address at
 *
 * Dotted path to the environment's URL.
 */
urlPath?: string,
/**
 * Status at
 *
 * Dotted path to the word that says how far the environment is.
 */
statusPath?: string,
/**
 * Status words
 *
 * What the API's words mean here; the first that fits counts.
 */
statusMap?: Array<StatusMapping>,
/**
 * Expiry at
 *
 * Dotted path to the time when the environment ends: a date, or milliseconds since 1970.
 */
expiresAtPath?: string,
/**
 * Id at
 *
 * Dotted path to the environment's id, which later requests name as
 * {{provision.externalId}}.
 */
externalIdPath?: string,
/**
 * Access
 *
 * The credentials that open the environment, when the API hands some out.
 */
access?: AccessMapping, };

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
 * Runner backend
 *
 * Where jobs run.
 */
export type RunnerBackendConfig = { "kind": "manifest" } & PoolRunnerBackend | { "kind": "kubernetes" } & KubernetesRunnerBackend | CustomRunnerBackend;

/**
 * Runner connection
 *
 * What is shown of a registered runner backend; never a secret's value.
 */
export type RunnerConnection = {
/**
 * Kind
 */
kind: string,
/**
 * Provider id
 */
providerId: string,
/**
 * Label
 */
label: string,
/**
 * Base URL
 */
baseUrl: string,
/**
 * Connected
 *
 * Milliseconds since 1970.
 */
connectedAt: number,
/**
 * Secret keys
 *
 * The names of the secrets that are set.
 */
secretKeys: Array<string>,
/**
 * Configuration
 *
 * As it was registered, to begin a change with.
 */
config?: RunnerBackendConfig, };

/**
 * Runner pool manifest
 *
 * Describes an organisation's own job scheduler: how a job is started, asked after and
 * released, and what the answers mean.
 */
export type RunnerPoolManifest = {
/**
 * Provider id
 *
 * A short name for the pool, in lower-case letters, digits and “-”.
 */
providerId: string,
/**
 * Label
 *
 * What people see.
 */
label: string,
/**
 * Base URL
 *
 * Root of the scheduler's API; the paths of the requests are appended to it.
 */
baseUrl: string,
/**
 * Authentication
 *
 * How requests show who they are from.
 */
auth: AuthScheme,
/**
 * Dispatch request
 *
 * Starts a job.
 */
dispatch: RequestTemplate,
/**
 * Poll request
 *
 * Asks how a job is.
 */
poll: RequestTemplate,
/**
 * Release request
 *
 * Frees what a finished job held. Without it nothing is sent.
 */
release?: RequestTemplate,
/**
 * Response mapping
 *
 * Where the answers say what Berth wants to know.
 */
response: RunnerResponseMapping, };

/**
 * Response mapping
 *
 * Where the scheduler's answers say what Berth wants to know about a job. A path such as
 * data.links.0.href goes into objects by name and into lists by number.
 */
export type RunnerResponseMapping = {
/**
 * State at
 *
 * Dotted path to the word that says how the job is.
 */
statusPath?: string,
/**
 * State words
 *
 * What the scheduler's words mean here; the first that fits counts.
 */
statusMap?: Array<JobStateMapping>,
/**
 * Parts done at
 *
 * Dotted path to the number of parts that are done.
 */
progressCompletedPath?: string,
/**
 * Parts in progress at
 *
 * Dotted path to the number of parts that are being worked on.
 */
progressInProgressPath?: string,
/**
 * Parts in all at
 *
 * Dotted path to the number of all parts.
 */
progressTotalPath?: string,
/**
 * Pull request at
 *
 * Dotted path to the address of the pull request that the job made.
 */
prUrlPath?: string,
/**
 * Branch at
 *
 * Dotted path to the branch that the job made.
 */
branchPath?: string,
/**
 * Summary at
 *
 * Dotted path to what the job says of its work.
 */
summaryPath?: string,
/**
 * Result at
 *
 * Dotted path to the whole result object; the paths above come before what is in it.
 */
resultPath?: string,
/**
 * Follow-ups at
 *
 * Dotted path to the list of questions and follow-ups.
 */
followUpsPath?: string,
/**
 * Error at
 *
 * Dotted path to the message of a failed job.
 */
errorPath?: string,
/**
 * Failure cause at
 *
 * Dotted path to the word for why a job failed, such as git or max-duration.
 */
failureCausePath?: string,
/**
 * Failure detail at
 *
 * Dotted path to more about a failure than its message.
 */
detailPath?: string, };

/**
 * What a document is checked against.
 */
export type SchemaChoice = { "contract": string } | { "inline": object };

/**
 * Header
 */
export type SecretHeader = {
/**
 * Name
 */
name: string,
/**
 * Value
 *
 * The secret that is sent as the header's value.
 */
secretRef: SecretRef, };

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
 * Secret
 *
 * Names a secret value. The value itself is kept apart from the document.
 */
export type SecretRef = {
/**
 * Key
 *
 * The name that the value is kept under.
 */
key: string, };

/**
 * Where values are kept.
 */
export type SecretStoreKind = "keychain" | "vault";

/**
 * How it stands with the store of secrets.
 */
export type SecretStoreState = "ready" | "no_service" | "locked" | "dismissed" | "silent" | "not_persistent" | "broken";

/**
 * The store of secrets as it was last seen.
 */
export type SecretStoreStatus = {
/**
 * Which one is used.
 */
kind: SecretStoreKind,
/**
 * How it stands.
 */
state: SecretStoreState,
/**
 * What it calls itself (`Secret Service`, `macOS Keychain`, `encrypted file`).
 */
product: string,
/**
 * What to do about it; beside a store that is ready: whose secrets were lost.
 */
problem: Problem | null, };

/**
 * A step into an object or an array.
 */
export type Segment = string | number;

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
 * From a service
 */
export type ServiceStatusUrl = {
/**
 * Service
 *
 * Its name; it needs a load balancer that gives it an address.
 */
serviceName: string,
/**
 * Port
 *
 * Appended to the address.
 */
port?: number,
/**
 * Scheme
 *
 * https when empty.
 */
scheme?: UrlScheme, };

/**
 * What Berth is told once and goes by.
 */
export type Settings = {
/**
 * How many days the activity is kept, 1 to 3650.
 */
activityDays: number, };

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
 * Status mapping
 */
export type StatusMapping = {
/**
 * The API says
 *
 * Capital and small letters are the same.
 */
from: string,
/**
 * Means
 */
to: EnvironmentStatus, };

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
 * Test a connection
 *
 * A backend to try before it is saved; nothing is stored.
 */
export type TestConnection = {
/**
 * Configuration
 */
config?: BackendConfig,
/**
 * Secret values
 */
secrets?: { [key in string]: string }, };

/**
 * Test a runner connection
 *
 * A runner backend to try before it is saved; nothing is stored.
 */
export type TestRunnerConnection = {
/**
 * Configuration
 */
config?: RunnerBackendConfig,
/**
 * Secret values
 */
secrets?: { [key in string]: string }, };

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
 * Change a runner's secrets
 */
export type UpdateRunnerSecrets = {
/**
 * Secret values
 *
 * New values by key; other keys keep theirs.
 */
secrets: { [key in string]: string }, };

/**
 * Change secrets
 */
export type UpdateSecrets = {
/**
 * Secret values
 *
 * New values by key; other keys keep theirs.
 */
secrets: { [key in string]: string }, };

/**
 * Custom manifest type, new or changed
 *
 * What can be said of a manifest type of this workspace; its id stands beside it.
 */
export type UpsertCustomManifestType = {
/**
 * Label
 *
 * What people see.
 */
label: string,
/**
 * Input hint
 *
 * What a service's manifest of this type should hold.
 */
acceptsInputHint?: string,
/**
 * Description
 */
description?: string, };

/**
 * Scheme
 */
export type UrlScheme = "http" | "https";

/**
 * Address
 *
 * Where the environment's URL comes from.
 */
export type UrlSource = { "source": "ingressTemplate" } & IngressTemplateUrl | { "source": "ingressStatus" } & IngressStatusUrl | { "source": "serviceStatus" } & ServiceStatusUrl;

/**
 * A user of this laptop.
 */
export type User = {
/**
 * Its id: the name in lower-case letters, digits and dashes.
 */
id: string,
/**
 * What people see.
 */
name: string,
/**
 * Overrides of this user are in effect.
 */
current: boolean,
/**
 * The user of the operating system, who is there without being added.
 */
system: boolean,
/**
 * How many overrides it has in this workspace.
 */
overrides: number, };

/**
 * Check a repository
 *
 * Whether a repository has what a provider needs.
 */
export type ValidateRepository = {
/**
 * Owner
 */
owner: string,
/**
 * Repository
 */
repo: string,
/**
 * Ref
 *
 * Branch, tag or commit; the default branch when empty.
 */
gitRef?: string,
/**
 * Host
 */
provider?: GitProvider, };

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

/**
 * A workspace file that was written.
 */
export type WorkspaceExport = {
/**
 * The file's text: JSON, with the names of secrets only.
 */
text: string,
/**
 * What could not be said in it, in words (a folder that is only on this
 * machine).
 */
warnings: Array<string>, };
