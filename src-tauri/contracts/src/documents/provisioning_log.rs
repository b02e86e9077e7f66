use crate::declare::{Nullable, choice, document};
use crate::schema::Starter;

choice! {
    /// Subsystem
    pub enum LogSubsystem {
        /// Environment
        Environment = "environment",
        /// Runner pool
        RunnerPool = "runner-pool",
        /// Container
        Container = "container",
    }
}

choice! {
    /// Operation
    pub enum LogOperation {
        /// Provision
        Provision = "provision",
        /// Teardown
        Teardown = "teardown",
        /// Status
        Status = "status",
        /// Dispatch
        Dispatch = "dispatch",
        /// Release
        Release = "release",
        /// Poll failure
        PollFailure = "poll-failure",
    }
}

choice! {
    /// Outcome
    pub enum LogOutcome {
        /// Success
        Success = "success",
        /// Failure
        Failure = "failure",
    }
}

document! {
    /// Provisioning log entry
    ///
    /// One thing that was done to an environment or a job, and how it went.
    pub struct LogEntry with starting_with(LOG_ENTRY_STARTERS) {
        /// Id
        "id" id: String,
        /// Workspace
        "workspaceId" workspace_id: String,
        /// Subsystem
        "subsystem" subsystem: LogSubsystem,
        /// Operation
        "operation" operation: LogOperation,
        /// Target
        ///
        /// The environment or job.
        "targetId" target_id: Nullable<String>,
        /// Provider id
        "providerId" provider_id: Nullable<String>,
        /// Service
        "blockId" block_id: Nullable<String>,
        /// Run
        "executionId" execution_id: Nullable<String>,
        /// Outcome
        "outcome" outcome: LogOutcome,
        /// Error
        "error" error: Nullable<String>,
        /// Detail
        "detail" detail: Nullable<String>,
        /// Time
        ///
        /// Milliseconds since 1970.
        "createdAt" created_at: f64,
    }
}

const LOG_ENTRY_STARTERS: &[Starter] = &[Starter {
    title: "A failed start",
    description: "With its error.",
    document: r#"{"id": "log_1", "workspaceId": "ws_1", "subsystem": "environment", "operation": "provision", "targetId": "env_1", "providerId": "acme-previews", "blockId": "svc_7f3a", "executionId": null, "outcome": "failure", "error": "The API answered 503.", "detail": null, "createdAt": 1767225600000}"#,
}];
