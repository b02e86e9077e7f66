//! `berth handler show`

use berth_core::view::{Handler, HandlerKey, HandlerRow, HandlerScope, SecretKey};
use jiff::tz::TimeZone;
use serde::Serialize;

use super::row;
use crate::failure::Failure;
use crate::handler_words;
use crate::log_text::plain;
use crate::output::Output;
use crate::verbs::{now, open_berth};
use crate::words;

#[derive(Serialize)]
struct Shown<'a> {
    row: &'a HandlerRow,
}

pub(super) async fn run(key: &HandlerKey, output: &Output) -> Result<(), Failure> {
    let (row, own) = row(&open_berth().await?, key).await?;
    if output.is_json() {
        return output.object(&Shown { row: &row });
    }
    for line in lines(&row, &own, now(), &TimeZone::system()) {
        output.line(&line)?;
    }
    Ok(())
}

fn lines(row: &HandlerRow, own: &HandlerScope, now: i64, zone: &TimeZone) -> Vec<String> {
    let mut out = vec![
        format!(
            "{}: {}",
            handler_words::kind(&row.key),
            plain(&handler_words::in_effect(&row.in_effect, own))
        ),
        format!(
            "Services   {}",
            if row.services.is_empty() {
                "none".to_owned()
            } else {
                plain(&row.services.join(", "))
            }
        ),
    ];
    if let Some(handler) = &row.workspace {
        out.push(String::new());
        out.push(format!("Workspace  {}", plain(&handler.handler.label)));
        out.extend(about(handler, now, zone));
    }
    if let Some(mine) = &row.own {
        let state = if mine.enabled {
            "switched on"
        } else {
            "switched off"
        };
        let differs = match mine.differences {
            None => String::new(),
            Some(0) => ", the same as the workspace's".to_owned(),
            Some(1) => ", differs in 1 field".to_owned(),
            Some(fields) => format!(", differs in {fields} fields"),
        };
        out.push(String::new());
        out.push(format!(
            "Override   {} ({state}{differs})",
            plain(&mine.handler.handler.label)
        ));
        out.extend(about(&mine.handler, now, zone));
    }
    if !row.made_with_another.is_empty() {
        out.push(String::new());
        out.push("Still running with another handler, until they are started again:".to_owned());
        out.extend(row.made_with_another.iter().map(|one| {
            let with = one.made_with.as_ref().map_or_else(
                || "none: made before there were handlers".to_owned(),
                |handler| handler_words::named(handler, own),
            );
            plain(&format!("  {} ({with})", one.environment_name))
        }));
    }
    out
}

fn about(handler: &Handler, now: i64, zone: &TimeZone) -> Vec<String> {
    let mut out = vec![format!(
        "  Engine   {} ({})",
        handler_words::engine(handler.handler.engine),
        handler.backend_kind
    )];
    out.push(match &handler.address {
        Some(address) => format!("  Address  {}", plain(address)),
        None => "  Address  the engine that the docker command uses".to_owned(),
    });
    if let Some(id) = &handler.handler.accepts_manifest_id {
        out.push(format!("  Accepts  {id}"));
    }
    out.extend(
        handler
            .secrets
            .iter()
            .map(|secret| format!("  Secret   {}", secret_line(secret, now, zone))),
    );
    out.push(format!(
        "  Changed  {}",
        words::time(handler.updated_at, now, zone)
    ));
    out
}

/// `TOKEN, set 14:02`
pub(super) fn secret_line(secret: &SecretKey, now: i64, zone: &TimeZone) -> String {
    match secret.set_at {
        Some(at) => format!("{}, set {}", plain(&secret.key), words::time(at, now, zone)),
        None => format!("{}, not set", plain(&secret.key)),
    }
}
