//! `berth handler ls`

use berth_core::view::{Handler, HandlerRow, HandlerScope, Override};

use crate::failure::Failure;
use crate::handler_words;
use crate::log_text::plain;
use crate::output::Output;
use crate::table;
use crate::verbs::open_berth;

pub(super) async fn run(search: &str, output: &Output) -> Result<(), Failure> {
    let handlers = open_berth().await?.handlers(search).await?;
    if output.is_json() {
        return output.object(&handlers);
    }
    if handlers.rows.is_empty() {
        output.note(&format!(
            "No kind and no handler holds “{}”.",
            plain(search)
        ));
        return Ok(());
    }
    let own = HandlerScope::User {
        user_id: handlers.user.id.clone(),
    };
    if !handlers.user.system {
        output.note(&format!("Overrides of {}.", plain(&handlers.user.name)));
    }
    for line in rows(&handlers.rows, &own) {
        output.line(&line)?;
    }
    if handlers.more {
        output.note("There are more rows than these: --search TEXT finds them.");
    }
    Ok(())
}

fn rows(rows: &[HandlerRow], own: &HandlerScope) -> Vec<String> {
    let rows: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let another: Vec<&str> = row
                .made_with_another
                .iter()
                .map(|one| one.environment_name.as_str())
                .collect();
            vec![
                handler_words::kind(&row.key),
                label(row.workspace.as_ref()),
                row.own.as_ref().map_or_else(|| "-".to_owned(), switched),
                plain(&handler_words::in_effect(&row.in_effect, own)),
                plain(&another.join(", ")),
            ]
        })
        .collect();
    let headings = [
        "KIND",
        "WORKSPACE",
        "MY OVERRIDE",
        "IN EFFECT",
        "STILL WITH ANOTHER",
    ];
    // A column of nothing says nothing.
    let shown = if rows
        .iter()
        .all(|row| row.last().is_none_or(String::is_empty))
    {
        headings.len() - 1
    } else {
        headings.len()
    };
    table::lines(&headings[..shown], &rows)
}

fn label(handler: Option<&Handler>) -> String {
    handler.map_or_else(|| "-".to_owned(), |handler| plain(&handler.handler.label))
}

/// `Colima (on)`
fn switched(own: &Override) -> String {
    let state = if own.enabled { "on" } else { "off" };
    format!("{} ({state})", plain(&own.handler.handler.label))
}
