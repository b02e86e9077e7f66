use futures_util::Stream;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Docker;
use crate::EngineError;

/// Which log lines.
#[derive(Clone, Debug, Default)]
pub struct LogOptions {
    /// Only these services; empty: all.
    pub services: Vec<String>,
    /// Keep going, also through containers that are made again.
    pub follow: bool,
    /// At most so many lines of the past per container; `None`: all.
    pub tail: Option<u32>,
}

/// One line of a log, without its line break.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct LogLine {
    /// The service.
    pub service: String,
    /// The container's name.
    pub container: String,
    /// Milliseconds since the epoch, as the engine noted it.
    #[ts(type = "number")]
    pub at: i64,
    /// Standard error; never with a terminal, where the two cannot be told apart.
    pub stderr: bool,
    /// The text, cut at 64 KiB.
    pub text: String,
}

impl Docker {
    /// Merged logs of an environment, in time order as far as the engine
    /// delivers it.
    pub fn logs(
        &self,
        _environment: &str,
        _options: LogOptions,
    ) -> impl Stream<Item = Result<LogLine, EngineError>> + Send + 'static + use<> {
        futures_util::stream::empty()
    }
}
