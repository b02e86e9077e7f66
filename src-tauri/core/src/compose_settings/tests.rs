use serde_json::{Value, json};

use super::*;
use crate::behaviour::{Difference, Function};
use crate::view::{Selector, Service, Source};

pub(crate) const FUNCTIONS: &[Function] = &[
    ("parseComposeEnvConfig", parse_compose_env_config),
    ("resolveProjectName", resolve_project_name),
    ("sanitizeProjectName", sanitize_project_name),
    ("shortHash", short_hash),
];

pub(crate) const DIFFERENCES: &[Difference] = &[
    (
        "parseComposeEnvConfig-009",
        "a port is written in decimal digits: 0x50 is a mistake that is named",
    ),
    (
        "parseComposeEnvConfig-011",
        "a port is written in decimal digits: 8e1 is a mistake that is named",
    ),
    (
        "parseComposeEnvConfig-015",
        "a negative lifetime is a mistake that is named; for ever is 0",
    ),
    (
        "parseComposeEnvConfig-016",
        "a lifetime that is a number is named, not silently passed over",
    ),
    (
        "parseComposeEnvConfig-018",
        "a variable that is no text is named: null would become the text null",
    ),
    (
        "parseComposeEnvConfig-019",
        "HTTPS is named, not silently taken for http",
    ),
    (
        "parseComposeEnvConfig-020",
        "true is no port: it is named, not taken for 1",
    ),
    (
        "parseComposeEnvConfig-022",
        "the service is optional: the address rule finds it",
    ),
    (
        "resolveProjectName-001",
        "without a template a project is named as its environment is",
    ),
    (
        "resolveProjectName-002",
        "without a template a project is named as its environment is",
    ),
    (
        "resolveProjectName-003",
        "without a template a project is named as its environment is",
    ),
    (
        "resolveProjectName-004",
        "without a template a project is named as its environment is",
    ),
    (
        "resolveProjectName-006",
        "without a template a project is named as its environment is",
    ),
];

fn manifest(config: &Value) -> EnvironmentManifest {
    let mut manifest = json!({
        "providerId": "compose",
        "baseUrl": "http://localhost",
        "auth": { "type": "none" },
        "provision": { "method": "POST", "pathTemplate": "" },
        "response": {},
    });
    let parts = config.as_object().unwrap().clone();
    manifest.as_object_mut().unwrap().extend(parts);
    serde_json::from_value(manifest).unwrap()
}

fn read(settings: Value) -> Result<ComposeHandling, Problem> {
    ComposeHandling::read(&manifest(
        &json!({ "label": "C", "providerConfig": settings }),
    ))
}

fn parse_compose_env_config(args: &[Value]) -> Result<Value, String> {
    let read = ComposeHandling::read(&manifest(&args[0])).map_err(|problem| problem.title)?;
    let mut result = json!({
        "label": read.label,
        // What stands where the handler says nothing: the first of the usual
        // names, and what the address rule falls back on.
        "composePath": read.compose_path.as_deref().unwrap_or("docker-compose.yml"),
        "scheme": read.scheme.unwrap_or(UrlScheme::Http),
    });
    let mut set = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            result[key] = value;
        }
    };
    set("service", read.service.map(Value::from));
    set("port", read.port.map(Value::from));
    set(
        "composeRepo",
        read.compose_repository
            .map(|repository| repository.repository.into()),
    );
    let env = (!read.env_template.is_empty()).then(|| json!(read.env_template));
    set("envTemplate", env);
    set(
        "defaultTtlMs",
        match read.lifespan {
            usual if usual == Lifespan::default() => None,
            Lifespan::Milliseconds(milliseconds) => Some(milliseconds.into()),
            Lifespan::Forever => None,
        },
    );
    Ok(result)
}

fn resolve_project_name(args: &[Value]) -> Result<Value, String> {
    let variables: Vec<_> = variables::NAMES
        .iter()
        .filter_map(|name| Some((*name, args[1].get(name)?.as_str()?)))
        .collect();
    let variables = Variables::test_with(&variables);
    Ok(match args[0]["projectTemplate"].as_str() {
        Some(template) => templated_project_name(template, &variables),
        None => crate::names::project_name("web-pr-7", "blk_1"),
    }
    .into())
}

