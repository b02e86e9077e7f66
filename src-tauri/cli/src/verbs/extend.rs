//! `berth extend`

use berth_core::view::{Environment, Lifetime, Remover};
use berth_core::{Code, Problem};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::{now, open_berth, recover};
use crate::args;
use crate::failure::Failure;
use crate::lifetime;
use crate::output::Output;
use crate::target;
use crate::words;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Extended<'a> {
    environment: &'a Environment,
    removed_by: Remover,
}

pub(super) async fn run(args: args::Extend, output: &Output) -> Result<(), Failure> {
    let (target, lifetime) = target_and_lifetime(args.words)?;
    let berth = open_berth().await?;
    recover(&berth, output).await?;
    let found = target::environment(&berth, &target).await?;
    let environment = berth.extend(&found.id, lifetime).await?;
    let removed_by = berth.remover();
    if output.is_json() {
        return output.object(&Extended {
            environment: &environment,
            removed_by,
        });
    }
    output.line(&environment.name)?;
    for line in words::ends(&environment, removed_by, now(), &TimeZone::system()) {
        output.line(&line)?;
    }
    Ok(())
}

/// The last word is the time.
fn target_and_lifetime(mut words: Vec<String>) -> Result<(args::Target, Lifetime), Problem> {
    let time = words.pop().unwrap_or_default();
    let environment = words.pop();
    let lifetime = lifetime::parse(&time).map_err(|why| {
        Problem::new(
            Code::InvalidInput,
            format!("\"{time}\" is not a time: {why}"),
        )
        .hint("Write berth extend ENV 1h, or berth extend 1h in the environment's folder.")
    })?;
    Ok((args::Target { environment }, lifetime))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    #[test]
    fn the_environment_may_be_left_out() {
        let (target, lifetime) = target_and_lifetime(words(&["1h"])).unwrap();
        assert_eq!(target.environment, None);
        assert_eq!(
            lifetime,
            Lifetime::For {
                milliseconds: 3_600_000
            }
        );
        let (target, lifetime) = target_and_lifetime(words(&["shop", "never"])).unwrap();
        assert_eq!(target.environment.as_deref(), Some("shop"));
        assert_eq!(lifetime, Lifetime::Never);
    }

    #[test]
    fn a_missing_time_is_told() {
        let problem = target_and_lifetime(words(&["shop"])).unwrap_err();
        assert_eq!(problem.code, Code::InvalidInput);
        assert!(
            problem.title.contains("\"shop\" is not a time"),
            "{problem}"
        );
    }
}
