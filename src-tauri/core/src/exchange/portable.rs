//! Where the files of a service are, in words that mean the same on another machine.

use std::path::{Component, Path, PathBuf};

use berth_contracts::documents::{WorkspaceFolder, WorkspaceRepository, WorkspaceSource};
use tokio_util::sync::CancellationToken;

use crate::git::{self, Hosted, Location};
use crate::problem::{Code, Problem};
use crate::source::Sources;
use crate::view::Source;

/// The folder that a workspace file lies in.
#[derive(Clone, Debug)]
pub(super) struct Base {
    /// Absolute, without links.
    folder: PathBuf,
    /// The top of the working tree that it lies in.
    top: Option<PathBuf>,
}

impl Base {
    /// # Errors
    /// [`Code::PathMissing`].
    pub(super) async fn of(sources: &Sources, folder: PathBuf) -> Result<Self, Problem> {
        let shown = folder.display().to_string();
        let real = tokio::task::spawn_blocking(move || std::fs::canonicalize(folder))
            .await
            .map_err(|_| Problem::internal("looking for a folder broke off"))?
            .map_err(|error| {
                Problem::new(Code::PathMissing, format!("There is no folder {shown}"))
                    .hint("Choose a folder that is there.")
                    .caused_by(&error)
            })?;
        // A folder that git refuses is one without git.
        let tree = sources.work_tree(&real, &CancellationToken::new()).await;
        Ok(Self {
            top: tree.ok().flatten().map(|tree| tree.top),
            folder: real,
        })
    }

    /// The folder that a path of the file means, when it is there.
    pub(super) fn resolve(&self, path: &str) -> Option<String> {
        let folder = std::fs::canonicalize(self.folder.join(path)).ok()?;
        if !folder.is_dir() {
            return None;
        }
        folder.into_os_string().into_string().ok()
    }

    /// Whether a folder belongs to the file: it lies beside or beneath it, or in the
    /// working tree that the file lies in.
    pub(super) fn contains(&self, folder: &Path) -> bool {
        folder.starts_with(&self.folder)
            || self.top.as_ref().is_some_and(|top| folder.starts_with(top))
    }

    /// The way from here to a folder, when both travel together: one lies in the
    /// other, or both in one working tree.
    fn way_to(&self, folder: &Path) -> Option<String> {
        if self.contains(folder) || self.folder.starts_with(folder) {
            way(&self.folder, folder)
        } else {
            None
        }
    }
}

/// A source as a file says it.
///
/// # Errors
/// Why it means nothing on another machine, as the end of a sentence about the
/// service.
pub(super) async fn in_file(
    sources: &Sources,
    base: Option<&Base>,
    source: &Source,
) -> Result<WorkspaceSource, String> {
    match source {
        Source::GitUrl { url, subdirectory } => {
            let url = address(url).ok_or_else(|| {
                format!(
                    "its address {} means nothing on another machine",
                    git::without_credentials(url)
                )
            })?;
            Ok(repository(url, subdirectory.clone()))
        }
        Source::Folder { path, .. } => {
            let folder = Path::new(path);
            if let Some(path) = base.and_then(|base| base.way_to(folder)) {
                return Ok(WorkspaceSource::Folder(WorkspaceFolder { path }));
            }
            match remote(sources, folder).await? {
                Some((url, subdirectory)) => Ok(repository(url, subdirectory)),
                None => Err(format!("its folder {path} is only on this machine")),
            }
        }
    }
}

/// Whether what a file says is what is here already: the same repository, whatever
/// the address that it is reached by, also as a checkout of one's own.
pub(super) async fn is_same_repository(
    sources: &Sources,
    here: &Source,
    wanted: &WorkspaceRepository,
) -> bool {
    let here = match here {
        Source::GitUrl { url, subdirectory } => Some((url.clone(), subdirectory.clone())),
        Source::Folder { path, .. } => remote(sources, Path::new(path)).await.ok().flatten(),
    };
    here.is_some_and(|(url, subdirectory)| {
        let same_address = url == wanted.url
            || Hosted::of(&url).is_some_and(|one| Hosted::of(&wanted.url) == Some(one));
        let inside = wanted.subdirectory.as_deref().unwrap_or_default();
        same_address
            && Path::new(&subdirectory)
                .components()
                .eq(Path::new(inside).components())
    })
}