fn sanitize_project_name(args: &[Value]) -> Result<Value, String> {
    let name = args[0].as_str().unwrap();
    Ok(templated_project_name(name, &Variables::default()).into())
}

fn short_hash(args: &[Value]) -> Result<Value, String> {
    let name = unique_project_name("web", args[0].as_str().unwrap(), |_| true);
    Ok(name.strip_prefix("web-").unwrap().into())
}

#[test]
fn a_handler_that_says_nothing_leaves_everything_to_berth() {
    for settings in [
        json!({}),
        json!({ "service": " ", "composePath": "", "ttlMinutes": "", "team": ["anything"] }),
    ] {
        let read = read(settings).unwrap();
        assert_eq!(
            read,
            ComposeHandling {
                label: "C".to_owned(),
                endpoint: None,
                service: None,
                port: None,
                scheme: None,
                compose_path: None,
                compose_repository: None,
                project_template: None,
                image_template: None,
                env_template: BTreeMap::new(),
                lifespan: Lifespan::default(),
            }
        );
    }
}

#[test]
fn every_wrong_setting_is_named_with_what_to_write() {
    let problem = read(json!({
        "service": 5,
        "port": 70000,
        "scheme": "HTTPS",
        "ttlMinutes": 120,
        "endpoint": "tcp://10.0.0.1:2375",
        "envTemplate": { "A": null },
    }))
    .unwrap_err();
    assert_eq!(problem.code, Code::InvalidDocument);
    assert_eq!(
        problem.title,
        "The handler “C” has 6 settings that are wrong"
    );
    let keys: Vec<&str> = problem
        .places
        .iter()
        .map(|place| place.key.trim_start_matches("manifest.providerConfig."))
        .collect();
    assert_eq!(
        keys,
        [
            "service",
            "port",
            "endpoint",
            "scheme",
            "envTemplate.A",
            "ttlMinutes"
        ]
    );
    assert!(problem.places.iter().all(|place| place.hint.is_some()));
}

#[test]
fn a_template_with_an_unknown_name_is_refused_with_the_likely_one() {
    let problem = read(json!({
        "projectTemplate": "{{repoName}}-{{pullnumber}}",
        "imageTemplate": "{{input.tag}}:{{namespace}}",
        "envTemplate": { "HOST": "{{namespace}}.localhost", "WHO": "{{ entirely.different }}" },
    }))
    .unwrap_err();
    let said: Vec<_> = problem
        .places
        .iter()
        .map(|place| (place.message.as_str(), place.hint.as_deref().unwrap()))
        .collect();
    assert_eq!(
        said,
        [
            ("There is no variable pullnumber.", "Write {{pullNumber}}."),
            (
                "There is no variable namespace.",
                "Write one of branch, pullNumber, pullUrl, repoOwner, repoName, blockId."
            ),
            (
                "There is no variable entirely.different.",
                "Write one of branch, pullNumber, pullUrl, repoOwner, repoName, blockId, namespace, image."
            ),
        ]
    );
}

#[test]
fn a_ref_without_its_repository_is_refused() {
    let problem = read(json!({ "composeRef": "main" })).unwrap_err();
    assert_eq!(problem.places[0].key, "manifest.providerConfig.composeRef");
    let settings = json!({ "composeRepo": "acme/stack", "composeRef": "main" });
    assert_eq!(
        read(settings).unwrap().compose_repository,
        Some(ComposeRepository {
            repository: "acme/stack".to_owned(),
            reference: Some("main".to_owned()),
        })
    );
}

/// The minutes, then the manifest's own, then Berth's.
#[test]
fn the_more_particular_lifetime_wins() {
    const HOUR: i64 = 3_600_000;
    let lifespan = |minutes: Option<&str>, milliseconds: Option<f64>| {
        let mut config = json!({ "label": "C", "providerConfig": {} });
        if let Some(minutes) = minutes {
            config["providerConfig"]["ttlMinutes"] = minutes.into();
        }
        if let Some(milliseconds) = milliseconds {
            config["defaultTtlMs"] = milliseconds.into();
        }
        ComposeHandling::read(&manifest(&config)).map(|read| read.lifespan)
    };
    for (minutes, milliseconds, expected) in [
        (Some("60"), Some(90_000.0), Lifespan::Milliseconds(HOUR)),
        (Some("0"), Some(90_000.0), Lifespan::Forever),
        (Some(""), Some(90_000.5), Lifespan::Milliseconds(90_000)),
        (None, Some(90_000.0), Lifespan::Milliseconds(90_000)),
        (None, None, Lifespan::Milliseconds(2 * HOUR)),
    ] {
        assert_eq!(lifespan(minutes, milliseconds).unwrap(), expected);
    }
    for (minutes, milliseconds) in [
        (Some("99999999999999999999"), None),
        (Some("9999999"), None),
        (None, Some(1e300)),
    ] {
        let problem = lifespan(minutes, milliseconds).unwrap_err();
        assert_eq!(problem.code, Code::InvalidDocument);
    }
}

