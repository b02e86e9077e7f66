//! Handlers registered, changed and removed.

use std::collections::{BTreeMap, BTreeSet};

use berth_contracts::documents::HandlerConfig;
use rusqlite::Connection;
use secrecy::SecretString;

use super::content::{self, content};
use super::list::shown;
use super::overrides::no_override;
use crate::Berth;
use crate::compose_settings::ComposeHandling;
use crate::documents::{checked_text, find_schema};
use crate::problem::{Code, Problem};
use crate::store::handlers::{self, Content, Record};
use crate::store::{StoreError, activity, environments};
use crate::view::{
    Activity, ActivityVerb, Handler, HandlerDraft, HandlerKey, HandlerScope, Outcome,
};

/// What is said of a handler's secrets beside its document: the named ones are
/// replaced or removed, the others stay.
#[derive(Clone, Debug, Default)]
pub struct NewSecrets {
    /// Values by key.
    pub set: BTreeMap<String, SecretString>,
    /// Keys whose values go.
    pub remove: Vec<String>,
}

impl NewSecrets {
    /// Nothing is set or removed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.remove.is_empty()
    }
}

/// What becomes of the environments that were made with a handler.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Earlier {
    /// They keep the secrets that they have.
    KeepTheirs,
    /// They use the new ones too.
    UseTheNew,
}

impl Berth {
    /// Registers a handler, in place of the one with its key. An override keeps
    /// whether it is switched on; a new one is on.
    ///
    /// # Errors
    /// [`Code::InvalidDocument`] with every fault; [`Code::InvalidInput`] for a key
    /// that its engine cannot serve; [`Code::SecretMissing`] with the keys that its
    /// document refers to and that have no value; the `SecretStore…` codes. Whoever
    /// no longer wants to wait for the secret store drops the future.
    pub async fn save_handler(
        &self,
        draft: HandlerDraft,
        secrets: NewSecrets,
    ) -> Result<Handler, Problem> {
        let config = config_of(draft.text).await?;
        let content = content(config, draft.key, draft.backend_kind)?;
        let verb = match &draft.scope {
            HandlerScope::Workspace => ActivityVerb::HandlerSet,
            HandlerScope::User { .. } => ActivityVerb::OverrideSet,
        };
        self.write_handler(draft.scope, content, secrets, verb)
            .await
    }

    /// Replaces and removes secrets of a handler; environments that were made with
    /// it use the new ones too.
    ///
    /// # Errors
    /// [`Code::NotFound`]; [`Code::SecretMissing`] for a key that the handler's
    /// document refers to and that would have no value; the `SecretStore…` codes.
    pub async fn set_handler_secrets(
        &self,
        scope: &HandlerScope,
        key: &HandlerKey,
        secrets: NewSecrets,
    ) -> Result<Handler, Problem> {
        let content = self.handler_record(scope, key).await?.content;
        self.write_handler(
            scope.clone(),
            content,
            secrets,
            ActivityVerb::SecretsChanged,
        )
        .await
    }

    /// Removes a handler; an override goes for good. Environments that were made
    /// with it keep what they need of it.
    ///
    /// # Errors
    /// [`Code::NotFound`].
    pub async fn remove_handler(
        &self,
        scope: &HandlerScope,
        key: &HandlerKey,
    ) -> Result<(), Problem> {
        let before = self.handler_record(scope, key).await?;
        let line = self.handler_line(
            match scope {
                HandlerScope::Workspace => ActivityVerb::HandlerRemoved,
                HandlerScope::User { .. } => ActivityVerb::OverrideRemoved,
            },
            &before.content.label,
        );
        let (now, workspace_id) = (self.now(), self.workspace_id().to_owned());
        let (scope, key) = (scope.clone(), key.clone());
        self.store()
            .write_durably(move |tx| {
                let removed = match &scope {
                    HandlerScope::Workspace => handlers::soft_delete(tx, now, &workspace_id, &key)?,
                    HandlerScope::User { user_id } => {
                        handlers::remove_override(tx, now, user_id, &workspace_id, &key)?
                    }
                };
                if !removed {
                    return Err(none_of(&scope, &key).into());
                }
                activity::append(tx, &line)?;
                Ok(())
            })
            .await?;
        self.remove_unreferenced_bundles().await;
        Ok(())
    }

