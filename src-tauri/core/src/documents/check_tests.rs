use serde_json::json;

use super::*;

fn named(name: &str) -> &'static NamedSchema {
    find_schema(name).unwrap()
}

fn manifest() -> Value {
    json!({
        "providerId": "acme-envs",
        "label": "  Acme previews ",
        "baseUrl": "https://envs.example.com",
        "auth": {"type": "none", "unknown": 1},
        "provision": {"method": "POST", "pathTemplate": "/environments"},
        "response": {},
    })
}

fn checked(text: &str) -> DocumentCheck {
    check(
        named("environmentManifestSchema"),
        text.as_bytes(),
        Rules::Settings,
    )
}

#[test]
fn a_valid_document_comes_back_as_it_would_be_kept() {
    let check = checked(&manifest().to_string());
    assert_eq!((check.verdict, check.omitted), (Verdict::Valid, 0));
    assert_eq!(check.issues, []);
    let output = check.output.unwrap();
    assert!(
        output
            .starts_with("{\n  \"providerId\": \"acme-envs\",\n  \"label\": \"Acme previews\",\n")
    );
    assert!(!output.contains("unknown"));
}

#[test]
fn every_fault_has_its_line_and_column() {
    let text = "{\n  \"providerId\": \"Acme\",\n  \"label\": \"é\", \"baseUrl\": 3,\n  \"auth\": {\"type\": \"bearer\"},\n  \"provision\": {\"method\": \"POST\", \"pathTemplate\": \"/\",\n    \"headers\": [{\"name\": \"\", \"value\": \"\"}]},\n  \"response\": {}\n}";
    let check = checked(text);
    assert_eq!((check.verdict, check.output), (Verdict::Invalid, None));
    let found: Vec<_> = check
        .issues
        .iter()
        .map(|issue| {
            let place = (issue.line.unwrap(), issue.column.unwrap());
            (issue.pointer.as_str(), issue.kind.as_str(), place)
        })
        .collect();
    assert_eq!(
        found,
        [
            ("/providerId", "regex", (2, 17)),
            ("/baseUrl", "string", (3, 28)),
            ("/auth/secretRef", "object", (4, 11)),
            ("/provision/headers/0/name", "min_length", (6, 26)),
        ]
    );
    let last = &check.issues[3];
    assert_eq!(last.requirement, Some(IssueRequirement::Number(1.into())));
    assert_eq!(last.path_text(), "provision.headers.0.name");
}

#[test]
fn a_byte_order_mark_and_windows_line_breaks_move_nothing() {
    let check = checked("\u{feff}{\r\n  \"label\": 3}");
    let label = check.issues.iter().find(|issue| issue.pointer == "/label");
    let place = label.map(|issue| (issue.line, issue.column));
    assert_eq!(place, Some((Some(2), Some(12))));
}

#[test]
fn a_text_that_is_no_json_has_one_fault_with_its_place() {
    for (text, line, column) in [
        (&b"{\"\xc3\xa9\": 1,\n  \"b\": \xe9}"[..], Some(2), Some(8)),
        (b"{\"\xc3\xa9\": x}", Some(1), Some(7)),
        (b"{\"a\": 1 // comment\n}", Some(1), Some(9)),
        (b"{\"a\": \"\\ud800\"}", Some(1), None),
        (b"{\"a\": \"\0\"}", Some(1), None),
        (b"", None, None),
    ] {
        let check = check(named("environmentManifestSchema"), text, Rules::Settings);
        assert_eq!(check.verdict, Verdict::Unreadable);
        let [issue] = check.issues.as_slice() else {
            panic!("{:?}", check.issues);
        };
        assert_eq!((issue.kind.as_str(), issue.line), ("json", line));
        if column.is_some() {
            assert_eq!(issue.column, column, "{}", String::from_utf8_lossy(text));
        }
    }
}

#[test]
fn hostile_documents_come_to_an_end() {
    for text in [
        "[".repeat(1_000_000),
        "{\"a\":".repeat(200_000),
        "\"".to_owned() + &"a".repeat(17 * 1024 * 1024) + "\"",
    ] {
        assert_eq!(checked(&text).verdict, Verdict::Unreadable);
    }
    let mut wide = manifest();
    wide["providerConfig"] = json!({ "k".repeat(1_000_000): ["x".repeat(1_000_000)] });
    assert_eq!(checked(&wide.to_string()).verdict, Verdict::Valid);
    let headers = vec![json!({"name": "", "value": 1}); 20_000];
    wide["provision"]["headers"] = headers.into();
    let check = checked(&wide.to_string());
    assert_eq!(check.issues.len() + check.omitted, 40_000);
    assert!(check.issues.iter().all(|issue| issue.line == Some(1)));
}

#[test]
fn settings_that_ride_in_a_document_are_checked_where_that_is_asked_for() {
    let handler = json!({"engine": "local-docker", "manifest": {
        "providerId": "compose", "label": "Docker", "baseUrl": "http://localhost",
        "auth": {"type": "none"}, "provision": {"method": "POST", "pathTemplate": "/"},
        "response": {}, "providerConfig": {"service": "web", "port": "not a port"},
    }})
    .to_string();
    let schema = named("infraHandlerConfigSchema");
    assert_eq!(
        check(schema, handler.as_bytes(), Rules::Contract).verdict,
        Verdict::Valid
    );
    let check = check(schema, handler.as_bytes(), Rules::Settings);
    assert_eq!(check.verdict, Verdict::Invalid);
    assert!(check.output.is_none());
    assert!(
        check
            .issues
            .iter()
            .any(|issue| issue.pointer == "/manifest/providerConfig/port" && issue.column.is_some()),
        "{:?}",
        check.issues
    );
}

#[tokio::test]
async fn a_plugins_schema_is_checked_the_same_way() {
    let schema = json!({"type": "object", "properties": {
        "zone": {"type": "string", "minLength": 1}, "size": {"type": "integer"}}});
    let check = |text: &str| check_document(SchemaChoice::Inline(schema.clone()), text.to_owned());
    let fine = check("{\"size\":1,\"more\":true}").await.unwrap();
    assert_eq!(
        fine.output.as_deref(),
        Some("{\n  \"size\": 1,\n  \"more\": true\n}")
    );
    let wrong = check("{\n\"zone\": \"\",\n\"size\": \"1\"}").await.unwrap();
    let lines: Vec<_> = wrong.issues.iter().map(|issue| issue.line).collect();
    assert_eq!(lines, [Some(2), Some(3)], "from top to bottom");
    assert_eq!(check("{").await.unwrap().verdict, Verdict::Unreadable);
    let large = format!("\"{}\"", "x".repeat(300_000));
    assert_eq!(check(&large).await.unwrap().verdict, Verdict::Unreadable);
    let unknown = check_document(SchemaChoice::Contract("no".to_owned()), String::new()).await;
    assert_eq!(unknown.unwrap_err().code, crate::Code::NotFound);
}

#[test]
fn templates_are_previewed() {
    let values = HashMap::from([("input.branch".to_owned(), "feature/x".to_owned())]);
    assert_eq!(
        preview_template("/{{ input.branch }}/{{missing}}/{{not-one}}", &values),
        "/feature/x//{{not-one}}"
    );
}

#[tokio::test]
async fn the_window_is_told_when_a_document_is_too_large_for_it() {
    let schema = SchemaChoice::Contract("environmentManifestSchema".to_owned());
    let text = " ".repeat(MOST_WINDOW_BYTES + 1);
    let check = check_document(schema, text).await.unwrap();
    assert_eq!(check.verdict, Verdict::Unreadable);
    assert!(check.issues[0].message.contains("berth validate"));
}
