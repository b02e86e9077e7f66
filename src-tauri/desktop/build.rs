//! Tells Tauri which commands exist. What is not listed here and allowed in
//! `capabilities/main.json` is refused.

fn main() {
    let commands = tauri_build::AppManifest::new().commands(&[
        "activity",
        "add_example",
        "add_service",
        "cancel",
        "check_document",
        "contract_schema",
        "contract_schemas",
        "copy_text",
        "data_folder",
        "delete_document",
        "detect",
        "document",
        "document_secrets",
        "documents",
        "engine_status",
        "environment_detail",
        "export_document",
        "extend",
        "follow",
        "follow_logs",
        "git_refs",
        "note_unsaved",
        "open_url",
        "pick_document_file",
        "pick_folder",
        "preview_template",
        "remove_document_secret",
        "remove_service",
        "retry",
        "save_document",
        "set_document_secret",
        "snapshot",
        "tear_down",
        "unfollow",
        "unfollow_logs",
        "up",
    ]);
    if let Err(error) =
        tauri_build::try_build(tauri_build::Attributes::new().app_manifest(commands))
    {
        println!("cargo::error={error:#}");
        std::process::exit(1);
    }
}
