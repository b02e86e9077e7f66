//! Documents that mean no good are refused or taken in bounded time, stack and output.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::sync::Arc;
use std::time::Duration;

use berth_contracts::{
    Issues, MAX_DOCUMENT_BYTES, MAX_ISSUES, check_settings, read, schema, template, validate,
};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

const MEGABYTE: usize = 1_000_000;

/// What a document of 10 MB may cost, in a build that is not optimised.
const MOST_TIME: Duration = Duration::from_secs(5);

/// What may be told of a document, as JSON.
const MOST_TOLD: usize = 10 * MEGABYTE;

/// Less than any thread gets that nobody asked about.
const SMALL_STACK: usize = 512 * 1024;

/// The time that this thread had a processor, which other load does not change.
fn processor_time() -> Duration {
    clock_gettime(ClockId::ThreadCPUTime).try_into().unwrap()
}

/// Does it on a small stack, and in time.
fn bounded<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let worker = move || {
        let started = processor_time();
        let result = work();
        (result, processor_time() - started)
    };
    let (result, took) = std::thread::Builder::new()
        .stack_size(SMALL_STACK)
        .spawn(worker)
        .unwrap()
        .join()
        .unwrap();
    println!("{what}: {took:?}");
    assert!(took < MOST_TIME, "{what} took {took:?}");
    result
}

/// Reads a text and checks it against these schemas: each time in bounds.
fn check(what: &str, text: Vec<u8>, schemas: &[&str]) {
    let document = bounded(&format!("{what}: read"), move || read(&text));
    match document {
        Ok(document) => {
            let document = Arc::new(document);
            for name in schemas {
                let _verdict = check_with(what, name, &document);
            }
        }
        Err(error) => assert!(error.to_string().len() < 500, "{error}"),
    }
}

fn check_with(what: &str, name: &str, document: &Arc<Value>) -> Result<Value, Issues> {
    let it = schema(name).unwrap();
    let document = Arc::clone(document);
    bounded(&format!("{what}: {name}"), move || {
        let settings = check_settings(it.schema, &document);
        assert!(settings.len() <= MAX_ISSUES);
        assert!(serde_json::to_vec(&settings).unwrap().len() < MOST_TOLD);
        let verdict = validate(it.schema, &document);
        if let Err(issues) = &verdict {
            assert!(issues.issues.len() <= MAX_ISSUES);
            assert!(serde_json::to_vec(&issues.issues).unwrap().len() < MOST_TOLD);
            assert!(issues.to_string().len() < MOST_TOLD);
        }
        verdict
    })
}

fn handler(name: &str, value: Value) -> Vec<u8> {
    let mut manifest = json!({
        "providerId": "compose", "label": "Local", "baseUrl": "http://localhost",
        "auth": { "type": "none" }, "provision": { "method": "POST", "pathTemplate": "/" },
        "response": {},
    });
    manifest[name] = value;
    let handler = json!({ "engine": "local-docker", "manifest": manifest });
    handler.to_string().into_bytes()
}

const KUBERNETES: &str = "kubernetesEnvironmentConfigSchema";
const MANIFEST: &str = "environmentManifestSchema";
const RUNNER: &str = "kubernetesRunnerConfigSchema";
const SECRETS: &str = "updateEnvironmentSecretsSchema";
const HANDLER: &str = "infraHandlerConfigSchema";

#[test]
fn five_million_numbers_where_an_object_is_meant() {
    let numbers = format!("[{}0]", "1,".repeat(5 * MEGABYTE));
    let labels = format!("{{\"labels\":{numbers}}}");
    check("numbers", numbers.into_bytes(), &[KUBERNETES, HANDLER]);
    check("numbers as labels", labels.into_bytes(), &[KUBERNETES]);
}

#[test]
fn half_a_million_keys() {
    let fields: Vec<String> = (0..500_000).map(|at| format!("\"key{at}\":{at}")).collect();
    let record = format!("{{{}}}", fields.join(","));
    for (key, schema) in [("secrets", SECRETS), ("providerConfig", MANIFEST)] {
        let text = format!("{{\"{key}\":{record}}}");
        check(&format!("keys in {key}"), text.into_bytes(), &[schema]);
    }
    check("keys", record.into_bytes(), &[HANDLER]);
}

#[test]
fn a_long_key_with_a_thousand_broken_values_behind_it() {
    for character in ["k", "~", "\\u0000", "\\\"", "é"] {
        let key = character.repeat(9 * MEGABYTE / character.len());
        let inner: Vec<String> = (0..1500)
            .map(|at| format!("\"{at}\":{{\"cpu\":{at},\"memory\":{at}}}"))
            .collect();
        let text = format!(
            "{{\"resourcesBySize\":{{\"{key}\":{{\"cpu\":1,\"memory\":[]}},{}}},\"secrets\":{{\"{key}\":1}}}}",
            inner.join(",")
        );
        check(
            &format!("a key of {character}"),
            text.into_bytes(),
            &[RUNNER, SECRETS],
        );
    }
}

