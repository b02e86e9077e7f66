//! What the tests stand on: engines of their own, and a proxy that cuts a process off at a chosen request.
//!
//! Everything here fails by panicking, with the reason in the message: a test that cannot get its engine
//! must not pass.
#![allow(clippy::expect_used, clippy::panic)]

pub mod command_line;
pub mod cut_proxy;
pub mod engine;
pub mod forms;
pub mod http;
pub mod programs;
pub mod prompter;
pub mod secret_service;
mod slot;
pub mod window;

pub use command_line::CommandLine;
pub use cut_proxy::{CutMoment, CutProxy};
pub use engine::{Contents, Engine, EngineKind};
pub use forms::FormDesk;
pub use secret_service::SecretService;
pub use window::Window;
