use crate::declare::{Described, choice, document};
use crate::documents::{AuthScheme, RequestTemplate, texts};
use crate::schema::{Schema, Starter};
use crate::template;

const DISPATCH_REQUEST: &Schema = &RequestTemplate::SCHEMA.in_scope(&template::DISPATCH);
const DISPATCHED_REQUEST: &Schema = &RequestTemplate::SCHEMA.in_scope(&template::DISPATCHED);

choice! {
    /// State
    pub enum JobState {
        /// Running
        Running = "running",
        /// Done
        Done = "done",
        /// Failed
        Failed = "failed",
    }
}

document! {
    /// State mapping
    pub struct JobStateMapping {
        /// The scheduler says
        ///
        /// Capital and small letters are the same.
        "from" from: String = &Schema::text(&[]).example(r#""COMPLETED""#),
        /// Means
        "to" to: JobState,
    }
}

document! {
    /// Response mapping
    ///
    /// Where the scheduler's answers say what Berth wants to know about a job. A path such as
    /// data.links.0.href goes into objects by name and into lists by number.
    pub struct RunnerResponseMapping with starting_with(RUNNER_RESPONSE_MAPPING_STARTERS) {
        /// State at
        ///
        /// Dotted path to the word that says how the job is.
        "statusPath" status_path?: String = &Schema::text(&[]).example(r#""job.status""#),
        /// State words
        ///
        /// What the scheduler's words mean here; the first that fits counts.
        "statusMap" status_map?: Vec<JobStateMapping>,
        /// Parts done at
        ///
        /// Dotted path to the number of parts that are done.
        "progressCompletedPath" progress_completed_path?: String = texts::JSON_PATH,
        /// Parts in progress at
        ///
        /// Dotted path to the number of parts that are being worked on.
        "progressInProgressPath" progress_in_progress_path?: String = texts::JSON_PATH,
        /// Parts in all at
        ///
        /// Dotted path to the number of all parts.
        "progressTotalPath" progress_total_path?: String = texts::JSON_PATH,
        /// Pull request at
        ///
        /// Dotted path to the address of the pull request that the job made.
        "prUrlPath" pr_url_path?: String = texts::JSON_PATH,
        /// Branch at
        ///
        /// Dotted path to the branch that the job made.
        "branchPath" branch_path?: String = texts::JSON_PATH,
        /// Summary at
        ///
        /// Dotted path to what the job says of its work.
        "summaryPath" summary_path?: String = texts::JSON_PATH,
        /// Result at
        ///
        /// Dotted path to the whole result object; the paths above come before what is in it.
        "resultPath" result_path?: String = texts::JSON_PATH,
        /// Follow-ups at
        ///
        /// Dotted path to the list of questions and follow-ups.
        "followUpsPath" follow_ups_path?: String = texts::JSON_PATH,
        /// Error at
        ///
        /// Dotted path to the message of a failed job.
        "errorPath" error_path?: String = texts::JSON_PATH,
        /// Failure cause at
        ///
        /// Dotted path to the word for why a job failed, such as git or max-duration.
        "failureCausePath" failure_cause_path?: String = texts::JSON_PATH,
        /// Failure detail at
        ///
        /// Dotted path to more about a failure than its message.
        "detailPath" detail_path?: String = texts::JSON_PATH,
    }
}

document! {
    /// Runner pool manifest
    ///
    /// Describes an organisation's own job scheduler: how a job is started, asked after and
    /// released, and what the answers mean.
    pub struct RunnerPoolManifest with starting_with(STARTERS) {
        /// Provider id
        ///
        /// A short name for the pool, in lower-case letters, digits and “-”.
        "providerId" provider_id: String = &texts::PROVIDER_ID.example(r#""acme-pool""#),
        /// Label
        ///
        /// What people see.
        "label" label: String = &texts::LABEL.example(r#""Acme runner pool""#),
        /// Base URL
        ///
        /// Root of the scheduler's API; the paths of the requests are appended to it.
        "baseUrl" base_url: String = &texts::URL.example(r#""https://runners.example.com/v1""#),
        /// Authentication
        ///
        /// How requests show who they are from.
        "auth" auth: AuthScheme,
        /// Dispatch request
        ///
        /// Starts a job.
        "dispatch" dispatch: RequestTemplate = DISPATCH_REQUEST,
        /// Poll request
        ///
        /// Asks how a job is.
        "poll" poll: RequestTemplate = DISPATCHED_REQUEST,
        /// Release request
        ///
        /// Frees what a finished job held. Without it nothing is sent.
        "release" release?: RequestTemplate = DISPATCHED_REQUEST,
        /// Response mapping
        ///
        /// Where the answers say what Berth wants to know.
        "response" response: RunnerResponseMapping,
    }
}

const STARTERS: &[Starter] = &[Starter {
    title: "REST scheduler with a token",
    description: "POST starts a job, GET tells its state, DELETE releases it.",
    document: include_str!("../starters/runner_pool.json"),
}];

const RUNNER_RESPONSE_MAPPING_STARTERS: &[Starter] = &[Starter {
    title: "State, result and error",
    description: "Dotted paths, and what the scheduler's words mean.",
    document: r#"{"statusPath": "state", "statusMap": [{"from": "queued", "to": "running"}, {"from": "completed", "to": "done"}, {"from": "error", "to": "failed"}], "resultPath": "result", "errorPath": "error"}"#,
}];
