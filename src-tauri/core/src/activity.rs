use crate::Berth;
use crate::problem::Problem;
use crate::view::Activity;

impl Berth {
    /// The activity, newest first: at most `limit` lines older than `before`.
    ///
    /// # Errors
    /// [`crate::Code::Store`].
    pub async fn activity(
        &self,
        _before: Option<i64>,
        _limit: u32,
    ) -> Result<Vec<Activity>, Problem> {
        Err(Problem::internal("not written yet"))
    }
}
