//! What is remembered and decided: workspaces, services, environments, and how
//! long they live.
//!
//! [`Berth`] is the one way in for the window and the command line. The path of
//! an environment coming up starts in [`Berth::up`] (`environments/up.rs`).

mod activity;
mod berth;
mod clock;
mod environments;
pub mod problem;
mod services;
pub mod view;

pub use berth::{Berth, Options};
pub use clock::{Clock, SystemClock};
pub use environments::Running;
pub use problem::{Code, Problem};
