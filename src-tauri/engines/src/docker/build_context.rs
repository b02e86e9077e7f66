//! The folder that a build sees, as a tar stream that is never held whole.

use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use berth_compose::Build;
use bytes::{Bytes, BytesMut};
use futures_util::Stream;
use futures_util::stream;
use tokio::sync::mpsc;

use super::dockerignore::Ignore;

const CHUNK: usize = 64 * 1024;
/// Name of a Dockerfile that is not in the context. Docker's own CLI uses the
/// same manner of name.
const OUTSIDE_DOCKERFILE: &str = ".dockerfile.berth";

/// A context about to be sent.
#[derive(Debug)]
pub(super) struct Context {
    folder: Option<PathBuf>,
    ignore: Ignore,
    /// The Dockerfile's path inside the tar.
    pub(super) dockerfile: String,
    /// The text of a Dockerfile that the folder does not hold.
    outside: Option<Vec<u8>>,
    sent: Arc<AtomicU64>,
}

impl Context {
    /// Reads the Dockerfile's place and the ignore file. Blocking.
    ///
    /// # Errors
    /// In words, when the folder or the Dockerfile cannot be read.
    pub(super) fn open(build: &Build) -> Result<Self, String> {
        let folder = build.context.clone();
        if !folder.is_dir() {
            return Err(format!(
                "the build context {} is not a folder",
                folder.display()
            ));
        }
        let unreadable =
            |path: &Path, error: io::Error| format!("{} cannot be read: {error}", path.display());
        let place = folder.join(&build.dockerfile);
        let inside = place
            .strip_prefix(&folder)
            .ok()
            .filter(|path| {
                path.components()
                    .all(|it| matches!(it, std::path::Component::Normal(_)))
            })
            .map(slashed);
        let (dockerfile, outside) = match (&build.dockerfile_inline, inside) {
            (Some(text), _) => (
                OUTSIDE_DOCKERFILE.to_owned(),
                Some(text.clone().into_bytes()),
            ),
            (None, Some(inside)) => {
                File::open(&place).map_err(|error| unreadable(&place, error))?;
                (inside, None)
            }
            (None, None) => {
                let text = std::fs::read(&place).map_err(|error| unreadable(&place, error))?;
                (OUTSIDE_DOCKERFILE.to_owned(), Some(text))
            }
        };
        let mut ignore = Ignore::default();
        let mut own = place.into_os_string();
        own.push(".dockerignore");
        for candidate in [PathBuf::from(own), folder.join(".dockerignore")] {
            match std::fs::read_to_string(&candidate) {
                Ok(text) => {
                    ignore = Ignore::parse(&text);
                    break;
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(unreadable(&candidate, error)),
            }
        }
        // The engine needs both, whatever the patterns say.
        ignore.keep(&dockerfile);
        ignore.keep(".dockerignore");
        Ok(Self {
            folder: Some(folder),
            ignore,
            dockerfile,
            outside,
            sent: Arc::default(),
        })
    }

    /// No folder at all, for a Dockerfile that only builds on an image.
    pub(super) fn only_dockerfile(build: &Build) -> Self {
        Self {
            folder: None,
            ignore: Ignore::default(),
            dockerfile: OUTSIDE_DOCKERFILE.to_owned(),
            outside: build.dockerfile_inline.clone().map(String::into_bytes),
            sent: Arc::default(),
        }
    }

    /// The Dockerfile's text. Blocking.
    pub(super) fn dockerfile_text(&self) -> io::Result<String> {
        let bytes = match (&self.outside, &self.folder) {
            (Some(text), _) => text.clone(),
            (None, Some(folder)) => std::fs::read(folder.join(&self.dockerfile))?,
            (None, None) => Vec::new(),
        };
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Bytes handed out so far, shared with the stream.
    pub(super) fn sent(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.sent)
    }

    /// The tar, made as it is read: a slow engine slows the reading down.
    pub(super) fn stream(self) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
        let (sender, receiver) = mpsc::channel(8);
        tokio::task::spawn_blocking(move || {
            let mut writer = Chunks {
                buffer: BytesMut::with_capacity(CHUNK),
                sender: sender.clone(),
                sent: Arc::clone(&self.sent),
            };
            if let Err(error) = self.write(&mut writer) {
                // The receiver is gone when the build was given up.
                let _ = sender.blocking_send(Err(error));
            }
        });
        stream::unfold(receiver, async |mut receiver| {
            receiver.recv().await.map(|chunk| (chunk, receiver))
        })
    }

    fn write(&self, writer: &mut Chunks) -> io::Result<()> {
        let mut tar = tar::Builder::new(&mut *writer);
        if let Some(text) = &self.outside {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            header.set_entry_type(tar::EntryType::Regular);
            tar.append_data(&mut header, &self.dockerfile, text.as_slice())?;
        }
        if let Some(folder) = &self.folder {
            self.folder_into(&mut tar, folder, "")?;
        }
        tar.finish()?;
        drop(tar);
        writer.flush()
    }

