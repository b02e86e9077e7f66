//! The handler that an environment is started with, and what it says about how.

use berth_compose::{Port, Project};
use berth_contracts::Engine;
use berth_contracts::documents::{HandlerConfig, UrlScheme};
use berth_engines::docker::{self, WantedAddress};
use tokio_util::sync::CancellationToken;

use crate::Berth;
use crate::compose_settings::{ComposeHandling, Origin, Variables};
use crate::git;
use crate::handlers::{MadeWith, chosen, explain};
use crate::problem::{Code, Place, Problem};
use crate::store::environments::EngineRef;
use crate::store::{StoreError, handlers};
use crate::view::{HandlerScope, Selector, Service, Source};

/// A handler that can be started with, read and defaulted.
#[derive(Clone, Debug)]
pub(super) struct Handling {
    pub(super) made_with: MadeWith,
    pub(super) compose: ComposeHandling,
}

impl Handling {
    /// # Errors
    /// [`Code::ProjectUnsupported`] for an engine that Berth cannot start on yet;
    /// [`Code::InvalidDocument`] for settings that are wrong.
    pub(super) fn of(made_with: MadeWith) -> Result<Self, Problem> {
        let HandlerConfig::LocalDocker(docker) = &made_with.config else {
            return Err(Problem::new(
                Code::ProjectUnsupported,
                format!(
                    "Berth cannot start environments with “{}” yet",
                    made_with.handler.label
                ),
            )
            .detail("Handlers of this engine can be kept, but not started with."));
        };
        let compose = ComposeHandling::read(&docker.manifest)?;
        Ok(Self { made_with, compose })
    }

    /// The address that the handler says is the environment's.
    pub(super) fn address(&self) -> WantedAddress {
        WantedAddress {
            service: self.compose.service.clone(),
            port: self.compose.port,
            https: self.compose.scheme.map(|scheme| scheme == UrlScheme::Https),
        }
    }

    /// Publishes the port that the handler names where the compose file does not:
    /// it would be no way in. Gives back what was done, in words.
    ///
    /// # Errors
    /// [`Code::InvalidDocument`] for a service that the project has not.
    pub(super) fn publish(&self, project: &mut Project) -> Result<Option<String>, Problem> {
        let Some(name) = &self.compose.service else {
            return Ok(None);
        };
        let Some(service) = project.services.get_mut(name) else {
            return Err(self.no_service(name, project));
        };
        let Some(port) = self.compose.port else {
            return Ok(None);
        };
        let published = service
            .ports
            .iter()
            .any(|it| it.target == port && it.protocol == "tcp");
        if published {
            return Ok(None);
        }
        service.ports.push(Port {
            target: port,
            published: None,
            host_ip: None,
            protocol: "tcp".to_owned(),
            app_protocol: None,
            name: None,
        });
        Ok(Some(format!(
            "Port {port} of {name} is published because the handler “{}” names it.",
            self.made_with.handler.label
        )))
    }

    fn no_service(&self, name: &str, project: &Project) -> Problem {
        let known: Vec<&str> = project.services.keys().map(String::as_str).collect();
        let mut problem = Problem::new(
            Code::InvalidDocument,
            format!(
                "The handler “{}” names a service that the compose file does not have",
                self.made_with.handler.label
            ),
        )
        .hint("Correct the handler's setting, or leave it empty: then Berth finds the address.");
        problem.places = vec![Place {
            file: None,
            line: None,
            column: None,
            key: "manifest.providerConfig.service".to_owned(),
            message: format!("There is no service {name}, or its profile is not active."),
            hint: Some(format!("The compose file has {}.", known.join(", "))),
        }];
        problem
    }
}

impl Berth {
    /// The handler that serves a service now, frozen.
    ///
    /// # Errors
    /// [`Code::NothingToRun`], [`Code::NoHandler`], [`Code::AmbiguousHandler`],
    /// [`Code::LocalDevOnly`].
    pub(super) async fn choose(&self, service: &Service) -> Result<MadeWith, Problem> {
        let (system, workspace_id) = (self.system_user(), self.workspace_id().to_owned());
        let service = service.clone();
        let made_with = self
            .store()
            .read(move |connection| {
                let user_id = system.current(connection)?;
                let explanation =
                    explain(connection, &workspace_id, &user_id, &service.provisioning)?;
                let handler = chosen(&explanation, &service.name).map_err(StoreError::from)?;
                let record = match &handler.scope {
                    HandlerScope::Workspace => {
                        handlers::get(connection, &workspace_id, &handler.key)?
                    }
                    HandlerScope::User { user_id } => {
                        handlers::override_of(connection, user_id, &workspace_id, &handler.key)?
                    }
                };
                let record = record.ok_or_else(|| StoreError::Missing {
                    what: "handler",
                    id: handler.label.clone(),
                })?;
                Ok(MadeWith {
                    handler: record.named(),
                    bundle: record.content.bundle.clone(),
                    config: record.content.config,
                })
            })
            .await?;
        Ok(made_with)
    }

    /// The engine that a handler means today.
    ///
    /// # Errors
    /// The `Engine…` codes.
    pub(super) fn engine_of_handler(&self, handling: &Handling) -> Result<EngineRef, Problem> {
        let label = handling.compose.label.clone();
        let endpoint = match &handling.compose.endpoint {
            Some(address) => docker::named_by_handler(&self.endpoint_sources(), address)?,
            None => self.endpoint()?,
        };
        Ok(EngineRef {
            engine: Engine::LocalDocker,
            label,
            address: endpoint.address,
            rule: endpoint.rule,
            id: None,
        })
    }

    /// What a handler's templates are filled in with.
    pub(super) async fn template_variables(
        &self,
        service: &Service,
        selector: &Selector,
        cancel: &CancellationToken,
    ) -> Variables {
        let Source::Folder { path, git: true } = &service.source else {
            return Variables::of(service, selector, Origin::default());
        };
        let folder = std::path::Path::new(path);
        let git = self.sources().git();
        // A repository that git refuses has no branch and no remote; it is still a
        // folder.
        let head = git::head(git, folder, cancel).await;
        let branch = head.ok().and_then(|head| head.branch);
        let remotes = git::remotes(git, folder, branch.as_deref(), cancel).await;
        let remotes = remotes.unwrap_or_default();
        Variables::of(
            service,
            selector,
            Origin {
                remote: remotes.first().map(|(_, url)| url.as_str()),
                branch: branch.as_deref(),
            },
        )
    }
}