    pub(super) async fn live_handler(
        &self,
        scope: &HandlerScope,
        key: &HandlerKey,
    ) -> Result<Option<Record>, Problem> {
        let workspace_id = self.workspace_id().to_owned();
        let (scope, key) = (scope.clone(), key.clone());
        Ok(self
            .store()
            .read(move |connection| live(connection, &workspace_id, &scope, &key))
            .await?)
    }

    /// A handler as it is recorded.
    ///
    /// # Errors
    /// [`Code::NotFound`].
    pub(super) async fn handler_record(
        &self,
        scope: &HandlerScope,
        key: &HandlerKey,
    ) -> Result<Record, Problem> {
        self.live_handler(scope, key)
            .await?
            .ok_or_else(|| none_of(scope, key))
    }

    async fn write_handler(
        &self,
        scope: HandlerScope,
        mut content: Content,
        secrets: NewSecrets,
        verb: ActivityVerb,
    ) -> Result<Handler, Problem> {
        // First: whoever holds it leaves the bundle that is named now as it is.
        let lock = if secrets.is_empty() {
            None
        } else {
            Some(self.lock_secrets().await?)
        };
        let before = self.live_handler(&scope, &content.key).await?;
        refuse_missing(&content.config, before.as_ref(), &secrets)?;
        let read = before.and_then(|before| before.content.bundle);
        // Written before the row that names it, and held until that is done.
        let (changed, kept) = match &lock {
            None => (false, None),
            Some(lock) => {
                let kept = self.changed_bundle(lock, read.as_deref(), secrets).await?;
                (true, kept)
            }
        };
        let new = kept.as_ref().map(|kept| kept.id().to_owned());
        let line = self.handler_line(verb, &content.label);
        let (now, workspace_id) = (self.now(), self.workspace_id().to_owned());
        let written = self
            .store()
            .write_durably(move |tx| {
                let key = content.key.clone();
                // As it is now: another process may have changed it meanwhile.
                let before = live(tx, &workspace_id, &scope, &key)?;
                let old = before
                    .as_ref()
                    .and_then(|before| before.content.bundle.clone());
                // Its document is not what is changed: an older one must not come back.
                if verb == ActivityVerb::SecretsChanged
                    && before.as_ref().map(|it| &it.content.config) != Some(&content.config)
                {
                    return Err(changed_elsewhere().into());
                }
                if !changed {
                    refuse_missing(&content.config, before.as_ref(), &NewSecrets::default())?;
                    content.bundle.clone_from(&old);
                } else if old == read {
                    content.bundle = new;
                } else {
                    return Err(changed_elsewhere().into());
                }
                let earlier = match &before {
                    Some(before) if before.content.config == content.config => Earlier::UseTheNew,
                    _ => Earlier::KeepTheirs,
                };
                match &scope {
                    HandlerScope::Workspace => handlers::upsert(tx, now, &workspace_id, &content)?,
                    HandlerScope::User { user_id } => handlers::upsert_override(
                        tx,
                        now,
                        user_id,
                        &workspace_id,
                        &content,
                        before.as_ref().is_none_or(|before| before.enabled),
                        before
                            .as_ref()
                            .and_then(|before| before.copied_from.as_ref()),
                    )?,
                }
                if let Some(old) = &old
                    && earlier == Earlier::UseTheNew
                    && content.bundle.as_ref() != Some(old)
                {
                    environments::repoint_bundle(tx, old, content.bundle.as_deref())?;
                }
                activity::append(tx, &line)?;
                live(tx, &workspace_id, &scope, &key)?.ok_or_else(|| no_handler(&key).into())
            })
            .await;
        drop((kept, lock));
        self.remove_unreferenced_bundles().await;
        Ok(shown(&written?))
    }

