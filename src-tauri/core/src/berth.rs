use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use berth_engines::docker::{Docker, Endpoint};
use futures_util::Stream;
use tokio_util::sync::CancellationToken;

use crate::data_dir::DataDir;
use crate::documents::TypedSecrets;
use crate::problem::Problem;
use crate::secrets::{SecretStore, Secrets};
use crate::source::Sources;
use crate::store::{KEPT, Store, settings, snapshot, workspaces};
use crate::users::SystemUser;
use crate::view::{Actor, EngineStatus, Event, Remover, Snapshot};
use crate::{Clock, SystemClock, follow, lock};

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
    /// What stands in for the system's keychain; `None`: nothing.
    pub keychain: Option<Arc<dyn SecretStore>>,
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
            keychain: None,
        }
    }
}

/// Berth, opened on a data folder. Cheap to clone.
#[derive(Clone)]
pub struct Berth {
    opened: Arc<Opened>,
}

struct Opened {
    data: DataDir,
    sources: Sources,
    store: Store,
    workspace_id: String,
    actor: Actor,
    environment: BTreeMap<String, String>,
    clock: Arc<dyn Clock>,
    /// What this process performs, by environment.
    performing: Mutex<HashMap<String, CancellationToken>>,
    typed_secrets: TypedSecrets,
    secrets: Secrets,
}

impl Berth {
    /// Opens the data folder, migrating the store when it is older. Recovers
    /// nothing.
    ///
    /// # Errors
    /// [`crate::Code::StoreNewer`], [`crate::Code::Store`].
    pub async fn open(options: Options) -> Result<Self, Problem> {
        let data = DataDir::open(options.data_dir.as_deref(), &options.environment)?;
        let store = Store::open(&data.store()).await?;
        let workspace_id = store.read(workspaces::default).await?.id;
        let store_id = store
            .read(|connection| settings::get(connection, &settings::STORE_ID))
            .await?
            .ok_or_else(|| Problem::internal("the store has no id"))?;
        Ok(Self {
            opened: Arc::new(Opened {
                secrets: Secrets::of(&data, &store_id, options.keychain),
                sources: Sources::new(data.folder(), &options.environment),
                data,
                store,
                workspace_id,
                actor: options.actor,
                environment: options.environment,
                clock: options.clock,
                performing: Mutex::default(),
                typed_secrets: TypedSecrets::default(),
            }),
        })
    }

    /// Everything at first sight, read in one transaction.
    ///
    /// # Errors
    /// [`crate::Code::Store`].
    pub async fn snapshot(&self) -> Result<Snapshot, Problem> {
        let workspace_id = self.workspace_id().to_owned();
        let since = self.now() - KEPT;
        Ok(self
            .store()
            .read(move |connection| snapshot::snapshot(connection, &workspace_id, since))
            .await?)
    }

    /// Events after number `from`, in batches, as they happen in any process.
    /// The first batch holds what is already there. Never ends by itself.
    pub fn follow(
        &self,
        from: i64,
    ) -> impl Stream<Item = Result<Vec<Event>, Problem>> + Send + 'static + use<> {
        follow::follow(self.store().clone(), from)
    }

    /// The engine that would be used now. Answers within 10 s.
    pub async fn engine_status(&self) -> EngineStatus {
        let mut status = EngineStatus {
            address: None,
            rule: None,
            info: None,
            problem: None,
        };
        match self.endpoint() {
            Ok(endpoint) => {
                match Docker::connect(&endpoint).await {
                    Ok(docker) => status.info = Some(docker.info().clone()),
                    Err(error) => status.problem = Some(error.into()),
                }
                status.address = Some(endpoint.address);
                status.rule = Some(endpoint.rule);
            }
            Err(problem) => status.problem = Some(problem),
        }
        status
    }

    /// Who would remove an environment whose time is over.
    pub fn remover(&self) -> Remover {
        if lock::is_owned(self.data()) {
            Remover::Owner
        } else {
            Remover::NextStart
        }
    }

    /// The folder that state lives in.
    pub fn data_folder(&self) -> &std::path::Path {
        self.opened.data.folder()
    }

    pub(crate) fn data(&self) -> &DataDir {
        &self.opened.data
    }

    /// Where services' files come from.
    pub(crate) fn sources(&self) -> &Sources {
        &self.opened.sources
    }

    pub(crate) fn store(&self) -> &Store {
        &self.opened.store
    }

    /// The secrets that were typed in beside documents.
    pub(crate) fn typed_secrets(&self) -> &TypedSecrets {
        &self.opened.typed_secrets
    }

    /// Where the values of secrets are.
    pub(crate) fn secrets(&self) -> &Secrets {
        &self.opened.secrets
    }

    pub(crate) fn workspace_id(&self) -> &str {
        &self.opened.workspace_id
    }

    /// The user of the operating system, and whom this process acts for.
    pub(crate) fn system_user(&self) -> SystemUser {
        SystemUser::of(|name| self.opened.environment.get(name).cloned())
    }

    pub(crate) fn actor(&self) -> Actor {
        self.opened.actor
    }

    pub(crate) fn environment_variables(&self) -> &BTreeMap<String, String> {
        &self.opened.environment
    }

    pub(crate) fn clock(&self) -> &Arc<dyn Clock> {
        &self.opened.clock
    }

    pub(crate) fn now(&self) -> i64 {
        self.opened.clock.now()
    }

    /// The engine that the `docker` command would use now.
    pub(crate) fn endpoint(&self) -> Result<Endpoint, Problem> {
        Ok(berth_engines::docker::resolve(&self.endpoint_sources())?)
    }

    /// Remembers how an operation of this process is cancelled.
    pub(crate) fn performs(&self, environment_id: &str, cancel: CancellationToken) {
        self.opened
            .performing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(environment_id.to_owned(), cancel);
    }

    /// Forgets it.
    pub(crate) fn performed(&self, environment_id: &str) -> Option<CancellationToken> {
        self.opened
            .performing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(environment_id)
    }

    /// How the operation on this environment is cancelled, when this process
    /// performs one.
    pub(crate) fn performing(&self, environment_id: &str) -> Option<CancellationToken> {
        self.opened
            .performing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(environment_id)
            .cloned()
    }

    /// The environments that this process works on now.
    pub fn environments_under_way(&self) -> Vec<String> {
        self.opened
            .performing
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .keys()
            .cloned()
            .collect()
    }
}
