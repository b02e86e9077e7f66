use std::collections::BTreeMap;

use crate::declare::document;
use crate::documents::{UrlScheme, texts};
use crate::pattern;
use crate::schema::{Entry, Schema, Shape, Starter, TextRule};
use crate::template;

use TextRule::{AtMost, Matches};

/// A template for a local environment.
const TEMPLATE: &Schema = &Schema::trimmed(&[AtMost(500)])
    .in_scope(&template::ENVIRONMENT)
    .entered_as(Entry::Template);

const VARIABLE: &Schema = &Schema::text(&[])
    .in_scope(&template::NAMESPACED)
    .entered_as(Entry::Template);

// The contract has no place of its own for these: they ride in `manifest.providerConfig` of a
// `local-docker` handler.
document! {
    /// Compose settings
    ///
    /// How environments of compose files run on the local Docker engine.
    pub struct ComposeSettings with starting_with(COMPOSE_SETTINGS_STARTERS) {
        /// Service
        ///
        /// The service of the compose file whose address is the environment's; found by Berth when
        /// empty.
        "service" service?: String = &Schema::trimmed(&[]).example(r#""web""#),
        /// Port
        ///
        /// The port that this service listens on inside its container; found by Berth when empty.
        "port" port?: String =
            &Schema::trimmed(&[Matches(pattern::PORT)])
                .entered_as(Entry::Port)
                .example(r#""8080""#),
        /// Docker engine
        ///
        /// The address of its socket; the engine that the docker command uses when empty.
        "endpoint" endpoint?: String =
            &Schema::trimmed(&[Matches(pattern::SOCKET)])
                .example(r#""unix:///var/run/docker.sock""#),
        /// Scheme
        ///
        /// How the address is opened; http when empty.
        "scheme" scheme?: UrlScheme = &UrlScheme::SCHEMA.default(r#""http""#),
        /// Compose file
        ///
        /// Relative to the repository; the usual names are looked for when empty.
        "composePath" compose_path?: String =
            &texts::OPTIONAL_PATH.example(r#""docker-compose.yml""#),
        /// Repository of the compose file
        ///
        /// Its owner and name, when the file is not beside the code.
        "composeRepo" compose_repo?: String = &Schema::trimmed(&[]).example(r#""acme/preview-stack""#),
        /// Ref of the compose file
        ///
        /// Branch, tag or commit in that repository; its default branch when empty.
        "composeRef" compose_ref?: String = &Schema::trimmed(&[]).example(r#""main""#),
        /// Project name
        ///
        /// The name of each environment's compose project; made valid and unique by Berth.
        "projectTemplate" project_template?: String =
            &TEMPLATE.example(r#""{{repoName}}-{{pullNumber}}""#),
        /// Image
        ///
        /// Given to the compose file as the variable IMAGE.
        "imageTemplate" image_template?: String =
            &TEMPLATE.example(r#""ghcr.io/acme/web:{{branch}}""#),
        /// Environment variables
        ///
        /// Given to the compose file, beside those of its own .env.
        "envTemplate" env_template?: BTreeMap<String, String> =
            &Schema::of(Shape::Record(VARIABLE)),
        /// Lifetime
        ///
        /// How long an environment lives; the default lifetime when empty, for ever when 0.
        "ttlMinutes" ttl_minutes?: String =
            &Schema::text(&[Matches(pattern::DIGITS)])
                .entered_as(Entry::Minutes)
                .example(r#""120""#),
    }
}

const COMPOSE_SETTINGS_STARTERS: &[Starter] = &[Starter {
    title: "A web service",
    description: "Its port, and two hours to live.",
    document: r#"{"service": "web", "port": "8080", "composePath": "docker-compose.yml", "ttlMinutes": "120"}"#,
}];
