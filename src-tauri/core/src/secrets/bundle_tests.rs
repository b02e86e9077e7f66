use super::*;
use crate::view::SecretStoreKind;

fn new(set: &[(&str, &str)], remove: &[&str]) -> NewSecrets {
    NewSecrets {
        set: set
            .iter()
            .map(|(key, value)| ((*key).to_owned(), SecretString::from(*value)))
            .collect(),
        remove: remove.iter().map(|key| (*key).to_owned()).collect(),
    }
}

fn bundle() -> SecretBundle {
    SecretBundle::default()
        .with(
            new(&[("token", "first-4711"), ("password", "äöü\"\\\n")], &[]),
            5,
        )
        .unwrap()
}

fn value<'a>(bundle: &'a SecretBundle, key: &str) -> Option<&'a str> {
    bundle.get(key).map(|value| value.expose_secret())
}

#[test]
fn named_keys_are_replaced_and_removed_and_the_rest_stays() {
    let bundle = bundle()
        .with(new(&[("token", "second"), ("more", "x")], &["gone"]), 9)
        .unwrap();
    assert_eq!(value(&bundle, "token"), Some("second"));
    assert_eq!(value(&bundle, "password"), Some("äöü\"\\\n"));
    let set: Vec<_> = bundle
        .keys()
        .into_iter()
        .map(|secret| (secret.key, secret.set_at))
        .collect();
    let expected = [("more", 9), ("password", 5), ("token", 9)];
    assert_eq!(
        set,
        expected
            .map(|(key, at)| (key.to_owned(), Some(at)))
            .to_vec()
    );
    let rest = bundle.with(new(&[], &["more", "password", "token"]), 10);
    assert!(rest.unwrap().is_empty());
}

#[test]
fn a_text_says_all_of_it_and_nothing_else_does() {
    let text = bundle().to_text().unwrap();
    let back = SecretBundle::from_text("id", &text).unwrap();
    assert_eq!(back.keys(), bundle().keys());
    assert_eq!(value(&back, "password"), value(&bundle(), "password"));
    for printed in [
        format!("{:?}", bundle()),
        format!("{:#?}", new(&[("a", "first-4711")], &[])),
    ] {
        assert!(!printed.contains("first-4711"), "{printed}");
    }
}

#[test]
fn what_cannot_be_read_is_damaged_and_not_quoted() {
    let text = SecretString::from(r#"{"token":{"value":"first-4711","setAt":"first-4711"}}"#);
    let failure = SecretBundle::from_text("id", &text).unwrap_err();
    let printed = format!(
        "{failure:?} {:?}",
        failure.problem(SecretStoreKind::Keychain, "keychain")
    );
    assert!(matches!(failure, StoreFailure::Damaged { .. }));
    assert!(!printed.contains("first-4711"), "{printed}");
}

#[test]
fn names_and_sizes_are_checked() {
    let long = "x".repeat(64 * 1024);
    for (secrets, size_only) in [
        (new(&[("", "x")], &[]), false),
        (new(&[("token", &format!("{long}x"))], &[]), true),
    ] {
        let problem = SecretBundle::default().with(secrets, 1).unwrap_err();
        assert_eq!(problem.code, Code::InvalidInput);
        assert_eq!(problem.title.contains("too long"), size_only);
    }
    let many: Vec<String> = (0..4).map(|number| format!("key{number}")).collect();
    let many: Vec<_> = many.iter().map(|key| (key.as_str(), &*long)).collect();
    let problem = SecretBundle::default()
        .with(new(&many, &[]), 1)
        .unwrap_err();
    assert!(problem.title.contains("together"), "{problem}");
}
