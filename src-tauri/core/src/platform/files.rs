//! Paths and rights of files.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// A path as another program prints it.
#[cfg(unix)]
pub(crate) fn path_from(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt as _;

    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// A path as another program prints it.
#[cfg(not(unix))]
pub(crate) fn path_from(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// Makes a file that is not there yet and that only this user may read.
///
/// # Errors
/// As the file system's.
pub(crate) fn new_private_file(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(path)
}

/// Gives this user all rights in a folder of theirs.
///
/// # Errors
/// As the file system's, for a folder of another user above all.
pub(crate) fn open_up(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
    }
    #[cfg(not(unix))]
    {
        let mut permissions = fs::metadata(folder)?.permissions();
        permissions.set_readonly(false);
        fs::set_permissions(folder, permissions)
    }
}

/// Makes what was renamed in a folder last.
///
/// # Errors
/// As the file system's.
pub(crate) fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        File::open(folder)?.sync_all()
    }
    #[cfg(not(unix))]
    {
        // A folder cannot be opened there; the rename itself is written through.
        let _ = folder;
        Ok(())
    }
}
