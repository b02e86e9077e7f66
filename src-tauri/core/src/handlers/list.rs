//! The handlers page: a row for everything that is or could be handled.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use berth_contracts::{ProvisionType, ServiceProvisioning};
use rusqlite::Connection;

use super::content::{self, word};
use super::resolve::{self, resolve};
use super::{MadeWith, compare};
use crate::Berth;
use crate::problem::Problem;
use crate::store::handlers::{self, LookFor, Record};
use crate::store::{StoreError, environments, manifest_types, services};
use crate::users::SystemUser;
use crate::view::{
    Choice, Explanation, Handler, HandlerKey, HandlerRef, HandlerRow, HandlerScope, Handlers,
    LookedAtVerdict, MadeWithAnother, Override, SecretKey, Service,
};

/// How many rows are shown at a time.
const MOST_ROWS: usize = 100;
/// How many of the handlers that would serve custom services without a manifest type
/// are named.
const MOST_OF_ANY_TYPE: usize = 100;

impl Berth {
    /// The handlers page. With a `search`, only the rows whose key or label holds
    /// it.
    ///
    /// # Errors
    /// [`crate::Code::Store`].
    pub async fn handlers(&self, search: &str) -> Result<Handlers, Problem> {
        let (system, workspace_id) = (self.system_user(), self.workspace_id().to_owned());
        let search = search.trim().to_owned();
        Ok(self
            .store()
            .read(move |connection| handlers_page(connection, &system, &workspace_id, &search))
            .await?)
    }

    /// One handler.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`].
    pub async fn handler(
        &self,
        scope: &HandlerScope,
        key: &HandlerKey,
    ) -> Result<Handler, Problem> {
        Ok(shown(&self.handler_record(scope, key).await?))
    }
}

