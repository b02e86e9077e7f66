//! `berth`: the verbs without a window. Parsing happens first; nothing is
//! opened, and no thread started, for a wrong command line.

mod args;
mod checks;
mod document_input;
mod failure;
mod handler_words;
mod lifetime;
mod log_text;
mod operation;
mod output;
mod patch;
mod platform;
mod problem;
#[cfg(test)]
mod sample;
mod secret_input;
mod steps;
mod stopping;
mod table;
mod target;
mod terminal;
mod vault;
mod verbs;
mod words;

use std::process::ExitCode;

use clap::Parser as _;

use args::Args;
use failure::Failure;
use output::Output;

fn main() -> ExitCode {
    berth_core::redaction::clean_panics();
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) => return usage(&error),
    };
    let output = Output::new(args.json);
    let runtime = match tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            output.note(&format!("Berth cannot start: {error}"));
            return ExitCode::from(1);
        }
    };
    let ended = runtime.block_on(verbs::run(args.verb, &output));
    // Nothing that matters is left to wait for: what must be finished was awaited.
    runtime.shutdown_background();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report(failure, &output),
    }
}

/// Says what went wrong, where the reader looks for it.
fn report(failure: Failure, output: &Output) -> ExitCode {
    let code = failure.exit_code();
    if let Failure::Problem(problem) = &failure {
        output.problem(problem);
    } else if let Failure::Write(error) = &failure {
        output.note(&format!("The output cannot be written: {error}"));
    }
    ExitCode::from(code)
}

/// What clap has to say: help and version on standard output (exit 0), wrong
/// usage on standard error (exit 2), and for `--json` also as one object.
fn usage(error: &clap::Error) -> ExitCode {
    let wrong = error.use_stderr();
    // A closed output is no reason to complain.
    let _ = error.print();
    if wrong && std::env::args_os().any(|argument| argument == "--json") {
        let text = error.render().to_string();
        let title = text
            .lines()
            .next()
            .unwrap_or_default()
            .trim_start_matches("error: ");
        Output::new(true).problem(&berth_core::Problem::new(
            berth_core::Code::InvalidInput,
            title,
        ));
    }
    ExitCode::from(if wrong { 2 } else { 0 })
}
