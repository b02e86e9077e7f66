//! Submodules of a checkout: each one a checkout of a private clone of its own.
//!
//! `git submodule update` is not used: it runs git inside folders that containers
//! can write to, and would fetch what the user's own clone already holds.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

use sha2::{Digest as _, Sha256};
use tokio_util::sync::CancellationToken;

use super::checkout::Checkout;
use super::clone::{Origin, PrivateClone, clones, not_written, remove_if_there};
use crate::git::{self, Git, REMOTE_DEADLINE};
use crate::names::hex;
use crate::platform::path_from;
use crate::problem::{Code, Problem};

/// How deep submodules may hold submodules.
const DEEPEST: usize = 8;

/// In a submodule's clone: the clones of the repositories around it, a line each.
const PARENTS: &str = "berth-parents";

/// A submodule as a commit has it.
#[derive(Debug, PartialEq, Eq)]
struct Submodule {
    name: String,
    path: PathBuf,
    url: Option<String>,
    commit: String,
}

/// A repository whose submodules are brought along.
struct Around<'a> {
    clone: PrivateClone,
    checkout: Checkout,
    commit: String,
    /// What relative addresses start from.
    base: Option<String>,
    /// The user's own repository of the same content, where one is.
    own: Option<PathBuf>,
    depth: usize,
    environment: &'a str,
}

/// Checks out the submodules of `commit`, and theirs.
pub(super) async fn bring_along(
    git: &Git,
    data: &Path,
    clone: &PrivateClone,
    checkout: &Checkout,
    commit: &str,
    base: Option<&str>,
    cancel: &CancellationToken,
) -> Result<(), Problem> {
    let environment = checkout
        .registration()
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let own = match &clone.origin {
        Origin::Folder { repository, .. } => Some(repository.clone()),
        Origin::Url(_) => None,
    };
    let mut waiting = vec![Around {
        clone: clone.clone(),
        checkout: checkout.clone(),
        commit: commit.to_owned(),
        base: base
            .map(str::to_owned)
            .or_else(|| Some(clone.origin.shown())),
        own,
        depth: 0,
        environment: &environment,
    }];
    let mut present = Vec::new();
    while let Some(around) = waiting.pop() {
        for submodule in listed(git, &around, cancel).await? {
            let brought = bring(git, data, &around, submodule, cancel).await?;
            present.push(brought.checkout.registration().to_owned());
            waiting.push(brought);
        }
    }
    forget_others(data, &environment, &present)
        .map_err(|error| not_written(checkout.folder(), &error))
}

/// Takes away the files of submodules that the commit no longer has, and what
/// they were registered by.
fn forget_others(data: &Path, environment: &str, present: &[PathBuf]) -> std::io::Result<()> {
    for clone in fs::read_dir(clones(data))?.flatten() {
        let Ok(registrations) = fs::read_dir(clone.path().join("worktrees")) else {
            continue;
        };
        for registration in registrations.flatten() {
            let name = registration.file_name();
            let of_submodule = name
                .to_string_lossy()
                .strip_prefix(environment)
                .is_some_and(|rest| rest.starts_with('+'));
            let path = registration.path();
            if !of_submodule || present.contains(&path) {
                continue;
            }
            let link = fs::read_to_string(path.join("gitdir")).unwrap_or_default();
            if let Some(folder) = link.trim_end_matches('\n').strip_suffix("/.git")
                && !present_at(folder, present)
            {
                remove_if_there(Path::new(folder))?;
            }
            remove_if_there(&path)?;
        }
    }
    Ok(())
}

/// Whether another registration (of another clone) has taken the folder over.
fn present_at(folder: &str, present: &[PathBuf]) -> bool {
    present.iter().any(|registration| {
        fs::read_to_string(registration.join("gitdir"))
            .is_ok_and(|link| link.trim_end_matches('\n') == format!("{folder}/.git"))
    })
}

