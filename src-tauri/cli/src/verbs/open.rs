//! `berth open`

use std::time::Duration;

use berth_core::{Code, Problem};
use serde::Serialize;

use super::open_berth;
use crate::args;
use crate::failure::Failure;
use crate::output::Output;
use crate::target;
use crate::words;

/// A launcher that runs longer than this has handed over.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Opened<'a> {
    url: &'a str,
    opened: bool,
}

pub(super) async fn run(target: args::Target, output: &Output) -> Result<(), Failure> {
    let berth = open_berth().await?;
    let environment = target::environment(&berth, &target).await?;
    let Some(address) = environment.addresses.first() else {
        return Err(Problem::new(
            Code::NotFound,
            format!(
                "{} has no URL: it is {}",
                environment.name,
                words::status(environment.status)
            ),
        )
        .hint(format!("berth status {} says more.", environment.name))
        .into());
    };
    let url = address.url.clone();
    let launched =
        tokio::task::spawn_blocking(move || open::that_detached_with_timeout(url, PATIENCE)).await;
    let opened = matches!(launched, Ok(Ok(())));
    if output.is_json() {
        return output.object(&Opened {
            url: &address.url,
            opened,
        });
    }
    if !opened {
        output.note("No browser could be started here. The URL is:");
    }
    output.line(&address.url)
}
