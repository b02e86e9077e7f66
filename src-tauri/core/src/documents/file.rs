//! Documents in files of the user: read whole and with a limit, written whole
//! or not at all.

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::Path;

use crate::problem::{Code, Place, Problem};
use crate::view::DocumentFile;

/// Bytes that a document in the window may have: it travels to the page and back as one message.
pub const MOST_WINDOW_BYTES: usize = 1024 * 1024;

/// Reads a document's file: UTF-8, with or without a byte order mark (which is
/// left out). What is in it is not looked at.
///
/// # Errors
/// [`Code::PathMissing`]; [`Code::InvalidInput`] for what is no regular file, may
/// not be read, is larger than 1 MiB, or is not UTF-8.
pub async fn read_document_file(path: &Path) -> Result<DocumentFile, Problem> {
    let path = path.to_owned();
    tokio::task::spawn_blocking(move || read(&path))
        .await
        .unwrap_or_else(|_| Err(Problem::internal("reading a file broke off")))
}

/// Writes a document to a file, with a line break at its end. A file that is
/// there is replaced when everything is written, and keeps its rights. What is no
/// file ([`is_stream`]) is written into, a pipe once somebody reads it.
///
/// # Errors
/// [`Code::DiskFull`], [`Code::InvalidInput`] for a place that cannot be written.
pub async fn write_document_file(path: &Path, text: String) -> Result<(), Problem> {
    let path = path.to_owned();
    tokio::task::spawn_blocking(move || {
        write(&path, &text).map_err(|error| not_written(&path, &error))
    })
    .await
    .unwrap_or_else(|_| Err(Problem::internal("writing a file broke off")))
}

/// Whether a path leads to something that is written into and never replaced: a
/// device, a pipe, or what a process has open already (`/dev/stdout`, `/dev/fd/3`).
#[must_use]
pub fn is_stream(path: &Path) -> bool {
    let open_already = ["/dev/fd", "/dev/stdout", "/dev/stderr", "/proc"]
        .iter()
        .any(|place| path.starts_with(place));
    std::fs::metadata(path).is_ok_and(|there| !there.is_dir() && (open_already || !there.is_file()))
}

fn read(path: &Path) -> Result<DocumentFile, Problem> {
    let shown = path.display();
    let refused = |why: &str| Problem::new(Code::InvalidInput, format!("{shown} {why}"));
    let failed = |error: &io::Error| match error.kind() {
        io::ErrorKind::NotFound => {
            Problem::new(Code::PathMissing, format!("There is no file {shown}"))
                .hint("Check the spelling of the path.")
        }
        _ => refused("cannot be read").caused_by(error),
    };
    // Asked first: opening a pipe waits for its other end.
    let metadata = std::fs::metadata(path).map_err(|error| failed(&error))?;
    if !metadata.is_file() {
        return Err(refused("is not a file").hint("Choose a file that holds JSON."));
    }
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| {
            file.take(MOST_WINDOW_BYTES as u64 + 1)
                .read_to_end(&mut bytes)
        })
        .map_err(|error| failed(&error))?;
    if bytes.len() > MOST_WINDOW_BYTES {
        return Err(refused("is too large")
            .detail("Documents of at most 1 MiB are edited here.")
            .hint("Choose the document's own file. “berth validate” checks larger ones."));
    }
    let text = text_of(bytes).map_err(|place| {
        let mut problem = refused("is not a UTF-8 text").hint("Save it as UTF-8, then try again.");
        problem.places = vec![Place {
            file: Some(shown.to_string()),
            ..place
        }];
        problem
    })?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(DocumentFile {
        name: name.into_owned(),
        text,
    })
}

/// UTF-8 without its byte order mark, or where it is none.
fn text_of(mut bytes: Vec<u8>) -> Result<String, Place> {
    if bytes.starts_with(b"\xef\xbb\xbf") {
        bytes.drain(..3);
    }
    let utf16 = bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff");
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let before = String::from_utf8_lossy(before);
        let last = before.rsplit('\n').next().unwrap_or_default();
        Place {
            file: None,
            line: Some(before.matches('\n').count() + 1),
            column: Some(last.chars().count() + 1),
            key: String::new(),
            message: if utf16 {
                "It is UTF-16.".to_owned()
            } else {
                "What stands here is no UTF-8; it may be Latin-1.".to_owned()
            },
            hint: None,
        }
    })
}

