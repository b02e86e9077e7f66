//! The verbs, one file each.

mod activity;
mod agent;
mod detach;
mod doctor;
mod down;
mod extend;
mod handler;
mod logs;
mod ls;
mod manifest_type;
mod open;
mod retry;
mod schema;
mod secrets;
mod service;
mod status;
mod up;
mod user;
mod validate;
mod validate_lines;
mod workspace;

use std::pin::pin;
use std::time::Duration;

use berth_core::view::Actor;
use berth_core::{Berth, Options, Problem};
use futures_util::future::{Either, select};
use jiff::Timestamp;

use crate::args::Verb;
use crate::failure::Failure;
use crate::output::Output;

/// Does what was asked.
pub(crate) async fn run(verb: Verb, output: &Output) -> Result<(), Failure> {
    match verb {
        Verb::Up(args) => Box::pin(up::run(args, output)).await,
        Verb::Ls(args) => ls::run(args, output).await,
        Verb::Status(target) => status::run(target, output).await,
        Verb::Logs(args) => logs::run(args, output).await,
        Verb::Open(target) => open::run(target, output).await,
        Verb::Extend(args) => extend::run(args, output).await,
        Verb::Down(args) => down::run(args, output).await,
        Verb::Retry(target) => Box::pin(retry::run(target, output)).await,
        Verb::Service(args) => service::run(args.verb, output).await,
        Verb::Handler(args) => Box::pin(handler::run(args.verb, output)).await,
        Verb::Type(args) => manifest_type::run(args.verb, output).await,
        Verb::User(args) => user::run(args.verb, output).await,
        Verb::Workspace(args) => Box::pin(workspace::run(args.verb, output)).await,
        Verb::Secrets(args) => secrets::run(args.verb, output).await,
        Verb::Activity(args) => activity::run(args, output).await,
        Verb::Validate(args) => validate::run(&args, output),
        Verb::Schema(args) => schema::run(&args, output),
        Verb::Agent => agent::run(output).await,
        Verb::Doctor => doctor::run(output).await,
    }
}

/// Berth on this user's data folder.
async fn open_berth() -> Result<Berth, Problem> {
    Berth::open(Options::from_process(Actor::CommandLine)).await
}

/// Takes back what dead processes left and removes what is over, as every verb
/// that changes something does first; says so when that takes a while.
async fn recover(berth: &Berth, output: &Output) -> Result<(), Problem> {
    let recovery = pin!(berth.recover());
    let slow = tokio::time::sleep(Duration::from_secs(1));
    match select(recovery, pin!(slow)).await {
        Either::Left((recovered, _)) => recovered,
        Either::Right(((), recovery)) => {
            output.note("Tidying up first: removing what is over, taking back what was cut off.");
            recovery.await
        }
    }
}

/// Milliseconds since the epoch.
fn now() -> i64 {
    Timestamp::now().as_millisecond()
}
