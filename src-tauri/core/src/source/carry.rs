//! Files that git ignores and a project needs (`.env`, for one): carried from the
//! user's folder into the checkout, and named.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use berth_compose::{DiskFiles, Files, MountKind, Project};
use sha2::{Digest as _, Sha256};
use tokio_util::sync::CancellationToken;

use super::checkout::Checkout;
use super::clone::not_written;
use crate::git::{Git, WorkTree, path_from};
use crate::names::hex;
use crate::problem::Problem;

/// The largest file that is carried, bytes.
const LARGEST: u64 = 10 * 1024 * 1024;

/// In a checkout's registration: what was carried, with the hash of its content.
const RECORD: &str = "berth-carried.json";

/// What a project is read through.
#[derive(Debug)]
pub(crate) enum SourceFiles {
    /// The user's own folder.
    Disk,
    /// A checkout, with the user's folder behind it.
    Checkout(Box<CheckoutFiles>),
}

/// A checkout's files. What is missing there and is in the user's folder without
/// being tracked is carried over when it is read. Nothing outside is read.
#[derive(Debug)]
pub(crate) struct CheckoutFiles {
    git: Git,
    checkout: PathBuf,
    record: PathBuf,
    user: Option<UserFiles>,
    /// Paths tracked at the checkout's commit, relative.
    tracked: HashSet<PathBuf>,
    carried: Mutex<BTreeMap<String, String>>,
    used: Mutex<Vec<String>>,
}

/// The user's working tree.
#[derive(Debug)]
struct UserFiles {
    top: PathBuf,
    /// Paths git tracks there, relative, those of submodules included.
    tracked: HashSet<PathBuf>,
}

impl SourceFiles {
    pub(super) async fn checkout(
        git: &Git,
        checkout: &Checkout,
        user: Option<(&Path, &WorkTree)>,
        cancel: &CancellationToken,
    ) -> Result<Self, Problem> {
        let user = match user {
            None => None,
            Some((_, tree)) => {
                let tracked = git
                    .in_folder(&tree.top, "ls-files")
                    .args(["-z", "--cached", "--recurse-submodules"])
                    .run(cancel)
                    .await
                    .map_err(|failure| failure.about(&tree.top.display().to_string()))?;
                Some(UserFiles {
                    top: tree.top.clone(),
                    tracked: paths(&tracked),
                })
            }
        };
        let record = checkout.registration().join(RECORD);
        let carried = match fs::read(&record) {
            // Unreadable: nothing is known to be ours, so nothing is replaced.
            Ok(bytes) => serde_json::from_slice(&bytes).unwrap_or_default(),
            Err(_) => BTreeMap::new(),
        };
        Ok(Self::Checkout(Box::new(CheckoutFiles {
            git: git.clone(),
            checkout: checkout.folder().to_owned(),
            record,
            user,
            tracked: paths(&checkout.tracked(git, cancel).await?),
            carried: Mutex::new(carried),
            used: Mutex::new(Vec::new()),
        })))
    }

    /// Carries again what was carried before and has changed in the user's folder
    /// since; takes away what is gone there. What a container changed stays.
    pub(super) fn refresh(&self) -> Result<Vec<String>, Problem> {
        match self {
            Self::Disk => Ok(Vec::new()),
            Self::Checkout(files) => files
                .refresh()
                .map_err(|error| not_written(&files.checkout, &error)),
        }
    }

    /// What was carried for this project so far, relative to the checkout, in
    /// order.
    pub(crate) fn carried(&self) -> Vec<String> {
        match self {
            Self::Disk => Vec::new(),
            Self::Checkout(files) => {
                let mut used = files.used().clone();
                used.sort();
                used.dedup();
                used
            }
        }
    }

    /// Carries what a loaded project mounts or builds from and git ignores: single
    /// files up to 10 MB. Returns what is worth saying: ignored folders and larger
    /// files that are not there.
    ///
    /// # Errors
    /// [`crate::Code::Git`], [`crate::Code::DiskFull`], [`crate::Code::Cancelled`].
    pub(crate) async fn carry_mounts(
        &self,
        project: &Project,
        cancel: &CancellationToken,
    ) -> Result<Vec<String>, Problem> {
        match self {
            Self::Disk => Ok(Vec::new()),
            Self::Checkout(files) => files.carry_mounts(project, cancel).await,
        }
    }
}

