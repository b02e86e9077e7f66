//! A user's own handlers: copied, switched, compared.

use super::compare::{compare, differences};
use super::list::shown;
use crate::Berth;
use crate::problem::{Code, Problem};
use crate::store::{StoreError, activity, handlers};
use crate::view::{ActivityVerb, ComparedField, HandlerKey, HandlerScope, Override};

impl Berth {
    /// Makes an override that says what the workspace's handler says, secrets
    /// included, and puts it into effect.
    ///
    /// # Errors
    /// [`Code::NotFound`] without a workspace handler; [`Code::InvalidInput`] when
    /// there is an override already; the `SecretStore…` codes.
    pub async fn copy_to_override(&self, key: &HandlerKey) -> Result<Override, Problem> {
        // First: whoever holds it leaves the bundle that is named now as it is.
        let lock = self.lock_secrets().await?;
        let workspace = self.handler_record(&HandlerScope::Workspace, key).await?;
        let user_id = self.current_user().await?;
        let scope = HandlerScope::User {
            user_id: user_id.clone(),
        };
        if self.live_handler(&scope, key).await?.is_some() {
            return Err(already_there(&workspace.content.label));
        }
        let mut content = workspace.content;
        let kept = match &content.bundle {
            Some(bundle) => Some(self.keep_under(&lock, self.bundle(bundle).await?).await?),
            None => None,
        };
        content.bundle = kept.as_ref().map(|kept| kept.id().to_owned());
        let line = self.handler_line(ActivityVerb::OverrideSet, &content.label);
        let now = self.now();
        let (workspace_id, key) = (self.workspace_id().to_owned(), key.clone());
        let written = self
            .store()
            .write_durably(move |tx| {
                if handlers::override_of(tx, &user_id, &workspace_id, &key)?.is_some() {
                    return Err(already_there(&content.label).into());
                }
                let copied_from = content.config.clone();
                handlers::upsert_override(
                    tx,
                    now,
                    &user_id,
                    &workspace_id,
                    &content,
                    true,
                    Some(&copied_from),
                )?;
                activity::append(tx, &line)?;
                handlers::override_of(tx, &user_id, &workspace_id, &key)?
                    .ok_or_else(|| no_override(&key).into())
            })
            .await;
        drop((kept, lock));
        self.remove_unreferenced_bundles().await;
        Ok(Override {
            handler: shown(&written?),
            enabled: true,
            differences: Some(0),
        })
    }

    /// Puts the current user's override in front of the workspace's handler, or
    /// behind it; in effect from the next start of each environment.
    ///
    /// # Errors
    /// [`Code::NotFound`] without one.
    pub async fn switch_override(
        &self,
        key: &HandlerKey,
        enabled: bool,
    ) -> Result<Override, Problem> {
        let user_id = self.current_user().await?;
        let verb = if enabled {
            ActivityVerb::OverrideOn
        } else {
            ActivityVerb::OverrideOff
        };
        let mut line = self.handler_line(verb, "");
        let (now, workspace_id, key) = (self.now(), self.workspace_id().to_owned(), key.clone());
        let switched = self
            .store()
            .write_durably(move |tx| {
                let before = handlers::override_of(tx, &user_id, &workspace_id, &key)?
                    .ok_or_else(|| no_override(&key))?;
                if before.enabled != enabled {
                    handlers::switch_override(tx, now, &user_id, &workspace_id, &key, enabled)?;
                    line.engine_label = Some(before.content.label.clone());
                    activity::append(tx, &line)?;
                }
                let differences = match handlers::get(tx, &workspace_id, &key)? {
                    Some(workspace) => Some(
                        differences(&before.content.config, &workspace.content.config)
                            .map_err(StoreError::from)?,
                    ),
                    None => None,
                };
                Ok(Override {
                    handler: shown(&before),
                    enabled,
                    differences,
                })
            })
            .await?;
        Ok(switched)
    }

    /// The current user's override beside the workspace's handler, field by field.
    ///
    /// # Errors
    /// [`Code::NotFound`] without an override.
    pub async fn compare_override(&self, key: &HandlerKey) -> Result<Vec<ComparedField>, Problem> {
        let scope = self.own_scope().await?;
        let own = self
            .live_handler(&scope, key)
            .await?
            .ok_or_else(|| no_override(key))?;
        let workspace = self.live_handler(&HandlerScope::Workspace, key).await?;
        compare(
            &own.content.config,
            workspace
                .as_ref()
                .map(|workspace| &workspace.content.config),
            own.copied_from.as_ref(),
        )
    }

    /// The current user's own handlers.
    ///
    /// # Errors
    /// [`Code::NotFound`] for a `BERTH_USER` that is nobody.
    pub async fn own_scope(&self) -> Result<HandlerScope, Problem> {
        let user_id = self.current_user().await?;
        Ok(HandlerScope::User { user_id })
    }

    async fn current_user(&self) -> Result<String, Problem> {
        let system = self.system_user();
        Ok(self
            .store()
            .read(move |connection| system.current(connection))
            .await?)
    }
}

fn already_there(label: &str) -> Problem {
    Problem::new(Code::InvalidInput, format!("You override {label} already"))
        .hint("Change the override, or reset it first.")
}

pub(super) fn no_override(key: &HandlerKey) -> Problem {
    let kind = super::content::word(key.provision_type);
    let title = match &key.manifest_id {
        Some(id) => format!("You have no override for {kind}:{id}"),
        None => format!("You have no override for {kind}"),
    };
    Problem::new(Code::NotFound, title).hint("berth handler ls shows which there are.")
}
