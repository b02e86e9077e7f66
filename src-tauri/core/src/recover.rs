//! What dead processes left is ended, what has expired is removed.

use futures_util::future::join_all;

use crate::Berth;
use crate::problem::{Code, Problem};
use crate::store::{environments, operations};
use crate::view::Actor;

impl Berth {
    /// Takes back what operations of dead processes left, and removes what has
    /// expired and secrets that nothing names. Called by every verb that changes something and by the owner.
    ///
    /// # Errors
    /// [`crate::Code::Store`]; trouble with single environments is recorded
    /// with them.
    pub async fn recover(&self) -> Result<(), Problem> {
        let now = self.now();
        let (unfinished, expired) = self
            .store()
            .read(move |connection| {
                Ok((
                    operations::unfinished(connection)?,
                    environments::expired(connection, now)?,
                ))
            })
            .await?;
        let dead = unfinished
            .iter()
            .map(|operation| operation.environment_id.as_str())
            .filter(|id| self.performing(id).is_none());
        join_all(dead.map(|id| self.recover_one(id))).await;
        join_all(
            expired
                .iter()
                .map(|environment| self.expire(&environment.id)),
        )
        .await;
        self.remove_unreferenced_bundles().await;
        Ok(())
    }

    async fn recover_one(&self, environment_id: &str) {
        match self.take_back_if_dead(environment_id).await {
            // Somebody works on it: it is not dead.
            Ok(()) => {}
            Err(problem) if problem.code == Code::Busy => {}
            Err(problem) => {
                tracing::warn!(environment_id, %problem, "what a dead process left could not be taken back");
            }
        }
    }

    /// Removes an environment whose time is over. Gives back whether it is gone.
    pub(crate) async fn expire(&self, environment_id: &str) -> bool {
        match self.expire_now(environment_id).await {
            Ok(()) => true,
            Err(problem) => {
                tracing::warn!(environment_id, %problem, "an expired environment could not be removed");
                false
            }
        }
    }

    async fn expire_now(&self, environment_id: &str) -> Result<(), Problem> {
        let running = self.tear_down_as(environment_id, Actor::Berth).await?;
        running.finish().await.map(drop)
    }
}
