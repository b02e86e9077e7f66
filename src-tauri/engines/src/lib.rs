//! How things run. One engine so far: Docker, with compose projects on it.
//!
//! The path of one operation: [`docker::Docker::observe`] what is there, make a
//! [`docker::plan`] (pure), then [`docker::Docker::apply`] it step by step.

mod check;
pub mod docker;
mod error;
mod plan;
mod platform;
mod step;

pub use check::{Check, Fact, Finding, Ladder, Verdict};
pub use error::{EngineError, LastLines};
pub use plan::{Action, Change, Kept, PlanView, ResourceKind, Rewrite, RewriteKind};
pub use step::{Progress, Reporter, Step, StepKind, StepState};
