use berth_contracts::documents::HandlerConfig;
use serde::{Deserialize, Serialize};

use super::content::address;
use crate::view::HandlerRef;

/// The handler that an environment was made with, as it was then. Status, retry
/// and teardown go through it, whatever becomes of the handler's row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MadeWith {
    /// Who it was.
    pub(crate) handler: HandlerRef,
    /// Its document then.
    pub(crate) config: HandlerConfig,
    /// Its secrets. In a column of its own: a rotated secret is the environment's
    /// too.
    #[serde(skip)]
    pub(crate) bundle: Option<String>,
}

impl MadeWith {
    /// Whether it says of another engine where it is. The engine that is found in the
    /// Docker CLI's order is one and the same, wherever it is found.
    pub(crate) fn names_another_engine_than(&self, before: Option<&Self>) -> bool {
        address(&self.config) != before.and_then(|before| address(&before.config))
    }
}
