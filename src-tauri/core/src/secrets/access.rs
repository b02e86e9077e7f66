//! Credentials that open an environment.

use std::collections::BTreeMap;

use berth_contracts::documents::EnvironmentAccess;
use secrecy::{ExposeSecret as _, SecretString};

use super::bundle::SecretBundle;
use crate::Berth;
use crate::handlers::NewSecrets;
use crate::problem::Problem;
use crate::store::{StoreError, environments};

/// The one secret of such a bundle: the whole document, JSON.
const KEY: &str = "access";

impl Berth {
    /// Keeps what opens an environment, in place of what did; `None`: nothing is
    /// needed. It goes when the environment is torn down.
    ///
    /// # Errors
    /// The `SecretStore…` codes, [`crate::Code::NotFound`], [`crate::Code::Busy`],
    /// [`crate::Code::Store`].
    pub async fn set_environment_access(
        &self,
        environment_id: &str,
        access: Option<&EnvironmentAccess>,
    ) -> Result<(), Problem> {
        let now = self.now();
        let kept = match access {
            None => None,
            Some(access) => {
                let text = serde_json::to_string(access)
                    .map_err(|error| Problem::internal(error.to_string()))?;
                let secrets = NewSecrets {
                    set: BTreeMap::from([(KEY.to_owned(), SecretString::from(text))]),
                    remove: Vec::new(),
                };
                let bundle = SecretBundle::default().with(secrets, now)?;
                Some(self.keep_bundle(bundle).await?)
            }
        };
        let id = environment_id.to_owned();
        let bundle = kept.as_ref().map(|kept| kept.id().to_owned());
        let written = self
            .store()
            .write_durably(move |tx| {
                // One that is gone names nothing: nobody would take it away again.
                if environments::get(tx, &id)?.torn_down_at.is_some() {
                    return Err(StoreError::Missing {
                        what: "live environment",
                        id,
                    });
                }
                environments::set_access_bundle(tx, now, &id, bundle.as_deref())
            })
            .await;
        drop(kept);
        self.remove_unreferenced_bundles().await;
        Ok(written?)
    }

    /// Reveals what opens an environment; `None`: nothing is needed.
    ///
    /// # Errors
    /// [`crate::Code::SecretMissing`], the `SecretStore…` codes,
    /// [`crate::Code::NotFound`], [`crate::Code::Store`].
    pub async fn environment_access(
        &self,
        environment_id: &str,
    ) -> Result<Option<EnvironmentAccess>, Problem> {
        let record = self.record(environment_id).await?;
        let Some(bundle) = record.access_bundle else {
            return Ok(None);
        };
        let bundle = self.bundle(&bundle).await?;
        // The parser's message may quote the document.
        bundle
            .get(KEY)
            .and_then(|text| serde_json::from_str(text.expose_secret()).ok())
            .map(Some)
            .ok_or_else(|| Problem::internal("the access of an environment cannot be read"))
    }
}
