//! `berth handler override`

use berth_core::view::{ComparedField, HandlerDraft, HandlerKey, HandlerScope, Origin, Override};
use berth_core::{Berth, Code, Problem};
use serde::Serialize;

use super::{change, checked, find, line, refuse_unknown, row, value_of};
use crate::args::{HandlerOverride, OverrideVerb};
use crate::document_input::{self, Document};
use crate::failure::Failure;
use crate::handler_words;
use crate::log_text::plain;
use crate::output::Output;
use crate::patch;
use crate::secret_input;
use crate::table;
use crate::vault;
use crate::verbs::open_berth;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Overridden<'a> {
    r#override: &'a Override,
}

#[derive(Serialize)]
struct Compared<'a> {
    key: &'a HandlerKey,
    fields: &'a [ComparedField],
}

pub(super) async fn run(args: HandlerOverride, output: &Output) -> Result<(), Failure> {
    match args.verb {
        Some(OverrideVerb::On { kind }) => switch(&kind, true, output).await,
        Some(OverrideVerb::Off { kind }) => switch(&kind, false, output).await,
        Some(OverrideVerb::Compare { kind }) => compare(&kind, output).await,
        Some(OverrideVerb::Reset { kind }) => {
            let berth = open_berth().await?;
            let scope = berth.own_scope().await?;
            change::remove(&berth, &scope, &kind, output).await
        }
        None => make(args, output).await,
    }
}

async fn switch(key: &HandlerKey, enabled: bool, output: &Output) -> Result<(), Failure> {
    let berth = open_berth().await?;
    let switched = berth.switch_override(key, enabled).await?;
    if output.is_json() {
        return output.object(&Overridden {
            r#override: &switched,
        });
    }
    output.line(&format!(
        "{} is switched {}.",
        plain(&switched.handler.handler.label),
        if enabled { "on" } else { "off" }
    ))?;
    say_who_stays(&berth, key, output).await
}

/// Environments that run keep their handler until they are started again.
async fn say_who_stays(berth: &Berth, key: &HandlerKey, output: &Output) -> Result<(), Failure> {
    let (row, own) = row(berth, key).await?;
    output.note(&format!(
        "In effect from the next start: {}.",
        plain(&handler_words::in_effect(&row.in_effect, &own))
    ));
    if !row.made_with_another.is_empty() {
        let names: Vec<&str> = row
            .made_with_another
            .iter()
            .map(|one| one.environment_name.as_str())
            .collect();
        output.note(&format!(
            "Still with another until they are started again: {}.",
            plain(&names.join(", "))
        ));
    }
    Ok(())
}

async fn compare(key: &HandlerKey, output: &Output) -> Result<(), Failure> {
    let fields = open_berth().await?.compare_override(key).await?;
    if output.is_json() {
        return output.object(&Compared {
            key,
            fields: &fields,
        });
    }
    if fields.is_empty() {
        output.note("Both say nothing.");
        return Ok(());
    }
    for line in compared(&fields) {
        output.line(&line)?;
    }
    Ok(())
}

fn compared(fields: &[ComparedField]) -> Vec<String> {
    let value = |value: &Option<serde_json::Value>| match value {
        None => "-".to_owned(),
        Some(serde_json::Value::String(text)) => plain(text),
        Some(value) => plain(&value.to_string()),
    };
    let rows: Vec<Vec<String>> = fields
        .iter()
        .map(|field| {
            vec![
                plain(&field.title),
                value(&field.workspace),
                value(&field.own),
                match field.origin {
                    Origin::Workspace => "the workspace's",
                    Origin::Copied => "copied; the workspace's has changed since",
                    Origin::Own => "yours",
                }
                .to_owned(),
            ]
        })
        .collect();
    table::lines(&["FIELD", "WORKSPACE", "MY OVERRIDE", "ORIGIN"], &rows)
}

async fn make(args: HandlerOverride, output: &Output) -> Result<(), Failure> {
    let Some(key) = args.kind else {
        return Err(Problem::internal("an override without a kind").into());
    };
    if args.from.as_deref() == Some("-") && args.secrets.secrets_from_stdin {
        return Err(document_input::both_from_stdin().into());
    }
    let given = match &args.from {
        Some(from) => Some(document_input::read_aside(Some(from), output).await?),
        None => None,
    };
    let berth = open_berth().await?;
    let scope = berth.own_scope().await?;
    let there = find(&berth, &scope, &key).await?;
    let copied = given.is_none() && there.is_none();
    let nothing_to_change = args.fields.is_empty()
        && args.secrets.set.is_empty()
        && args.secrets.remove.is_empty()
        && !args.secrets.secrets_from_stdin;
    if !copied && given.is_none() && nothing_to_change {
        return Err(Problem::new(
            Code::InvalidInput,
            format!("You override {} already", handler_words::kind(&key)),
        )
        .hint("Change it with --set /FIELD=TEXT, or reset it with berth handler override reset.")
        .into());
    }
    // All that can be wrong is looked for before anything is written.
    let document = match (given, &there) {
        (Some(document), _) => {
            checked(&document)?;
            document
        }
        (None, Some(own)) => Document {
            text: value_of(&own.config)?.to_string().into_bytes(),
            shown: "Your override".to_owned(),
        },
        (None, None) => {
            let workspace = berth.handler(&HandlerScope::Workspace, &key).await?;
            Document {
                text: value_of(&workspace.config)?.to_string().into_bytes(),
                shown: "The copy of the workspace's handler".to_owned(),
            }
        }
    };
    let mut value = serde_json::from_slice(&document.text)
        .map_err(|error| Problem::internal("a valid document is not JSON").caused_by(&error))?;
    patch::apply(&mut value, args.fields.all())?;
    let document = Document {
        text: value.to_string().into_bytes(),
        shown: document.shown,
    };
    let text = checked(&document)?;
    refuse_unknown(&args.fields, &document, &text)?;
    let secrets = secret_input::read(args.secrets).await?;
    if copied {
        vault::with_secrets(&berth, async || berth.copy_to_override(&key).await).await?;
    }
    if !(copied && nothing_to_change) {
        let draft = HandlerDraft {
            scope: scope.clone(),
            key: Some(key.clone()),
            backend_kind: None,
            text,
        };
        if let Err(failure) = change::save(&berth, &draft, &secrets).await {
            if copied {
                // A copy alone is not what was asked for.
                berth.remove_handler(&scope, &key).await?;
            }
            return Err(failure);
        }
    }
    finish(&berth, &key, output).await
}

async fn finish(berth: &Berth, key: &HandlerKey, output: &Output) -> Result<(), Failure> {
    let (row, _) = row(berth, key).await?;
    let made = row
        .own
        .ok_or_else(|| Problem::internal("the override that was made is not there"))?;
    if output.is_json() {
        return output.object(&Overridden { r#override: &made });
    }
    output.line(&line(&made.handler))?;
    say_who_stays(berth, key, output).await
}
