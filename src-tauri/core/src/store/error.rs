use std::path::{Path, PathBuf};

use crate::problem::{Code, Problem};

/// Why the store could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StoreError {
    /// The file cannot be made or opened.
    #[error("cannot open {}", path.display())]
    Open {
        path: PathBuf,
        #[source]
        source: rusqlite::Error,
    },
    /// Something beside the file cannot be made.
    #[error("cannot write {}", path.display())]
    File {
        path: PathBuf,
        #[source]
        source: std::io::Error,
    },
    /// The file's schema is newer than this program.
    #[error("{} has schema {found}; this Berth knows up to {known}", path.display())]
    Newer {
        path: PathBuf,
        found: u32,
        known: u32,
    },
    /// The file cannot be understood. It has another name now, unless another process
    /// gave it one.
    #[error("the store is damaged")]
    Damaged {
        /// Its name now.
        aside: Option<PathBuf>,
        /// The newest copy from before a migration.
        copy: Option<PathBuf>,
        #[source]
        source: rusqlite::Error,
    },
    /// A copy before a migration failed; nothing was migrated.
    #[error("cannot back the store up to {}", path.display())]
    Backup {
        path: PathBuf,
        #[source]
        source: rusqlite::Error,
    },
    /// A migration failed; the file is as it was.
    #[error("cannot bring the store to schema {version}")]
    Migrate {
        version: u32,
        #[source]
        source: rusqlite::Error,
    },
    /// A query failed.
    #[error("the store refused a query")]
    Sqlite(#[from] rusqlite::Error),
    /// A row that has to be there is not.
    #[error("no {what} {id} in the store")]
    Missing { what: &'static str, id: String },
    /// A live row with the same identity, name or project is there already.
    #[error("{what} is there already")]
    Exists { what: String },
    /// Every port of Berth's range is assigned or in use.
    #[error("no free port between {first} and {last}")]
    NoPortLeft { first: u16, last: u16 },
    /// A rule of the caller, checked inside the transaction, refused.
    #[error(transparent)]
    Refused(Box<Problem>),
    /// The thread that works on the store is gone.
    #[error("the store has been closed")]
    Closed,
}

impl StoreError {
    /// What a row names is not there any more.
    pub(crate) fn is_dangling(&self) -> bool {
        match self {
            Self::Sqlite(error) => error.sqlite_error().is_some_and(|code| {
                code.extended_code == rusqlite::ffi::SQLITE_CONSTRAINT_FOREIGNKEY
            }),
            _ => false,
        }
    }
}

impl From<Problem> for StoreError {
    fn from(problem: Problem) -> Self {
        Self::Refused(Box::new(problem))
    }
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        let title = error.to_string();
        let problem = match &error {
            StoreError::Refused(problem) => return (**problem).clone(),
            StoreError::Newer { path, .. } => Self::new(
                Code::StoreNewer,
                "The data folder was written by a newer Berth",
            )
            .detail(title)
            .hint(format!(
                "Use the newer Berth, or point BERTH_DATA_DIR at another folder than {}.",
                path.parent().unwrap_or(path).display()
            )),
            StoreError::Damaged { aside, copy, .. } => damaged(aside.as_deref(), copy.as_deref()),
            StoreError::NoPortLeft { .. } => Self::new(Code::PortTaken, sentence(&title))
                .hint("Tear environments down, or stop programs that listen on these ports."),
            StoreError::Missing { what, id } => {
                Self::new(Code::NotFound, format!("There is no {what} {id}"))
            }
            StoreError::Exists { .. } => Self::new(Code::Busy, sentence(&title)).retryable(),
            StoreError::Open { source, .. }
            | StoreError::Backup { source, .. }
            | StoreError::Sqlite(source) => faced(source, &title),
            StoreError::Migrate { source, .. } => faced(source, &title).hint(
                "The file was left as it was. It may be another program's: give it another name, and start Berth again.",
            ),
            StoreError::File { source, .. } => {
                let full = source.kind() == std::io::ErrorKind::StorageFull;
                let code = if full { Code::DiskFull } else { Code::Store };
                Self::new(code, sentence(&title)).hint("Berth needs to read and write this folder.")
            }
            StoreError::Closed => Self::new(Code::Store, sentence(&title)),
        };
        match std::error::Error::source(&error) {
            // Its whole text would quote the statement.
            Some(source) => match source.downcast_ref() {
                Some(rusqlite::Error::SqlInputError { msg, .. }) => {
                    let mut problem = problem;
                    problem.causes.push(msg.clone());
                    problem
                }
                _ => problem.caused_by(source),
            },
            None => problem,
        }
    }
}

fn damaged(aside: Option<&Path>, copy: Option<&Path>) -> Problem {
    let detail = match aside {
        Some(aside) => format!(
            "What Berth remembers could not be read. The file was not changed; it is now {}.",
            aside.display()
        ),
        None => "What Berth remembers could not be read; another process has set the file aside."
            .to_owned(),
    };
    let begin = "Starting Berth again begins with nothing remembered. Containers of earlier environments go on; they carry the label dev.berth.environment. Secrets of its handlers stay in the keychain under dev.berth.";
    let hint = match copy {
        Some(copy) => format!(
            "{begin} To go back to the copy from before the last update, rename {} to berth.db first.",
            copy.display()
        ),
        None => begin.to_owned(),
    };
    Problem::new(
        Code::Store,
        "Berth's store was damaged and has been set aside",
    )
    .detail(detail)
    .hint(hint)
}

fn faced(source: &rusqlite::Error, title: &str) -> Problem {
    use rusqlite::ErrorCode;
    if let rusqlite::Error::FromSqlConversionFailure(..) = source {
        return Problem::new(Code::Store, "A record in Berth's store cannot be understood")
            .detail("Something other than Berth has written to berth.db, or its content is damaged.")
            .hint("To begin anew, close Berth and give berth.db another name; a copy from before an update lies beside it.");
    }
    match source.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => Problem::new(
            Code::DiskFull,
            "No disk space is left for Berth's own records",
        )
        .hint("Free some space, then try again.")
        .retryable(),
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            Problem::new(Code::Store, "Another process keeps Berth's store locked").retryable()
        }
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied | ErrorCode::CannotOpen) => {
            Problem::new(Code::Store, sentence(title))
                .hint("Check that the data folder is yours and can be written.")
        }
        Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Problem::new(
            Code::Store,
            "Berth's store is damaged",
        )
        .detail(title.to_owned())
        .hint("Close Berth everywhere and start it again: it sets the file aside and says where."),
        _ => Problem::new(Code::Store, sentence(title)),
    }
}

fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