/// The address of the remote that a folder was cloned from, and where in its
/// repository the folder is.
async fn remote(sources: &Sources, folder: &Path) -> Result<Option<(String, String)>, String> {
    let cancel = CancellationToken::new();
    let said = |problem: &Problem| format!("its folder cannot be read by git ({})", problem.title);
    if !folder.is_dir() {
        return Err(format!(
            "its folder {} is not there any more",
            folder.display()
        ));
    }
    let tree = sources.work_tree(folder, &cancel).await;
    let Some(tree) = tree.map_err(|problem| said(&problem))? else {
        return Ok(None);
    };
    let head = git::head(sources.git(), folder, &cancel).await;
    let branch = head.ok().and_then(|head| head.branch);
    let remotes = git::remotes(sources.git(), &tree.repository, branch.as_deref(), &cancel)
        .await
        .map_err(|failure| said(&failure.about(&folder.display().to_string())))?;
    let subdirectory = parts(&tree.prefix);
    Ok(remotes
        .into_iter()
        .find_map(|(_, url)| address(&url))
        .zip(subdirectory))
}

fn repository(url: String, subdirectory: String) -> WorkspaceSource {
    WorkspaceSource::Git(WorkspaceRepository {
        url,
        subdirectory: Some(subdirectory).filter(|folder| !folder.is_empty()),
    })
}

/// An address that means the same on every machine, without credentials. What
/// follows a `?` or `#` may be a token.
pub(super) fn address(url: &str) -> Option<String> {
    match Location::parse(url) {
        Location::Url { url, .. }
            if !url.to_ascii_lowercase().starts_with("file:") && !url.contains(['?', '#']) =>
        {
            Some(url)
        }
        _ => None,
    }
}

/// The way from one folder to another, with `/` between its parts; `None` where a
/// name is no text. Both are absolute, without links.
fn way(from: &Path, to: &Path) -> Option<String> {
    let (mut from, mut to) = (from.components().peekable(), to.components().peekable());
    while from.peek().is_some() && from.peek() == to.peek() {
        from.next();
        to.next();
    }
    let mut way = vec![".."; from.count()];
    let rest: PathBuf = to.collect();
    let rest = parts(&rest)?;
    if !rest.is_empty() {
        way.push(&rest);
    }
    if way.is_empty() {
        return Some(".".to_owned());
    }
    Some(way.join("/"))
}

/// The names of a relative path with `/` between them.
fn parts(path: &Path) -> Option<String> {
    let names: Option<Vec<&str>> = path
        .components()
        .map(|part| match part {
            Component::Normal(name) => name.to_str(),
            _ => None,
        })
        .collect();
    Some(names?.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_lead_down_up_and_across() {
        let golden = [
            ("/repo", "/repo", "."),
            ("/repo", "/repo/services/shop", "services/shop"),
            ("/repo/deploy/local", "/repo", "../.."),
            ("/repo/deploy", "/repo/shop", "../shop"),
            ("/", "/srv", "srv"),
        ];
        for (from, to, expected) in golden {
            assert_eq!(
                way(Path::new(from), Path::new(to)).as_deref(),
                Some(expected)
            );
        }
    }

    #[test]
    fn folders_travel_with_the_file_only_in_one_tree() {
        let base = |folder: &str, top: Option<&str>| Base {
            folder: folder.into(),
            top: top.map(PathBuf::from),
        };
        let way = |base: Base, folder: &str| base.way_to(Path::new(folder));
        assert_eq!(way(base("/a", None), "/a/b").as_deref(), Some("b"));
        assert_eq!(way(base("/a/b", None), "/a").as_deref(), Some(".."));
        assert_eq!(way(base("/a/b", None), "/a/c"), None);
        assert_eq!(
            way(base("/a/b", Some("/a")), "/a/c").as_deref(),
            Some("../c")
        );
        assert_eq!(way(base("/a/b", Some("/a/b")), "/a/c"), None);
        assert_eq!(way(base("/ab", None), "/a"), None);
    }

    #[test]
    fn addresses_lose_credentials_and_what_is_of_one_machine() {
        let golden = [
            (
                "https://me:hunter2@example.com/x.git",
                Some("https://example.com/x.git"),
            ),
            ("git@example.com:x/y.git", Some("git@example.com:x/y.git")),
            (
                "ssh://git:pw@example.com/x",
                Some("ssh://git@example.com/x"),
            ),
            ("https://example.com/x.git?private_token=hunter2", None),
            ("file:///home/me/x.git", None),
            ("FILE:///home/me/x.git", None),
            ("/home/me/x.git", None),
            ("../x.git", None),
        ];
        for (url, expected) in golden {
            assert_eq!(address(url).as_deref(), expected, "{url}");
        }
    }
}
