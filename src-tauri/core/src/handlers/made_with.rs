use berth_contracts::documents::HandlerConfig;
use serde::{Deserialize, Serialize};

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
