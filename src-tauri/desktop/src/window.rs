//! The window: how it opens, what it may load, and Berth behind it.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Mutex;
use std::time::Duration;

use arboard::Clipboard;
use berth_core::redaction::CleanWriter;
use berth_core::view::Actor;
use berth_core::{Berth, Options};
use tauri::webview::{NewWindowResponse, PageLoadEvent};
use tauri::{App, AppHandle, Manager, RunEvent, Url, WebviewWindowBuilder, WindowEvent};
use tauri_plugin_single_instance::Builder as SingleInstance;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tracing::error;

use crate::commands;
use crate::leaving::Leaving;
use crate::opened::Opened;
use crate::operations::Operations;
use crate::platform;
use crate::streams::Streams;

/// The window's label in `tauri.conf.json` and `capabilities/main.json`.
const MAIN: &str = "main";

/// How long the owner's work may take to stop at the end. What is cut off then
/// is taken back by the next start.
const OWNER_PATIENCE: Duration = Duration::from_secs(2);

/// Whether a WebDriver may steer the window: never in what users run.
const AUTOMATION_ALLOWED: bool = cfg!(any(debug_assertions, feature = "webdriver"));

/// Says in advance why no window can be opened.
///
/// # Errors
/// A text for standard error.
pub(crate) fn can_open() -> Result<(), String> {
    // Tauri's runtime obeys this variable in every build; whoever can set it could
    // read and click everything in the window.
    if !AUTOMATION_ALLOWED && std::env::var_os("TAURI_WEBVIEW_AUTOMATION").is_some() {
        return Err("This Berth does not let other programs steer its window. \
             Unset TAURI_WEBVIEW_AUTOMATION and start it again."
            .to_owned());
    }
    match platform::display_trouble() {
        None => Ok(()),
        Some(trouble) => Err(format!(
            "Berth cannot open its window: {trouble}.\n\
             Without a display `berth` does the same work, for example: berth up FOLDER"
        )),
    }
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// A text for standard error.
pub(crate) fn run() -> Result<(), String> {
    tracing_subscriber::fmt()
        .with_writer(|| CleanWriter(std::io::stderr()))
        .with_max_level(tracing::Level::WARN)
        .init();
    let app = tauri::Builder::default()
        // First, so that a second start ends before it opens anything.
        .plugin(
            SingleInstance::new()
                .dbus_id(instance_id(&std::env::var("BERTH_DATA_DIR").ok()))
                .callback(|app, _arguments, _folder| come_forward(app))
                .build(),
        )
        .plugin(tauri_plugin_dialog::init())
        .manage(Opened::default())
        .manage(Operations::new())
        .manage(Streams::default())
        .manage(Leaving::default())
        .manage(Ownership::default())
        .manage(commands::exchange::PickedFolder::default())
        .manage(Mutex::<Option<Clipboard>>::default())
        .invoke_handler(tauri::generate_handler![
            commands::activity::activity,
            commands::documents::check_document,
            commands::documents::contract_schema,
            commands::documents::contract_schemas,
            commands::documents::delete_document,
            commands::documents::document,
            commands::documents::document_secrets,
            commands::documents::documents,
            commands::documents::export_document,
            commands::documents::note_unsaved,
            commands::documents::pick_document_file,
            commands::documents::preview_template,
            commands::documents::remove_document_secret,
            commands::documents::save_document,
            commands::documents::set_document_secret,
            commands::engine::engine_status,
            commands::environments::cancel,
            commands::environments::environment_detail,
            commands::environments::extend,
            commands::environments::retry,
            commands::environments::snapshot,
            commands::environments::tear_down,
            commands::environments::up,
            commands::exchange::export_workspace,
            commands::exchange::import_workspace,
            commands::exchange::pick_workspace_file,
            commands::following::follow,
            commands::following::follow_logs,
            commands::following::unfollow,
            commands::following::unfollow_logs,
            commands::handlers::add_user,
            commands::handlers::cancel_test,
            commands::handlers::compare_override,
            commands::handlers::copy_to_override,
            commands::handlers::explain,
            commands::handlers::found_engines,
            commands::handlers::handlers,
            commands::handlers::make_handler_of,
            commands::handlers::manifest_types,
            commands::handlers::remove_handler,
            commands::handlers::remove_manifest_type,
            commands::handlers::remove_user,
            commands::handlers::save_handler,
            commands::handlers::set_manifest_type,
            commands::handlers::set_provisioning,
            commands::handlers::switch_override,
            commands::handlers::test_handler,
            commands::handlers::use_user,
            commands::handlers::users,
            commands::outside::copy_text,
            commands::outside::open_url,
            commands::outside::pick_folder,
            commands::secret_store::secret_store,
            commands::secret_store::unlock_vault,
            commands::secret_store::use_secret_store,
            commands::services::add_example,
            commands::services::add_service,
            commands::services::detect,
            commands::services::git_refs,
            commands::services::remove_service,
            commands::settings::data_folder,
            commands::settings::set_activity_days,
            commands::settings::settings,
        ])
        .setup(|app| {
            open_window(app)?;
            open_berth(app.handle().clone());
            tauri::async_runtime::spawn(crate::leaving::when_told(app.handle().clone()));
            Ok(())
        })
        .build(tauri::generate_context!())
        .map_err(|error| format!("Berth cannot open its window: {error}"))?;
    app.run(|app, event| match event {
        RunEvent::WindowEvent {
            event: WindowEvent::CloseRequested { api, .. },
            ..
        } if !crate::leaving::may_close(app) => api.prevent_close(),
        RunEvent::WindowEvent {
            event: WindowEvent::Destroyed,
            ..
        } => app.state::<Streams>().close_all(),
        RunEvent::Exit => app.state::<Ownership>().end(),
        _ => {}
    });
    Ok(())
}

fn open_window(app: &App) -> tauri::Result<()> {
    let Some(config) = app
        .config()
        .app
        .windows
        .iter()
        .find(|window| window.label == MAIN)
    else {
        return Err(tauri::Error::WindowNotFound);
    };
    let dev_server = app
        .config()
        .build
        .dev_url
        .clone()
        .filter(|_| tauri::is_dev());
    WebviewWindowBuilder::from_config(app.handle(), config)?
        .on_navigation(move |url| is_own_page(url, dev_server.as_ref()))
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_page_load(|window, page| {
            // A page that loads follows nothing yet; what the one before followed is
            // of no use to anyone.
            if page.event() == PageLoadEvent::Started {
                window.state::<Streams>().close_all();
                window.state::<Leaving>().note_unsaved(None);
            }
        })
        .build()?;
    Ok(())
}

/// Whether a URL is the page that Berth brings along. Everything else belongs
/// into a browser.
fn is_own_page(url: &Url, dev_server: Option<&Url>) -> bool {
    let own = match url.scheme() {
        "tauri" => url.host_str() == Some("localhost"),
        "http" | "https" => url.host_str() == Some("tauri.localhost"),
        "about" => url.path() == "blank",
        _ => false,
    };
    own || dev_server.is_some_and(|server| server.origin() == url.origin())
}

/// Opens Berth behind the window, then stands for owner until the end.
fn open_berth(app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        let outcome = Berth::open(Options::from_process(Actor::Window)).await;
        app.state::<Opened>().set(outcome.clone());
        if let Ok(berth) = outcome {
            app.state::<Ownership>().begin(berth);
        }
    });
}

