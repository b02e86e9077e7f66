//! What is remembered and decided: workspaces, services, environments, and how
//! long they live.
//!
//! [`Berth`] is the one way in for the window and the command line. The path of
//! an environment coming up starts in [`Berth::up`] (`environments/up.rs`).

mod activity;
#[cfg(test)]
mod behaviour;
mod berth;
mod checks;
mod clock;
mod compose_settings;
mod data_dir;
mod detect;
pub mod documents;
mod environments;
mod exchange;
mod follow;
mod free_port;
mod git;
mod handlers;
mod lifetime;
mod lock;
mod names;
mod owner;
mod platform;
pub mod problem;
mod recover;
pub mod redaction;
mod secrets;
mod services;
mod settings;
mod source;
mod store;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod users;
pub mod view;

pub use berth::{Berth, Options};
pub use clock::{Clock, SystemClock};
pub use environments::Running;
pub use handlers::NewSecrets;
pub use problem::{Code, Problem};
pub use secrets::{Ask, SecretStore, StoreFailure};