#[test]
fn thousands_of_long_keys_with_broken_values() {
    for character in ["k", "~", "\\u0000", "é"] {
        let fields: Vec<String> = (0..2500)
            .map(|at| {
                let key = character.repeat(4000 / character.len());
                format!("\"{at}{key}\":{{\"cpu\":1,\"memory\":2}}")
            })
            .collect();
        let text = format!("{{\"resourcesBySize\":{{{}}}}}", fields.join(","));
        check(
            &format!("keys of {character}"),
            text.into_bytes(),
            &[RUNNER],
        );
    }
}

#[test]
fn ten_megabytes_of_text() {
    for unit in ["a", " ", "é", "\u{feff}", "👍", "-", "{{a", "\\u0000"] {
        let text = unit.repeat(10 * MEGABYTE / unit.len());
        for (key, schema) in [
            ("label", KUBERNETES),
            ("providerId", MANIFEST),
            ("engine", HANDLER),
        ] {
            let text = format!("{{\"{key}\":\"{text}\"}}").into_bytes();
            check(&format!("{key} of “{unit}”"), text, &[schema]);
        }
    }
}

#[test]
fn nesting_is_refused_before_it_costs_a_stack() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"\":", "}]")] {
        for depth in [10_000, 1_000_000] {
            let nested = format!("{}0{}", open.repeat(depth), close.repeat(depth));
            check("nesting, left open", open.repeat(depth).into_bytes(), &[]);
            for key in ["label", "auth", "labels", "providerConfig", "backend", "x"] {
                let text = format!("{{\"{key}\":{nested}}}").into_bytes();
                let error = bounded(key, move || read(&text)).unwrap_err();
                assert!(error.reason.contains("128 levels"), "{error}");
            }
        }
        // As deep as it can be read.
        let depth = 120 / open.matches(['[', '{']).count();
        let nested = format!("{}0{}", open.repeat(depth), close.repeat(depth));
        let nested: Value = serde_json::from_str(&nested).unwrap();
        check(
            "deep",
            nested.to_string().into_bytes(),
            &[KUBERNETES, HANDLER],
        );
        let text = handler("providerConfig", json!({ "deep": nested }));
        let document = Arc::new(read(&text).unwrap());
        let meant = check_with("deep settings", HANDLER, &document).unwrap();
        assert_eq!(meant, *document);
    }
}

#[test]
fn keys_with_a_meaning_elsewhere_are_keys_like_any_other() {
    let keys = [
        "__proto__",
        "constructor",
        "prototype",
        "toString",
        "",
        "\0",
        "👍",
        "\u{202e}",
        "\u{200f}",
        " ",
        "/",
        "~",
        "a.b",
        "0",
    ];
    let record: Value = keys
        .iter()
        .map(|key| ((*key).to_owned(), json!("v")))
        .collect();
    let it = schema("updateEnvironmentSecretsSchema").unwrap().schema;
    let document = json!({ "secrets": record });
    assert_eq!(validate(it, &document).unwrap(), document);
    for key in keys {
        let document = json!({ "secrets": { key: 1 } });
        let issues = validate(it, &document).unwrap_err().issues;
        assert_eq!(issues.len(), 1);
        assert_eq!(
            document.pointer(&issues[0].pointer()),
            Some(&json!(1)),
            "{key:?}"
        );
        // Where the contract names the keys, others go.
        let mut document = json!({ "key": "K" });
        document[key] = json!({ "key": "other" });
        let it = schema("environmentSecretRefSchema").unwrap().schema;
        assert_eq!(validate(it, &document).unwrap(), json!({ "key": "K" }));
    }
}

#[test]
fn the_last_of_two_equal_keys_counts() {
    let text = br#"{"key":1,"key":{"key":"no"},"key":"K"}"#;
    let it = schema("environmentSecretRefSchema").unwrap().schema;
    assert_eq!(
        validate(it, &read(text).unwrap()).unwrap(),
        json!({ "key": "K" })
    );
    let fields = "\"a\":1,".repeat(MEGABYTE);
    check(
        "equal keys",
        format!("{{\"secrets\":{{{fields}\"a\":2}}}}").into_bytes(),
        &[SECRETS],
    );
}