fn write(path: &Path, text: &str) -> io::Result<()> {
    if is_stream(path) {
        // Appended: the shell's `>>` goes on to hold.
        let mut stream = File::options().append(true).open(path)?;
        return write_to(&mut stream, text);
    }
    // A link stays one: what it leads to is replaced.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = match target.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut unfinished = tempfile::Builder::new();
    #[cfg(unix)]
    let rights = {
        use std::os::unix::fs::PermissionsExt as _;
        // The user's mask applies, as to any new file.
        std::fs::Permissions::from_mode(0o666)
    };
    #[cfg(unix)]
    unfinished.permissions(rights);
    let mut unfinished = unfinished.prefix(".berth-").tempfile_in(folder)?;
    if let Ok(before) = std::fs::metadata(&target) {
        unfinished.as_file().set_permissions(before.permissions())?;
    }
    write_to(&mut unfinished, text)?;
    unfinished.as_file().sync_all()?;
    unfinished.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

fn write_to(to: &mut impl Write, text: &str) -> io::Result<()> {
    to.write_all(text.as_bytes())?;
    if !text.ends_with('\n') {
        to.write_all(b"\n")?;
    }
    Ok(())
}

fn not_written(path: &Path, error: &io::Error) -> Problem {
    let title = format!("{} cannot be written", path.display());
    let problem = if error.kind() == io::ErrorKind::StorageFull {
        Problem::new(Code::DiskFull, title).hint("Free some space, then try again.")
    } else {
        Problem::new(Code::InvalidInput, title)
            .hint("Choose a folder that is yours and can be written.")
    };
    problem.caused_by(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn files_are_read_with_or_without_a_byte_order_mark() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("manifest.json");
        for bytes in [&b"\xef\xbb\xbf{\"a\":\r\n1}"[..], b"{\"a\":\r\n1}"] {
            std::fs::write(&path, bytes).unwrap();
            let file = read_document_file(&path).await.unwrap();
            assert_eq!(file.name, "manifest.json");
            assert_eq!(file.text, "{\"a\":\r\n1}");
        }
    }

    #[tokio::test]
    async fn what_cannot_be_read_is_named_with_its_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("document.json");
        let problem = read_document_file(&path).await.unwrap_err();
        assert_eq!(problem.code, Code::PathMissing);
        assert!(problem.title.contains("document.json"));

        let problem = read_document_file(folder.path()).await.unwrap_err();
        assert!(problem.title.ends_with("is not a file"));

        std::fs::write(&path, b"{\n \"name\": \"caf\xe9\"}").unwrap();
        let problem = read_document_file(&path).await.unwrap_err();
        assert_eq!(problem.code, Code::InvalidInput);
        let place = &problem.places[0];
        assert_eq!((place.line, place.column), (Some(2), Some(14)));
        assert!(place.message.contains("Latin-1"));

        std::fs::write(&path, b"\xff\xfe{\0}\0").unwrap();
        let problem = read_document_file(&path).await.unwrap_err();
        assert_eq!(problem.places[0].message, "It is UTF-16.");

        File::create(&path)
            .unwrap()
            .set_len(MOST_WINDOW_BYTES as u64 + 1)
            .unwrap();
        let problem = read_document_file(&path).await.unwrap_err();
        assert!(problem.title.ends_with("is too large"));
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn pipes_are_not_waited_for() {
        let problem = read_document_file(Path::new("/dev/zero"))
            .await
            .unwrap_err();
        assert!(problem.title.ends_with("is not a file"));
    }

    #[tokio::test]
    async fn files_are_replaced_as_a_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.json");
        write_document_file(&path, "{}".to_owned()).await.unwrap();
        write_document_file(&path, "[1]\n".to_owned())
            .await
            .unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "[1]\n");
        let names = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(names, 1, "nothing unfinished is left");

        let problem = write_document_file(&folder.path().join("none/out.json"), String::new())
            .await
            .unwrap_err();
        assert_eq!(problem.code, Code::InvalidInput);
        assert!(!problem.causes.is_empty());
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn devices_and_pipes_are_written_into_and_stay_what_they_are() {
        use std::os::fd::AsRawFd as _;
        use std::os::unix::fs::FileTypeExt as _;

        write_document_file(Path::new("/dev/null"), "{}".to_owned())
            .await
            .unwrap();
        let null = std::fs::metadata("/dev/null").unwrap();
        assert!(null.file_type().is_char_device());

        let (mut reader, writer) = io::pipe().unwrap();
        let path = format!("/dev/fd/{}", writer.as_raw_fd());
        write_document_file(Path::new(&path), "{}".to_owned())
            .await
            .unwrap();
        drop(writer);
        let mut read = String::new();
        reader.read_to_string(&mut read).unwrap();
        assert_eq!(read, "{}\n");
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_full_device_is_said_to_be_full() {
        let full = Path::new("/dev/full");
        let problem = write_document_file(full, "{}".to_owned())
            .await
            .unwrap_err();
        assert_eq!(problem.code, Code::DiskFull);
        assert!(is_stream(full), "it is still a device");
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn rights_and_links_stay() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("out.json"), folder.path().join("link"));
        std::fs::write(&path, "old").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_document_file(&link, "{}".to_owned()).await.unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "{}\n");
        assert!(link.is_symlink());
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }
}
