use std::path::PathBuf;

/// Who an environment is, on the engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// Value of `dev.berth.environment`.
    pub environment: String,
    /// Value of `dev.berth.operation` on what this operation creates.
    pub operation: String,
    /// Legal compose project name; prefix of everything.
    pub project: String,
    /// Label of the URL: `http://<host>.localhost:<port>`.
    pub host: String,
    /// The project's folder, for Compose's own labels.
    pub working_dir: Option<PathBuf>,
    /// The compose files in order, for Compose's own labels.
    pub config_files: Vec<PathBuf>,
}
