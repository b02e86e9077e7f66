//! What a `local-docker` handler says about the environments it makes: the
//! settings that ride in its manifest's `providerConfig`, read and defaulted.

#[cfg(test)]
#[path = "tests.rs"]
pub(crate) mod cases;
mod project_name;
mod templates;
mod variables;

use std::collections::BTreeMap;

use berth_contracts::documents::{ComposeSettings, EnvironmentManifest, UrlScheme};
use berth_contracts::{Described as _, Issue, validate};
use serde_json::Value;

use crate::git::{self, Location};
use crate::lifetime::{LONGEST, Lifespan};
use crate::problem::{Code, Place, Problem};
use crate::view::Source;

pub(crate) use project_name::{templated_project_name, unique_project_name};
pub(crate) use variables::{Origin, Variables};

/// Where the settings lie in a handler's document.
const SETTINGS: &str = "manifest.providerConfig";

/// A `local-docker` handler's settings as they are meant. Everything that it
/// leaves out is found by Berth.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ComposeHandling {
    /// What people see.
    pub(crate) label: String,
    /// The address of the engine's socket; the engine that the `docker` command
    /// would use.
    pub(crate) endpoint: Option<String>,
    /// The service whose address is the environment's; the address rule's.
    pub(crate) service: Option<String>,
    /// The port that it listens on inside; the address rule's.
    pub(crate) port: Option<u16>,
    /// How the address is opened; as the compose file says, else http.
    pub(crate) scheme: Option<UrlScheme>,
    /// The compose file, relative to the service's folder, unless the service
    /// names one itself; the usual names.
    pub(crate) compose_path: Option<String>,
    /// Another repository that the compose file is in; the service's own.
    pub(crate) compose_repository: Option<ComposeRepository>,
    /// Names each environment's compose project; the environment's own name does.
    pub(crate) project_template: Option<String>,
    /// Becomes the variable `IMAGE`.
    pub(crate) image_template: Option<String>,
    /// Variables for the compose file, as templates.
    pub(crate) env_template: BTreeMap<String, String>,
    /// How long an environment lives unless its start says.
    pub(crate) lifespan: Lifespan,
}

/// Where a compose file is that is not beside the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ComposeRepository {
    /// Its owner and name.
    pub(crate) repository: String,
    /// Branch, tag or commit; its default branch.
    pub(crate) reference: Option<String>,
}

impl ComposeRepository {
    /// Its address: on the host that a service's repository is on, else on GitHub.
    ///
    /// # Errors
    /// [`Code::InvalidInput`] for what is no owner and name.
    pub(crate) fn address_beside(&self, source: &Source) -> Result<String, Problem> {
        let named = &self.repository;
        if let Location::Url { url, .. } = Location::parse(named)
            && named.contains("://")
        {
            return Ok(url);
        }
        let parts: Vec<&str> = named.split('/').collect();
        if parts.len() < 2 || parts.iter().any(|part| part.is_empty() || *part == "..") {
            return Err(Problem::new(
                Code::InvalidInput,
                format!("“{named}” names no repository"),
            )
            .detail("The handler's setting composeRepo says so.")
            .hint("Write its owner and name, such as acme/preview-stack, or its whole address."));
        }
        let host = match source {
            Source::GitUrl { url, .. } => git::host(url),
            Source::Folder { .. } => None,
        };
        let host = host.unwrap_or_else(|| "github.com".to_owned());
        Ok(format!("https://{host}/{named}.git"))
    }
}

impl ComposeHandling {
    /// Whether it gives the compose file any variable.
    pub(crate) fn has_variables(&self) -> bool {
        self.image_template.is_some() || !self.env_template.is_empty()
    }

