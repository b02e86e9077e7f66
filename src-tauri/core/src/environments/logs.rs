use berth_engines::docker::{LogLine, LogOptions};
use futures_util::{Stream, StreamExt as _, TryStreamExt as _, stream};

use super::operation::engine_of;
use crate::Berth;
use crate::problem::Problem;

impl Berth {
    /// Merged logs of an environment's containers.
    pub fn logs(
        &self,
        environment_id: &str,
        options: LogOptions,
    ) -> impl Stream<Item = Result<LogLine, Problem>> + Send + 'static + use<> {
        let (berth, id) = (self.clone(), environment_id.to_owned());
        stream::once(async move {
            let environment = berth.record(&id).await?;
            if environment.torn_down_at.is_some() {
                return Err(super::already_gone(&environment));
            }
            let docker = engine_of(&environment).await?;
            Ok(docker
                .logs(&id, options)
                .map(|line| line.map_err(Problem::from)))
        })
        .try_flatten()
    }
}