fn service(source: Source) -> Service {
    Service {
        id: "0195-a".to_owned(),
        name: "shop".to_owned(),
        source,
        provisioning: berth_contracts::ServiceProvisioning::of(
            berth_contracts::ProvisionType::DockerCompose,
        ),
        created_at: 0,
    }
}

#[test]
fn both_dialects_give_the_same_and_what_is_unknown_gives_nothing() {
    let hosted = service(Source::GitUrl {
        url: "https://github.com/acme/web.git".to_owned(),
        subdirectory: String::new(),
    });
    let folder = service(Source::Folder {
        path: "/home/me/shop".to_owned(),
        git: true,
    });
    let pull = Selector::PullRequest { number: 42 };
    let branch = Selector::Ref {
        name: "feature/login".to_owned(),
    };
    let cloned = Origin {
        remote: Some("git@gitlab.com:acme/platform/shop.git"),
        branch: Some("main"),
    };
    let all = "{{repoOwner}} {{repoName}} {{branch}} {{pullNumber}} {{pullUrl}} {{blockId}}";
    let prefixed = all.replace("{{", "{{ input.");
    for (service, selector, origin, expected) in [
        (
            &hosted,
            &pull,
            Origin::default(),
            "acme web  42 https://github.com/acme/web/pull/42 0195-a",
        ),
        (
            &folder,
            &Selector::WorkingTree,
            cloned,
            "acme/platform shop main   0195-a",
        ),
        (
            &folder,
            &branch,
            Origin::default(),
            " shop feature/login   0195-a",
        ),
    ] {
        let variables = Variables::of(service, selector, origin);
        assert_eq!(variables.render(all), expected);
        assert_eq!(variables.render(&prefixed), expected);
        assert_eq!(variables.render("{{input.other}}{{namespace}}"), "");
    }
}

#[test]
fn the_compose_file_gets_the_image_and_the_variables() {
    let handling = read(json!({
        "imageTemplate": "ghcr.io/acme/{{repoName}}:{{input.pullNumber}}",
        "envTemplate": { "HOST": "{{namespace}}.localhost", "TAGGED": "{{ image }}" },
    }))
    .unwrap();
    let variables = Variables::test_with(&[("repoName", "web"), ("pullNumber", "42")]);
    let environment = handling.environment(&variables, "web-42");
    let said: Vec<_> = environment
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    assert_eq!(
        said,
        [
            "HOST=web-42.localhost",
            "IMAGE=ghcr.io/acme/web:42",
            "TAGGED=ghcr.io/acme/web:42",
        ]
    );
}

/// The reference cuts after it trims; and two of one name are told apart.
#[test]
fn project_names_end_in_no_dash_and_stay_legal() {
    let none = Variables::default();
    for text in [
        format!("{}-tail", "a".repeat(62)),
        format!("{}--", "a".repeat(63)),
        "İstanbul/ÄÖ".to_owned(),
        "{{pullNumber}}".to_owned(),
        "///".to_owned(),
    ] {
        for name in [
            templated_project_name(&text, &none),
            unique_project_name(&templated_project_name(&text, &none), "0195-a", |_| true),
        ] {
            assert!(!name.is_empty() && name.len() <= 63, "{name}");
            assert!(!name.ends_with('-'), "{name}");
            assert!(
                name.starts_with(|c: char| c.is_ascii_alphanumeric()),
                "{name}"
            );
            assert!(
                name.bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"_-".contains(&b)),
                "{name}"
            );
        }
    }
    assert_eq!(unique_project_name("web", "a", |_| false), "web");
    assert_ne!(
        unique_project_name("web", "a", |_| true),
        unique_project_name("web", "b", |_| true)
    );
}