async fn bring<'a>(
    git: &Git,
    data: &Path,
    around: &Around<'a>,
    submodule: Submodule,
    cancel: &CancellationToken,
) -> Result<Around<'a>, Problem> {
    let shown = submodule.path.display();
    if around.depth >= DEEPEST {
        return Err(Problem::new(
            Code::Git,
            format!("Submodules are nested more than {DEEPEST} deep at {shown}"),
        ));
    }
    let own = around
        .own
        .as_ref()
        .map(|own| own.join("modules").join(&submodule.name))
        .filter(|own| own.join("HEAD").is_file());
    let url = submodule.url.as_deref().map(|url| {
        let base = around.base.as_deref().unwrap_or_default();
        git::relative_to(base, url)
    });
    let folder = around.checkout.folder().join(&submodule.path);
    let mut origins = Vec::new();
    if let Some(own) = &own {
        origins.push(Origin::Folder {
            repository: own.clone(),
            top: own.clone(),
        });
    }
    if let Some(url) = &url {
        // A repository may not name another folder of this machine as a part of
        // itself; git forbids it too (protocol.file.allow).
        let written = submodule.url.as_deref().unwrap_or_default();
        let local = matches!(git::Location::parse(written), git::Location::Path(_))
            && !written.starts_with("./")
            && !written.starts_with("../")
            || written.starts_with("file:");
        if !local {
            origins.push(Origin::Url(url.clone()));
        }
    }
    let mut last = None;
    for origin in origins {
        let clone = PrivateClone::new(git.clone(), data, origin);
        match with_commit(&clone, &submodule.commit, cancel).await {
            Ok(()) => {
                remember_parent(&clone, &around.clone)
                    .map_err(|error| not_written(clone.path(), &error))?;
                free_way(around.checkout.folder(), &submodule.path)
                    .map_err(|error| not_written(&folder, &error))?;
                let mut digest = hex(&Sha256::digest(folder.as_os_str().as_encoded_bytes()));
                digest.truncate(12);
                let registration = format!("{}+{digest}", around.environment);
                let checkout = Checkout::within(&clone, folder, &registration);
                checkout.bring_to(git, &submodule.commit, cancel).await?;
                return Ok(Around {
                    clone,
                    checkout,
                    commit: submodule.commit,
                    base: url,
                    own,
                    depth: around.depth + 1,
                    environment: around.environment,
                });
            }
            Err(problem) if problem.code == Code::Cancelled => return Err(problem),
            Err(problem) => last = Some(problem),
        }
    }
    let mut problem = Problem::new(
        Code::Git,
        format!("The submodule {shown} cannot be fetched"),
    )
    .hint("Run `git submodule update --init --recursive` in your own clone, then try again.");
    match last {
        Some(cause) => {
            problem.causes.push(cause.title);
            problem.lines = cause.lines;
            problem.retryable = cause.retryable;
        }
        None => {
            problem.detail = Some(match submodule.url {
                None => format!(".gitmodules gives no address for {shown}."),
                Some(_) => "Its address is another folder of this machine, which Berth does not follow for a repository's files.".to_owned(),
            });
        }
    }
    Err(problem)
}

/// Brings a clone to a state in which it holds `commit`.
async fn with_commit(
    clone: &PrivateClone,
    commit: &str,
    cancel: &CancellationToken,
) -> Result<(), Problem> {
    let held = clone.lock(cancel).await?;
    let holds = async || {
        clone
            .git
            .on(clone.path(), "cat-file")
            .args(["-e", &format!("{commit}^{{commit}}")])
            .run(cancel)
            .await
            .is_ok()
    };
    if clone.path().join("HEAD").is_file() && holds().await {
        return Ok(());
    }
    clone.update(&held, cancel).await?;
    if holds().await {
        return Ok(());
    }
    let from = match &clone.origin {
        Origin::Folder { repository, .. } => repository.as_os_str(),
        Origin::Url(url) => url.as_ref(),
    };
    let kept = format!("+{commit}:refs/commits/{commit}");
    clone
        .fetch(&held, from, &kept, REMOTE_DEADLINE, cancel)
        .await
        .map_err(|failure| failure.about(&clone.origin.shown()))
}

