//! The documents, one file for each that belong together.

mod auth;
mod backend;
mod compose_settings;
mod connection;
mod environment;
mod handler;
mod kubernetes;
mod manifest;
mod manifest_type;
mod provider;
mod provisioning;
mod provisioning_log;
mod repository;
mod request;
mod response;
pub mod runner;
mod texts;
mod workspace_file;

pub use auth::{
    ApiKeyAuth, AuthScheme, BasicAuth, BearerAuth, CustomHeadersAuth, NoAuth, OAuth2Auth,
    SecretHeader, SecretRef,
};
pub use backend::{BackendConfig, CustomBackend, KubernetesBackend, ManifestBackend};
pub use compose_settings::ComposeSettings;
pub use connection::{Connection, RegisterProvider, TestConnection, UpdateSecrets};
pub use environment::{
    EnvironmentAccess, EnvironmentHandle, EnvironmentStatus, ProvisionEnvironment,
};
pub use handler::{
    Engine, HandlerConfig, KubernetesHandler, LocalDockerHandler, RemoteCustomHandler,
    bare_docker_handler,
};
pub use kubernetes::{
    ColocatedManifests, IngressStatusUrl, IngressTemplateUrl, KubernetesEngineConfig,
    KubernetesEnvironmentConfig, ManifestSource, SeparateManifests, ServiceStatusUrl, UrlScheme,
    UrlSource,
};
pub use manifest::EnvironmentManifest;
pub use manifest_type::{CustomManifestType, ManifestTypeSource, UpsertCustomManifestType};
pub use provider::{
    ConfigField, ConfigFieldType, ConfigOption, ConnectionTestResult, ProviderDescriptor,
    ProviderKind,
};
pub use provisioning::{ProvisionType, ServiceProvisioning};
pub use provisioning_log::{LogEntry, LogOperation, LogOutcome, LogSubsystem};
pub use repository::{BootstrapRepository, GitProvider, ValidateRepository};
pub use request::{HttpMethod, QueryParameter, RequestHeader, RequestTemplate};
pub use response::{AccessMapping, AccessScheme, ResponseMapping, StatusMapping};

pub use workspace_file::{
    WorkspaceFile, WorkspaceFolder, WorkspaceHandler, WorkspaceManifestType, WorkspaceRepository,
    WorkspaceService, WorkspaceSource,
};

pub(crate) use backend::CUSTOM_KIND;
pub(crate) use texts::MANIFEST_ID;