    /// Reads a handler's manifest. Keys that Berth does not know are others'.
    ///
    /// # Errors
    /// [`Code::InvalidDocument`] that names every setting that is wrong.
    pub(crate) fn read(manifest: &EnvironmentManifest) -> Result<Self, Problem> {
        let given = manifest
            .provider_config
            .iter()
            .flatten()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let settings = validate(ComposeSettings::SCHEMA, &Value::Object(given))
            .map_err(|issues| wrong(manifest, issues.issues.iter().map(place).collect()))?;
        let settings: ComposeSettings =
            serde_json::from_value(settings).map_err(|error| unread(&error))?;

        let mut faults = templates::faults(&settings);
        let compose_repository = match (said(settings.compose_repo), said(settings.compose_ref)) {
            (Some(repository), reference) => Some(ComposeRepository {
                repository,
                reference,
            }),
            (None, None) => None,
            (None, Some(_)) => {
                faults.push(fault(
                    "composeRef",
                    "Names a ref of composeRepo, which is not set.",
                    "Set composeRepo, or leave composeRef empty.",
                ));
                None
            }
        };
        let lifespan = match said(settings.ttl_minutes) {
            Some(minutes) => of_minutes(&minutes),
            None => of_milliseconds(manifest.default_ttl_ms),
        };
        let lifespan = lifespan.unwrap_or_else(|too_long| {
            faults.push(too_long);
            Lifespan::default()
        });
        if !faults.is_empty() {
            return Err(wrong(manifest, faults));
        }
        Ok(Self {
            label: manifest.label.clone(),
            endpoint: said(settings.endpoint),
            service: said(settings.service),
            port: settings.port.and_then(|digits| digits.parse().ok()),
            scheme: settings.scheme,
            compose_path: said(settings.compose_path),
            compose_repository,
            project_template: said(settings.project_template),
            image_template: said(settings.image_template),
            env_template: settings.env_template.unwrap_or_default(),
            lifespan,
        })
    }

    /// The variables that the compose file is read with, beside those of its own
    /// `.env`. `project` is the environment's compose project.
    pub(crate) fn environment(
        &self,
        variables: &Variables,
        project: &str,
    ) -> BTreeMap<String, String> {
        let image = self
            .image_template
            .as_deref()
            .map(|template| variables.render(template));
        let variables = variables.clone().with_project(project, image.as_deref());
        let image = image.map(|image| ("IMAGE".to_owned(), image));
        image
            .into_iter()
            .chain(
                self.env_template
                    .iter()
                    .map(|(name, template)| (name.clone(), variables.render(template))),
            )
            .collect()
    }
}

/// A text that was left empty says nothing.
fn said(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

/// Minutes as digits; 0 is for ever.
fn of_minutes(digits: &str) -> Result<Lifespan, Place> {
    // More digits than fit are more than ten years, too.
    let minutes: i64 = digits.parse().unwrap_or(i64::MAX);
    match minutes.checked_mul(60_000) {
        Some(0) => Ok(Lifespan::Forever),
        Some(milliseconds) if milliseconds <= LONGEST => Ok(Lifespan::Milliseconds(milliseconds)),
        _ => Err(fault(
            "ttlMinutes",
            "Is longer than ten years.",
            "Write 0 for environments that never expire.",
        )),
    }
}

fn of_milliseconds(milliseconds: Option<f64>) -> Result<Lifespan, Place> {
    match milliseconds {
        None => Ok(Lifespan::default()),
        // In range, so nothing is cut off but a fraction of a millisecond.
        #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)]
        Some(milliseconds) if milliseconds <= LONGEST as f64 => {
            Ok(Lifespan::Milliseconds(milliseconds as i64))
        }
        Some(_) => Err(Place {
            key: "manifest.defaultTtlMs".to_owned(),
            ..fault(
                "",
                "Is longer than ten years.",
                "For environments that never expire, set ttlMinutes to 0.",
            )
        }),
    }
}

fn fault(key: &str, message: &str, hint: &str) -> Place {
    Place {
        file: None,
        line: None,
        column: None,
        key: format!("{SETTINGS}.{key}"),
        message: message.to_owned(),
        hint: Some(hint.to_owned()),
    }
}

fn place(issue: &Issue) -> Place {
    let key = issue.path_text();
    let hint = match key.split('.').next().unwrap_or_default() {
        "port" => "Write the port inside the container, such as 8080, or leave it empty.",
        "scheme" => "Write http or https, or leave it empty.",
        "ttlMinutes" => "Write whole minutes as a text, such as \"120\"; \"0\" is for ever.",
        "endpoint" => "Write unix:// and the path of the socket, or leave it empty.",
        "envTemplate" => "Write each variable's value as a text, in quotes.",
        _ => "Write a text, or leave it empty.",
    };
    Place {
        message: issue.message.clone(),
        ..fault(&key, "", hint)
    }
}

fn wrong(manifest: &EnvironmentManifest, places: Vec<Place>) -> Problem {
    let what = match places.len() {
        1 => "a setting that is wrong".to_owned(),
        many => format!("{many} settings that are wrong"),
    };
    let mut problem = Problem::new(
        Code::InvalidDocument,
        format!("The handler “{}” has {what}", manifest.label),
    )
    .hint("Correct what is named in the handler's settings, then try again.");
    problem.places = places;
    problem
}

/// What the schema took its type takes too; a test reads every case.
fn unread(error: &serde_json::Error) -> Problem {
    Problem::internal("a handler's settings cannot be read").caused_by(error)
}
