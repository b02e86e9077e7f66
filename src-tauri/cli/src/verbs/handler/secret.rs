//! `berth handler secret`

use jiff::tz::TimeZone;

use super::show::secret_line;
use super::{One, line, scope};
use crate::args::HandlerSecret;
use crate::failure::Failure;
use crate::output::Output;
use crate::secret_input;
use crate::vault;
use crate::verbs::{now, open_berth};

pub(super) async fn run(args: HandlerSecret, output: &Output) -> Result<(), Failure> {
    let berth = open_berth().await?;
    let (key, scope) = (args.kind.clone(), scope(&berth, args.mine).await?);
    // Before anybody is asked for values of a handler that is not there.
    berth.handler(&scope, &key).await?;
    let secrets = secret_input::read(args.secrets()).await?;
    let handler = vault::with_secrets(&berth, async || {
        berth
            .set_handler_secrets(&scope, &key, secrets.clone())
            .await
    })
    .await?;
    if output.is_json() {
        return output.object(&One { handler: &handler });
    }
    output.line(&line(&handler))?;
    for secret in &handler.secrets {
        output.line(&format!(
            "  {}",
            secret_line(secret, now(), &TimeZone::system())
        ))?;
    }
    output.note("Environments that were made with it use the new values too.");
    Ok(())
}
