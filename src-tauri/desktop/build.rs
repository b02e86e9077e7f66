//! Tells Tauri which commands exist. What is not listed here and allowed in
//! `capabilities/main.json` is refused.

fn main() {
    let commands = tauri_build::AppManifest::new().commands(&[
        "activity",
        "add_example",
        "add_service",
        "cancel",
        "copy_text",
        "data_folder",
        "detect",
        "engine_status",
        "environment_detail",
        "extend",
        "follow",
        "follow_logs",
        "git_refs",
        "open_url",
        "pick_folder",
        "remove_service",
        "retry",
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