/// The submodules of a commit: what the tree holds, with what `.gitmodules` says.
async fn listed(
    git: &Git,
    around: &Around<'_>,
    cancel: &CancellationToken,
) -> Result<Vec<Submodule>, Problem> {
    let subject = around.clone.origin.shown();
    let staged = git
        .on(around.checkout.registration(), "ls-files")
        .work_tree(around.checkout.folder())
        .args(["-z", "--stage"])
        .run(cancel)
        .await
        .map_err(|failure| failure.about(&subject))?;
    let links = gitlinks(&staged);
    if links.is_empty() {
        return Ok(Vec::new());
    }
    let settings = git
        .on(around.clone.path(), "config")
        .arg("--blob")
        .arg(format!("{}:.gitmodules", around.commit))
        .args(["-z", "--get-regexp", r"^submodule\..*\.(path|url)$"])
        .run(cancel)
        .await
        .unwrap_or_default();
    let modules = read_modules(&settings);
    Ok(links
        .into_iter()
        // git itself leaves a link alone that .gitmodules does not know.
        .filter_map(|(path, commit)| {
            let (name, url) = modules.get(&path)?;
            Some(Submodule {
                name: name.clone(),
                path,
                url: url.clone(),
                commit,
            })
        })
        .collect())
}

fn gitlinks(staged: &[u8]) -> Vec<(PathBuf, String)> {
    staged
        .split(|byte| *byte == 0)
        .filter_map(|record| {
            let record = record.strip_prefix(b"160000 ")?;
            let tab = record.iter().position(|byte| *byte == b'\t')?;
            let commit = record[..tab].split(|byte| *byte == b' ').next()?;
            let path = path_from(&record[tab + 1..]);
            let inside = path
                .components()
                .all(|part| matches!(part, Component::Normal(_)));
            inside.then(|| (path, String::from_utf8_lossy(commit).into_owned()))
        })
        .collect()
}

/// Name and address by path, from `git config -z`. Names that would lead out of
/// `.git/modules` are left out.
fn read_modules(settings: &[u8]) -> BTreeMap<PathBuf, (String, Option<String>)> {
    let mut paths = Vec::new();
    let mut urls = BTreeMap::new();
    for record in settings.split(|byte| *byte == 0) {
        let record = String::from_utf8_lossy(record);
        let Some((key, value)) = record.split_once('\n') else {
            continue;
        };
        let Some((name, field)) = key
            .strip_prefix("submodule.")
            .and_then(|key| key.rsplit_once('.'))
        else {
            continue;
        };
        let safe = !name.is_empty()
            && Path::new(name)
                .components()
                .all(|part| matches!(part, Component::Normal(_)));
        match field {
            "path" if safe => paths.push((PathBuf::from(value), name.to_owned())),
            "url" => {
                urls.insert(name.to_owned(), value.to_owned());
            }
            _ => {}
        }
    }
    paths
        .into_iter()
        .map(|(path, name)| {
            let url = urls.get(&name).cloned();
            (path, (name, url))
        })
        .collect()
}

/// Makes every part of the way to a submodule a folder: a container could have
/// put a link there that leads out of the checkout.
fn free_way(checkout: &Path, path: &Path) -> std::io::Result<()> {
    let mut folder = checkout.to_owned();
    for part in path.components() {
        folder.push(part);
        match fs::symlink_metadata(&folder) {
            Ok(found) if found.is_dir() => {}
            Ok(_) => {
                remove_if_there(&folder)?;
                fs::create_dir(&folder)?;
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                fs::create_dir(&folder)?;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn remember_parent(clone: &PrivateClone, parent: &PrivateClone) -> std::io::Result<()> {
    if is_part_of(clone.path(), parent.path()) {
        return Ok(());
    }
    let file = clone.path().join(PARENTS);
    let mut text = fs::read_to_string(&file).unwrap_or_default();
    text.push_str(&format!("{}\n", parent.path().display()));
    fs::write(file, text)
}

/// Whether `clone` was made for a submodule of `parent`.
pub(super) fn is_part_of(clone: &Path, parent: &Path) -> bool {
    let Ok(text) = fs::read_to_string(clone.join(PARENTS)) else {
        return false;
    };
    text.lines().any(|line| Path::new(line) == parent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn submodules_are_read_from_git() {
        let staged = b"100644 aa 0\ta.txt\x00160000 bb 0\tlib/x\x00160000 cc 0\t../out\x00";
        assert_eq!(
            gitlinks(staged),
            [(PathBuf::from("lib/x"), "bb".to_owned())]
        );
        let settings =
            b"submodule.x.y.path\nlib/x\0submodule.x.y.url\n../x\0submodule.../../e.path\nlib/e\0";
        let modules = read_modules(settings);
        assert_eq!(modules.len(), 1);
        assert_eq!(
            modules.get(Path::new("lib/x")),
            Some(&("x.y".to_owned(), Some("../x".to_owned())))
        );
    }
}
