use crate::declare::{Nullable, choice, document};

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
    pub struct LogEntry {
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
