use crate::declare::{choice, document};
use crate::documents::{ManifestSource, texts};
use crate::schema::Starter;

choice! {
    /// Provision type
    ///
    /// What kind of thing a service is provisioned as.
    pub enum ProvisionType {
        /// Kubernetes
        ///
        /// Kubernetes manifests.
        Kubernetes = "kubernetes",
        /// Docker Compose
        ///
        /// A compose project, or a lone Dockerfile.
        DockerCompose = "docker-compose",
        /// Custom
        ///
        /// A custom manifest type of the catalogue.
        Custom = "custom",
        /// Nothing to run
        ///
        /// The service needs no environment of its own.
        Infraless = "infraless",
    }
}

document! {
    /// Service provisioning
    ///
    /// What a service's environments are made of, and where that is.
    pub struct ServiceProvisioning with starting_with(STARTERS) {
        /// Provision type
        ///
        /// What kind of thing the service is provisioned as.
        "type" provision_type: ProvisionType,
        /// Manifests
        ///
        /// Where the manifests are.
        "manifestSource" manifest_source?: ManifestSource =
            &ManifestSource::SCHEMA.when("type", &["kubernetes"]),
        /// Compose file
        ///
        /// Relative to the service's folder. When empty, the usual names are looked for, then a
        /// Dockerfile.
        "composePath" compose_path?: String =
            &texts::OPTIONAL_PATH
                .example(r#""docker-compose.yml""#)
                .when("type", &["docker-compose"]),
        /// Local development only
        ///
        /// The service runs on laptops and nowhere else.
        "localDevOnly" local_dev_only?: bool,
        /// Manifest type
        ///
        /// Which manifest type of the catalogue; the handler that accepts it serves the service.
        "manifestId" manifest_id?: String =
            &texts::MANIFEST_ID.when("type", &["custom"]),
        /// Manifest path
        ///
        /// The manifest, relative to the service's folder.
        "manifestPath" manifest_path?: String = &texts::OPTIONAL_PATH
                .example(r#""deploy/preview.json""#)
                .when("type", &["custom"]),
    }
}

// Nothing in it is a floating-point number.
impl Eq for ServiceProvisioning {}

impl ServiceProvisioning {
    /// Provisioning of this type, with nothing else said.
    #[must_use]
    pub const fn of(provision_type: ProvisionType) -> Self {
        Self {
            provision_type,
            manifest_source: None,
            compose_path: None,
            local_dev_only: None,
            manifest_id: None,
            manifest_path: None,
        }
    }
}

const STARTERS: &[Starter] = &[
    Starter {
        title: "A compose file",
        description: "docker-compose.yml in the service's folder.",
        document: r#"{ "type": "docker-compose", "composePath": "docker-compose.yml" }"#,
    },
    Starter {
        title: "Kubernetes manifests beside the code",
        description: "A folder of manifests in the service's repository.",
        document: r#"{ "type": "kubernetes", "manifestSource": { "type": "colocated", "path": "deploy/preview" } }"#,
    },
    Starter {
        title: "A custom manifest type",
        description: "Served by whichever handler accepts the type.",
        document: r#"{ "type": "custom", "manifestId": "helm", "manifestPath": "deploy/preview.json" }"#,
    },
];
