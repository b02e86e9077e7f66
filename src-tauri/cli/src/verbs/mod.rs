//! The verbs, one file each.

mod activity;
mod agent;
mod detach;
mod doctor;
mod down;
mod extend;
mod logs;
mod ls;
mod open;
mod retry;
mod service;
mod status;
mod up;

use berth_core::view::Actor;
use berth_core::{Berth, Options, Problem};
use jiff::Timestamp;

use crate::args::Verb;
use crate::failure::Failure;
use crate::output::Output;

/// Does what was asked.
pub(crate) async fn run(verb: Verb, output: &Output) -> Result<(), Failure> {
    match verb {
        Verb::Up(args) => up::run(args, output).await,
        Verb::Ls(args) => ls::run(args, output).await,
        Verb::Status(target) => status::run(target, output).await,
        Verb::Logs(args) => logs::run(args, output).await,
        Verb::Open(target) => open::run(target, output).await,
        Verb::Extend(args) => extend::run(args, output).await,
        Verb::Down(args) => down::run(args, output).await,
        Verb::Retry(target) => retry::run(target, output).await,
        Verb::Service(args) => service::run(args.verb, output).await,
        Verb::Activity(args) => activity::run(args, output).await,
        Verb::Agent => agent::run(output).await,
        Verb::Doctor => doctor::run(output).await,
    }
}

/// Berth on this user's data folder.
async fn open_berth() -> Result<Berth, Problem> {
    Berth::open(Options::from_process(Actor::CommandLine)).await
}

/// Milliseconds since the epoch.
fn now() -> i64 {
    Timestamp::now().as_millisecond()
}