/// The window's standing as the owner of what runs.
#[derive(Default)]
struct Ownership {
    cancel: CancellationToken,
    work: Mutex<Option<JoinHandle<()>>>,
}

impl Ownership {
    fn begin(&self, berth: Berth) {
        let cancel = self.cancel.clone();
        let work = tokio::spawn(async move {
            if let Err(problem) = berth.own(cancel).await {
                error!(?problem, "environments are no longer removed on time");
            }
        });
        if let Ok(mut slot) = self.work.lock() {
            *slot = Some(work);
        }
    }

    fn end(&self) {
        self.cancel.cancel();
        let work = self.work.lock().ok().and_then(|mut slot| slot.take());
        if let Some(work) = work {
            tauri::async_runtime::block_on(async {
                let _ = tokio::time::timeout(OWNER_PATIENCE, work).await;
            });
        }
    }
}

/// Brings the open window to the front, for a second start.
fn come_forward(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(MAIN) {
        // Each may be refused by the window manager, which is its right.
        let _ = window.unminimize();
        let _ = window.show();
        let _ = window.set_focus();
    }
}

/// The name on the session bus that one instance holds: one per data folder.
fn instance_id(data_dir: &Option<String>) -> String {
    let id = "dev.berth.desktop";
    match data_dir {
        None => id.to_owned(),
        Some(folder) => {
            let mut hasher = DefaultHasher::new();
            folder.hash(&mut hasher);
            format!("{id}.d{:016x}", hasher.finish())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    #[test]
    fn only_berths_own_page_is_loaded() {
        assert!(is_own_page(
            &url("tauri://localhost/index.html#/services"),
            None
        ));
        assert!(is_own_page(&url("http://tauri.localhost/"), None));
        assert!(!is_own_page(&url("http://localhost:49152/"), None));
        assert!(!is_own_page(&url("https://example.com/"), None));
        assert!(!is_own_page(&url("file:///etc/passwd"), None));
        assert!(!is_own_page(&url("data:text/html,hello"), None));
        let dev = url("http://localhost:5173/");
        assert!(is_own_page(&url("http://localhost:5173/x"), Some(&dev)));
        assert!(!is_own_page(&url("http://localhost:5174/x"), Some(&dev)));
    }

    #[test]
    fn each_data_folder_has_an_instance_of_its_own() {
        let some = |folder: &str| instance_id(&Some(folder.to_owned()));
        assert_eq!(some("/a"), some("/a"));
        assert_ne!(some("/a"), some("/b"));
        assert_ne!(some("/a"), instance_id(&None));
    }
}
