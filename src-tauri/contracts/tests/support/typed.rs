//! A document as its Rust type, by the name of its schema.

use berth_contracts::documents as d;
use berth_contracts::documents::runner as r;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

fn read_and_written<T: Serialize + DeserializeOwned>(
    document: &Value,
) -> serde_json::Result<Value> {
    let typed: T = serde_json::from_value(document.clone())?;
    serde_json::to_value(typed)
}

/// The document read into its type and written back.
pub(crate) fn there_and_back(schema: &str, document: &Value) -> serde_json::Result<Value> {
    let pass = match schema {
        "infraHandlerConfigSchema" => read_and_written::<d::HandlerConfig>,
        "environmentBackendConfigSchema" => read_and_written::<d::BackendConfig>,
        "composeSettingsSchema" => read_and_written::<d::ComposeSettings>,
        "environmentManifestSchema" => read_and_written::<d::EnvironmentManifest>,
        "environmentAuthSchemeSchema" => read_and_written::<d::AuthScheme>,
        "environmentRequestTemplateSchema" => read_and_written::<d::RequestTemplate>,
        "environmentResponseMappingSchema" => read_and_written::<d::ResponseMapping>,
        "environmentSecretRefSchema" => read_and_written::<d::SecretRef>,
        "kubernetesEnvironmentConfigSchema" => read_and_written::<d::KubernetesEnvironmentConfig>,
        "kubernetesEngineConfigSchema" => read_and_written::<d::KubernetesEngineConfig>,
        "kubernetesManifestSourceSchema" => read_and_written::<d::ManifestSource>,
        "kubernetesUrlSourceSchema" => read_and_written::<d::UrlSource>,
        "serviceProvisioningSchema" => read_and_written::<d::ServiceProvisioning>,
        "customManifestTypeSchema" => read_and_written::<d::CustomManifestType>,
        "upsertCustomManifestTypeSchema" => read_and_written::<d::UpsertCustomManifestType>,
        "manifestIdSchema"
        | "customRunnerBackendKindSchema"
        | "customEnvironmentBackendKindSchema" => read_and_written::<String>,
        "runnerPoolManifestSchema" => read_and_written::<r::RunnerPoolManifest>,
        "kubernetesRunnerConfigSchema" => read_and_written::<r::KubernetesRunnerConfig>,
        "runnerBackendConfigSchema" => read_and_written::<r::RunnerBackendConfig>,
        "runnerPoolResponseMappingSchema" => read_and_written::<r::RunnerResponseMapping>,
        "registerEnvironmentProviderSchema" => read_and_written::<d::RegisterProvider>,
        "updateEnvironmentSecretsSchema" => read_and_written::<d::UpdateSecrets>,
        "testEnvironmentConnectionSchema" => read_and_written::<d::TestConnection>,
        "environmentConnectionSchema" => read_and_written::<d::Connection>,
        "environmentHandleSchema" => read_and_written::<d::EnvironmentHandle>,
        "provisionEnvironmentSchema" => read_and_written::<d::ProvisionEnvironment>,
        "providerConfigFieldSchema" => read_and_written::<d::ConfigField>,
        "providerDescriptorSchema" => read_and_written::<d::ProviderDescriptor>,
        "connectionTestResultSchema" => read_and_written::<d::ConnectionTestResult>,
        "provisioningLogEntrySchema" => read_and_written::<d::LogEntry>,
        "validateEnvironmentRepoSchema" => read_and_written::<d::ValidateRepository>,
        "bootstrapEnvironmentRepoSchema" => read_and_written::<d::BootstrapRepository>,
        "registerRunnerPoolSchema" => read_and_written::<r::RegisterRunner>,
        "updateRunnerPoolSecretsSchema" => read_and_written::<r::UpdateRunnerSecrets>,
        "testRunnerPoolConnectionSchema" => read_and_written::<r::TestRunnerConnection>,
        "runnerPoolConnectionSchema" => read_and_written::<r::RunnerConnection>,
        other => panic!("{other} has no type in the tests"),
    };
    pass(document)
}
