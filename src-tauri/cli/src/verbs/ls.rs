//! `berth ls`

use berth_contracts::EnvironmentStatus;
use berth_core::view::Environment;
use serde::Serialize;

use super::{now, open_berth};
use crate::args;
use crate::failure::Failure;
use crate::log_text;
use crate::output::Output;
use crate::table;
use crate::words;

#[derive(Serialize)]
struct Listed<'a> {
    environments: &'a [Environment],
}

pub(super) async fn run(args: args::Ls, output: &Output) -> Result<(), Failure> {
    let mut environments = open_berth().await?.snapshot().await?.environments;
    environments
        .retain(|environment| args.all || environment.status != EnvironmentStatus::TornDown);
    if output.is_json() {
        return output.object(&Listed {
            environments: &environments,
        });
    }
    if environments.is_empty() {
        output.note("Nothing is up. Bring a folder up with: berth up PATH");
        return Ok(());
    }
    for line in rows(&environments, now()) {
        output.line(&line)?;
    }
    Ok(())
}

fn rows(environments: &[Environment], now: i64) -> Vec<String> {
    let rows: Vec<Vec<String>> = environments
        .iter()
        .map(|environment| {
            vec![
                environment.name.clone(),
                words::status(environment.status).to_owned(),
                log_text::plain(&words::revision(&environment.revision)),
                environment
                    .addresses
                    .first()
                    .map_or_else(|| "-".to_owned(), |address| address.url.clone()),
                words::left(environment, now),
            ]
        })
        .collect();
    table::lines(&["NAME", "STATE", "REVISION", "URL", "TIME"], &rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn one_line_each() {
        let ready = sample::environment();
        let mut starting = sample::environment();
        starting.name = "shop-api-feature-checkout".to_owned();
        starting.status = EnvironmentStatus::Provisioning;
        starting.addresses.clear();
        starting.expires_at = None;
        starting.revision.label = Some("feature/checkout".to_owned());
        assert_eq!(
            rows(&[ready, starting], sample::NOW),
            [
                "NAME                       STATE     REVISION                           URL                                   TIME",
                "shop-api-main              ready     main@4f2a91c +changes              http://shop-api-main.localhost:41873  1 h 42 min left",
                "shop-api-feature-checkout  starting  feature/checkout@4f2a91c +changes  -                                     never ends",
            ]
        );
    }
}