    fn folder_into(
        &self,
        tar: &mut tar::Builder<&mut Chunks>,
        folder: &Path,
        below: &str,
    ) -> io::Result<()> {
        let place = folder.join(below);
        let named = |error: io::Error, path: &Path| {
            io::Error::new(error.kind(), format!("{}: {error}", path.display()))
        };
        let mut entries = std::fs::read_dir(&place)
            .and_then(Iterator::collect::<io::Result<Vec<_>>>)
            .map_err(|error| named(error, &place))?;
        // In order, so that the same folder gives the same tar.
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let name = entry.file_name();
            let path = entry.path();
            let relative = if below.is_empty() {
                name.to_string_lossy().into_owned()
            } else {
                format!("{below}/{}", name.to_string_lossy())
            };
            let ignored = self.ignore.ignores(&relative);
            let about = match std::fs::symlink_metadata(&path) {
                Ok(about) => about,
                // Removed while we looked.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(named(error, &path)),
            };
            if about.is_dir() {
                if !ignored {
                    let mut header = header(&about);
                    header.set_entry_type(tar::EntryType::Directory);
                    header.set_size(0);
                    tar.append_data(&mut header, format!("{relative}/"), io::empty())?;
                }
                if !ignored || self.ignore.may_keep_below(&relative) {
                    self.folder_into(tar, folder, &relative)?;
                }
            } else if ignored {
                // Left out.
            } else if about.is_symlink() {
                let target = std::fs::read_link(&path).map_err(|error| named(error, &path))?;
                let mut header = header(&about);
                header.set_entry_type(tar::EntryType::Symlink);
                header.set_size(0);
                tar.append_link(&mut header, &relative, target)?;
            } else if about.is_file() {
                let file = File::open(&path).map_err(|error| named(error, &path))?;
                let mut header = header(&about);
                header.set_entry_type(tar::EntryType::Regular);
                header.set_size(about.len());
                // A file that shrinks meanwhile must not break the tar.
                let steady = file.chain(io::repeat(0)).take(about.len());
                tar.append_data(&mut header, &relative, steady)?;
            }
            // Sockets, pipes and devices have no place in an image.
        }
        Ok(())
    }
}

fn header(about: &Metadata) -> tar::Header {
    let mut header = tar::Header::new_gnu();
    header.set_mode(mode(about));
    // Whoever checked it out: in the image it is root's, as with Docker's CLI.
    header.set_uid(0);
    header.set_gid(0);
    let modified = about
        .modified()
        .ok()
        .and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok())
        .map_or(0, |since| since.as_secs());
    header.set_mtime(modified);
    header
}

#[cfg(unix)]
fn mode(about: &Metadata) -> u32 {
    use std::os::unix::fs::MetadataExt;
    about.mode() & 0o7777
}

/// As Docker's CLI does where files have no mode.
#[cfg(not(unix))]
fn mode(_about: &Metadata) -> u32 {
    0o755
}

fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    parts.join("/")
}

/// Hands what is written on in chunks; waits while too many are under way.
struct Chunks {
    buffer: BytesMut,
    sender: mpsc::Sender<io::Result<Bytes>>,
    sent: Arc<AtomicU64>,
}

impl Write for Chunks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= CHUNK {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.buffer.is_empty() {
            return Ok(());
        }
        let chunk = self.buffer.split().freeze();
        self.sent.fetch_add(chunk.len() as u64, Ordering::Relaxed);
        self.sender
            .blocking_send(Ok(chunk))
            .map_err(|_| io::Error::new(io::ErrorKind::BrokenPipe, "the build was given up"))
    }
}

#[cfg(test)]
mod tests {
    use futures_util::TryStreamExt;

    use super::*;

    async fn names(build: &Build) -> Vec<String> {
        let context = Context::open(build).unwrap();
        let bytes: Vec<Bytes> = context.stream().try_collect().await.unwrap();
        let bytes = bytes.concat();
        let mut archive = tar::Archive::new(bytes.as_slice());
        archive
            .entries()
            .unwrap()
            .map(|entry| entry.unwrap().path().unwrap().display().to_string())
            .collect()
    }

    #[tokio::test]
    async fn the_context_is_the_folder_without_what_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("Dockerfile", "FROM scratch");
        write(".dockerignore", "*\n!src\nsrc/target\n");
        write("src/main.c", "int main;");
        write("src/target/big", &"x".repeat(100_000));
        write("notes.md", "");
        let build = Build {
            context: folder.path().to_owned(),
            dockerfile: "Dockerfile".into(),
            ..Build::default()
        };
        assert_eq!(
            names(&build).await,
            [".dockerignore", "Dockerfile", "src/", "src/main.c"]
        );
    }

    #[tokio::test]
    async fn a_dockerfile_may_be_elsewhere_or_in_the_compose_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("app")).unwrap();
        std::fs::write(folder.path().join("app/a"), "a").unwrap();
        std::fs::write(folder.path().join("Other"), "FROM scratch").unwrap();
        let outside = Build {
            context: folder.path().join("app"),
            dockerfile: "../Other".into(),
            ..Build::default()
        };
        assert_eq!(names(&outside).await, [OUTSIDE_DOCKERFILE, "a"]);
        let inline = Build {
            dockerfile: "Dockerfile".into(),
            dockerfile_inline: Some("FROM scratch".to_owned()),
            ..outside.clone()
        };
        assert_eq!(names(&inline).await, [OUTSIDE_DOCKERFILE, "a"]);
        let missing = Build {
            dockerfile: "Nowhere".into(),
            ..outside
        };
        assert!(Context::open(&missing).unwrap_err().contains("Nowhere"));
    }
}
