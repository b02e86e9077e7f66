//! Files that are no workspace files, and hostile ones.

use std::time::{Duration, Instant};

use super::*;

async fn refused(text: &str) -> Problem {
    let machine = Machine::new().await;
    let problem = machine
        .import(text, Some(&machine.root), Vec::new())
        .await
        .unwrap_err();
    assert_eq!(machine.activity().await, []);
    problem
}

#[tokio::test]
async fn every_fault_is_named_with_its_place() {
    let text = r#"{
  "berth": 1,
  "manifestTypes": [{ "manifestId": "Helm", "label": "" }],
  "handlers": [
    { "provisionType": "docker-compose", "config": { "engine": "local-docker" } },
    { "provisionType": "kubernetes", "config": { "engine": "docker" }, "secrets": {"A": "hunter2-planted-in-a-secret"} }
  ],
  "services": [{ "name": "Shop", "source": { "type": "disk" } }]
}"#;
    let problem = refused(text).await;
    assert_eq!(problem.code, Code::InvalidDocument);
    let found: Vec<_> = problem
        .places
        .iter()
        .map(|place| (place.key.as_str(), place.line.unwrap()))
        .collect();
    assert_eq!(
        found,
        [
            ("manifestTypes.0.manifestId", 3),
            ("manifestTypes.0.label", 3),
            ("handlers.0.config.manifest", 5),
            ("handlers.1.config.engine", 6),
            ("handlers.1.secrets", 6),
            ("services.0.name", 8),
            ("services.0.source.type", 8),
            ("services.0.provisioning", 8),
        ]
    );
    assert!(problem.places.iter().all(|place| place.column.is_some()));
    assert!(!format!("{problem:?}").contains(PLANTED));
}

#[tokio::test]
async fn settings_of_an_engine_are_checked_too() {
    let text = json!({
        "berth": 1,
        "handlers": [{
            "provisionType": "docker-compose",
            "config": docker("Docker", json!({"port": "http"})),
        }],
    });
    let problem = refused(&format!("{text:#}")).await;
    let place = &problem.places[0];
    assert_eq!(place.key, "handlers.0.config.manifest.providerConfig.port");
    assert!(place.line.is_some_and(|line| line > 15));
}

#[tokio::test]
async fn what_no_schema_knows_is_named_with_its_place_too() {
    let compose = |name: &str, source: Value, provisioning: Value| json!({"name": name, "source": source, "provisioning": provisioning});
    let git = |url: &str| json!({"type": "git", "url": url});
    let folder = |path: &str| json!({"type": "folder", "path": path});
    let plain = json!({"type": "docker-compose"});
    let text = json!({
        "berth": 1,
        "manifestTypes": [{"manifestId": "a", "label": "A"}, {"manifestId": "a", "label": "B"}],
        "handlers": [
            {"provisionType": "kubernetes", "config": docker("A", json!({}))},
            {"provisionType": "docker-compose", "manifestId": "helm", "config": docker("A", json!({}))},
            {"provisionType": "docker-compose", "config": docker("A", json!({}))},
            {"provisionType": "docker-compose", "config": docker("A", json!({}))},
        ],
        "services": [
            compose("a", folder("."), plain.clone()),
            compose("a", folder("/srv/shop"), plain.clone()),
            compose("b", folder("C:\\shop"), plain.clone()),
            compose("c", folder("~/shop"), plain.clone()),
            compose("d", folder("a\u{0}b"), plain.clone()),
            compose("e", git("/srv/shop.git"), plain.clone()),
            compose("f", git("https://me:hunter2@example.com/x.git"), plain.clone()),
            compose("g", git("ext::sh -c id"), plain.clone()),
            compose("h", json!({"type": "git", "url": "https://example.com/x", "subdirectory": "../.."}), plain),
            compose("i", folder("."), json!({"type": "docker-compose", "composePath": "../../etc/passwd"})),
            compose("j", git("file:///etc"), json!({"type": "kubernetes", "manifestPath": "../../../etc/shadow"})),
            compose("k", git("https://example.com/x.git?private_token=hunter2"), json!({"type": "kubernetes"})),
        ],
    });
    let problem = refused(&format!("{text:#}")).await;
    assert_eq!(problem.code, Code::InvalidDocument);
    let keys: Vec<_> = problem
        .places
        .iter()
        .map(|place| place.key.as_str())
        .collect();
    assert_eq!(
        keys,
        [
            "manifestTypes.1.manifestId",
            "handlers.0.provisionType",
            "handlers.1.provisionType",
            "handlers.3.provisionType",
            "services.1.name",
            "services.1.source.path",
            "services.2.source.path",
            "services.3.source.path",
            "services.4.source.path",
            "services.5.source.url",
            "services.6.source.url",
            "services.7.source.url",
            "services.8.source.subdirectory",
            "services.9.provisioning.composePath",
            "services.10.source.url",
            "services.10.provisioning.manifestPath",
            "services.11.source.url",
        ]
    );
    assert!(problem.places.iter().all(|place| place.line.is_some()));
    assert!(!format!("{problem:?}").contains("hunter2"));
}

