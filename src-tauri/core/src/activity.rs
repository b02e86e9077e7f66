use crate::Berth;
use crate::problem::Problem;
use crate::store::activity;
use crate::view::{Activity, ActivityPlace};

impl Berth {
    /// The activity, newest first: at most `limit` lines older than `before`.
    ///
    /// # Errors
    /// [`crate::Code::Store`].
    pub async fn activity(
        &self,
        before: Option<ActivityPlace>,
        limit: u32,
    ) -> Result<Vec<Activity>, Problem> {
        let lines = self
            .store()
            .read(move |connection| activity::list(connection, before, limit))
            .await?;
        Ok(lines)
    }
}
