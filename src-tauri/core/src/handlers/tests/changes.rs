//! Secrets that are changed at once, in vain, or where there is no override.

use super::*;

#[tokio::test]
async fn changes_made_at_once_all_come_to_be() {
    let here = opened().await;
    here.registered().await;
    let (scope, key) = (HandlerScope::Workspace, kargo());
    let set = |name| {
        let new = secrets(&[(name, "x")], &[]);
        here.berth.set_handler_secrets(&scope, &key, new)
    };
    let (a, b, c, d) = tokio::join!(set("A"), set("B"), set("C"), set("D"));
    for changed in [a, b, c, d] {
        changed.unwrap();
    }
    let values = here.values(&scope).await;
    let names: Vec<&str> = values.keys().map(String::as_str).collect();
    assert_eq!(names, ["A", "B", "C", "D", "PASSWORD", "USER"]);
}

#[tokio::test]
async fn values_that_cannot_work_are_refused() {
    let here = opened().await;
    here.registered().await;
    let (scope, key) = (HandlerScope::Workspace, kargo());
    for (value, said) in [
        ("", "is empty"),
        ("a\0b", "U+0000"),
        ("\u{1b}[A", "U+001B"),
        ("a\u{7f}", "U+007F"),
    ] {
        let new = secrets(&[("PASSWORD", value)], &[]);
        let refused = here.berth.set_handler_secrets(&scope, &key, new).await;
        let refused = refused.unwrap_err();
        assert_eq!(refused.code, Code::InvalidInput);
        assert!(refused.title.contains("PASSWORD"), "{refused}");
        assert!(refused.title.contains(said), "{refused}");
    }
    let pem = secrets(&[("PASSWORD", "-----BEGIN\r\n\tabc\n-----END\n")], &[]);
    here.berth
        .set_handler_secrets(&scope, &key, pem)
        .await
        .unwrap();
}

#[tokio::test]
async fn an_override_that_is_not_there_is_called_one() {
    let here = opened().await;
    here.registered().await;
    let (scope, key) = (here.berth.own_scope().await.unwrap(), kargo());
    let set = here
        .berth
        .set_handler_secrets(&scope, &key, secrets(&[("A", "x")], &[]))
        .await
        .map(drop);
    let removed = here.berth.remove_handler(&scope, &key).await;
    for refused in [set, removed] {
        let refused = refused.unwrap_err();
        assert_eq!(refused.code, Code::NotFound);
        assert!(
            refused.title.starts_with("You have no override"),
            "{refused}"
        );
    }
}

/// New secrets are no reason for the document of a moment ago to come back.
#[tokio::test]
async fn new_secrets_do_not_undo_a_document_that_was_saved_meanwhile() {
    let here = opened().await;
    here.registered().await;
    let (scope, key) = (HandlerScope::Workspace, kargo());
    let held = here.berth.lock_secrets().await.unwrap();
    let changing =
        here.berth
            .set_handler_secrets(&scope, &key, secrets(&[("PASSWORD", "hunter3")], &[]));
    let meanwhile = async {
        // Polled second: the change has read what the handler was and waits its turn.
        let text = api("Renamed", "https://previews.acme.dev");
        let saved = here
            .berth
            .save_handler(draft(scope.clone(), text), NewSecrets::default())
            .await;
        drop(held);
        saved
    };
    let (changed, saved) = tokio::join!(biased; changing, meanwhile);
    saved.unwrap();
    let label = here
        .berth
        .handler(&scope, &key)
        .await
        .unwrap()
        .handler
        .label;
    assert_eq!(label, "Renamed");
    match changed {
        // It had read the older one.
        Err(problem) => assert_eq!(problem.code, Code::Busy),
        Ok(handler) => assert_eq!(handler.handler.label, "Renamed"),
    }
}
