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
    /// [`io::ErrorKind::InvalidInput`] for what is neither file nor folder: a
    /// pipe would hold the reader for ever, a device has no end.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let about = std::fs::metadata(path)?;
        if !about.is_file() && !about.is_dir() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "it is not a regular file",
            ));
        }
        std::fs::read(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        path.is_file()
    }

    fn is_dir(&self, path: &Path) -> bool {
        path.is_dir()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_device_is_not_read() {
        let error = DiskFiles.read(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
    }
}
