use std::collections::BTreeMap;

use serde_json::Value;

use crate::declare::document;
use crate::documents::texts;
use crate::pattern;
use crate::schema::{Schema, Starter, TextRule};

use TextRule::{AtLeast, AtMost, Matches};

document! {
    /// Amounts
    pub struct ResourceAmounts {
        /// CPU
        ///
        /// In Kubernetes' own terms: 500m, 2.
        "cpu" cpu?: String = &Schema::text(&[]).example(r#""500m""#),
        /// Memory
        ///
        /// In Kubernetes' own terms: 512Mi, 2Gi.
        "memory" memory?: String = &Schema::text(&[]).example(r#""512Mi""#),
    }
}

document! {
    /// Resources
    pub struct PodResources {
        /// Requests
        ///
        /// What a pod is sure to get.
        "requests" requests?: ResourceAmounts,
        /// Limits
        ///
        /// What a pod can use at most.
        "limits" limits?: ResourceAmounts,
    }
}

document! {
    /// Kubernetes runner
    ///
    /// A cluster on which every job runs in a pod of its own.
    pub struct KubernetesRunnerConfig with starting_with(STARTERS) {
        /// Label
        ///
        /// What people see.
        "label" label: String = &texts::LABEL.example(r#""Runners on k3s""#),
        /// API server
        ///
        /// The address of the cluster's API server.
        "apiServerUrl" api_server_url: String = texts::API_SERVER_URL,
        /// Namespace
        ///
        /// Where the pods are made; it has to exist.
        "namespace" namespace: String =
            &Schema::trimmed(&[Matches(pattern::KUBERNETES_NAME)]).example(r#""runners""#),
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
        /// Image
        ///
        /// The image that the pods run.
        "image" image: String =
            &Schema::trimmed(&[AtLeast(1), AtMost(500)]).example(r#""ghcr.io/acme/runner:1""#),
        /// Image for UI jobs
        ///
        /// A larger image, for jobs that need a browser.
        "imageUi" image_ui?: String = &Schema::text(&[]).example(r#""ghcr.io/acme/runner-ui:1""#),
        /// Port
        ///
        /// The port that the runner listens on in its pod; 8080 when empty.
        "harnessPort" harness_port?: f64 = &texts::PORT.default("8080"),
        /// Image pull secret
        ///
        /// The name of the secret in the namespace that a private registry asks for.
        "imagePullSecretName" image_pull_secret_name?: String,
        /// Service account
        ///
        /// The account that pods run as; not the one that Berth calls the API server with.
        "serviceAccountName" service_account_name?: String,
        /// Resources
        ///
        /// For every pod.
        "resources" resources?: PodResources,
        /// Resources by size
        ///
        /// Other amounts for jobs of a size: small, medium, large, xlarge.
        "resourcesBySize" resources_by_size?: BTreeMap<String, ResourceAmounts>,
        /// Node selector
        ///
        /// Labels that a node must have.
        "nodeSelector" node_selector?: BTreeMap<String, String>,
        /// Tolerations
        ///
        /// Put into the pods as they are.
        "tolerations" tolerations?: Vec<BTreeMap<String, Value>>,
        /// Labels
        ///
        /// Put on every pod.
        "labels" labels?: BTreeMap<String, String>,
        /// Annotations
        ///
        /// Put on every pod.
        "annotations" annotations?: BTreeMap<String, String>,
    }
}

const STARTERS: &[Starter] = &[Starter {
    title: "Runners on this machine's k3s",
    description: "One pod for each job, with modest limits.",
    document: include_str!("../starters/kubernetes_runner.json"),
}];
