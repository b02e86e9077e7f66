//! Whose overrides are in effect: the operating system's user, or one that was
//! added.

use rusqlite::{Connection, Transaction};

use crate::Berth;
use crate::problem::{Code, Problem};
use crate::store::users::AddedUser;
use crate::store::{StoreError, handlers, settings, users};
use crate::view::User;

/// Characters that a user's name may have.
const LONGEST_NAME: usize = 64;

/// The user of the operating system, who is there without being added, and the one
/// that this process was told to act for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SystemUser {
    id: String,
    name: String,
    /// `BERTH_USER`: for this process only.
    told: Option<String>,
}

impl SystemUser {
    /// As the process's surroundings name it.
    pub(crate) fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
        let name = ["USER", "LOGNAME", "USERNAME"]
            .into_iter()
            .filter_map(&variable)
            .find(|name| !id_of(name).is_empty())
            .unwrap_or_else(|| "me".to_owned());
        Self {
            id: id_of(&name),
            name,
            told: variable("BERTH_USER").filter(|user| !user.trim().is_empty()),
        }
    }

    /// The id of the user whose overrides are in effect.
    ///
    /// # Errors
    /// [`Code::NotFound`] for a `BERTH_USER` that is nobody; trouble with the file.
    pub(crate) fn current(&self, connection: &Connection) -> Result<String, StoreError> {
        let known = |id: &str| -> Result<bool, StoreError> {
            Ok(id == self.id || users::list(connection)?.iter().any(|user| user.id == id))
        };
        if let Some(told) = &self.told {
            let id = id_of(told);
            return if known(&id)? {
                Ok(id)
            } else {
                Err(
                    Problem::new(Code::NotFound, format!("There is no user {told}"))
                        .detail("BERTH_USER names it.")
                        .hint("berth user ls shows who there is; berth user add adds one.")
                        .into(),
                )
            };
        }
        match settings::get(connection, &settings::CURRENT_USER)? {
            Some(id) if known(&id)? => Ok(id),
            _ => Ok(self.id.clone()),
        }
    }

    /// Everyone, the operating system's user first.
    pub(crate) fn everyone(
        &self,
        connection: &Connection,
        workspace_id: &str,
    ) -> Result<Vec<User>, StoreError> {
        let current = self.current(connection)?;
        let counts = handlers::count_overrides(connection, workspace_id)?;
        let shown = |id: String, name: String| User {
            current: id == current,
            system: id == self.id,
            overrides: counts
                .iter()
                .find(|(user, _)| *user == id)
                .map_or(0, |(_, count)| *count),
            id,
            name,
        };
        let added = users::list(connection)?
            .into_iter()
            .filter(|user| user.id != self.id);
        Ok(std::iter::once(shown(self.id.clone(), self.name.clone()))
            .chain(added.map(|user| shown(user.id, user.name)))
            .collect())
    }
}

impl Berth {
    /// The users of this laptop, the operating system's own first.
    ///
    /// # Errors
    /// [`Code::Store`].
    pub async fn users(&self) -> Result<Vec<User>, Problem> {
        let (system, workspace_id) = (self.system_user(), self.workspace_id().to_owned());
        Ok(self
            .store()
            .read(move |connection| system.everyone(connection, &workspace_id))
            .await?)
    }

    /// Adds a user. Overrides in effect stay those of the current one.
    ///
    /// # Errors
    /// [`Code::InvalidInput`] for a name that is empty, too long or taken.
    pub async fn add_user(&self, name: &str) -> Result<User, Problem> {
        let name = name.trim().to_owned();
        let id = id_of(&name);
        if id.is_empty()
            || name.chars().count() > LONGEST_NAME
            || name.chars().any(char::is_control)
        {
            return Err(Problem::new(Code::InvalidInput, "That cannot be a user's name")
                .detail(format!(
                    "A name has 1 to {LONGEST_NAME} characters on one line, at least one of them a letter a to z or a digit."
                )));
        }
        let system = self.system_user();
        let (now, workspace_id) = (self.now(), self.workspace_id().to_owned());
        let added = self
            .store()
            .write_durably(move |tx| {
                if id == system.id {
                    return Err(StoreError::Exists {
                        what: format!("a user called {id}"),
                    });
                }
                users::insert(
                    tx,
                    now,
                    &AddedUser {
                        id: id.clone(),
                        name,
                    },
                )?;
                one(&system, tx, &workspace_id, &id)
            })
            .await;
        match added {
            Err(StoreError::Exists { what }) => Err(Problem::new(
                Code::InvalidInput,
                format!("There is already {what}"),
            )
            .hint("Choose another name.")),
            other => Ok(other?),
        }
    }

    /// Forgets a user that was added, with the overrides and their secrets.
    ///
    /// # Errors
    /// [`Code::NotFound`]; [`Code::InvalidInput`] for the operating system's user.
    pub async fn remove_user(&self, id: &str) -> Result<(), Problem> {
        let (system, now, id) = (self.system_user(), self.now(), id.to_owned());
        self.store()
            .write_durably(move |tx| {
                if id == system.id {
                    return Err(Problem::new(
                        Code::InvalidInput,
                        format!("{} is this computer's own user", system.name),
                    )
                    .hint("Its overrides can be reset one by one.")
                    .into());
                }
                if users::remove(tx, now, &id)? {
                    Ok(())
                } else {
                    Err(nobody(&id).into())
                }
            })
            .await?;
        self.remove_unreferenced_bundles().await;
        Ok(())
    }

    /// Puts a user's overrides into effect, from the next start of each environment.
    ///
    /// # Errors
    /// [`Code::NotFound`].
    pub async fn use_user(&self, id: &str) -> Result<User, Problem> {
        let (system, id) = (self.system_user(), id.to_owned());
        let (now, workspace_id) = (self.now(), self.workspace_id().to_owned());
        Ok(self
            .store()
            .write_durably(move |tx| {
                if id != system.id && !users::list(tx)?.iter().any(|user| user.id == id) {
                    return Err(nobody(&id).into());
                }
                settings::set(tx, &settings::CURRENT_USER, &id)?;
                crate::store::events::append(tx, now, &crate::view::Change::Handlers)?;
                one(&system, tx, &workspace_id, &id)
            })
            .await?)
    }
}

fn one(
    system: &SystemUser,
    tx: &Transaction<'_>,
    workspace_id: &str,
    id: &str,
) -> Result<User, StoreError> {
    system
        .everyone(tx, workspace_id)?
        .into_iter()
        .find(|user| user.id == id)
        .ok_or_else(|| nobody(id).into())
}

fn nobody(id: &str) -> Problem {
    Problem::new(Code::NotFound, format!("There is no user {id}"))
        .hint("berth user ls shows who there is.")
}

/// The name in lower-case letters, digits and single dashes.
fn id_of(name: &str) -> String {
    let mut id = String::new();
    for letter in name.to_lowercase().chars() {
        if letter.is_ascii_lowercase() || letter.is_ascii_digit() {
            id.push(letter);
        } else if !id.is_empty() && !id.ends_with('-') {
            id.push('-');
        }
    }
    id.trim_end_matches('-').to_owned()
}
