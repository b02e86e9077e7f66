//! `berth agent`

use berth_core::view::Remover;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use super::open_berth;
use crate::failure::Failure;
use crate::output::Output;
use crate::platform::Stop;
use crate::vault;

/// What `--json` prints when it begins.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Begun {
    agent: &'static str,
}

pub(super) async fn run(output: &Output) -> Result<(), Failure> {
    let mut stop = Stop::listen()?;
    let berth = open_berth().await?;
    // It removes the secrets of what it removes.
    vault::unlock_unasked(&berth).await?;
    let stands_by = berth.remover() == Remover::Owner;
    if output.is_json() {
        output.object(&Begun {
            agent: if stands_by { "standingBy" } else { "running" },
        })?;
    } else if stands_by {
        output.note("Berth's window or another agent is running already. This one stands by. Ctrl-C ends it.");
    } else {
        output.note("Environments are removed on time while this runs. Ctrl-C ends it.");
    }
    let cancel = CancellationToken::new();
    let own = berth.own(cancel.clone());
    tokio::pin!(own);
    tokio::select! {
        ended = &mut own => return Ok(ended?),
        () = stop.requested() => cancel.cancel(),
    }
    // What it is removing right now is finished first; whoever cannot wait asks
    // again.
    tokio::select! {
        ended = own => Ok(ended?),
        () = stop.requested() => Err(Failure::Said(crate::failure::STOPPED)),
    }
}
