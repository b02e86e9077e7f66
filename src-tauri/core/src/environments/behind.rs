use tokio_util::sync::CancellationToken;

use crate::Berth;
use crate::problem::{Code, Problem};
use crate::store::{environments, services};

/// How long a repository elsewhere may take to answer.
const DEADLINE: std::time::Duration = std::time::Duration::from_secs(15);

impl Berth {
    /// Counts the commits of an environment's ref that are newer than what it
    /// runs, and records the number. `None`: a working tree, or unknown.
    ///
    /// # Errors
    /// [`Code::NotFound`], [`Code::Git`], [`Code::TimedOut`].
    pub async fn count_newer_commits(&self, environment_id: &str) -> Result<Option<u32>, Problem> {
        let environment = self.record(environment_id).await?;
        let identity = environment.identity;
        let Some(commit) = environment.revision.commit.clone() else {
            return Ok(None);
        };
        if environment.torn_down_at.is_some() || environment.checkout.is_none() {
            return Ok(None);
        }
        let service = self
            .store()
            .read(move |connection| services::get(connection, &identity.service_id))
            .await?;
        let cancel = CancellationToken::new();
        let asked = self
            .sources()
            .behind(&service, &identity.selector, &commit, &cancel);
        let behind = tokio::time::timeout(DEADLINE, asked).await.map_err(|_| {
            Problem::new(Code::TimedOut, "The repository does not answer").retryable()
        })??;
        if behind != environment.revision.behind {
            let (now, id) = (self.now(), environment.id);
            self.store()
                .write(move |tx| {
                    // Brought up to date meanwhile: the number is about another commit.
                    let mut revision = environments::get(tx, &id)?.revision;
                    if revision.commit.as_deref() == Some(&commit) {
                        revision.behind = behind;
                        environments::set_revision(tx, now, &id, &revision)?;
                    }
                    Ok(())
                })
                .await?;
        }
        Ok(behind)
    }
}