#[tokio::test]
async fn other_files_are_refused_by_name() {
    let golden = [
        ("", "not JSON"),
        ("{\"berth\": 1,", "not JSON"),
        ("[]", "not valid"),
        ("null", "not valid"),
        ("{}", "not a workspace file"),
        ("{\"name\": \"package\"}", "not a workspace file"),
        (
            "{\"berth\": 2, \"hosts\": []}",
            "format 2; this Berth reads format 1",
        ),
        ("{\"berth\": 1.5}", "format 1.5"),
        ("{\"berth\": \"1\"}", "not valid"),
        ("{\"berth\": null}", "not valid"),
    ];
    for (text, part) in golden {
        let problem = refused(text).await;
        assert_eq!(problem.code, Code::InvalidDocument, "{text}");
        assert!(problem.title.contains(part), "{text}: {}", problem.title);
        assert!(problem.hint.is_some());
    }
    let newer = refused("{\n\"berth\": 7}").await;
    assert_eq!(
        (newer.places[0].line, newer.places[0].column),
        (Some(2), Some(10))
    );
}

#[tokio::test]
async fn keys_without_a_meaning_are_named() {
    let machine = Machine::new().await;
    let text = json!({
        "berth": 1,
        "$schema": "x",
        "handlers": [{
            "provisionType": "docker-compose",
            "secret": ["A"],
            "config": docker("Docker", json!({"anything": {"goes": 1}})),
        }],
    })
    .to_string();
    let preview = machine.preview(&text, None).await;
    assert_eq!(preview.warnings.len(), 1);
    assert!(preview.warnings[0].ends_with("left out: /$schema, /handlers/0/secret."));
}

#[tokio::test]
async fn hostile_files_cost_little() {
    let machine = Machine::new().await;
    let key = "k".repeat(400_000);
    let ones = vec![1; 100_000];
    let blown_up = json!({
        "berth": 1,
        "handlers": [{
            "provisionType": "docker-compose",
            "config": docker("Docker", json!({ key: ones })),
        }],
    })
    .to_string();
    let begun = Instant::now();
    let preview = machine.preview(&blown_up, None).await;
    assert!(serde_json::to_string(&preview).unwrap().len() < 600_000);
    assert!(
        preview.warnings[0].contains("100000 more differ"),
        "{:?}",
        preview.warnings
    );

    let too_large = format!("{{\"berth\": 1, \"x\": \"{}\"}}", "x".repeat(1024 * 1024));
    let problem = refused(&too_large).await;
    assert!(problem.title.contains("bytes"), "{problem:?}");

    for text in [
        format!(
            "{{\"berth\": 1, \"services\": [{}]}}",
            vec!["{}"; 200_000].join(",")
        ),
        format!("{{\"berth\": 1, \"services\": {}", "[".repeat(900_000)),
        format!(
            "{{\"berth\": 1, \"services\": [{}]}}",
            "{\"berth\":".repeat(90_000)
        ),
    ] {
        let problem = refused(&text).await;
        assert!(problem.places.len() <= berth_contracts::MAX_ISSUES);
    }
    let services: Vec<_> = (0..1_001)
        .map(|number| {
            json!({
                "name": format!("s{number}"),
                "source": {"type": "folder", "path": "."},
                "provisioning": {"type": "docker-compose"},
            })
        })
        .collect();
    let problem = refused(&json!({"berth": 1, "services": services}).to_string()).await;
    assert_eq!(problem.places[0].key, "services.1000");
    assert!(
        begun.elapsed() < Duration::from_secs(60),
        "{:?}",
        begun.elapsed()
    );
}
