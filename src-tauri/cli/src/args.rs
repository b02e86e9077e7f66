//! What can be typed.

mod handler;
mod secrets;
mod workspace;

pub(crate) use handler::{
    Fields, Handler, HandlerOverride, HandlerSecret, HandlerSet, HandlerTest, HandlerVerb,
    ManifestType, ManifestTypeVerb, OverrideVerb, Secrets, User, UserVerb, kind,
};
pub(crate) use secrets::{SecretStores, SecretStoresVerb};
pub(crate) use workspace::{Workspace, WorkspaceImport, WorkspaceVerb};

use berth_contracts::ProvisionType;
use clap::{Args as ClapArgs, Parser, Subcommand};

use berth_core::view::{ActivityPlace, Lifetime};

use crate::lifetime;

const EXIT_CODES: &str = "\
Exit codes: 0 done, 1 failed, 2 wrong usage or invalid input, 3 no usable Docker engine,
130 stopped with Ctrl-C.";

/// A running copy of every branch, and complete removal.
#[derive(Debug, Parser)]
#[command(
    name = "berth",
    version,
    about = "Gives every branch its own running preview through local Docker, and takes it away again.",
    after_help = EXIT_CODES,
    arg_required_else_help = true,
    subcommand_required = true,
    disable_help_subcommand = true
)]
pub(crate) struct Args {
    /// Print JSON instead of text (shapes: docs/command-line.md)
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Bring an environment up (or up to date), follow its steps, print its URL
    Up(Up),
    /// List environments
    Ls(Ls),
    /// Show one environment: state, addresses, parts, what Berth changed
    Status(Target),
    /// Show the merged logs of an environment
    Logs(Logs),
    /// Open an environment's URL in the browser
    Open(Target),
    /// Give an environment more time
    Extend(Extend),
    /// Take environments away completely
    Down(Down),
    /// Bring a failed environment up again, as it was asked for
    Retry(Target),
    /// Add, list, change and forget services
    Service(Service),
    /// Register, override, test and explain handlers
    Handler(Handler),
    /// List, set and remove custom manifest types
    Type(ManifestType),
    /// List, add, forget and choose the users of this laptop
    User(User),
    /// Write the workspace to a file, or take one over
    Workspace(Workspace),
    /// Show where secrets are kept and how it stands, or keep them elsewhere
    #[command(long_about = "\
Show where secrets are kept and how it stands, or keep them elsewhere.

Values are kept in the system's keychain. Machines without one can keep them in a vault, an \
encrypted file in the data folder. Verbs that need it ask for its passphrase; scripts name a file \
that holds it, readable for its owner alone, in BERTH_VAULT_PASSPHRASE_FILE.")]
    Secrets(SecretStores),
    /// Show what was done, newest first
    Activity(Activity),
    /// Check a document against the contract
    #[command(long_about = "\
Check a document against the contract.

Says `valid`, or names every fault with its line, column and field. Nothing is read but the \
document, and nothing is written: no data folder is needed or made.")]
    Validate(Validate),
    /// List the contract's schemas, or print one as JSON Schema
    Schema(Schema),
    /// Remove environments on time, in the foreground, until Ctrl-C
    #[command(long_about = "\
Remove environments on time, in the foreground, until Ctrl-C.

Every environment has an end. A running Berth window removes it on time; where no window \
runs, this does the same: it waits (without polling) for the next end, removes what is over, \
and takes back what operations of dead processes left. One of them is enough: a second one \
stands by until the first ends.")]
    Agent,
    /// Check what Berth needs: data folder, git, Docker engine
    Doctor,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Up {
    /// Folder, compose file or git URL
    #[arg(value_name = "PATH|URL", default_value = ".")]
    pub(crate) location: String,
    /// Branch, tag or commit to copy; without it: the folder as it is now
    #[arg(long = "ref", value_name = "REF", value_parser = not_empty)]
    pub(crate) reference: Option<String>,
    /// Pull or merge request of the remote to copy
    #[arg(long, value_name = "N", conflicts_with = "reference", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) pr: Option<u64>,
    /// Name of this copy, in place of the branch: the environment is SERVICE-NAME
    #[arg(long, value_name = "NAME", value_parser = not_empty)]
    pub(crate) name: Option<String>,
    /// How long it lives: 90s, 45m, 2h, 1d, 1h30m or never [default: 2h for a new one]
    #[arg(long, value_name = "TIME", value_parser = lifetime::parse)]
    pub(crate) ttl: Option<Lifetime>,
    /// Compose file, relative to the folder
    #[arg(long, short = 'f', value_name = "COMPOSE_FILE", value_parser = not_empty)]
    pub(crate) file: Option<String>,
    /// Leave once it is under way; `berth status` shows how it stands
    #[arg(long, short = 'd')]
    pub(crate) detach: bool,
    /// The process that goes on for `--detach`: says what it started, then nothing.
    #[arg(long, hide = true, conflicts_with = "detach")]
    pub(crate) detached: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Ls {
    /// Also those that were torn down in the last 14 days
    #[arg(long, short = 'a')]
    pub(crate) all: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Target {
    /// Name or id of an environment; without it: the one of this folder
    #[arg(value_name = "ENV", value_parser = not_empty)]
    pub(crate) environment: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Logs {
    #[command(flatten)]
    pub(crate) target: Target,
    /// Keep going until Ctrl-C
    #[arg(long, short = 'f')]
    pub(crate) follow: bool,
    /// Only this service; may be given several times
    #[arg(long = "service", short = 's', value_name = "SERVICE", value_parser = not_empty)]
    pub(crate) services: Vec<String>,
    /// At most so many lines of the past per container
    #[arg(long, short = 'n', value_name = "N")]
    pub(crate) tail: Option<u32>,
    /// Show when each line was written
    #[arg(long, short = 't')]
    pub(crate) timestamps: bool,
}

#[derive(Debug, ClapArgs)]
#[command(override_usage = "berth extend [OPTIONS] [ENV] <TIME>")]
pub(crate) struct Extend {
    /// Environment (without it: the one of this folder), then 90s, 45m, 2h, 1d, 1h30m or never
    #[arg(value_name = "[ENV] TIME", num_args = 1..=2, required = true)]
    pub(crate) words: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Down {
    /// Names or ids of environments; without any: the one of this folder
    #[arg(value_name = "ENV", value_parser = not_empty)]
    pub(crate) environments: Vec<String>,
    /// All environments of the workspace
    #[arg(long, conflicts_with = "environments")]
    pub(crate) all: bool,
}

#[derive(Debug, ClapArgs)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Service {
    #[command(subcommand)]
    pub(crate) verb: ServiceVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ServiceVerb {
    /// Add a folder or git URL as a service
    Add(ServiceAdd),
    /// List services
    Ls,
    /// Change how a service is provisioned, from its next start on
    #[command(long_about = "\
Change how a service is provisioned, from its next start on.

What is given is changed, all else stays; with --provisioning a whole document (berth schema \
serviceProvisioningSchema) takes the place of what was said.")]
    Set(ServiceSet),
    /// Forget a service; its files stay
    Rm {
        /// Name or id of the service
        #[arg(value_name = "NAME", value_parser = not_empty)]
        name: String,
    },
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ServiceAdd {
    /// Folder, compose file or git URL
    #[arg(value_name = "PATH|URL")]
    pub(crate) location: String,
    /// Name of the service; without it: the folder's or repository's
    #[arg(long, value_name = "NAME", value_parser = not_empty)]
    pub(crate) name: Option<String>,
    /// Compose file, relative to the folder
    #[arg(long, short = 'f', value_name = "COMPOSE_FILE", value_parser = not_empty)]
    pub(crate) file: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ServiceSet {
    /// Name or id of the service
    #[arg(value_name = "NAME", value_parser = not_empty)]
    pub(crate) name: String,
    /// The whole provisioning as a document; `-`: standard input
    #[arg(long, value_name = "FILE", value_parser = not_empty, conflicts_with = "change", required_unless_present = "change")]
    pub(crate) provisioning: Option<String>,
    #[command(flatten)]
    pub(crate) change: Provisioning,
}

/// Single fields of a service's provisioning.
#[derive(Debug, ClapArgs)]
#[group(id = "change", multiple = true)]
pub(crate) struct Provisioning {
    /// docker-compose, kubernetes, custom or infraless
    #[arg(long = "type", value_name = "TYPE", value_parser = provision_type)]
    pub(crate) provision_type: Option<ProvisionType>,
    /// Compose file, relative to the service's folder; empty: the usual names
    #[arg(long, value_name = "FILE")]
    pub(crate) compose_path: Option<String>,
    /// Manifest type of the catalogue; empty: none
    #[arg(long, value_name = "ID")]
    pub(crate) manifest_id: Option<String>,
    /// Manifest, relative to the service's folder; empty: none
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest_path: Option<String>,
    /// Whether it runs on laptops only
    #[arg(long, value_name = "true|false", num_args = 0..=1, default_missing_value = "true", require_equals = true)]
    pub(crate) local_dev_only: Option<bool>,
}

fn provision_type(text: &str) -> Result<ProvisionType, String> {
    match text {
        "docker-compose" => Ok(ProvisionType::DockerCompose),
        "kubernetes" => Ok(ProvisionType::Kubernetes),
        "custom" => Ok(ProvisionType::Custom),
        "infraless" => Ok(ProvisionType::Infraless),
        _ => Err("accepted are docker-compose, kubernetes, custom and infraless".to_owned()),
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Activity {
    /// At most so many lines
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) limit: u32,
    /// Only what is older than this line: AT:ID, as --json tells them
    #[arg(long, value_name = "AT:ID", value_parser = activity_place)]
    pub(crate) before: Option<ActivityPlace>,
    /// Keep the activity for so many days from now on
    #[arg(long, value_name = "DAYS", conflicts_with_all = ["limit", "before"])]
    pub(crate) keep: Option<u32>,
}

/// `1796047331204:17`
fn activity_place(text: &str) -> Result<ActivityPlace, String> {
    text.split_once(':')
        .and_then(|(at, id)| {
            Some(ActivityPlace {
                at: at.parse().ok()?,
                id: id.parse().ok()?,
            })
        })
        .ok_or_else(|| "write the at and the id of a line, as in 1796047331204:17".to_owned())
}

#[derive(Debug, ClapArgs)]
#[command(
    override_usage = "berth validate [OPTIONS] <SCHEMA> [FILE]\n       berth validate --jsonl [FILE]"
)]
pub(crate) struct Validate {
    /// Name of a schema; `berth schema` lists them
    #[arg(value_name = "SCHEMA", required_unless_present = "jsonl", value_parser = not_empty)]
    pub(crate) schema: Option<String>,
    /// The document; without it, or with `-`: standard input
    #[arg(value_name = "FILE", conflicts_with = "jsonl", value_parser = not_empty)]
    pub(crate) file: Option<String>,
    /// Check many: one {"id","schema","input"} a line in, one verdict a line out
    #[arg(long)]
    pub(crate) jsonl: bool,
    /// Print a valid document as Berth keeps it: trimmed, in the contract's order, unknown keys dropped
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) canonical: bool,
    /// Check the settings too that the contract leaves to the engine (a compose service, its port, …)
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) settings: bool,
}

impl Validate {
    /// What is read; `None`: standard input. With `--jsonl` the only word is the
    /// file.
    pub(crate) fn source(&self) -> Option<&str> {
        let file = if self.jsonl { &self.schema } else { &self.file };
        file.as_deref().filter(|file| *file != "-")
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct Schema {
    /// Name of a schema
    #[arg(value_name = "SCHEMA", value_parser = not_empty)]
    pub(crate) name: Option<String>,
}

/// A value that names something.
fn not_empty(value: &str) -> Result<String, String> {
    if value.trim().is_empty() {
        Err("it is empty".to_owned())
    } else {
        Ok(value.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Args::command().debug_assert();
    }

    #[test]
    fn a_ref_and_a_pull_request_exclude_each_other() {
        let error = Args::try_parse_from(["berth", "up", "--ref", "main", "--pr", "4"])
            .expect_err("both were given");
        assert_eq!(error.kind(), clap::error::ErrorKind::ArgumentConflict);
    }

    #[test]
    fn json_may_stand_anywhere() {
        for line in [["berth", "--json", "ls"], ["berth", "ls", "--json"]] {
            assert!(Args::try_parse_from(line).expect("it is right").json);
        }
    }

    #[test]
    fn the_only_word_of_many_lines_is_their_file() {
        let source = |line: &[&str]| match Args::try_parse_from(line) {
            Ok(Args {
                verb: Verb::Validate(args),
                ..
            }) => args.source().map(str::to_owned),
            other => panic!("{other:?}"),
        };
        assert_eq!(source(&["berth", "validate", "aSchema"]), None);
        assert_eq!(source(&["berth", "validate", "aSchema", "-"]), None);
        assert_eq!(
            source(&["berth", "validate", "aSchema", "x"]).as_deref(),
            Some("x")
        );
        assert_eq!(
            source(&["berth", "validate", "--jsonl", "x"]).as_deref(),
            Some("x")
        );
        assert_eq!(source(&["berth", "validate", "--jsonl"]), None);
        assert!(Args::try_parse_from(["berth", "validate", "--jsonl", "a", "b"]).is_err());
        assert!(Args::try_parse_from(["berth", "validate"]).is_err());
    }

    #[test]
    fn long_help_says_more_than_the_list_of_verbs() {
        let mut command = Args::command();
        command.build();
        let mut long = |path: &[&str]| {
            let found = path
                .iter()
                .try_fold(&mut command, |at, name| at.find_subcommand_mut(name));
            found
                .expect("there is such a verb")
                .render_long_help()
                .to_string()
        };
        for (path, said) in [
            (&["agent"][..], "without polling"),
            (&["validate"], "no data folder"),
            (&["secrets"], "BERTH_VAULT_PASSPHRASE_FILE"),
            (&["service", "set"], "serviceProvisioningSchema"),
            (&["handler", "set"], "infraHandlerConfigSchema"),
            (&["handler", "override"], "secrets included"),
        ] {
            let help = long(path);
            assert!(help.contains(said), "{path:?}: {help}");
        }
    }

    #[test]
    fn names_are_not_empty() {
        for line in [
            ["berth", "status", ""],
            ["berth", "down", " "],
            ["berth", "up", "--ref="],
        ] {
            assert!(Args::try_parse_from(line).is_err(), "{line:?}");
        }
    }
}