#[test]
fn texts_that_stand_for_no_character_are_refused() {
    for text in [
        r#""\ud800""#,
        r#""\udc00""#,
        r#""\ud800\u0041""#,
        r#""\ud800\ud800""#,
        r#"{"\udfff":1}"#,
    ] {
        let error = read(text.as_bytes()).unwrap_err();
        assert!(error.reason.contains("surrogate"), "{text}: {error}");
    }
    assert_eq!(read(r#""\ud83d\udc4d""#.as_bytes()).unwrap(), json!("👍"));
    let broken = [vec![b'"'; 1], vec![0xff; 10 * MEGABYTE]].concat();
    check("bytes that are no UTF-8", broken, &[]);
}

#[test]
fn numbers_at_the_edges_of_a_double() {
    let it = schema("environmentManifestSchema").unwrap().schema;
    let meant = |number: &str| {
        let text = format!(
            r#"{{"providerId":"a","label":"A","baseUrl":"b","auth":{{"type":"none"}},
            "provision":{{"method":"GET","pathTemplate":"/"}},"response":{{}},
            "defaultTtlMs":60000,"providerConfig":{{"n":{number}}}}}"#
        );
        let meant = validate(it, &read(text.as_bytes()).unwrap()).unwrap();
        let again = validate(it, &read(meant.to_string().as_bytes()).unwrap()).unwrap();
        assert_eq!(again, meant, "{number}");
        meant["providerConfig"]["n"].to_string()
    };
    for (given, expected) in [
        ("-0", "0"),
        ("-0.0", "0"),
        ("1e308", "1e+308"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("5e-324", "5e-324"),
        ("1e-999", "0"),
        ("9007199254740993", "9007199254740992"),
        ("18446744073709551616", "1.8446744073709552e+19"),
        ("0.1", "0.1"),
        ("123456789.123456789", "123456789.12345679"),
        ("2.2250738585072011e-308", "2.225073858507201e-308"),
    ] {
        assert_eq!(meant(given), expected, "{given}");
    }
    for refused in [
        "1e309",
        "-1e999",
        "1e+99999999999999999999",
        "NaN",
        "Infinity",
        "-",
        "01",
        "1.",
    ] {
        read(refused.as_bytes()).unwrap_err();
    }
    let digits = |text: String| check("ten million digits", text.into_bytes(), &[HANDLER]);
    digits("1".repeat(10 * MEGABYTE));
    digits(format!("0.{}1", "0".repeat(10 * MEGABYTE)));
    digits(format!("0.{}", "123456789".repeat(MEGABYTE)));
    digits(format!("1{}e-{}", "0".repeat(9 * MEGABYTE), 9 * MEGABYTE));
    digits(format!("{}e-{}", "9".repeat(9 * MEGABYTE), 9 * MEGABYTE));
    digits(format!("1e{}", "9".repeat(9 * MEGABYTE)));
}

#[test]
fn more_than_can_be_read_is_refused_unread() {
    let text = vec![b'['; MAX_DOCUMENT_BYTES + 1];
    let error = bounded("too large", move || read(&text)).unwrap_err();
    assert!(error.reason.contains("at most"), "{error}");
}

#[test]
fn hostile_settings_have_no_more_issues_than_others() {
    let broken: Value = (0..200_000)
        .map(|at| (format!("V{at}"), json!(at)))
        .collect();
    let text = handler(
        "providerConfig",
        json!({ "service": 1, "envTemplate": broken }),
    );
    let document = Arc::new(read(&text).unwrap());
    check_with("settings", HANDLER, &document).unwrap();
    let it = schema(HANDLER).unwrap().schema;
    assert_eq!(check_settings(it, &document).len(), MAX_ISSUES);
}

#[test]
fn hostile_templates_are_linear() {
    for unit in [
        "{",
        "{{",
        "{{a",
        "{{ ",
        "{{a ",
        "{{a}",
        "{{}}",
        "{ {",
        "}}{{",
        "{{\u{feff}",
        "{{a.b.c_",
        "{{{a}}}",
        "{{ a }}",
        " ",
        "é",
        "{{é}}",
    ] {
        let text = unit.repeat(MEGABYTE / unit.len());
        bounded(&format!("“{unit}”, a megabyte"), move || {
            let count = template::placeholders(&text).count();
            let rendered = template::render(&text, |_| None);
            assert_eq!(count > 0, rendered.len() < text.len());
        });
    }
    for (start, unit) in [
        ("{{", " "),
        ("{{", "a"),
        ("{{a", "\u{2003}"),
        ("{{", "\u{feff}"),
    ] {
        let text = format!("{start}{}{start}", unit.repeat(MEGABYTE / unit.len()));
        bounded("one long name", move || {
            assert_eq!(template::render(&text, |_| Some("x".to_owned())), text);
        });
    }
}
