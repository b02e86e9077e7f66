//! The front end's types come from these ones. The test fails when the checked-in
//! file is stale; with `BERTH_UPDATE=1` it writes it anew.
#![allow(clippy::unwrap_used)]

use std::any::TypeId;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write as _;
use std::path::Path;

use berth_contracts::documents::runner::{
    RegisterRunner, RunnerConnection, TestRunnerConnection, UpdateRunnerSecrets,
};
use berth_contracts::documents::{
    BootstrapRepository, ComposeSettings, Connection, ConnectionTestResult, CustomManifestType,
    EnvironmentHandle, HandlerConfig, LogEntry, ProviderDescriptor, ProvisionEnvironment,
    RegisterProvider, TestConnection, UpdateSecrets, UpsertCustomManifestType, ValidateRepository,
};
use berth_core::Problem;
use berth_core::view::{
    Activity, ActivityPlace, CheckUpdate, ComparedField, ContractSchema, Detection, DocumentCheck,
    DocumentDraft, DocumentFile, DocumentSummary, EngineStatus, EnvironmentDetail, Event,
    FoundEngine, GitRef, HandlerDraft, Handlers, ImportPreview, LogBatch, SchemaChoice, SecretKey,
    SecretStoreStatus, Service, Settings, Snapshot, StoredDocument, UpRequest, WorkspaceExport,
};
use ts_rs::{Config, TS, TypeVisitor};

/// Declarations by TypeScript name.
#[derive(Default)]
struct Declarations {
    config: Config,
    by_name: BTreeMap<String, (TypeId, String)>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types without a file of their own are built in, or written where they are used.
        if T::output_path().is_none() {
            T::visit_generics(self);
            return;
        }
        match self.by_name.entry(T::ident(&self.config)) {
            Entry::Occupied(known) => {
                assert_eq!(
                    known.get().0,
                    TypeId::of::<T::WithoutGenerics>(),
                    "two types are called {}; rename one with #[ts(rename = ...)]",
                    known.key(),
                );
                return;
            }
            Entry::Vacant(free) => {
                let mut text = String::new();
                if let Some(docs) = T::docs() {
                    text.push_str(docs.trim_start());
                }
                writeln!(text, "export {}", T::decl(&self.config)).unwrap();
                free.insert((TypeId::of::<T::WithoutGenerics>(), text));
            }
        }
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

#[test]
fn the_front_ends_types_are_up_to_date() {
    let mut declarations = Declarations::default();
    // What commands take and answer; everything else is reached from these.
    declarations.visit::<Snapshot>();
    declarations.visit::<EnvironmentDetail>();
    declarations.visit::<EngineStatus>();
    declarations.visit::<Detection>();
    declarations.visit::<Service>();
    declarations.visit::<GitRef>();
    declarations.visit::<UpRequest>();
    declarations.visit::<Activity>();
    declarations.visit::<ActivityPlace>();
    declarations.visit::<Event>();
    declarations.visit::<LogBatch>();
    declarations.visit::<ContractSchema>();
    declarations.visit::<SchemaChoice>();
    declarations.visit::<DocumentCheck>();
    declarations.visit::<DocumentSummary>();
    declarations.visit::<StoredDocument>();
    declarations.visit::<DocumentDraft>();
    declarations.visit::<DocumentFile>();
    declarations.visit::<SecretKey>();
    declarations.visit::<Handlers>();
    declarations.visit::<HandlerDraft>();
    declarations.visit::<ComparedField>();
    declarations.visit::<FoundEngine>();
    declarations.visit::<CheckUpdate>();
    declarations.visit::<SecretStoreStatus>();
    declarations.visit::<Settings>();
    declarations.visit::<WorkspaceExport>();
    declarations.visit::<ImportPreview>();
    declarations.visit::<Problem>();
    // The contract's documents.
    declarations.visit::<HandlerConfig>();
    declarations.visit::<ComposeSettings>();
    declarations.visit::<CustomManifestType>();
    declarations.visit::<UpsertCustomManifestType>();
    declarations.visit::<RegisterProvider>();
    declarations.visit::<UpdateSecrets>();
    declarations.visit::<TestConnection>();
    declarations.visit::<Connection>();
    declarations.visit::<ProvisionEnvironment>();
    declarations.visit::<EnvironmentHandle>();
    declarations.visit::<ProviderDescriptor>();
    declarations.visit::<ConnectionTestResult>();
    declarations.visit::<LogEntry>();
    declarations.visit::<ValidateRepository>();
    declarations.visit::<BootstrapRepository>();
    declarations.visit::<RegisterRunner>();
    declarations.visit::<UpdateRunnerSecrets>();
    declarations.visit::<TestRunnerConnection>();
    declarations.visit::<RunnerConnection>();

    let mut text = String::from(
        "// Generated from the Rust types by src-tauri/core/tests/typescript.rs. Do not edit.\n\
         // After a change: BERTH_UPDATE=1 cargo test -p berth-core --test typescript\n",
    );
    for (_, declaration) in declarations.by_name.values() {
        text.push('\n');
        for line in declaration.lines() {
            writeln!(text, "{}", line.trim_end()).unwrap();
        }
    }

    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/generated/types.ts");
    if std::env::var_os("BERTH_UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &text).unwrap();
    }
    let checked_in = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        checked_in == text,
        "ui/src/generated/types.ts is stale: run BERTH_UPDATE=1 cargo test -p berth-core --test typescript",
    );
}
