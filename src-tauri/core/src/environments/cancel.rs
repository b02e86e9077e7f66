use crate::Berth;
use crate::problem::{Code, Problem};
use crate::view::OperationKind;

impl Berth {
    /// Stops the operation that works on an environment in this process and
    /// takes back what it made. Returns at once.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`] when none is under way,
    /// [`crate::Code::Busy`] when another process does it.
    pub async fn cancel(&self, environment_id: &str) -> Result<(), Problem> {
        if let Some(cancel) = self.performing(environment_id) {
            cancel.cancel();
            return Ok(());
        }
        // Free: nobody works on it. Held: by another process, which it names.
        drop(self.lock(environment_id, OperationKind::Up)?);
        Err(Problem::new(
            Code::NotFound,
            "Nothing is under way that could be cancelled",
        ))
    }
}
