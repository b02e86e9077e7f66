//! The example service: a copy of its own in the data folder, so that it can be
//! started, changed and removed like any other.

use std::io;
use std::path::{Path, PathBuf};

use berth_core::{Code, Problem};

/// Puts the example's copy into the data folder, unless it is there already;
/// returns its folder.
///
/// Blocks.
///
/// # Errors
/// [`Code::Store`] when it cannot be written.
pub(crate) fn place(bundled: &Path, data_dir: &Path) -> Result<PathBuf, Problem> {
    let examples = data_dir.join("examples");
    let place = examples.join("hello");
    copy_once(bundled, &examples, &place).map_err(|error| {
        Problem::new(
            Code::Store,
            "The example could not be put into Berth's data folder",
        )
        .detail(format!("from {} to {}", bundled.display(), place.display()))
        .hint("Check that the disk has space and that the folder can be written.")
        .caused_by(&error)
        .retryable()
    })?;
    Ok(place)
}

fn copy_once(bundled: &Path, examples: &Path, place: &Path) -> io::Result<()> {
    if place.is_dir() {
        return Ok(());
    }
    std::fs::create_dir_all(examples)?;
    // Copied beside and renamed, so that a copy that is there is whole.
    let unfinished = examples.join(format!(".hello-{}", std::process::id()));
    let copied =
        copy_folder(bundled, &unfinished).and_then(|()| std::fs::rename(&unfinished, place));
    if copied.is_err() {
        let _ = std::fs::remove_dir_all(&unfinished);
    }
    match copied {
        // Another window or command was quicker.
        Err(_) if place.is_dir() => Ok(()),
        copied => copied,
    }
}

/// Copies files, folders and permissions; the example holds nothing else.
fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    std::fs::create_dir(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_is_copied_once_and_then_left_alone() {
        let bundled = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/hello");
        let data = tempfile::tempdir().unwrap();
        let place = place(&bundled, data.path()).unwrap();
        assert_eq!(place, data.path().join("examples/hello"));
        assert_eq!(
            std::fs::read(place.join("compose.yaml")).unwrap(),
            std::fs::read(bundled.join("compose.yaml")).unwrap(),
        );

        std::fs::write(place.join("compose.yaml"), "services: {}").unwrap();
        super::place(&bundled, data.path()).unwrap();
        assert_eq!(
            std::fs::read_to_string(place.join("compose.yaml")).unwrap(),
            "services: {}"
        );
        let names: Vec<_> = std::fs::read_dir(data.path().join("examples"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name())
            .collect();
        assert_eq!(names, ["hello"]);
    }

    #[test]
    fn a_copy_that_cannot_be_made_leaves_nothing() {
        let data = tempfile::tempdir().unwrap();
        let problem = place(&data.path().join("absent"), data.path()).unwrap_err();
        assert_eq!(problem.code, Code::Store);
        assert_eq!(
            std::fs::read_dir(data.path().join("examples"))
                .unwrap()
                .count(),
            0
        );
    }
}
