//! `berth handler test`

use berth_contracts::Engine;
use berth_core::view::HandlerDraft;
use berth_core::{Berth, Code, Problem};
use tokio_util::sync::CancellationToken;

use super::{checked, scope, value_of};
use crate::args::{self, HandlerTest};
use crate::checks::{ChecksShown, Detail};
use crate::document_input::{self, Document};
use crate::failure::Failure;
use crate::output::Output;
use crate::secret_input;
use crate::stopping::until_stopped;
use crate::verbs::open_berth;

pub(super) async fn run(args: HandlerTest, output: &Output) -> Result<(), Failure> {
    Box::pin(until_stopped(test(args, output))).await
}

async fn test(args: HandlerTest, output: &Output) -> Result<(), Failure> {
    let from_stdin = args.subject == "-";
    if from_stdin && args.secrets.secrets_from_stdin {
        return Err(document_input::both_from_stdin().into());
    }
    let (berth, draft) = match args::kind(&args.subject) {
        Ok(key) => {
            let berth = open_berth().await?;
            let scope = scope(&berth, args.mine).await?;
            let handler = berth.handler(&scope, &key).await?;
            let draft = HandlerDraft {
                scope,
                key: Some(key),
                backend_kind: None,
                text: value_of(&handler.config)?.to_string(),
            };
            (berth, draft)
        }
        Err(kinds) => {
            let document = document_input::read_aside(Some(&args.subject), output)
                .await
                .map_err(|problem| match problem.code {
                    Code::PathMissing => {
                        problem.hint(format!("Give a document's path, or a kind: {kinds}."))
                    }
                    _ => problem,
                })?;
            let berth = open_berth().await?;
            let draft = unsaved(&berth, args.mine, &document).await?;
            (berth, draft)
        }
    };
    let docker = is_docker(&draft)?;
    let secrets = secret_input::read(args.secrets).await?;
    let shown = ChecksShown::new(output, Detail::Facts);
    let passed = berth
        .test_handler(draft, secrets, CancellationToken::new(), |update| {
            if output.is_json() {
                // A reader that left does not stop the test.
                let _ = output.object(&update);
            }
            shown.hear(update);
        })
        .await?;
    shown.end()?;
    match (passed, docker) {
        (true, _) => Ok(()),
        (false, true) => Err(Failure::Said(3)),
        (false, false) => Err(Failure::Said(1)),
    }
}

/// A document that is not registered.
async fn unsaved(berth: &Berth, mine: bool, document: &Document) -> Result<HandlerDraft, Problem> {
    Ok(HandlerDraft {
        scope: scope(berth, mine).await?,
        key: None,
        backend_kind: None,
        text: checked(document)?,
    })
}

fn is_docker(draft: &HandlerDraft) -> Result<bool, Problem> {
    #[derive(serde::Deserialize)]
    struct Of {
        engine: Engine,
    }
    let of: Of = serde_json::from_str(&draft.text)
        .map_err(|error| Problem::internal("a valid document is not JSON").caused_by(&error))?;
    Ok(of.engine == Engine::LocalDocker)
}
