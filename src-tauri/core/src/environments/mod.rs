use berth_engines::docker::{LogLine, LogOptions};
use futures_util::Stream;
use tokio::task::JoinHandle;

use crate::Berth;
use crate::problem::Problem;
use crate::view::{Environment, EnvironmentDetail, Lifetime, UpRequest};

/// An operation under way in this process.
pub struct Running {
    /// The environment, already recorded.
    pub environment_id: String,
    /// The operation, already recorded.
    pub operation_id: String,
    /// Its end. The environment as it then is, or why it failed.
    pub finished: JoinHandle<Result<Environment, Problem>>,
}

impl Berth {
    /// Brings an environment up, or up to date. Returns once it is recorded;
    /// follow the events for its steps. [`Berth::cancel`] stops it.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`], [`crate::Code::Busy`] when another operation
    /// works on it.
    pub async fn up(&self, _request: UpRequest) -> Result<Running, Problem> {
        Err(Problem::internal("not written yet"))
    }

    /// Brings a failed environment up again, as it was asked for.
    ///
    /// # Errors
    /// As [`Berth::up`].
    pub async fn retry(&self, _environment_id: &str) -> Result<Running, Problem> {
        Err(Problem::internal("not written yet"))
    }

    /// Takes an environment away completely.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`], [`crate::Code::Busy`].
    pub async fn tear_down(&self, _environment_id: &str) -> Result<Running, Problem> {
        Err(Problem::internal("not written yet"))
    }

    /// Stops the operation that works on an environment in this process and
    /// takes back what it made. Returns at once.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`] when none is under way,
    /// [`crate::Code::Busy`] when another process does it.
    pub async fn cancel(&self, _environment_id: &str) -> Result<(), Problem> {
        Err(Problem::internal("not written yet"))
    }

    /// Sets when an environment ends, counted from now or, when that is later,
    /// from its present end.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`], [`crate::Code::InvalidInput`].
    pub async fn extend(
        &self,
        _environment_id: &str,
        _lifetime: Lifetime,
    ) -> Result<Environment, Problem> {
        Err(Problem::internal("not written yet"))
    }

    /// The environment of that name or id (a unique prefix of the id will do);
    /// live ones win over torn-down ones.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`] with near names, [`crate::Code::Ambiguous`].
    pub async fn find_environment(&self, _name: &str) -> Result<Environment, Problem> {
        Err(Problem::internal("not written yet"))
    }

    /// One environment with its past.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`].
    pub async fn environment(&self, _id: &str) -> Result<EnvironmentDetail, Problem> {
        Err(Problem::internal("not written yet"))
    }

    /// Merged logs of an environment's containers.
    pub fn logs(
        &self,
        _environment_id: &str,
        _options: LogOptions,
    ) -> impl Stream<Item = Result<LogLine, Problem>> + Send + 'static + use<> {
        futures_util::stream::empty()
    }
}
