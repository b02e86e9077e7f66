//! What differs between systems. Linux is tested; the others are kept compiling
//! and are untested.

use std::path::{Path, PathBuf};

mod files;
pub(crate) mod keychain;
#[cfg(target_os = "linux")]
mod linux;
mod process;

pub(crate) use files::{new_private_file, open_up, path_from, sync_folder};
pub(crate) use process::{ask_to_end, in_own_group};

#[cfg(target_os = "linux")]
pub(crate) use linux::sleep_until;

/// Where an application of this user keeps its data.
///
/// # Errors
/// When there is no home folder.
pub(crate) fn data_folder() -> Result<PathBuf, etcetera::HomeDirError> {
    use etcetera::{AppStrategy, AppStrategyArgs, app_strategy::choose_native_strategy};
    // The roaming profile, where Windows programs keep documents, is copied
    // between machines: no place for checkouts.
    #[cfg(windows)]
    if let Some(local) = std::env::var_os("LOCALAPPDATA") {
        return Ok(PathBuf::from(local).join("Berth"));
    }
    let strategy = choose_native_strategy(AppStrategyArgs {
        top_level_domain: "dev".to_owned(),
        author: "berth".to_owned(),
        app_name: "berth".to_owned(),
    })?;
    Ok(strategy.data_dir())
}

/// Makes a folder, with those above it, that only this user can enter. On
/// Windows a folder inside the user's profile already is.
///
/// # Errors
/// As the file system's.
#[cfg(unix)]
pub(crate) fn create_private(folder: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
    std::fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let permissions = std::fs::metadata(folder)?.permissions();
    if permissions.mode() & 0o777 != 0o700 {
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

/// Makes a folder, with those above it. Inside the user's profile it is private
/// already.
///
/// # Errors
/// As the file system's.
#[cfg(not(unix))]
pub(crate) fn create_private(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)
}
