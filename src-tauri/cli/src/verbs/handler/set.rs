//! `berth handler set`

use berth_contracts::ProvisionType;
use berth_contracts::documents::bare_docker_handler;
use berth_core::view::{HandlerDraft, HandlerKey, HandlerScope};
use berth_core::{Berth, Code, Problem};
use serde_json::Value;

use super::{One, change, checked, find, line, refuse_unknown, scope, value_of};
use crate::args::HandlerSet;
use crate::document_input::{self, Document};
use crate::failure::Failure;
use crate::output::Output;
use crate::patch;
use crate::secret_input;
use crate::verbs::open_berth;

pub(super) async fn run(args: HandlerSet, output: &Output) -> Result<(), Failure> {
    refuse_contradictions(&args)?;
    let (berth, document) = if args.is_docker() {
        let berth = open_berth().await?;
        let scope = scope(&berth, args.mine).await?;
        let document = docker(&berth, &scope, &args).await?;
        (berth, document)
    } else {
        let document = document_input::read_aside(args.document.as_deref(), output).await?;
        (open_berth().await?, document)
    };
    let document = patched(document, &args)?;
    let text = checked(&document)?;
    refuse_unknown(&args.fields, &document, &text)?;
    let key = args.manifest_id.as_ref().map(|id| HandlerKey {
        provision_type: ProvisionType::Custom,
        manifest_id: Some(id.clone()).filter(|id| !id.is_empty()),
    });
    let draft = HandlerDraft {
        scope: scope(&berth, args.mine).await?,
        key,
        backend_kind: None,
        text,
    };
    let secrets = secret_input::read(args.secrets).await?;
    let handler = change::save(&berth, &draft, &secrets).await?;
    if output.is_json() {
        return output.object(&One { handler: &handler });
    }
    output.line(&line(&handler))?;
    output.note("It takes effect when environments are started, those that run keep theirs.");
    Ok(())
}

fn refuse_contradictions(args: &HandlerSet) -> Result<(), Problem> {
    let refuse = |title: &str, hint: &str| Err(Problem::new(Code::InvalidInput, title).hint(hint));
    let from_stdin = !args.is_docker()
        && args
            .document
            .as_deref()
            .is_none_or(|document| document == "-");
    if from_stdin && args.secrets.secrets_from_stdin {
        return Err(document_input::both_from_stdin());
    }
    if args.is_docker()
        && args
            .document
            .as_deref()
            .is_some_and(|document| document != "docker-compose")
    {
        return refuse(
            "--endpoint and --label go with docker-compose, not with a document",
            "Say it in the document, or leave the document out.",
        );
    }
    if args.is_docker() && args.manifest_id.is_some() {
        return refuse(
            "Docker handlers have no manifest type",
            "Leave --manifest-id out.",
        );
    }
    Ok(())
}

/// What the Docker handler says now, with what was given changed.
async fn docker(
    berth: &Berth,
    scope: &HandlerScope,
    args: &HandlerSet,
) -> Result<Document, Problem> {
    let key = HandlerKey {
        provision_type: ProvisionType::DockerCompose,
        manifest_id: None,
    };
    let mut config = match find(berth, scope, &key).await? {
        Some(handler) => value_of(&handler.config)?,
        None => bare_docker_handler(),
    };
    if let Some(label) = &args.label {
        config["manifest"]["label"] = Value::String(label.clone());
    }
    if let Some(endpoint) = &args.endpoint {
        let settings = &mut config["manifest"]["providerConfig"];
        if endpoint.is_empty() {
            if let Some(settings) = settings.as_object_mut() {
                settings.remove("endpoint");
            }
        } else {
            settings["endpoint"] = Value::String(endpoint.clone());
        }
    }
    Ok(Document {
        text: config.to_string().into_bytes(),
        shown: "The Docker handler".to_owned(),
    })
}

fn patched(document: Document, args: &HandlerSet) -> Result<Document, Problem> {
    if args.fields.is_empty() {
        return Ok(document);
    }
    let mut value: Value = serde_json::from_slice(&document.text)
        // Read again by the check, which says where it is wrong.
        .or_else(|_| checked(&document).map(Value::String))?;
    patch::apply(&mut value, args.fields.all())?;
    Ok(Document {
        text: value.to_string().into_bytes(),
        // Lines are not those of the file any more.
        shown: format!("{}, changed", document.shown),
    })
}
