//! `berth workspace`, as it is typed.

use clap::{Args as ClapArgs, Subcommand};

use super::not_empty;

#[derive(Debug, ClapArgs)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Workspace {
    #[command(subcommand)]
    pub(crate) verb: WorkspaceVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum WorkspaceVerb {
    /// Write services, handlers and manifest types to a file; of secrets only the names
    Export {
        /// Where to; without it, or with `-`: standard output
        #[arg(value_name = "FILE", value_parser = not_empty)]
        file: Option<String>,
        /// Replace a file even when it is not a workspace file
        #[arg(long)]
        force: bool,
    },
    /// Take such a file over, after showing what that would change
    Import(WorkspaceImport),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct WorkspaceImport {
    /// The file; `-`: standard input
    #[arg(value_name = "FILE", value_parser = not_empty)]
    pub(crate) file: String,
    /// Only show what would change
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// Do it without asking
    #[arg(long, short = 'y')]
    pub(crate) yes: bool,
    /// Read KIND/NAME=VALUE lines for missing secrets from standard input in place of asking
    #[arg(long)]
    pub(crate) secrets_from_stdin: bool,
}
