//! `berth retry`

use berth_core::view::OperationKind;

use super::{open_berth, recover, up};
use crate::args;
use crate::failure::Failure;
use crate::operation::{self, Followed};
use crate::output::Output;
use crate::platform::Stop;
use crate::target;

pub(super) async fn run(target: args::Target, output: &Output) -> Result<(), Failure> {
    up::with_result(Box::pin(bring_up_again(target, output)).await, output)
}

async fn bring_up_again(target: args::Target, output: &Output) -> Result<(), Failure> {
    let berth = open_berth().await?;
    recover(&berth, output).await?;
    let environment = target::environment(&berth, &target).await?;
    let from = berth.snapshot().await?.sequence;
    let stop = Stop::listen()?;
    let running = Box::pin(berth.retry(&environment.id)).await?;
    let followed = Followed {
        name: environment.name,
        running,
    };
    for end in operation::follow(
        &berth,
        output,
        stop,
        from,
        OperationKind::Up,
        vec![followed],
        false,
    )
    .await?
    {
        up::finish(&berth, output, end).await?;
    }
    Ok(())
}
