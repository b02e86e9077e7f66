//! What will happen when Start is pressed, and why.

use berth_contracts::ServiceProvisioning;
use rusqlite::Connection;

use super::resolve::resolve;
use crate::Berth;
use crate::problem::Problem;
use crate::store::handlers::{self, LookFor};
use crate::store::{StoreError, services};
use crate::view::{Explanation, HandlerKey};

/// How many rows are looked at beside those that would serve.
const OTHERS: usize = 200;

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
    let keys: Vec<HandlerKey> = super::list::kind(provisioning).into_iter().collect();
    let look_for = LookFor {
        keys: &keys,
        others: OTHERS,
    };
    let overrides = handlers::overrides_looked_at(connection, user_id, workspace_id, &look_for)?;
    let workspace = handlers::looked_at(connection, workspace_id, &look_for)?;
    Ok(resolve(provisioning, &overrides, &workspace))
}
