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