fn handlers_page(
    connection: &Connection,
    system: &SystemUser,
    workspace_id: &str,
    search: &str,
) -> Result<Handlers, StoreError> {
    let everyone = system.everyone(connection, workspace_id)?;
    let user_id = system.current(connection)?;
    let user = everyone
        .into_iter()
        .find(|user| user.id == user_id)
        .ok_or_else(|| StoreError::Missing {
            what: "user",
            id: user_id.clone(),
        })?;
    let services = services::list(connection, workspace_id)?;
    let types = manifest_types::list(connection, workspace_id)?;

    let registered = handlers::keys(connection, workspace_id, &user_id, search, MOST_ROWS + 1)?;
    let mut keys: BTreeSet<(&'static str, Option<String>)> =
        registered.iter().map(sorted).collect();
    let wanted = [ProvisionType::DockerCompose, ProvisionType::Kubernetes]
        .into_iter()
        .map(|provision_type| (word(provision_type), None))
        .chain(services.iter().filter_map(|service| {
            let kind = kind(&service.provisioning)?;
            Some(sorted(&kind))
        }))
        .chain(
            types
                .iter()
                .map(|one| (word(ProvisionType::Custom), Some(one.manifest_id.clone()))),
        )
        .filter(|(kind, id)| {
            let text = format!("{kind} {}", id.as_deref().unwrap_or_default());
            search.is_empty() || text.contains(&search.to_lowercase())
        });
    keys.extend(wanted);
    let more = keys.len() > MOST_ROWS;
    let keys: Vec<HandlerKey> = keys.into_iter().take(MOST_ROWS).map(key_of).collect();

    let candidates = Candidates::of(connection, &user_id, workspace_id, &keys)?;
    let mut workspace = by_key(handlers::of_keys(connection, workspace_id, &keys)?);
    let mut own = by_key(handlers::overrides_of_keys(
        connection,
        &user_id,
        workspace_id,
        &keys,
    )?);
    let live = environments::live_made_with(connection, workspace_id)?;
    let rows = keys
        .into_iter()
        .map(|key| {
            let workspace = workspace.remove(&key);
            let own = own.remove(&key);
            let served: Vec<&Service> = services
                .iter()
                .filter(|service| kind(&service.provisioning).as_ref() == Some(&key))
                .collect();
            let in_effect = candidates.explain(&key);
            let made_with_another = made_with_another(
                &in_effect,
                [own.as_ref(), workspace.as_ref()],
                &served,
                &live,
            );
            let differences = match (&own, &workspace) {
                (Some(own), Some(workspace)) => Some(
                    compare::differences(&own.content.config, &workspace.content.config)
                        .map_err(StoreError::from)?,
                ),
                _ => None,
            };
            Ok(HandlerRow {
                services: served.iter().map(|service| service.name.clone()).collect(),
                own: own.map(|own| Override {
                    handler: shown(&own),
                    enabled: own.enabled,
                    differences,
                }),
                workspace: workspace.as_ref().map(shown),
                in_effect,
                made_with_another,
                key,
            })
        })
        .collect::<Result<_, StoreError>>()?;
    Ok(Handlers { rows, more, user })
}

/// The rows that the keys of one page are chosen from.
struct Candidates {
    own: Vec<resolve::Row>,
    workspace: Vec<resolve::Row>,
}

impl Candidates {
    fn of(
        connection: &Connection,
        user_id: &str,
        workspace_id: &str,
        keys: &[HandlerKey],
    ) -> Result<Self, StoreError> {
        let of_any_type = HandlerKey {
            provision_type: ProvisionType::Custom,
            manifest_id: None,
        };
        let look_for = LookFor {
            keys,
            others: if keys.contains(&of_any_type) {
                MOST_OF_ANY_TYPE
            } else {
                0
            },
        };
        Ok(Self {
            own: handlers::overrides_looked_at(connection, user_id, workspace_id, &look_for)?,
            workspace: handlers::looked_at(connection, workspace_id, &look_for)?,
        })
    }

    /// What a service of that kind would come to; of the rows that were looked at,
    /// those that have to do with it.
    fn explain(&self, key: &HandlerKey) -> Explanation {
        let provisioning = ServiceProvisioning {
            manifest_id: key.manifest_id.clone(),
            ..ServiceProvisioning::of(key.provision_type)
        };
        let of_type = |rows: &[resolve::Row]| -> Vec<resolve::Row> {
            rows.iter()
                .filter(|row| {
                    row.handler.key.provision_type == key.provision_type
                        && (key.manifest_id.is_none()
                            || row.handler.key.manifest_id == key.manifest_id
                            || row.handler.accepts_manifest_id == key.manifest_id)
                })
                .cloned()
                .collect()
        };
        let mut explanation = resolve(
            &provisioning,
            &of_type(&self.own),
            &of_type(&self.workspace),
        );
        explanation.looked_at.retain(|looked_at| {
            !matches!(
                looked_at.verdict,
                LookedAtVerdict::OtherType | LookedAtVerdict::OtherManifestType
            )
        });
        explanation
    }
}

/// Live environments of these services whose handler, or what it said then, is not
/// the one in effect.
fn made_with_another(
    in_effect: &Explanation,
    here: [Option<&Record>; 2],
    services: &[&Service],
    live: &HashMap<String, Vec<environments::LiveMadeWith>>,
) -> Vec<MadeWithAnother> {
    let chosen: Option<&HandlerRef> = match &in_effect.choice {
        Choice::Handled { handler } => Some(handler),
        _ => None,
    };
    let is_in_effect = |made_with: &MadeWith| {
        chosen.is_some_and(|chosen| {
            let same_row =
                chosen.scope == made_with.handler.scope && chosen.key == made_with.handler.key;
            let same_document = here
                .into_iter()
                .flatten()
                .find(|record| record.scope == chosen.scope && record.content.key == chosen.key)
                .is_none_or(|record| record.content.config == made_with.config);
            same_row && same_document
        })
    };
    services
        .iter()
        .filter_map(|service| live.get(&service.id))
        .flatten()
        .filter(|environment| !environment.made_with.as_ref().is_some_and(is_in_effect))
        .map(|environment| MadeWithAnother {
            environment_id: environment.id.clone(),
            environment_name: environment.name.clone(),
            made_with: environment
                .made_with
                .as_ref()
                .map(|made_with| made_with.handler.clone()),
        })
        .collect()
}

/// The kind of thing that a service is handled as; nothing handles `infraless`.
pub(super) fn kind(provisioning: &ServiceProvisioning) -> Option<HandlerKey> {
    match provisioning.provision_type {
        ProvisionType::Infraless => None,
        provision_type => Some(HandlerKey {
            provision_type,
            manifest_id: provisioning
                .manifest_id
                .clone()
                .filter(|_| provision_type == ProvisionType::Custom),
        }),
    }
}

fn sorted(key: &HandlerKey) -> (&'static str, Option<String>) {
    (word(key.provision_type), key.manifest_id.clone())
}

fn key_of((word, manifest_id): (&'static str, Option<String>)) -> HandlerKey {
    HandlerKey {
        provision_type: match word {
            "kubernetes" => ProvisionType::Kubernetes,
            "docker-compose" => ProvisionType::DockerCompose,
            _ => ProvisionType::Custom,
        },
        manifest_id,
    }
}

fn by_key(records: Vec<Record>) -> HashMap<HandlerKey, Record> {
    records
        .into_iter()
        .map(|record| (record.content.key.clone(), record))
        .collect()
}

/// A handler as it is shown: the secrets that it has, and those that it needs and
/// has not.
pub(super) fn shown(record: &Record) -> Handler {
    let mut secrets: BTreeMap<String, Option<i64>> = record
        .secrets
        .iter()
        .map(|secret| (secret.key.clone(), secret.set_at))
        .collect();
    for key in content::secret_keys(&record.content.config) {
        secrets.entry(key.to_owned()).or_insert(None);
    }
    Handler {
        handler: record.named(),
        backend_kind: record.content.backend_kind.clone(),
        address: content::address(&record.content.config).map(str::to_owned),
        config: record.content.config.clone(),
        secrets: secrets
            .into_iter()
            .map(|(key, set_at)| SecretKey { key, set_at })
            .collect(),
        created_at: record.created_at,
        updated_at: record.updated_at,
    }
}
