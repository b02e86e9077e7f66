use std::collections::BTreeMap;

use crate::declare::{choice, document, union};
use crate::documents::texts;
use crate::pattern;
use crate::schema::{Entry, Schema, Starter, TextRule};
use crate::template;

use TextRule::{AtLeast, AtMost, Matches};

document! {
    /// Beside the code
    pub struct ColocatedManifests {
        /// Path
        ///
        /// A file, or a folder whose .yaml, .yml and .json files are applied.
        "path" path: String = &texts::REQUIRED_PATH.example(r#""deploy/preview""#),
    }
}

document! {
    /// Another repository
    pub struct SeparateManifests {
        /// Repository
        ///
        /// Its owner and name.
        "repo" repo: String =
            &Schema::trimmed(&[Matches(pattern::REPOSITORY)]).example(r#""acme/preview-manifests""#),
        /// Ref
        ///
        /// Branch, tag or commit; the default branch when empty.
        "ref" git_ref?: String = &texts::TRIMMED_NON_EMPTY.example(r#""main""#),
        /// Path
        ///
        /// A file, or a folder whose .yaml, .yml and .json files are applied.
        "path" path: String = &texts::REQUIRED_PATH.example(r#""overlays/preview""#),
    }
}

union! {
    /// Manifests
    ///
    /// Where the Kubernetes manifests of a service are.
    pub enum ManifestSource by "type" with starting_with(MANIFEST_SOURCE_STARTERS) {
        /// Beside the code
        ///
        /// In the service's own repository, at the environment's ref.
        "colocated" Colocated(ColocatedManifests),
        /// In another repository
        ///
        /// In a repository of their own, at a ref of its own.
        "separate" Separate(SeparateManifests),
    }
}

choice! {
    /// Scheme
    pub enum UrlScheme {
        /// http
        Http = "http",
        /// https
        Https = "https",
    }
}

const SCHEME: &Schema = &<UrlScheme as crate::declare::Described>::SCHEMA.default(r#""https""#);

document! {
    /// From a host template
    pub struct IngressTemplateUrl {
        /// Host
        ///
        /// The host name that the environment's ingress answers to.
        "hostTemplate" host_template: String =
            &Schema::trimmed(&[AtLeast(1), AtMost(500)])
                .in_scope(&template::NAMESPACED)
                .entered_as(Entry::Template)
                .example(r#""{{namespace}}.preview.example.com""#),
        /// Scheme
        ///
        /// https when empty.
        "scheme" scheme?: UrlScheme = SCHEME,
    }
}

document! {
    /// From an ingress
    pub struct IngressStatusUrl {
        /// Ingress
        ///
        /// Its name; the first ingress of the namespace when empty.
        "ingressName" ingress_name?: String = &texts::TRIMMED_NON_EMPTY.example(r#""web""#),
        /// Scheme
        ///
        /// https when empty.
        "scheme" scheme?: UrlScheme = SCHEME,
    }
}

document! {
    /// From a service
    pub struct ServiceStatusUrl {
        /// Service
        ///
        /// Its name; it needs a load balancer that gives it an address.
        "serviceName" service_name: String = &texts::TRIMMED_NON_EMPTY.example(r#""web""#),
        /// Port
        ///
        /// Appended to the address.
        "port" port?: f64 = texts::PORT,
        /// Scheme
        ///
        /// https when empty.
        "scheme" scheme?: UrlScheme = SCHEME,
    }
}

union! {
    /// Address
    ///
    /// Where the environment's URL comes from.
    pub enum UrlSource by "source" with starting_with(URL_SOURCE_STARTERS) {
        /// From a host template
        ///
        /// The host is known beforehand, for example under a wildcard domain.
        "ingressTemplate" IngressTemplate(IngressTemplateUrl),
        /// From an ingress
        ///
        /// The address that the cluster gives to an ingress.
        "ingressStatus" IngressStatus(IngressStatusUrl),
        /// From a service
        ///
        /// The address that a load balancer gives to a service.
        "serviceStatus" ServiceStatus(ServiceStatusUrl),
    }
}

const NAMESPACE_TEMPLATE: &Schema = &Schema::trimmed(&[AtLeast(1), AtMost(200)])
    .in_scope(&template::ENVIRONMENT)
    .entered_as(Entry::Template)
    .example(r#""preview-{{repoName}}-{{pullNumber}}""#);

const IMAGE_TEMPLATE: &Schema = &Schema::trimmed(&[AtMost(500)])
    .in_scope(&template::ENVIRONMENT)
    .entered_as(Entry::Template)
    .example(r#""ghcr.io/acme/web:{{branch}}""#);

document! {
    /// Kubernetes environment
    ///
    /// A cluster, and the manifests that an environment on it is made of.
    pub struct KubernetesEnvironmentConfig with starting_with(ENVIRONMENT_STARTERS) {
        /// Label
        ///
        /// What people see.
        "label" label: String = &texts::LABEL.example(r#""k3s on my laptop""#),
        /// API server
        ///
        /// The address of the cluster's API server.
        "apiServerUrl" api_server_url: String = texts::API_SERVER_URL,
        /// Certificate authority
        ///
        /// The certificates, as PEM, that the API server's own is checked against; those of the
        /// system when empty.
        "caCertPem" ca_cert_pem?: String = texts::PEM,
        /// Skip TLS verification
        ///
        /// Accepts any certificate. Only for a cluster on your own machine: whoever is in between
        /// can read the token.
        "insecureSkipTlsVerify" insecure_skip_tls_verify?: bool,
        /// Namespace
        ///
        /// The name of each environment's namespace; made valid and unique by Berth.
        "namespaceTemplate" namespace_template?: String = NAMESPACE_TEMPLATE,
        /// Manifests
        ///
        /// Where the Kubernetes manifests are.
        "manifestSource" manifest_source: ManifestSource,
        /// Address
        ///
        /// Where the environment's URL comes from.
        "url" url: UrlSource,
        /// Image
        ///
        /// The image that the manifests name as {{image}}.
        "imageTemplate" image_template?: String = IMAGE_TEMPLATE,
        /// Default lifetime
        ///
        /// How long an environment lives; at least a minute.
        "defaultTtlMs" default_ttl_ms?: f64 = texts::TTL,
        /// Labels
        ///
        /// Put on the namespace and everything in it.
        "labels" labels?: BTreeMap<String, String>,
        /// Annotations
        ///
        /// Put on the namespace.
        "annotations" annotations?: BTreeMap<String, String>,
    }
}

document! {
    /// Kubernetes engine
    ///
    /// A cluster that environments run on; each service says where its manifests are.
    pub struct KubernetesEngineConfig with starting_with(ENGINE_STARTERS) {
        /// Label
        ///
        /// What people see.
        "label" label: String = &texts::LABEL.example(r#""k3s on my laptop""#),
        /// API server
        ///
        /// The address of the cluster's API server.
        "apiServerUrl" api_server_url: String = texts::API_SERVER_URL,
        /// Certificate authority
        ///
        /// The certificates, as PEM, that the API server's own is checked against; those of the
        /// system when empty.
        "caCertPem" ca_cert_pem?: String = texts::PEM,
        /// Skip TLS verification
        ///
        /// Accepts any certificate. Only for a cluster on your own machine: whoever is in between
        /// can read the token.
        "insecureSkipTlsVerify" insecure_skip_tls_verify?: bool,
        /// Namespace
        ///
        /// The name of each environment's namespace; made valid and unique by Berth.
        "namespaceTemplate" namespace_template?: String = NAMESPACE_TEMPLATE,
        /// Address
        ///
        /// Where the environment's URL comes from.
        "url" url: UrlSource,
        /// Image
        ///
        /// The image that the manifests name as {{image}}.
        "imageTemplate" image_template?: String = IMAGE_TEMPLATE,
        /// Default lifetime
        ///
        /// How long an environment lives; at least a minute.
        "defaultTtlMs" default_ttl_ms?: f64 = texts::TTL,
        /// Labels
        ///
        /// Put on the namespace and everything in it.
        "labels" labels?: BTreeMap<String, String>,
        /// Annotations
        ///
        /// Put on the namespace.
        "annotations" annotations?: BTreeMap<String, String>,
    }
}

const ENVIRONMENT_STARTERS: &[Starter] = &[
    Starter {
        title: "k3s on this machine",
        description: "Manifests beside the code, addresses under *.localhost.",
        document: include_str!("starters/k3s_environment.json"),
    },
    Starter {
        title: "A cluster with a wildcard domain",
        description: "Manifests in a repository of their own.",
        document: include_str!("starters/cluster_environment.json"),
    },
];

const ENGINE_STARTERS: &[Starter] = &[Starter {
    title: "k3s on this machine",
    description: "Addresses under *.localhost.",
    document: include_str!("starters/k3s_engine.json"),
}];

const MANIFEST_SOURCE_STARTERS: &[Starter] = &[
    Starter {
        title: "Beside the code",
        description: "A folder in the service's own repository.",
        document: r#"{"type": "colocated", "path": "deploy/preview"}"#,
    },
    Starter {
        title: "In another repository",
        description: "A folder at a ref of its own.",
        document: r#"{"type": "separate", "repo": "acme/preview-manifests", "ref": "main", "path": "overlays/preview"}"#,
    },
];

const URL_SOURCE_STARTERS: &[Starter] = &[
    Starter {
        title: "From a host template",
        description: "Under a wildcard domain.",
        document: r#"{"source": "ingressTemplate", "hostTemplate": "{{namespace}}.preview.example.com"}"#,
    },
    Starter {
        title: "From an ingress",
        description: "The address that the cluster gives it.",
        document: r#"{"source": "ingressStatus", "ingressName": "web"}"#,
    },
    Starter {
        title: "From a service",
        description: "The address that a load balancer gives it.",
        document: r#"{"source": "serviceStatus", "serviceName": "web", "port": 8080, "scheme": "http"}"#,
    },
];
