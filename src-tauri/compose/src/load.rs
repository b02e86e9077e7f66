use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::{Diagnostic, Files, Project};

/// What to load, and with which surroundings.
pub struct Request<'a> {
    /// The project's folder, absolute: where files are discovered and relative
    /// paths start.
    pub directory: &'a Path,
    /// Compose files in order, absolute. Empty: discovered in `directory`, and a
    /// lone Dockerfile becomes a project of one service.
    pub files: &'a [PathBuf],
    /// Names the project when set (must already be legal); otherwise the
    /// specification's order decides.
    pub project_name: Option<&'a str>,
    /// Profiles switched on, besides `COMPOSE_PROFILES`.
    pub profiles: &'a [String],
    /// The variables of the shell. They win over `.env`.
    pub environment: &'a BTreeMap<String, String>,
    /// Where files are read from.
    pub files_from: &'a dyn Files,
}

/// A project that was understood in full.
#[derive(Debug)]
pub struct Loaded {
    /// What it means.
    pub project: Project,
    /// Things worth saying that do not stop it (unset variables, for one).
    pub warnings: Vec<Diagnostic>,
    /// Every file that was read, absolute, in reading order.
    pub read: Vec<PathBuf>,
}

/// The compose files that `directory` offers by Docker Compose's own names, the
/// override file included; empty when there are none.
pub fn discover(_directory: &Path, _files: &dyn Files) -> Vec<PathBuf> {
    Vec::new()
}

/// Reads a project.
///
/// # Errors
/// Every problem found, in file order; never an empty list.
pub fn load(_request: &Request<'_>) -> Result<Loaded, Vec<Diagnostic>> {
    Err(Vec::new())
}
