//! `berth handler`

mod change;
mod explain;
mod ls;
mod own;
mod secret;
mod set;
mod show;
mod test;

use berth_contracts::documents::HandlerConfig;
use berth_core::documents::{self, Rules};
use berth_core::view::{Handler, HandlerKey, HandlerRow, HandlerScope, Verdict};
use berth_core::{Berth, Code, Problem};
use serde::Serialize;

use super::open_berth;
use super::validate::{invalid, left_out};
use crate::args::{Fields, HandlerVerb};
use crate::document_input::Document;
use crate::failure::Failure;
use crate::handler_words;
use crate::log_text::plain;
use crate::output::Output;
use crate::stopping::until_stopped;

/// The contract's name of a handler's document.
const SCHEMA: &str = "infraHandlerConfigSchema";

#[derive(Serialize)]
struct One<'a> {
    handler: &'a Handler,
}

#[derive(Serialize)]
struct Removed<'a> {
    removed: &'a HandlerKey,
}

pub(super) async fn run(verb: HandlerVerb, output: &Output) -> Result<(), Failure> {
    match verb {
        HandlerVerb::Ls { search } => ls::run(&search, output).await,
        HandlerVerb::Show { kind } => show::run(&kind, output).await,
        HandlerVerb::Explain { service } => explain::run(&service, output).await,
        HandlerVerb::Set(args) => until_stopped(set::run(args, output)).await,
        HandlerVerb::Secret(args) => until_stopped(secret::run(args, output)).await,
        HandlerVerb::Test(args) => test::run(args, output).await,
        HandlerVerb::Rm { kind } => {
            let berth = open_berth().await?;
            until_stopped(change::remove(
                &berth,
                &HandlerScope::Workspace,
                &kind,
                output,
            ))
            .await
        }
        HandlerVerb::Override(args) => until_stopped(own::run(args, output)).await,
    }
}

/// Whose handler is meant.
async fn scope(berth: &Berth, mine: bool) -> Result<HandlerScope, Problem> {
    if mine {
        berth.own_scope().await
    } else {
        Ok(HandlerScope::Workspace)
    }
}

/// The text of a valid document, as it is kept. Checked here so that nobody is
/// asked for secrets of a document that cannot be saved, and faults name the file.
///
/// # Errors
/// [`Code::InvalidDocument`] with every fault.
fn checked(document: &Document) -> Result<String, Problem> {
    let named = documents::find_schema(SCHEMA)?;
    let check = documents::check(named, &document.text, Rules::Settings);
    match (check.verdict, &check.output) {
        (Verdict::Valid, Some(text)) => Ok(text.clone()),
        _ => Err(invalid(
            &document.shown,
            &documents::schema_title(named),
            &check,
        )),
    }
}

/// Refuses fields that were set one by one and that a handler's document does not
/// have: the contract drops them without a word.
fn refuse_unknown(fields: &Fields, document: &Document, kept: &str) -> Result<(), Problem> {
    if fields.is_empty() {
        return Ok(());
    }
    let mut unknown = left_out(document, kept)?;
    unknown.retain(|field| fields.all().any(|assignment| assignment.sets(field)));
    if unknown.is_empty() {
        return Ok(());
    }
    let named = documents::find_schema(SCHEMA)?;
    Err(documents::unknown_fields(named, &document.shown, &unknown))
}

/// A handler's document as JSON.
fn value_of(config: &HandlerConfig) -> Result<serde_json::Value, Problem> {
    serde_json::to_value(config)
        .map_err(|error| Problem::internal("a document cannot be written").caused_by(&error))
}

/// A handler of that key, if there is one.
async fn find(
    berth: &Berth,
    scope: &HandlerScope,
    key: &HandlerKey,
) -> Result<Option<Handler>, Problem> {
    match berth.handler(scope, key).await {
        Ok(handler) => Ok(Some(handler)),
        Err(problem) if problem.code == Code::NotFound => Ok(None),
        Err(problem) => Err(problem),
    }
}

/// Everything about one key, and the user whose override is shown.
///
/// # Errors
/// [`Code::NotFound`] for a key that nothing serves or asks for.
async fn row(berth: &Berth, key: &HandlerKey) -> Result<(HandlerRow, HandlerScope), Problem> {
    let search = key
        .manifest_id
        .clone()
        .unwrap_or_else(|| handler_words::provision_type(key.provision_type).to_owned());
    let handlers = berth.handlers(&search).await?;
    let row = handlers
        .rows
        .into_iter()
        .find(|row| row.key == *key)
        .ok_or_else(|| {
            Problem::new(
                Code::NotFound,
                format!("There is no handler for {}", handler_words::kind(key)),
            )
            .hint("berth handler ls shows which there are.")
        })?;
    let own = HandlerScope::User {
        user_id: handlers.user.id,
    };
    Ok((row, own))
}

/// `docker-compose  Colima  local-docker  unix:///…`
fn line(handler: &Handler) -> String {
    let mut out = format!(
        "{}  {}  {}",
        handler_words::kind(&handler.handler.key),
        plain(&handler.handler.label),
        handler_words::engine(handler.handler.engine)
    );
    if let Some(address) = &handler.address {
        out.push_str("  ");
        out.push_str(&plain(address));
    }
    out
}
