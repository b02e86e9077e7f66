use serde::Serialize;
use ts_rs::TS;

use crate::declare::Described;
use crate::documents::{self as d, runner as r};
use crate::schema::Schema;

/// A schema by the name that the contract gives it.
#[derive(Clone, Copy, Debug)]
pub struct NamedSchema {
    /// For example `environmentManifestSchema`.
    pub name: &'static str,
    /// What it belongs to.
    pub group: Group,
    /// What it says.
    pub schema: &'static Schema,
}

/// What a schema belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, TS)]
#[serde(rename_all = "kebab-case")]
pub enum Group {
    /// An HTTP API for environments, and its parts.
    Manifest,
    /// Kubernetes, and its parts.
    Kubernetes,
    /// Handlers and backends.
    Handlers,
    /// What services say.
    Services,
    /// Where jobs run.
    Runners,
    /// What is sent to Berth or the engines, and what is shown.
    Messages,
}

/// Every schema, in the order in which they are shown.
#[must_use]
pub fn schemas() -> &'static [NamedSchema] {
    SCHEMAS
}

/// The schema of this name.
#[must_use]
pub fn schema(name: &str) -> Option<&'static NamedSchema> {
    SCHEMAS.iter().find(|schema| schema.name == name)
}

const fn named<T: Described>(name: &'static str, group: Group) -> NamedSchema {
    NamedSchema {
        name,
        group,
        schema: T::SCHEMA,
    }
}

const SCHEMAS: &[NamedSchema] = &[
    named::<d::HandlerConfig>("infraHandlerConfigSchema", Group::Handlers),
    named::<d::BackendConfig>("environmentBackendConfigSchema", Group::Handlers),
    named::<d::ComposeSettings>("composeSettingsSchema", Group::Handlers),
    named::<d::EnvironmentManifest>("environmentManifestSchema", Group::Manifest),
    named::<d::AuthScheme>("environmentAuthSchemeSchema", Group::Manifest),
    named::<d::RequestTemplate>("environmentRequestTemplateSchema", Group::Manifest),
    named::<d::ResponseMapping>("environmentResponseMappingSchema", Group::Manifest),
    named::<d::SecretRef>("environmentSecretRefSchema", Group::Manifest),
    named::<d::KubernetesEnvironmentConfig>("kubernetesEnvironmentConfigSchema", Group::Kubernetes),
    named::<d::KubernetesEngineConfig>("kubernetesEngineConfigSchema", Group::Kubernetes),
    named::<d::ManifestSource>("kubernetesManifestSourceSchema", Group::Kubernetes),
    named::<d::UrlSource>("kubernetesUrlSourceSchema", Group::Kubernetes),
    named::<d::ServiceProvisioning>("serviceProvisioningSchema", Group::Services),
    named::<d::CustomManifestType>("customManifestTypeSchema", Group::Services),
    named::<d::UpsertCustomManifestType>("upsertCustomManifestTypeSchema", Group::Services),
    NamedSchema {
        name: "manifestIdSchema",
        group: Group::Services,
        schema: d::MANIFEST_ID,
    },
    named::<r::RunnerPoolManifest>("runnerPoolManifestSchema", Group::Runners),
    named::<r::KubernetesRunnerConfig>("kubernetesRunnerConfigSchema", Group::Runners),
    named::<r::RunnerBackendConfig>("runnerBackendConfigSchema", Group::Runners),
    named::<r::RunnerResponseMapping>("runnerPoolResponseMappingSchema", Group::Runners),
    NamedSchema {
        name: "customRunnerBackendKindSchema",
        group: Group::Runners,
        schema: r::CUSTOM_RUNNER_KIND,
    },
    NamedSchema {
        name: "customEnvironmentBackendKindSchema",
        group: Group::Handlers,
        schema: d::CUSTOM_KIND,
    },
    named::<d::RegisterProvider>("registerEnvironmentProviderSchema", Group::Messages),
    named::<d::UpdateSecrets>("updateEnvironmentSecretsSchema", Group::Messages),
    named::<d::TestConnection>("testEnvironmentConnectionSchema", Group::Messages),
    named::<d::Connection>("environmentConnectionSchema", Group::Messages),
    named::<d::EnvironmentHandle>("environmentHandleSchema", Group::Messages),
    named::<d::ProvisionEnvironment>("provisionEnvironmentSchema", Group::Messages),
    named::<d::ConfigField>("providerConfigFieldSchema", Group::Messages),
    named::<d::ProviderDescriptor>("providerDescriptorSchema", Group::Messages),
    named::<d::ConnectionTestResult>("connectionTestResultSchema", Group::Messages),
    named::<d::LogEntry>("provisioningLogEntrySchema", Group::Messages),
    named::<d::ValidateRepository>("validateEnvironmentRepoSchema", Group::Messages),
    named::<d::BootstrapRepository>("bootstrapEnvironmentRepoSchema", Group::Messages),
    named::<r::RegisterRunner>("registerRunnerPoolSchema", Group::Messages),
    named::<r::UpdateRunnerSecrets>("updateRunnerPoolSecretsSchema", Group::Messages),
    named::<r::TestRunnerConnection>("testRunnerPoolConnectionSchema", Group::Messages),
    named::<r::RunnerConnection>("runnerPoolConnectionSchema", Group::Messages),
];