    pub(super) fn handler_line(&self, verb: ActivityVerb, label: &str) -> Activity {
        Activity {
            id: 0,
            at: self.now(),
            verb,
            outcome: Outcome::Success,
            environment_id: None,
            environment_name: None,
            service_name: None,
            engine_label: Some(label.to_owned()),
            actor: self.actor(),
            duration_ms: None,
            detail: None,
        }
    }
}

/// A handler's document, checked by the contract and by what its engine asks: what
/// is saved can be started with.
///
/// # Errors
/// [`Code::InvalidDocument`].
pub(crate) async fn config_of(text: String) -> Result<HandlerConfig, Problem> {
    let text = checked_text(find_schema("infraHandlerConfigSchema")?, text).await?;
    let config = serde_json::from_str(&text).map_err(|error| {
        Problem::internal("a document that is valid cannot be read").caused_by(&error)
    })?;
    if let HandlerConfig::LocalDocker(docker) = &config {
        ComposeHandling::read(&docker.manifest)?;
    }
    Ok(config)
}

/// Every secret that a document refers to must have a value.
fn refuse_missing(
    config: &HandlerConfig,
    before: Option<&Record>,
    secrets: &NewSecrets,
) -> Result<(), Problem> {
    let mut there: BTreeSet<&str> = before
        .iter()
        .flat_map(|before| &before.secrets)
        .map(|secret| secret.key.as_str())
        .collect();
    for key in &secrets.remove {
        there.remove(key.as_str());
    }
    there.extend(secrets.set.keys().map(String::as_str));
    let missing: Vec<&str> = content::secret_keys(config)
        .into_iter()
        .filter(|key| !there.contains(key))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let removed: Vec<&str> = missing
        .iter()
        .copied()
        .filter(|key| secrets.remove.iter().any(|removed| removed == key))
        .collect();
    if !removed.is_empty() {
        let removed = removed.join(", ");
        return Err(Problem::new(
            Code::SecretMissing,
            format!("The handler refers to {removed}, so it cannot be removed"),
        )
        .detail("Every secret that a handler refers to must have a value.")
        .hint(
            "Give it a new value instead, or change the handler so that it no longer refers to it.",
        ));
    }
    let title = match missing.as_slice() {
        [one] => format!("The secret {one} has no value"),
        several => format!("{} secrets have no value", several.len()),
    };
    Err(Problem::new(Code::SecretMissing, title)
        .detail(format!(
            "The handler refers to {}, and every secret it refers to must be set.",
            missing.join(", ")
        ))
        .hint("Set what is missing, then save again. Values go into the keychain."))
}

fn live(
    connection: &Connection,
    workspace_id: &str,
    scope: &HandlerScope,
    key: &HandlerKey,
) -> Result<Option<Record>, StoreError> {
    match scope {
        HandlerScope::Workspace => handlers::get(connection, workspace_id, key),
        HandlerScope::User { user_id } => {
            handlers::override_of(connection, user_id, workspace_id, key)
        }
    }
}

fn changed_elsewhere() -> Problem {
    Problem::new(
        Code::Busy,
        "The handler was changed by another process meanwhile",
    )
    .hint("Look at what it says now, then try again.")
    .retryable()
}

fn none_of(scope: &HandlerScope, key: &HandlerKey) -> Problem {
    match scope {
        HandlerScope::Workspace => no_handler(key),
        HandlerScope::User { .. } => no_override(key),
    }
}

fn no_handler(key: &HandlerKey) -> Problem {
    let kind = content::word(key.provision_type);
    let title = match &key.manifest_id {
        Some(id) => format!("There is no handler for {kind}:{id}"),
        None => format!("There is no handler for {kind}"),
    };
    Problem::new(Code::NotFound, title).hint("berth handler ls shows which there are.")
}
