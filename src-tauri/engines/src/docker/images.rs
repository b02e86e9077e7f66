use std::collections::HashMap;

use futures_util::future::try_join_all;

use super::apply::Run;
use super::observe::SeenImage;
use super::plan::{ImageSource, ImageWork};
use crate::EngineError;

impl Run<'_> {
    /// Brings every image onto the engine, all at the same time, and returns them
    /// by reference.
    pub(super) async fn images(&self) -> Result<HashMap<String, SeenImage>, EngineError> {
        let all = try_join_all(self.plan.images.iter().map(|work| self.one_image(work))).await?;
        let references = self.plan.images.iter().map(|work| work.reference.clone());
        Ok(references.zip(all).collect())
    }

    async fn one_image(&self, work: &ImageWork) -> Result<SeenImage, EngineError> {
        let reference = &work.reference;
        match &work.source {
            ImageSource::Present => Ok(work.seen.clone().unwrap_or_default()),
            ImageSource::Pull => {
                let key = format!("pull:{reference}");
                let pulling = async {
                    self.pull(work, &key).await?;
                    self.there(work).await
                };
                self.steps.run(&key, pulling).await
            }
            ImageSource::Forbidden => {
                let key = format!("pull:{reference}");
                let refusal = EngineError::Pull {
                    image: reference.clone(),
                    service: work.service.clone(),
                    message: "it is not on the engine, and `pull_policy: never` forbids a pull"
                        .to_owned(),
                };
                self.steps.run(&key, async { Err(refusal) }).await
            }
            ImageSource::Build(build) => {
                let key = format!("build:{}", work.service);
                self.steps.run(&key, self.build(work, build, &key)).await
            }
        }
    }

    async fn there(&self, work: &ImageWork) -> Result<SeenImage, EngineError> {
        self.docker
            .image(&work.reference)
            .await?
            .ok_or_else(|| EngineError::Pull {
                image: work.reference.clone(),
                service: work.service.clone(),
                message: "the engine pulled it, yet does not have it".to_owned(),
            })
    }
}
