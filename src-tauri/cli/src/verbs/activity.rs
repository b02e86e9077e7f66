//! `berth activity`

use berth_core::Berth;
use berth_core::view::{Activity, Settings};
use jiff::tz::TimeZone;
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
    activity: &'a [Activity],
}

#[derive(Serialize)]
struct Kept<'a> {
    settings: &'a Settings,
}

pub(super) async fn run(args: args::Activity, output: &Output) -> Result<(), Failure> {
    let berth = open_berth().await?;
    if let Some(days) = args.keep {
        return keep(&berth, days, output).await;
    }
    let activity = berth.activity(args.before, args.limit).await?;
    if output.is_json() {
        return output.object(&Listed {
            activity: &activity,
        });
    }
    if activity.is_empty() {
        output.note(match args.before {
            None => "Nothing was done yet.",
            Some(_) => "Nothing older is known.",
        });
        return Ok(());
    }
    let (now, zone) = (now(), TimeZone::system());
    let rows: Vec<Vec<String>> = activity
        .iter()
        .map(|line| {
            vec![
                words::time(line.at, now, &zone),
                log_text::plain(&words::activity(line)),
            ]
        })
        .collect();
    for line in table::lines(&["WHEN", "WHAT"], &rows) {
        output.line(&line)?;
    }
    Ok(())
}

async fn keep(berth: &Berth, days: u32, output: &Output) -> Result<(), Failure> {
    let settings = berth.set_activity_days(days).await?;
    if output.is_json() {
        return output.object(&Kept {
            settings: &settings,
        });
    }
    output.line(&format!(
        "The activity is kept for {} days.",
        settings.activity_days
    ))
}
