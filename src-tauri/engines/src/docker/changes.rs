use bollard::query_parameters::EventsOptions;
use futures_util::{Stream, StreamExt};

use super::{Docker, failure, labels, ownership};
use crate::EngineError;

impl Docker {
    /// Ids of environments whose containers changed, as it happens; ends when
    /// the engine goes away. The first item may come late: an observer that
    /// needs the present state asks for it after it began to listen.
    pub fn changes(
        &self,
    ) -> impl Stream<Item = Result<String, EngineError>> + Send + 'static + use<> {
        let mut filters = labels::of_any();
        filters.insert("type".to_owned(), vec!["container".to_owned()]);
        filters.insert(
            "event".to_owned(),
            [
                "create",
                "start",
                "die",
                "oom",
                "pause",
                "unpause",
                "destroy",
                "rename",
                "health_status",
            ]
            .map(str::to_owned)
            .to_vec(),
        );
        self.slow
            .events(Some(EventsOptions {
                filters: Some(filters),
                ..EventsOptions::default()
            }))
            .filter_map(async |event| match event {
                Ok(event) => {
                    let actor = event.actor?;
                    let (id, attributes) = (actor.id?, actor.attributes?);
                    // One that loses its name is as good as gone.
                    ["name", "oldName"]
                        .into_iter()
                        .filter_map(|key| attributes.get(key))
                        .map(|name| name.trim_start_matches('/'))
                        .find_map(|name| {
                            ownership::environment_of_container(&id, name, &attributes)
                        })
                        .map(|environment| Ok(environment.to_owned()))
                }
                Err(error) => Some(Err(failure::from_engine("following the engine", error))),
            })
    }
}
