use std::io;
use std::path::Path;

/// The folder a project is read from. All paths are absolute.
pub trait Files {
    /// The whole file.
    ///
    /// # Errors
    /// As the file system's; [`io::ErrorKind::NotFound`] is the one that
    /// callers act on.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Whether a regular file is there (following links).
    fn is_file(&self, path: &Path) -> bool;

    /// Whether a folder is there (following links).
    fn is_dir(&self, path: &Path) -> bool;
}

/// The real file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct DiskFiles;

impl Files for DiskFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn is_dir(&self, path: &Path) -> bool {
        path.is_dir()
    }
}
