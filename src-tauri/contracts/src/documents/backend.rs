use crate::declare::{document, union};
use crate::documents::{EnvironmentManifest, KubernetesEnvironmentConfig};
use crate::pattern;
use crate::schema::{Schema, Starter, TextRule};

/// The kinds of backends that are built in; a custom kind has another name.
pub(super) const RESERVED_KINDS: &[&str] = &["manifest", "kubernetes"];

/// The name of a custom kind of backend.
pub(crate) const CUSTOM_KIND: &Schema = &Schema::trimmed(&[
    TextRule::AtLeast(1),
    TextRule::AtMost(64),
    TextRule::Matches(pattern::SLUG),
    TextRule::Not(RESERVED_KINDS),
])
.named(
    "CustomKind",
    &[
        " Custom kind",
        "",
        " The name of a kind that is not built in: lower-case letters, digits and “-”.",
    ],
)
.example(r#""kargo""#);

document! {
    /// HTTP management API
    pub struct ManifestBackend {
        /// Manifest
        ///
        /// Describes the HTTP API.
        "manifest" manifest: Box<EnvironmentManifest>,
    }
}

document! {
    /// Kubernetes
    pub struct KubernetesBackend {
        /// Kubernetes
        ///
        /// The cluster and the manifests.
        "kubernetes" kubernetes: Box<KubernetesEnvironmentConfig>,
    }
}

document! {
    /// Custom kind
    pub struct CustomBackend {
        /// Kind
        ///
        /// The name of the kind: lower-case letters, digits and “-”.
        "kind" kind: String = CUSTOM_KIND,
        /// Manifest
        ///
        /// Carries the kind's own settings as provider settings.
        "manifest" manifest: Box<EnvironmentManifest>,
    }
}

union! {
    /// Environment backend
    ///
    /// Which implementation makes environments, and what it needs to know.
    pub enum BackendConfig by "kind" with starting_with(STARTERS) {
        /// HTTP management API
        ///
        /// An organisation's own API, described by a manifest.
        "manifest" Manifest(ManifestBackend),
        /// Kubernetes
        ///
        /// A namespace for each environment.
        "kubernetes" Kubernetes(KubernetesBackend),
        other
        /// Custom kind
        ///
        /// A kind that a plugin or a build of Berth brings.
        Custom(CustomBackend),
    }
}

const STARTERS: &[Starter] = &[
    Starter {
        title: "An HTTP management API",
        description: "An organisation's own API with a bearer token.",
        document: include_str!("starters/manifest_backend.json"),
    },
    Starter {
        title: "k3s on this machine",
        description: "Manifests beside the code, addresses under *.localhost.",
        document: include_str!("starters/kubernetes_backend.json"),
    },
];
