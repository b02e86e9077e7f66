//! What will happen when Start is pressed, and why.

use berth_contracts::{ProvisionType, ServiceProvisioning};
use rusqlite::Connection;

use super::resolve::resolve;
use crate::Berth;
use crate::problem::Problem;
use crate::store::handlers::{self, LookFor};
use crate::store::{StoreError, services};
use crate::view::Explanation;

/// How many rows of one list are looked at.
const MOST: usize = 200;

impl Berth {
    /// What starting a service would come to, and why.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`].
    pub async fn explain(&self, service_id: &str) -> Result<Explanation, Problem> {
        let (workspace_id, service_id) = (self.workspace_id().to_owned(), service_id.to_owned());
        let os_user = self.system_user();
        Ok(self
            .store()
            .read(move |connection| {
                let service = services::get(connection, &service_id)?;
                let user = os_user.current(connection)?;
                explain(connection, &workspace_id, &user, &service.provisioning)
            })
            .await?)
    }
}

/// What starting a service that is provisioned so would come to for a user.
///
/// # Errors
/// Trouble with the file.
pub(crate) fn explain(
    connection: &Connection,
    workspace_id: &str,
    user_id: &str,
    provisioning: &ServiceProvisioning,
) -> Result<Explanation, StoreError> {
    let look_for = LookFor {
        provision_types: vec![provisioning.provision_type],
        manifest_ids: provisioning
            .manifest_id
            .clone()
            .filter(|_| provisioning.provision_type == ProvisionType::Custom)
            .map(|id| vec![id]),
        limit: MOST,
    };
    let overrides = handlers::overrides_looked_at(connection, user_id, workspace_id, &look_for)?;
    let workspace = handlers::looked_at(connection, workspace_id, &look_for)?;
    Ok(resolve(provisioning, &overrides, &workspace))
}
