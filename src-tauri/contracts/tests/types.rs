//! The Rust types hold what the contract says: a valid document is read into its type and written
//! back without a loss.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;

use berth_contracts::documents as d;
use berth_contracts::documents::runner as r;
use berth_contracts::schemas;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

fn there_and_back<T: Serialize + DeserializeOwned>(document: &Value) -> Value {
    let typed: T = serde_json::from_value(document.clone()).unwrap();
    serde_json::to_value(typed).unwrap()
}

#[test]
fn every_valid_document_has_its_type() {
    let mut seen = BTreeSet::new();
    for case in support::cases().into_iter().filter(|case| case.valid) {
        let back = match case.schema.as_str() {
            "infraHandlerConfigSchema" => there_and_back::<d::HandlerConfig>,
            "environmentBackendConfigSchema" => there_and_back::<d::BackendConfig>,
            "environmentManifestSchema" => there_and_back::<d::EnvironmentManifest>,
            "environmentAuthSchemeSchema" => there_and_back::<d::AuthScheme>,
            "environmentRequestTemplateSchema" => there_and_back::<d::RequestTemplate>,
            "environmentResponseMappingSchema" => there_and_back::<d::ResponseMapping>,
            "environmentSecretRefSchema" => there_and_back::<d::SecretRef>,
            "kubernetesEnvironmentConfigSchema" => there_and_back::<d::KubernetesEnvironmentConfig>,
            "kubernetesEngineConfigSchema" => there_and_back::<d::KubernetesEngineConfig>,
            "kubernetesManifestSourceSchema" => there_and_back::<d::ManifestSource>,
            "kubernetesUrlSourceSchema" => there_and_back::<d::UrlSource>,
            "serviceProvisioningSchema" => there_and_back::<d::ServiceProvisioning>,
            "customManifestTypeSchema" => there_and_back::<d::CustomManifestType>,
            "upsertCustomManifestTypeSchema" => there_and_back::<d::UpsertCustomManifestType>,
            "manifestIdSchema"
            | "customRunnerBackendKindSchema"
            | "customEnvironmentBackendKindSchema" => there_and_back::<String>,
            "runnerPoolManifestSchema" => there_and_back::<r::RunnerPoolManifest>,
            "kubernetesRunnerConfigSchema" => there_and_back::<r::KubernetesRunnerConfig>,
            "runnerBackendConfigSchema" => there_and_back::<r::RunnerBackendConfig>,
            "runnerPoolResponseMappingSchema" => there_and_back::<r::RunnerResponseMapping>,
            "registerEnvironmentProviderSchema" => there_and_back::<d::RegisterProvider>,
            "updateEnvironmentSecretsSchema" => there_and_back::<d::UpdateSecrets>,
            "testEnvironmentConnectionSchema" => there_and_back::<d::TestConnection>,
            "environmentConnectionSchema" => there_and_back::<d::Connection>,
            "environmentHandleSchema" => there_and_back::<d::EnvironmentHandle>,
            "provisionEnvironmentSchema" => there_and_back::<d::ProvisionEnvironment>,
            "providerConfigFieldSchema" => there_and_back::<d::ConfigField>,
            "providerDescriptorSchema" => there_and_back::<d::ProviderDescriptor>,
            "connectionTestResultSchema" => there_and_back::<d::ConnectionTestResult>,
            "provisioningLogEntrySchema" => there_and_back::<d::LogEntry>,
            "validateEnvironmentRepoSchema" => there_and_back::<d::ValidateRepository>,
            "bootstrapEnvironmentRepoSchema" => there_and_back::<d::BootstrapRepository>,
            "registerRunnerPoolSchema" => there_and_back::<r::RegisterRunner>,
            "updateRunnerPoolSecretsSchema" => there_and_back::<r::UpdateRunnerSecrets>,
            "testRunnerPoolConnectionSchema" => there_and_back::<r::TestRunnerConnection>,
            "runnerPoolConnectionSchema" => there_and_back::<r::RunnerConnection>,
            other => panic!("{other} has no type in this test"),
        }(&case.output);
        assert!(
            support::same(&back, &case.output),
            "{}: {back} instead of {}",
            case.id,
            case.output
        );
        seen.insert(case.schema);
    }
    let without_cases: Vec<_> = schemas()
        .iter()
        .map(|it| it.name)
        .filter(|name| !seen.contains(*name))
        .collect();
    assert_eq!(without_cases, ["composeSettingsSchema"]);
}
