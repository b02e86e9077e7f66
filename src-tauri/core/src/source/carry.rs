//! Files that git ignores and a project needs (`.env`, for one): carried from the
//! user's folder into the checkout, and named.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use berth_compose::{DiskFiles, Files, MountKind, Project};
use berth_engines::docker::Ignore;
use sha2::{Digest as _, Sha256};
use tokio_util::sync::CancellationToken;

use super::checkout::Checkout;
use super::clone::not_written;
use crate::git::{Git, WorkTree};
use crate::names::hex;
use crate::platform::{new_private_file, path_from};
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
    Checkout(Arc<CheckoutFiles>),
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

/// What a project may need beyond what its commit holds.
#[derive(Debug, Default)]
struct Needs {
    /// Sources of bind mounts, absolute.
    mounts: Vec<PathBuf>,
    contexts: Vec<Context>,
}

/// A folder that an image is built from.
#[derive(Debug)]
struct Context {
    /// Relative to the checkout.
    folder: PathBuf,
    dockerfile: PathBuf,
    /// What git ignores in the user's, relative to the top; folders end in `/`.
    ignored: Vec<PathBuf>,
}

impl SourceFiles {
    pub(super) async fn checkout(
        git: &Git,
        checkout: &Checkout,
        user: Option<&WorkTree>,
        cancel: &CancellationToken,
    ) -> Result<Self, Problem> {
        let user = match user {
            None => None,
            Some(tree) => {
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
        Ok(Self::Checkout(Arc::new(CheckoutFiles {
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
    pub(super) async fn refresh(&self) -> Result<Vec<String>, Problem> {
        match self {
            Self::Disk => Ok(Vec::new()),
            Self::Checkout(files) => {
                let files = files.clone();
                off_the_runtime(move || {
                    files
                        .refresh()
                        .map_err(|error| not_written(&files.checkout, &error))
                })
                .await
            }
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
            Self::Checkout(files) => {
                let needs = files.needs(project, cancel).await?;
                let files = files.clone();
                off_the_runtime(move || files.carry_needs(&needs)).await
            }
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
                DiskFiles.read(&real)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let source = self.to_carry(path).ok_or(error)?;
                self.carry(&source, &relative)?;
                DiskFiles.read(path)
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

    /// What a project mounts and builds from that may have to be carried.
    async fn needs(&self, project: &Project, cancel: &CancellationToken) -> Result<Needs, Problem> {
        let mut needs = Needs::default();
        let Some(user) = &self.user else {
            return Ok(needs);
        };
        for service in project.services.values() {
            for mount in &service.mounts {
                if let (MountKind::Bind, Some(source)) = (mount.kind, &mount.source) {
                    needs.mounts.push(PathBuf::from(source));
                }
            }
            let Some(build) = &service.build else {
                continue;
            };
            let Some(folder) = self.inside(&build.context) else {
                continue;
            };
            let known = needs
                .contexts
                .iter()
                .any(|context| context.folder == folder);
            if known || !user.top.join(&folder).is_dir() {
                continue;
            }
            let here = folder.as_os_str().is_empty();
            let ignored = self
                .git
                .in_folder(&user.top, "ls-files")
                .args(["-z", "--others", "--ignored", "--exclude-standard"])
                .args(["--directory", "--"])
                .arg(if here { Path::new(".") } else { &folder })
                .run(cancel)
                .await
                .map_err(|failure| failure.about(&user.top.display().to_string()))?;
            needs.contexts.push(Context {
                dockerfile: build.dockerfile.clone(),
                folder,
                ignored: paths_in_order(&ignored),
            });
        }
        Ok(needs)
    }

    fn carry_needs(&self, needs: &Needs) -> Result<Vec<String>, Problem> {
        let mut worth_saying = Vec::new();
        for mount in &needs.mounts {
            self.carry_one(mount, &mut worth_saying)?;
        }
        for context in &needs.contexts {
            self.carry_context(context, &mut worth_saying)?;
        }
        Ok(worth_saying)
    }

    /// Carries what the build could use: what `.dockerignore` leaves out is no
    /// loss.
    fn carry_context(
        &self,
        context: &Context,
        worth_saying: &mut Vec<String>,
    ) -> Result<(), Problem> {
        let left_out = self.dockerignore(context);
        let mut folders = Vec::new();
        for path in &context.ignored {
            let in_context = path.strip_prefix(&context.folder).unwrap_or(path);
            if left_out.ignores(&text_of(in_context)) {
                continue;
            }
            // git marks a folder with a slash at the end.
            if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
                folders.push(text_of(path).trim_end_matches('/').to_owned());
            } else {
                self.carry_one(&self.checkout.join(path), worth_saying)?;
            }
        }
        if !folders.is_empty() {
            let place = if context.folder.as_os_str().is_empty() {
                "The build".to_owned()
            } else {
                format!("The build in {}", context.folder.display())
            };
            worth_saying.push(format!(
                "{place} does not get the folders that git ignores: {}.",
                folders.join(", ")
            ));
        }
        Ok(())
    }

    /// The rules of the context: those of its Dockerfile, else those of the
    /// folder.
    fn dockerignore(&self, context: &Context) -> Ignore {
        let folder = self.checkout.join(&context.folder);
        let mut own = folder.join(&context.dockerfile).into_os_string();
        own.push(".dockerignore");
        [PathBuf::from(own), folder.join(".dockerignore")]
            .iter()
            .find_map(|path| self.read(path).ok())
            .map(|text| Ignore::parse(&String::from_utf8_lossy(&text)))
            .unwrap_or_default()
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
    let mut file = new_private_file(&unfinished)?;
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

async fn off_the_runtime<R: Send + 'static>(
    work: impl FnOnce() -> Result<R, Problem> + Send + 'static,
) -> Result<R, Problem> {
    tokio::task::spawn_blocking(work)
        .await
        .unwrap_or_else(|error| Err(Problem::internal(error.to_string())))
}

fn paths(listed: &[u8]) -> HashSet<PathBuf> {
    paths_in_order(listed).into_iter().collect()
}

fn paths_in_order(listed: &[u8]) -> Vec<PathBuf> {
    listed
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty())
        .map(path_from)
        .collect()
}

fn text_of(relative: &Path) -> String {
    relative.to_string_lossy().into_owned()
}
