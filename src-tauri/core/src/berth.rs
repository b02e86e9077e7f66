use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use futures_util::Stream;
use tokio_util::sync::CancellationToken;

use crate::problem::Problem;
use crate::view::{Actor, EngineStatus, Event, Remover, Snapshot};
use crate::{Clock, SystemClock};

/// How Berth is opened.
pub struct Options {
    /// Where state lives; `None`: `BERTH_DATA_DIR`, else the platform's data
    /// folder.
    pub data_dir: Option<PathBuf>,
    /// Who asks.
    pub actor: Actor,
    /// The surroundings: what `DOCKER_HOST`, `COMPOSE_PROFILES`, `HOME` and
    /// project variables are read from.
    pub environment: BTreeMap<String, String>,
    /// The time.
    pub clock: Arc<dyn Clock>,
}

impl Options {
    /// The process's own surroundings and clock.
    pub fn from_process(actor: Actor) -> Self {
        Self {
            data_dir: None,
            actor,
            environment: std::env::vars_os()
                .filter_map(|(key, value)| {
                    Some((key.into_string().ok()?, value.into_string().ok()?))
                })
                .collect(),
            clock: Arc::new(SystemClock),
        }
    }
}

/// Berth, opened on a data folder. Cheap to clone.
#[derive(Clone)]
pub struct Berth {}

impl Berth {
    /// Opens the data folder, migrating the store when it is older. Recovers
    /// nothing.
    ///
    /// # Errors
    /// [`crate::Code::StoreNewer`], [`crate::Code::Store`].
    pub async fn open(_options: Options) -> Result<Self, Problem> {
        Ok(Self {})
    }

    /// Everything at first sight, read in one transaction.
    ///
    /// # Errors
    /// [`crate::Code::Store`].
    pub async fn snapshot(&self) -> Result<Snapshot, Problem> {
        Err(Problem::internal("not written yet"))
    }

    /// Events after number `from`, in batches, as they happen in any process.
    /// The first batch holds what is already there. Never ends by itself.
    pub fn follow(
        &self,
        _from: i64,
    ) -> impl Stream<Item = Result<Vec<Event>, Problem>> + Send + 'static + use<> {
        futures_util::stream::empty()
    }

    /// The engine that would be used now. Answers within 10 s.
    pub async fn engine_status(&self) -> EngineStatus {
        EngineStatus {
            address: None,
            rule: None,
            info: None,
            problem: None,
        }
    }

    /// Who would remove an environment whose time is over.
    pub fn remover(&self) -> Remover {
        Remover::NextStart
    }

    /// Takes back what operations of dead processes left, and removes what has
    /// expired. Called by every verb that changes something and by the owner.
    ///
    /// # Errors
    /// [`crate::Code::Store`]; trouble with single environments is recorded
    /// with them.
    pub async fn recover(&self) -> Result<(), Problem> {
        Err(Problem::internal("not written yet"))
    }

    /// Stands for election and, once elected, recovers, removes environments
    /// when their time is over, warns before, and keeps their parts up to date
    /// from the engine's events. Returns when cancelled.
    ///
    /// # Errors
    /// [`crate::Code::Store`].
    pub async fn own(&self, _cancel: CancellationToken) -> Result<(), Problem> {
        Err(Problem::internal("not written yet"))
    }
}
