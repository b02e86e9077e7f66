//! The folder that state lives in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::platform;
use crate::problem::{Code, Problem};

/// The data folder, made and private to the user.
#[derive(Clone, Debug)]
pub(crate) struct DataDir {
    folder: PathBuf,
}

/// Why there is no data folder.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DataDirError {
    /// Nothing says where it is.
    #[error("this system does not say where your home folder is")]
    Homeless(#[source] etcetera::HomeDirError),
    /// It cannot be made or kept private.
    #[error("cannot use {} for Berth's data", path.display())]
    Unusable {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
}

impl From<DataDirError> for Problem {
    fn from(error: DataDirError) -> Self {
        let hint = match &error {
            DataDirError::Homeless(_) => "Set BERTH_DATA_DIR to a folder of yours.",
            DataDirError::Unusable { .. } => {
                "Check that the folder is yours and can be written, or set BERTH_DATA_DIR to another one."
            }
        };
        let title = match &error {
            DataDirError::Homeless(_) => "Berth does not know where to keep its data".to_owned(),
            DataDirError::Unusable { path, .. } => {
                format!("Berth cannot keep its data in {}", path.display())
            }
        };
        Self::new(Code::Store, title).hint(hint).caused_by(&error)
    }
}

impl DataDir {
    /// The folder given, else `BERTH_DATA_DIR` of `environment`, else the
    /// platform's place for an application's data. Made, with all its parts,
    /// when it is not there, and closed to other users.
    ///
    /// # Errors
    /// [`DataDirError`].
    pub(crate) fn open(
        given: Option<&Path>,
        environment: &BTreeMap<String, String>,
    ) -> Result<Self, DataDirError> {
        let named = environment
            .get("BERTH_DATA_DIR")
            .filter(|value| !value.is_empty());
        let folder = match (given, named) {
            (Some(folder), _) => folder.to_owned(),
            (None, Some(folder)) => PathBuf::from(folder),
            (None, None) => platform::data_folder().map_err(DataDirError::Homeless)?,
        };
        let unusable = |path: &Path| {
            let path = path.to_owned();
            |source| DataDirError::Unusable { path, source }
        };
        let data = Self {
            folder: std::path::absolute(&folder).map_err(unusable(&folder))?,
        };
        for part in [
            data.folder.clone(),
            data.locks(),
            data.sources(),
            data.checkouts(),
        ] {
            platform::create_private(&part).map_err(unusable(&part))?;
        }
        Ok(data)
    }

    /// The folder itself, absolute.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// The store's file.
    pub(crate) fn store(&self) -> PathBuf {
        self.folder.join("berth.db")
    }

    /// Lock files of environments.
    pub(crate) fn locks(&self) -> PathBuf {
        self.folder.join("locks")
    }

    /// The lock file of whoever owns the work.
    pub(crate) fn owner_lock(&self) -> PathBuf {
        self.folder.join("owner.lock")
    }

    /// The lock file of whoever changes secrets.
    pub(crate) fn secrets_lock(&self) -> PathBuf {
        self.folder.join("secrets.lock")
    }

    /// The encrypted file that secrets are in where there is no keychain.
    pub(crate) fn vault(&self) -> PathBuf {
        self.folder.join("vault")
    }

    /// Private clones of services' repositories.
    pub(crate) fn sources(&self) -> PathBuf {
        self.folder.join("sources")
    }

    /// Checkouts of environments.
    pub(crate) fn checkouts(&self) -> PathBuf {
        self.folder.join("checkouts")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_given_wins_over_the_variable() {
        let root = tempfile::tempdir().unwrap();
        let given = root.path().join("given");
        let named = root.path().join("named");
        let environment = BTreeMap::from([(
            "BERTH_DATA_DIR".to_owned(),
            named.to_str().unwrap().to_owned(),
        )]);
        let data = DataDir::open(Some(&given), &environment).unwrap();
        assert_eq!(data.folder(), given);
        assert!(!named.exists());
        let data = DataDir::open(None, &environment).unwrap();
        assert_eq!(data.folder(), named);
        for part in [data.locks(), data.sources(), data.checkouts()] {
            assert!(part.is_dir(), "{}", part.display());
        }
    }

    #[cfg(unix)]
    #[test]
    fn other_users_are_kept_out_of_it() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("data");
        std::fs::create_dir(&folder).unwrap();
        std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
        let data = DataDir::open(Some(&folder), &BTreeMap::new()).unwrap();
        for part in [data.folder().to_owned(), data.locks(), data.checkouts()] {
            let mode = std::fs::metadata(&part).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o700, "{}", part.display());
        }
    }

    #[test]
    fn a_file_in_its_place_is_named() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("file");
        std::fs::write(&file, "").unwrap();
        let problem = Problem::from(DataDir::open(Some(&file), &BTreeMap::new()).unwrap_err());
        assert_eq!(problem.code, Code::Store);
        assert!(problem.title.contains("file"), "{}", problem.title);
        assert_eq!(problem.causes.len(), 2, "{:?}", problem.causes);
    }
}