impl Files for SourceFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        match self {
            Self::Disk => DiskFiles.read(path),
            Self::Checkout(files) => files.read(path),
        }
    }

    fn is_file(&self, path: &Path) -> bool {
        match self {
            Self::Disk => DiskFiles.is_file(path),
            Self::Checkout(files) => path.is_file() || files.to_carry(path).is_some(),
        }
    }

    fn is_dir(&self, path: &Path) -> bool {
        DiskFiles.is_dir(path)
    }
}

impl CheckoutFiles {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let relative = self.inside(path).ok_or_else(|| outside(path))?;
        match fs::canonicalize(path) {
            Ok(real) => {
                // The data folder itself may be reached through links.
                if !real.starts_with(fs::canonicalize(&self.checkout)?) {
                    return Err(outside(path));
                }
                if self.carried().contains_key(&text_of(&relative)) {
                    self.used().push(text_of(&relative));
                }
                fs::read(real)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let source = self.to_carry(path).ok_or(error)?;
                self.carry(&source, &relative)?;
                fs::read(path)
            }
            Err(error) => Err(error),
        }
    }

    /// The path relative to the checkout, without `.` and `..`.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        let mut plain = PathBuf::new();
        for part in path.components() {
            match part {
                Component::ParentDir => {
                    plain.pop();
                }
                Component::CurDir => {}
                other => plain.push(other),
            }
        }
        plain.strip_prefix(&self.checkout).ok().map(Path::to_owned)
    }

    /// The user's file that belongs at `path` of the checkout: there, not tracked
    /// there, and no part of the commit.
    fn to_carry(&self, path: &Path) -> Option<PathBuf> {
        let relative = self.inside(path)?;
        let user = self.user.as_ref()?;
        let source = user.top.join(&relative);
        let free = !user.tracked.contains(&relative) && !self.tracked.contains(&relative);
        (free && source.is_file()).then_some(source)
    }

    fn carry(&self, source: &Path, relative: &Path) -> io::Result<()> {
        let target = self.checkout.join(relative);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
            // A container could have put a link on the way.
            let real = fs::canonicalize(folder)?;
            if !real.starts_with(fs::canonicalize(&self.checkout)?) {
                return Err(outside(&target));
            }
        }
        let content = fs::read(source)?;
        write_as(&target, &content, source)?;
        let hash = hex(&Sha256::digest(&content));
        self.carried().insert(text_of(relative), hash);
        self.used().push(text_of(relative));
        self.write_record()
    }

    fn refresh(&self) -> io::Result<Vec<String>> {
        let Some(user) = &self.user else {
            return Ok(Vec::new());
        };
        let known = self.carried().clone();
        let mut worth_saying = Vec::new();
        for (name, hash) in known {
            let relative = PathBuf::from(&name);
            let target = self.checkout.join(&relative);
            let source = user.top.join(&relative);
            if self.tracked.contains(&relative) {
                self.carried().remove(&name);
                continue;
            }
            let is_link = fs::symlink_metadata(&target).is_ok_and(|found| found.is_symlink());
            let present = match fs::read(&target) {
                Ok(content) if !is_link => hex(&Sha256::digest(&content)),
                _ => {
                    self.carried().remove(&name);
                    continue;
                }
            };
            let wanted = fs::read(&source)
                .ok()
                .map(|content| hex(&Sha256::digest(&content)));
            match wanted {
                Some(wanted) if wanted == present => {}
                _ if present != hash => worth_saying.push(format!(
                    "{name} was changed inside the environment and is left as it is there."
                )),
                Some(_) => self.carry(&source, &relative)?,
                None => {
                    fs::remove_file(&target)?;
                    self.carried().remove(&name);
                }
            }
        }
        self.used().clear();
        self.write_record()?;
        Ok(worth_saying)
    }

    async fn carry_mounts(
        &self,
        project: &Project,
        cancel: &CancellationToken,
    ) -> Result<Vec<String>, Problem> {
        let Some(user) = &self.user else {
            return Ok(Vec::new());
        };
        let mut worth_saying = Vec::new();
        let mut contexts = Vec::new();
        for service in project.services.values() {
            for mount in &service.mounts {
                if let (MountKind::Bind, Some(source)) = (mount.kind, &mount.source) {
                    self.carry_one(Path::new(source), &mut worth_saying)?;
                }
            }
            if let Some(build) = &service.build
                && let Some(context) = self.inside(&build.context)
                && !contexts.contains(&context)
            {
                contexts.push(context);
            }
        }
        for context in contexts {
            if !user.top.join(&context).is_dir() {
                continue;
            }
            let ignored = self
                .git
                .in_folder(&user.top, "ls-files")
                .args([
                    "-z",
                    "--others",
                    "--ignored",
                    "--exclude-standard",
                    "--directory",
                    "--",
                ])
                .arg(if context.as_os_str().is_empty() {
                    Path::new(".")
                } else {
                    &context
                })
                .run(cancel)
                .await
                .map_err(|failure| failure.about(&user.top.display().to_string()))?;
            self.carry_context(&context, &ignored, &mut worth_saying)?;
        }
        Ok(worth_saying)
    }

    fn carry_context(
        &self,
        context: &Path,
        ignored: &[u8],
        worth_saying: &mut Vec<String>,
    ) -> Result<(), Problem> {
        let mut folders = Vec::new();
        for entry in ignored
            .split(|byte| *byte == 0)
            .filter(|entry| !entry.is_empty())
        {
            if let Some(folder) = entry.strip_suffix(b"/") {
                folders.push(path_from(folder).display().to_string());
            } else {
                self.carry_one(&self.checkout.join(path_from(entry)), worth_saying)?;
            }
        }
        if !folders.is_empty() {
            let place = if context.as_os_str().is_empty() {
                "The build".to_owned()
            } else {
                format!("The build in {}", context.display())
            };
            worth_saying.push(format!(
                "{place} does not get the folders that git ignores: {}.",
                folders.join(", ")
            ));
        }
        Ok(())
    }

    /// Carries the file that belongs at `path`, or says why not.
    fn carry_one(&self, path: &Path, worth_saying: &mut Vec<String>) -> Result<(), Problem> {
        let (Some(relative), Some(user)) = (self.inside(path), &self.user) else {
            return Ok(());
        };
        if path.exists() {
            if self.carried().contains_key(&text_of(&relative)) {
                self.used().push(text_of(&relative));
            }
            return Ok(());
        }
        let original = user.top.join(&relative);
        if original.is_dir() {
            worth_saying.push(format!(
                "The folder {} is not in git and is not carried over; it starts empty.",
                relative.display()
            ));
            return Ok(());
        }
        let Some(source) = self.to_carry(path) else {
            return Ok(());
        };
        if fs::metadata(&source).is_ok_and(|found| found.len() > LARGEST) {
            worth_saying.push(format!(
                "{} is not in git and larger than 10 MB; it is not carried over.",
                relative.display()
            ));
            return Ok(());
        }
        self.carry(&source, &relative)
            .map_err(|error| not_written(path, &error))
    }

    fn write_record(&self) -> io::Result<()> {
        let text = serde_json::to_vec(&*self.carried())?;
        let unfinished = self.record.with_extension("new");
        fs::write(&unfinished, text)?;
        fs::rename(unfinished, &self.record)
    }

    fn carried(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, String>> {
        self.carried.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn used(&self) -> std::sync::MutexGuard<'_, Vec<String>> {
        self.used.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Writes beside `target` and renames, with the permissions of `like` from the
/// first byte on.
fn write_as(target: &Path, content: &[u8], like: &Path) -> io::Result<()> {
    let permissions = fs::metadata(like)?.permissions();
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".berth-new");
    let unfinished = target.with_file_name(name);
    super::clone::remove_if_there(&unfinished)?;
    let mut options = fs::File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    let mut file = options.open(&unfinished)?;
    io::Write::write_all(&mut file, content)?;
    file.set_permissions(permissions)?;
    fs::rename(unfinished, target)
}

fn outside(path: &Path) -> io::Error {
    io::Error::new(
        io::ErrorKind::PermissionDenied,
        format!(
            "{} leads out of the repository, and Berth reads nothing outside for a ref. Start the folder as it is instead",
            path.display()
        ),
    )
}

fn paths(listed: &[u8]) -> HashSet<PathBuf> {
    listed
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty())
        .map(path_from)
        .collect()
}

fn text_of(relative: &Path) -> String {
    relative.to_string_lossy().into_owned()
}
