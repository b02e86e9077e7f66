//! What lies outside the window: the folder dialog, the browser, the clipboard.

use std::sync::{Mutex, PoisonError};

use arboard::Clipboard;
use berth_core::{Code, Problem};
use tauri::{AppHandle, State, WebviewWindow};
use tauri_plugin_dialog::DialogExt;
use tokio::sync::oneshot;
use url::{Host, Url};

/// The folder that the user picks; `None` when the dialog is dismissed.
#[tauri::command]
pub(crate) async fn pick_folder(
    app: AppHandle,
    window: WebviewWindow,
) -> Result<Option<String>, Problem> {
    let (answer, picked) = oneshot::channel();
    app.dialog()
        .file()
        .set_parent(&window)
        .set_title("Add a service's folder")
        .pick_folder(move |folder| {
            // The page may be gone by the time a folder is picked.
            let _ = answer.send(folder);
        });
    // A dialog that goes away unanswered was dismissed.
    let Some(folder) = picked.await.ok().flatten() else {
        return Ok(None);
    };
    folder
        .into_path()
        .ok()
        .and_then(|path| path.into_os_string().into_string().ok())
        .map(Some)
        .ok_or_else(|| {
            Problem::new(
                Code::InvalidInput,
                "The folder's path cannot be written as text",
            )
            .hint("Berth can only use folders whose path is valid Unicode. Rename it.")
        })
}

/// Opens an environment's address in the browser.
#[tauri::command]
pub(crate) async fn open_url(url: String) -> Result<(), Problem> {
    let url = local_address(&url)?;
    tauri::async_runtime::spawn_blocking(move || open::that_detached(url.as_str()))
        .await
        .map_err(|error| Problem::internal("opening the browser broke off").caused_by(&error))?
        .map_err(|error| {
            Problem::new(Code::NotFound, "No browser could be started")
                .hint("Copy the address and open it in a browser yourself.")
                .caused_by(&error)
        })
}

/// Puts a text on the clipboard.
#[tauri::command]
pub(crate) async fn copy_text(
    clipboard: State<'_, Mutex<Option<Clipboard>>>,
    text: String,
) -> Result<(), Problem> {
    let mut slot = clipboard.lock().unwrap_or_else(PoisonError::into_inner);
    // Kept: on Linux the text is gone as soon as the clipboard that offers it is.
    let clipboard = match slot.take() {
        Some(clipboard) => Ok(clipboard),
        None => Clipboard::new(),
    };
    clipboard
        .and_then(|mut clipboard| {
            clipboard.set_text(text)?;
            *slot = Some(clipboard);
            Ok(())
        })
        .map_err(|error| {
            Problem::new(Code::Internal, "The text could not be copied")
                .hint("The desktop's clipboard does not answer. Select the text and copy it yourself.")
                .caused_by(&error)
                .retryable()
        })
}

/// An address that may be opened: on this machine, over HTTP.
///
/// Whatever gets into the page must not make the user's browser go elsewhere,
/// nor start the handlers of other schemes.
fn local_address(text: &str) -> Result<Url, Problem> {
    let refused = |why: &str| {
        Problem::new(Code::InvalidInput, "This address is not opened")
            .detail(format!("{text}: {why}"))
            .hint("Berth opens addresses of environments on this machine only.")
    };
    let url = Url::parse(text).map_err(|error| refused(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(refused("only http and https are opened"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refused("it carries credentials"));
    }
    let here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    };
    if here {
        Ok(url)
    } else {
        Err(refused("it is on another machine"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_are_opened() {
        for address in [
            "http://localhost:49152/",
            "http://hello-main.localhost:49152/path?query#part",
            "https://127.0.0.1:8443/",
            "http://127.8.9.1/",
            "http://[::1]:3000/",
        ] {
            assert!(local_address(address).is_ok(), "{address}");
        }
    }

    #[test]
    fn everything_else_is_refused() {
        for address in [
            "",
            "hello",
            "https://example.com/",
            "http://localhost.example.com/",
            "http://evil-localhost/",
            "http://0.0.0.0:80/",
            "http://192.168.1.2/",
            "http://user:secret@localhost/",
            "http://localhost@example.com/",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "vscode://localhost/x",
        ] {
            let problem = local_address(address).unwrap_err();
            assert_eq!(problem.code, Code::InvalidInput, "{address}");
        }
    }
}
