//! What Berth is told once and goes by.

use crate::Berth;
use crate::problem::{Code, Problem};
use crate::store::settings;
use crate::view::Settings;

/// How many days the activity is kept when nobody says otherwise.
pub(crate) const ACTIVITY_DAYS: u32 = 14;
/// Ten years.
const MOST_DAYS: u32 = 3650;

impl Berth {
    /// What Berth goes by.
    ///
    /// # Errors
    /// [`Code::Store`].
    pub async fn settings(&self) -> Result<Settings, Problem> {
        let days = self
            .store()
            .read(|connection| settings::get(connection, &settings::ACTIVITY_DAYS))
            .await?;
        Ok(Settings {
            activity_days: days.unwrap_or(ACTIVITY_DAYS),
        })
    }

    /// Says how many days the activity is kept, 1 to 3650. What is older goes with
    /// the next tidying up.
    ///
    /// # Errors
    /// [`Code::InvalidInput`] for any other number.
    pub async fn set_activity_days(&self, days: u32) -> Result<Settings, Problem> {
        if !(1..=MOST_DAYS).contains(&days) {
            return Err(Problem::new(
                Code::InvalidInput,
                format!("The activity cannot be kept for {days} days"),
            )
            .hint(format!("Give a number of days from 1 to {MOST_DAYS}.")));
        }
        self.store()
            .write_durably(move |tx| settings::set(tx, &settings::ACTIVITY_DAYS, &days))
            .await?;
        self.settings().await
    }
}
