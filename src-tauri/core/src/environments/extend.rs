use crate::Berth;
use crate::lifetime::end_when_extended;
use crate::problem::Problem;
use crate::store::{activity, environments, snapshot};
use crate::view::{Activity, ActivityVerb, Environment, Lifetime, Outcome};

impl Berth {
    /// Sets when an environment ends, counted from now or, when that is later,
    /// from its present end.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`], [`crate::Code::InvalidInput`].
    pub async fn extend(
        &self,
        environment_id: &str,
        lifetime: Lifetime,
    ) -> Result<Environment, Problem> {
        let (now, actor) = (self.now(), self.actor());
        let id = environment_id.to_owned();
        let environment = self
            .store()
            .write(move |tx| {
                let environment = environments::get(tx, &id)?;
                if environment.torn_down_at.is_some() {
                    return Err(super::already_gone(&environment).into());
                }
                let end = end_when_extended(lifetime, now, environment.identity.expires_at)?;
                environments::set_expiry(tx, now, &id, end)?;
                activity::append(
                    tx,
                    &Activity {
                        id: 0,
                        at: now,
                        verb: ActivityVerb::Extended,
                        outcome: Outcome::Success,
                        environment_id: Some(id.clone()),
                        environment_name: Some(environment.identity.name),
                        service_name: Some(environment.identity.service_name),
                        engine_label: Some(environment.identity.engine.label),
                        actor,
                        duration_ms: None,
                        detail: None,
                    },
                )?;
                snapshot::environment(tx, &id)
            })
            .await?;
        Ok(environment)
    }
}
