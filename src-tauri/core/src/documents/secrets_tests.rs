use std::path::Path;
use std::sync::Arc;

use tempfile::TempDir;

use super::*;
use crate::Options;
use crate::testing::FakeClock;
use crate::view::{Actor, DocumentDraft};

const ID: &str = "3f8e2b1c-0000-4000-8000-0123456789ab";
const PLANTED: &str = "planted-s3cret-value";

async fn opened() -> (TempDir, Berth) {
    let folder = tempfile::tempdir().unwrap();
    let berth = Berth::open(Options {
        data_dir: Some(folder.path().join("data")),
        actor: Actor::Window,
        environment: BTreeMap::new(),
        clock: Arc::new(FakeClock::new(7_000)),
        keychain: None,
    })
    .await
    .unwrap();
    (folder, berth)
}

fn draft() -> DocumentDraft {
    DocumentDraft {
        id: Some(ID.to_owned()),
        schema: "environmentAuthSchemeSchema".to_owned(),
        name: "Login".to_owned(),
        text: json!({"type": "custom_headers", "headers": [
            {"name": "X-Token", "secretRef": {"key": "TOKEN"}},
            {"name": "X-Other", "secretRef": {"key": "OTHER"}},
        ]})
        .to_string(),
    }
}

fn key(key: &str, set_at: Option<i64>) -> SecretKey {
    SecretKey {
        key: key.to_owned(),
        set_at,
    }
}

#[tokio::test]
async fn a_value_is_held_before_and_after_the_document_is_kept() {
    let (_folder, berth) = opened().await;
    assert_eq!(berth.document_secrets(ID).await.unwrap(), []);
    let keys = berth
        .set_document_secret(ID, "TOKEN", PLANTED.into())
        .await
        .unwrap();
    assert_eq!(keys, [key("TOKEN", Some(7_000))]);
    berth.save_document(draft()).await.unwrap();
    assert_eq!(
        berth.document_secrets(ID).await.unwrap(),
        [key("OTHER", None), key("TOKEN", Some(7_000))]
    );
    let value = berth.typed_document_secrets(ID).remove("TOKEN").unwrap();
    assert_eq!(value.expose_secret(), PLANTED);

    let keys = berth.remove_document_secret(ID, "TOKEN").await.unwrap();
    assert_eq!(keys, [key("OTHER", None), key("TOKEN", None)]);
    assert!(!berth.typed_document_secrets(ID).contains_key("TOKEN"));
}

#[tokio::test]
async fn values_go_with_their_document() {
    let (_folder, berth) = opened().await;
    berth.save_document(draft()).await.unwrap();
    berth
        .set_document_secret(ID, "TOKEN", PLANTED.into())
        .await
        .unwrap();
    berth
        .set_document_secret("other", "TOKEN", "x".into())
        .await
        .unwrap();
    berth.delete_document(ID).await.unwrap();
    assert!(!berth.typed_document_secrets(ID).contains_key("TOKEN"));
    assert!(berth.typed_document_secrets("other").contains_key("TOKEN"));
}

#[tokio::test]
async fn keys_follow_the_contract_and_values_have_a_size() {
    let (_folder, berth) = opened().await;
    for wrong in ["", "a b", "é", "a/b", &"x".repeat(65)] {
        let problem = berth
            .set_document_secret(ID, wrong, PLANTED.into())
            .await
            .unwrap_err();
        assert_eq!(problem.code, Code::InvalidInput, "{wrong}");
        assert!(problem.detail.is_some());
        assert!(!format!("{problem:?}").contains("s3cret"));
    }
    let long = PLANTED.repeat(10_000);
    let problem = berth
        .set_document_secret(ID, "A", long.into())
        .await
        .unwrap_err();
    assert!(!format!("{problem:?}").contains("s3cret"));
    assert!(
        berth
            .set_document_secret("no id", "A", "x".into())
            .await
            .is_err()
    );
    assert_eq!(berth.document_secrets(ID).await.unwrap(), []);
}

#[tokio::test]
async fn memory_has_an_end() {
    let (_folder, berth) = opened().await;
    for number in 0..MOST_VALUES {
        let (document, key) = (format!("d{}", number / 100), format!("k{}", number % 100));
        let typed = Typed {
            value: "x".into(),
            set_at: 1,
        };
        berth.typed_secrets().set(&document, &key, typed).unwrap();
    }
    assert!(
        berth
            .set_document_secret("more", "A", "x".into())
            .await
            .is_err()
    );
    let again = berth
        .set_document_secret("d0", "k0", "y".into())
        .await
        .unwrap();
    assert_eq!(again.len(), 100);
}

#[tokio::test]
async fn a_value_reaches_neither_the_disk_nor_what_is_printed() {
    let (folder, berth) = opened().await;
    berth
        .set_document_secret(ID, "TOKEN", PLANTED.into())
        .await
        .unwrap();
    let saved = berth.save_document(draft()).await.unwrap();
    let keys = berth.document_secrets(ID).await.unwrap();
    let value = berth.typed_document_secrets(ID).remove("TOKEN").unwrap();
    for printed in [
        format!("{saved:?} {keys:?}"),
        format!("{value:?}"),
        serde_json::to_string(&keys).unwrap(),
        format!("{:?}", berth.documents().await.unwrap()),
    ] {
        assert!(!printed.contains("s3cret"), "{printed}");
    }
    // The store is open: what was deleted since would still be in its log.
    let files = files_below(folder.path());
    assert!(files.len() >= 2, "{files:?}");
    for file in files {
        let bytes = std::fs::read(&file).unwrap();
        let found = bytes.windows(6).any(|bytes| bytes == b"s3cret");
        assert!(!found, "{}", file.display());
    }
    drop(berth);
}

fn files_below(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files
}
