use std::sync::Arc;

use serde_json::json;
use tempfile::TempDir;

use super::*;
use crate::Options;
use crate::testing::FakeClock;
use crate::view::{Actor, Change};

struct Opened {
    folder: TempDir,
    clock: Arc<FakeClock>,
    berth: Berth,
}

async fn opened() -> Opened {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(FakeClock::new(1_000));
    let berth = open(&folder, &clock).await;
    Opened {
        folder,
        clock,
        berth,
    }
}

async fn open(folder: &TempDir, clock: &Arc<FakeClock>) -> Berth {
    Berth::open(Options {
        data_dir: Some(folder.path().join("data")),
        actor: Actor::Window,
        environment: std::collections::BTreeMap::new(),
        clock: clock.clone(),
        keychain: None,
    })
    .await
    .unwrap()
}

fn draft(id: Option<&str>, text: impl ToString) -> DocumentDraft {
    DocumentDraft {
        id: id.map(str::to_owned),
        schema: "environmentAuthSchemeSchema".to_owned(),
        name: " Login \u{e9} ".to_owned(),
        text: text.to_string(),
    }
}

const ID: &str = "3f8e2b1c-0000-4000-8000-0123456789ab";

#[tokio::test]
async fn documents_are_kept_as_the_contract_writes_them() {
    let Opened {
        folder,
        clock,
        berth,
    } = opened().await;
    let text = json!({"more": 1, "secretRef": {"key": "TOKEN"}, "type": "bearer"});
    let saved = berth.save_document(draft(Some(ID), text)).await.unwrap();
    assert_eq!(saved.summary.id, ID);
    assert_eq!(saved.summary.name, "Login é");
    let kept = "{\n  \"type\": \"bearer\",\n  \"secretRef\": {\n    \"key\": \"TOKEN\"\n  }\n}";
    assert_eq!(saved.text, kept);

    clock.advance(500);
    let again = berth
        .save_document(draft(Some(ID), json!({"type": "none"})))
        .await
        .unwrap();
    assert_eq!(
        (again.summary.created_at, again.summary.updated_at),
        (1_000, 1_500)
    );

    let other = open(&folder, &clock).await;
    assert_eq!(other.document(ID).await.unwrap(), again);
    assert_eq!(other.documents().await.unwrap(), [again.summary]);

    berth.delete_document(ID).await.unwrap();
    assert_eq!(other.documents().await.unwrap(), []);
    for problem in [
        other.document(ID).await.unwrap_err(),
        berth.delete_document(ID).await.unwrap_err(),
    ] {
        assert_eq!(problem.code, Code::NotFound);
    }
}

#[tokio::test]
async fn others_hear_of_what_is_saved_and_deleted() {
    let Opened {
        folder,
        clock,
        berth,
    } = opened().await;
    let other = open(&folder, &clock).await;
    berth
        .save_document(draft(Some(ID), json!({"type": "none"})))
        .await
        .unwrap();
    berth.delete_document(ID).await.unwrap();
    let mut events = std::pin::pin!(other.follow(0));
    let first = futures_util::StreamExt::next(&mut events)
        .await
        .unwrap()
        .unwrap();
    let changes: Vec<_> = first.into_iter().map(|event| event.change).collect();
    assert_eq!(changes, [Change::Document { id: ID.to_owned() }]);
}

#[tokio::test]
async fn only_valid_documents_are_kept_and_every_fault_is_told() {
    let Opened { berth, .. } = opened().await;
    let problem = berth
        .save_document(draft(
            None,
            "{\n\"type\": \"basic\",\n\"usernameSecretRef\": {\"key\": \"a b\"}}",
        ))
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::InvalidDocument);
    let places: Vec<_> = problem
        .places
        .iter()
        .map(|place| (place.line, place.key.as_str()))
        .collect();
    assert_eq!(
        places,
        [
            (Some(3), "usernameSecretRef.key"),
            (Some(1), "passwordSecretRef")
        ]
    );
    let problem = berth.save_document(draft(None, "{")).await.unwrap_err();
    assert_eq!(problem.code, Code::InvalidDocument);
    assert_eq!(problem.title, "The document is not JSON");
    assert_eq!(berth.documents().await.unwrap(), []);
}

#[tokio::test]
async fn names_ids_and_schemas_have_rules() {
    let Opened { berth, .. } = opened().await;
    let none = json!({"type": "none"});
    for name in ["", "  ", "a\nb", &"x".repeat(121)] {
        let mut draft = draft(None, &none);
        draft.name = name.to_owned();
        let problem = berth.save_document(draft).await.unwrap_err();
        assert_eq!(problem.code, Code::InvalidInput, "{name:?}");
    }
    let mut longest = draft(None, &none);
    longest.name = "é".repeat(120);
    let saved = berth.save_document(longest).await.unwrap();
    for id in ["", "../x", "a b", &"x".repeat(65)] {
        let problem = berth
            .save_document(draft(Some(id), &none))
            .await
            .unwrap_err();
        assert_eq!(problem.code, Code::InvalidInput, "{id:?}");
    }
    let mut other = draft(Some(&saved.summary.id), json!({"key": "a"}));
    other.schema = "environmentSecretRefSchema".to_owned();
    let problem = berth.save_document(other).await.unwrap_err();
    assert!(problem.title.contains("another kind"), "{problem:?}");
    let mut unknown = draft(None, &none);
    unknown.schema = "nothingSchema".to_owned();
    let problem = berth.save_document(unknown).await.unwrap_err();
    assert_eq!(problem.code, Code::NotFound);
}

#[tokio::test]
async fn what_carries_the_values_of_secrets_is_refused() {
    let Opened { berth, .. } = opened().await;
    let problem = berth
        .save_document(DocumentDraft {
            id: None,
            schema: "updateEnvironmentSecretsSchema".to_owned(),
            name: "Secrets".to_owned(),
            text: json!({"secrets": {"TOKEN": "planted"}}).to_string(),
        })
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::InvalidInput);
    assert!(!format!("{problem:?}").contains("planted"));
}
