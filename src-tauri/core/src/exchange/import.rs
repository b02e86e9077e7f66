//! A file taken over: manifest types, then handlers with their secrets, then
//! services. Every step is whole or not done, and done again it changes nothing: an
//! import that was cut off is finished by importing the file again.

use std::collections::HashMap;
use std::path::PathBuf;

use rusqlite::Transaction;

use super::draft::{PlannedHandler, PlannedService, key_in_words};
use super::plan::Plan;
use crate::Berth;
use crate::documents::check_secret;
use crate::handlers::NewSecrets;
use crate::problem::{Code, Problem};
use crate::services::line;
use crate::store::{StoreError, activity, manifest_types, services};
use crate::view::{
    Activity, ActivityVerb, HandlerDraft, HandlerKey, HandlerScope, ImportAction, ImportPreview,
    Service,
};

impl Berth {
    /// Takes a file over, with the secrets that it names and that are not set here.
    /// What is here and not in the file stays. Gives back what was done.
    ///
    /// # Errors
    /// Before anything is changed: those of [`Berth::preview_import`];
    /// [`Code::SecretMissing`] with the handlers and keys that lack a value;
    /// [`Code::Busy`] for a service whose files would be taken from elsewhere while
    /// it has environments; [`Code::InvalidInput`] for secrets that cannot be, or of
    /// a handler that the file does not have. Later, and then what was written stays
    /// and importing again goes on from there: those of [`Berth::save_handler`].
    pub async fn import_workspace(
        &self,
        text: String,
        base: Option<PathBuf>,
        secrets: Vec<(HandlerKey, NewSecrets)>,
    ) -> Result<ImportPreview, Problem> {
        let mut plan = self.plan_import(text, base).await?;
        let mut given: HashMap<HandlerKey, NewSecrets> = HashMap::new();
        for (key, new) in secrets {
            let all = given.entry(key).or_default();
            all.set.extend(new.set);
            all.remove.extend(new.remove);
        }
        check(&mut plan, &given)?;
        let Plan {
            mut preview,
            types,
            handlers,
            services: wanted,
        } = plan;
        // They are set now, or the import was refused.
        preview.missing_secrets.clear();

        let (now, workspace_id) = (self.now(), self.workspace_id().to_owned());
        if !types.is_empty() {
            self.store()
                .write_durably(move |tx| {
                    types.iter().try_for_each(|(id, content)| {
                        manifest_types::upsert(tx, now, &workspace_id, id, content)
                    })
                })
                .await?;
        }
        for handler in handlers {
            let secrets = given.remove(&handler.key).unwrap_or_default();
            if handler.action != ImportAction::Keep || !secrets.is_empty() {
                self.import_handler(handler, secrets).await?;
            }
        }
        let summary = Activity {
            service_name: None,
            detail: Some(counted(&preview)),
            ..line(now, ActivityVerb::Imported, "", self.actor())
        };
        let (workspace_id, actor) = (self.workspace_id().to_owned(), self.actor());
        self.store()
            .write_durably(move |tx| {
                let known = services::list(tx, &workspace_id)?;
                for service in &wanted {
                    let known = known.iter().find(|one| one.name == service.name);
                    let verb = write_service(tx, now, &workspace_id, service, known)?;
                    activity::append(tx, &line(now, verb, &service.name, actor))?;
                }
                activity::append(tx, &summary)?;
                Ok(())
            })
            .await?;
        Ok(preview)
    }

    async fn import_handler(
        &self,
        handler: PlannedHandler,
        secrets: NewSecrets,
    ) -> Result<(), Problem> {
        let text = serde_json::to_string(&handler.config).map_err(|error| {
            Problem::internal("a handler's document cannot be written").caused_by(&error)
        })?;
        let draft = HandlerDraft {
            scope: HandlerScope::Workspace,
            key: Some(handler.key),
            backend_kind: None,
            text,
        };
        self.save_handler(draft, secrets).await?;
        Ok(())
    }
}

/// Refuses what could not be carried through. Afterwards every handler has what it
/// will have.
fn check(plan: &mut Plan, given: &HashMap<HandlerKey, NewSecrets>) -> Result<(), Problem> {
    for (key, secrets) in given {
        let Some(handler) = plan.handlers.iter_mut().find(|one| one.key == *key) else {
            return Err(Problem::new(
                Code::InvalidInput,
                format!("The file has no handler for {}", key_in_words(key)),
            )
            .hint("Leave its secrets out."));
        };
        for (name, value) in &secrets.set {
            check_secret(name, value)?;
        }
        for name in &secrets.remove {
            handler.has.remove(name);
        }
        handler.has.extend(secrets.set.keys().cloned());
    }
    let missing: Vec<String> = plan
        .handlers
        .iter()
        .filter_map(PlannedHandler::missing)
        .map(|missing| {
            let key = key_in_words(&missing.key);
            format!(
                "{} ({key}) needs {}.",
                missing.label,
                missing.keys.join(", ")
            )
        })
        .collect();
    if !missing.is_empty() {
        return Err(Problem::new(
            Code::SecretMissing,
            "The file names secrets that have no value here",
        )
        .detail(missing.join(" "))
        .hint(
            "Give their values with the import; they go into the keychain. Nothing was changed.",
        ));
    }
    let in_the_way = plan.services.iter().find(|one| !one.in_the_way.is_empty());
    match in_the_way {
        Some(service) => Err(still_in_use(&service.name, &service.in_the_way.join(", "))),
        None => Ok(()),
    }
}

fn write_service(
    tx: &Transaction<'_>,
    now: i64,
    workspace_id: &str,
    wanted: &PlannedService,
    known: Option<&Service>,
) -> Result<ActivityVerb, StoreError> {
    match (known, &wanted.source) {
        (None, Some(source)) => {
            let (name, provisioning) = (&wanted.name, &wanted.provisioning);
            services::insert(tx, now, workspace_id, name, source, provisioning)?;
            Ok(ActivityVerb::ServiceAdded)
        }
        (None, None) => Err(StoreError::Missing {
            what: "service",
            id: wanted.name.clone(),
        }),
        (Some(known), source) => {
            if let Some(source) = source {
                let live = services::live_environments(tx, &known.id)?;
                if !live.is_empty() && known.source != *source {
                    return Err(still_in_use(&wanted.name, &live.join(", ")).into());
                }
                services::set_source(tx, now, &known.id, source)?;
            }
            services::set_provisioning(tx, now, &known.id, &wanted.provisioning)?;
            Ok(ActivityVerb::ServiceChanged)
        }
    }
}

fn still_in_use(service: &str, environments: &str) -> Problem {
    Problem::new(
        Code::Busy,
        format!("The files of {service} cannot be taken from elsewhere now"),
    )
    .detail(format!(
        "It has environments that are not torn down: {environments}."
    ))
    .hint("Tear them down, then import again.")
}

/// `2 added, 1 changed`
fn counted(preview: &ImportPreview) -> String {
    let count = |action| {
        let changes = preview.changes.iter();
        changes.filter(|change| change.action == action).count()
    };
    match (count(ImportAction::Add), count(ImportAction::Change)) {
        (0, 0) => "nothing changed".to_owned(),
        (added, 0) => format!("{added} added"),
        (0, changed) => format!("{changed} changed"),
        (added, changed) => format!("{added} added, {changed} changed"),
    }
}
