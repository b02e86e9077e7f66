//! `berth activity`

use berth_core::view::Activity;
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

pub(super) async fn run(args: args::Activity, output: &Output) -> Result<(), Failure> {
    let activity = open_berth().await?.activity(None, args.limit).await?;
    if output.is_json() {
        return output.object(&Listed {
            activity: &activity,
        });
    }
    if activity.is_empty() {
        output.note("Nothing was done yet.");
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
