use std::path::Path;

use crate::Berth;
use crate::problem::Problem;
use crate::view::{Detection, GitRef, Service};

impl Berth {
    /// Looks at what a folder contains. Changes nothing.
    ///
    /// # Errors
    /// [`crate::Code::PathMissing`].
    pub async fn detect(&self, _path: &Path) -> Result<Detection, Problem> {
        Err(Problem::internal("not written yet"))
    }

    /// Adds a service for a folder or a git URL; returns the one that is there
    /// already when it stands for the same place and file.
    ///
    /// # Errors
    /// [`crate::Code::PathMissing`], [`crate::Code::NothingToStart`],
    /// [`crate::Code::InvalidInput`].
    pub async fn add_service(
        &self,
        _location: &str,
        _compose_path: Option<&str>,
        _name: Option<&str>,
    ) -> Result<Service, Problem> {
        Err(Problem::internal("not written yet"))
    }

    /// Forgets a service. Refused while it has environments that are not torn
    /// down.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`], [`crate::Code::Busy`].
    pub async fn remove_service(&self, _id: &str) -> Result<(), Problem> {
        Err(Problem::internal("not written yet"))
    }

    /// Branches and tags that can be started, most recently committed first,
    /// at most 500.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`], [`crate::Code::Git`].
    pub async fn git_refs(&self, _service_id: &str) -> Result<Vec<GitRef>, Problem> {
        Err(Problem::internal("not written yet"))
    }
}
