//! Documents in the window: written into the form as a user would, read back from the records.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::{CommandLine, Window};

/// Closes a list of suggestions.
const ESCAPE: &str = "\u{e00c}";

/// The window on an empty data folder, at the page of documents.
#[derive(Debug)]
pub struct FormDesk {
    /// The same records, without the window.
    pub records: CommandLine,
    /// The window.
    pub window: Window,
}

impl FormDesk {
    /// Opens the window. Nothing here needs an engine, and there is none.
    pub async fn open() -> Self {
        Self::open_on(CommandLine::new("unix:///nonexistent/engine.sock")).await
    }

    /// Opens the window on records that hold something already.
    pub async fn open_on(records: CommandLine) -> Self {
        let window = Window::open(records.data(), "unix:///nonexistent/engine.sock").await;
        window.resize(1600, 1000).await;
        know_forms(&window).await;
        window.click("nav-documents").await;
        window.sees("new-document").await;
        Self { records, window }
    }

    /// Starts an empty document of a kind.
    pub async fn start_empty(&self, schema: &str) {
        self.window
            .script(&format!("location.hash = '#/documents/new/{schema}'"))
            .await;
        self.window.click("start-empty").await;
        self.window.sees("schema-form").await;
        self.window.click("view-form").await;
    }

    /// Writes a document into the open, empty form: with real clicks and keys, each control found by its name.
    ///
    /// # Panics
    /// When the form lacks a control for something in the document.
    pub async fn write(&self, schema: &str, document: &Value) {
        let plan = self
            .window
            .script(&format!("return formTest.plan('{schema}', {document})"))
            .await;
        for step in plan.as_array().expect("steps") {
            take(&self.window, step).await;
        }
    }

    /// Saves the open document and gives the text on record.
    ///
    /// # Panics
    /// When there is none.
    pub async fn save(&self) -> String {
        self.window.click("save-document").await;
        self.window
            .wait(
                crate::window::PAGE_DEADLINE,
                "[data-testid='document-state'][data-dirty='false'][data-kept='true']",
            )
            .await;
        let place = self.window.script("return location.hash").await;
        let id = place.as_str().and_then(|place| place.rsplit('/').next());
        let document = self
            .records
            .core()
            .await
            .document(id.expect("an id"))
            .await
            .expect("it is on record");
        document.text
    }

    /// What a script of the page's test code gives; its failures are this test's.
    ///
    /// # Panics
    /// When the script fails.
    pub async fn call(&self, expression: &str) -> Value {
        let answer = self.window.answer(expression).await;
        assert!(
            answer["error"].is_null(),
            "{}",
            answer["error"].as_str().unwrap_or_default()
        );
        answer["value"].clone()
    }

    /// Closes the window.
    ///
    /// # Panics
    /// When the page said anything on its console, threw anything, or its policy was hurt.
    pub async fn close(self) {
        no_complaints(&self.window).await;
        self.window.close().await;
    }
}

/// Gives the page what finds its way around a form, until it is loaded anew.
///
/// # Panics
/// When the page's test code cannot be read.
pub async fn know_forms(window: &Window) {
    let in_page = Path::new(env!("CARGO_MANIFEST_DIR")).join("support/forms.js");
    let in_page = fs::read_to_string(in_page).expect("the page's test code can be read");
    window.script(&in_page).await;
}

/// The page said nothing on its console since [`know_forms`], threw nothing, and its policy was not hurt.
///
/// # Panics
/// When it did.
pub async fn no_complaints(window: &Window) {
    let complaints = window.script("return formTest.complaints").await;
    assert_eq!(complaints, json!([]), "the page complains");
}

/// Writes into the open form what a document has in one field, found by its name.
///
/// # Panics
/// When the document or the form has no such field.
pub async fn write_field(window: &Window, schema: &str, document: &Value, field: &str) {
    let plan = window
        .script(&format!("return formTest.plan('{schema}', {document})"))
        .await;
    let steps = plan.as_array().expect("steps").iter();
    let steps: Vec<&Value> = steps.filter(|step| step["name"] == field).collect();
    assert!(!steps.is_empty(), "no “{field}” in {document}");
    for step in steps {
        take(window, step).await;
    }
}

/// One step of writing a document: with real clicks and keys, the control found by its name.
async fn take(window: &Window, step: &Value) {
    let found = window
        .script(&format!("return formTest.locate({step})"))
        .await;
    if !found["missing"].is_null() {
        window.picture("missed-in-form").await;
        panic!("{step}: no {}", found["missing"]);
    }
    let kind = step["do"].as_str().expect("a step is of a kind");
    if kind == "fill" {
        let text = step["text"].as_str().expect("a text to type");
        // Where a line ends, the key for that is pressed.
        let keys = text.replace('\n', "\u{e007}");
        window
            .types_css("[data-here]", &format!("{keys}{ESCAPE}"))
            .await;
    } else if kind != "tick" || found["on"] != step["on"] {
        window.click_css("[data-here]").await;
    }
}

/// Data of the contract, beside the tests.
#[must_use]
pub fn contract_data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/contract")
}

/// Documents that are written in full, `SCHEMA.VARIANT.json` or `SCHEMA.json`: schema, file name, document.
///
/// # Panics
/// When they cannot be read.
#[must_use]
pub fn documents() -> Vec<(String, String, Value)> {
    let folder = contract_data().join("documents");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("the folder of documents can be read")
        .map(|entry| {
            entry
                .expect("an entry")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| {
            let text = fs::read_to_string(folder.join(&name)).expect("a document can be read");
            let document = serde_json::from_str(&text).expect("a document is JSON");
            let schema = name.split('.').next().expect("a schema").to_owned();
            (schema, name, document)
        })
        .collect()
}
