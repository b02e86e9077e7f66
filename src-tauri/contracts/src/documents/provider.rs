use crate::schema::Starter;
use std::collections::BTreeMap;

use serde_json::Value;

use crate::declare::{choice, document};

choice! {
    /// Type
    pub enum ConfigFieldType {
        /// Text
        Text = "text",
        /// Password
        Password = "password",
        /// Select
        Select = "select",
    }
}

document! {
    /// Option
    pub struct ConfigOption {
        /// Value
        "value" value: String,
        /// Label
        "label" label: String,
    }
}

document! {
    /// Field
    ///
    /// One setting that a provider asks for.
    pub struct ConfigField with starting_with(CONFIG_FIELD_STARTERS) {
        /// Key
        "key" key: String,
        /// Label
        "label" label: String,
        /// Help
        "help" help?: String,
        /// Placeholder
        "placeholder" placeholder?: String,
        /// Secret
        ///
        /// Its value is kept as a secret.
        "secret" secret?: bool,
        /// Required
        "required" required?: bool,
        /// Type
        "type" field_type?: ConfigFieldType,
        /// Options
        ///
        /// For a select: what there is to choose from.
        "options" options?: Vec<ConfigOption>,
        /// Default
        "default" default?: String,
    }
}

impl ConfigField {
    /// The keys of the fields that must be filled in and are not: those that are
    /// required, have no default and are not among `present`.
    #[must_use]
    pub fn missing<'f>(fields: &'f [Self], present: &[&str]) -> Vec<&'f str> {
        fields
            .iter()
            .filter(|field| field.required == Some(true) && field.default.is_none())
            .map(|field| field.key.as_str())
            .filter(|key| !present.contains(key))
            .collect()
    }

    /// Settings as the fields of a form hold them: a text as it is, anything else as JSON.
    #[must_use]
    pub fn texts(settings: &BTreeMap<String, Value>) -> BTreeMap<String, String> {
        settings
            .iter()
            .map(|(key, value)| {
                let text = value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned);
                (key.clone(), text)
            })
            .collect()
    }
}

choice! {
    /// Kind
    pub enum ProviderKind {
        /// Native
        Native = "native",
        /// Manifest
        Manifest = "manifest",
    }
}

document! {
    /// Provider
    ///
    /// What a provider can do and asks for.
    pub struct ProviderDescriptor with starting_with(PROVIDER_DESCRIPTOR_STARTERS) {
        /// Provider id
        "providerId" provider_id: String,
        /// Label
        "label" label: String,
        /// Kind
        "kind" kind: ProviderKind,
        /// Fields
        "configFields" config_fields: Vec<ConfigField>,
        /// Can test its connection
        "supportsTest" supports_test: bool,
        /// Missing
        ///
        /// The keys of required settings that have no value yet.
        "missingRequired" missing_required: Vec<String>,
        /// Can check a repository
        "supportsRepoValidation" supports_repo_validation?: bool,
        /// Can prepare a repository
        "supportsRepoBootstrap" supports_repo_bootstrap?: bool,
        /// Inputs for preparing a repository
        "bootstrapInputs" bootstrap_inputs?: Vec<ConfigField>,
        /// Manifest to begin with
        "manifestTemplate" manifest_template?: BTreeMap<String, Value>,
        /// Manifest as saved
        "savedManifest" saved_manifest?: BTreeMap<String, Value>,
    }
}

document! {
    /// Connection test result
    pub struct ConnectionTestResult with starting_with(CONNECTION_TEST_RESULT_STARTERS) {
        /// Passed
        "ok" ok: bool,
        /// Message
        "message" message?: String,
    }
}

const CONFIG_FIELD_STARTERS: &[Starter] = &[
    Starter {
        title: "A text",
        description: "Required, with help.",
        document: r#"{"key": "project", "label": "Project", "help": "As it is called in Kargo.", "required": true, "type": "text"}"#,
    },
    Starter {
        title: "A password",
        description: "Kept as a secret.",
        document: r#"{"key": "token", "label": "Token", "secret": true, "required": true, "type": "password"}"#,
    },
];

const PROVIDER_DESCRIPTOR_STARTERS: &[Starter] = &[Starter {
    title: "A provider with one setting",
    description: "It can test its connection.",
    document: r#"{"providerId": "kargo", "label": "Kargo", "kind": "native", "configFields": [{"key": "project", "label": "Project", "required": true}], "supportsTest": true, "missingRequired": ["project"]}"#,
}];

const CONNECTION_TEST_RESULT_STARTERS: &[Starter] = &[Starter {
    title: "Passed",
    description: "With a message.",
    document: r#"{"ok": true, "message": "The API answered."}"#,
}];
