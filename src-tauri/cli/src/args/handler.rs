//! `berth handler`, `berth type` and `berth user`, as they are typed.

use berth_contracts::ProvisionType;
use berth_core::view::HandlerKey;
use clap::{Args as ClapArgs, Subcommand};

use super::not_empty;
use crate::patch::{self, Assignment};

/// What a kind may be, in help and messages.
const KINDS: &str = "docker-compose, kubernetes, custom or custom:MANIFEST_ID";

#[derive(Debug, ClapArgs)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Handler {
    #[command(subcommand)]
    pub(crate) verb: HandlerVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HandlerVerb {
    /// List what is handled by what, and whose choice is in effect
    Ls {
        /// Only rows whose kind or label holds this
        #[arg(
            long,
            value_name = "TEXT",
            default_value = "",
            hide_default_value = true
        )]
        search: String,
    },
    /// Show the handlers of one kind: address, secrets by name, environments
    Show {
        /// docker-compose, kubernetes, custom or custom:MANIFEST_ID
        #[arg(value_parser = kind)]
        kind: HandlerKey,
    },
    /// Register a handler, or change one
    #[command(long_about = "\
Register a handler, or change one.

The document (berth schema infraHandlerConfigSchema) is read from FILE or standard input and \
takes the place of the handler of its kind. For Docker no document is needed: with \
“docker-compose”, what is given is changed and all else stays.")]
    Set(HandlerSet),
    /// Replace or remove single secrets of a handler
    Secret(HandlerSecret),
    /// Test the connection of a handler; nothing is stored
    Test(HandlerTest),
    /// Remove a workspace handler; environments made with it keep working
    Rm {
        /// docker-compose, kubernetes, custom or custom:MANIFEST_ID
        #[arg(value_parser = kind)]
        kind: HandlerKey,
    },
    /// Make, switch, compare and reset your own handlers
    #[command(long_about = "\
Make, switch, compare and reset your own handlers.

With a KIND, makes an override as a copy of the workspace's handler (secrets included), or from \
a document, with single fields changed; an override that is there already is changed.")]
    Override(HandlerOverride),
    /// Say which handler a service gets, and why
    Explain {
        /// Name or id of the service
        #[arg(value_name = "SERVICE", value_parser = not_empty)]
        service: String,
    },
}

#[derive(Debug, ClapArgs)]
#[command(
    override_usage = "berth handler set [OPTIONS] [FILE|-]\n       berth handler set [OPTIONS] docker-compose"
)]
pub(crate) struct HandlerSet {
    /// The document; without it, or with `-`: standard input. Or docker-compose: no document
    #[arg(value_name = "FILE", value_parser = not_empty)]
    pub(crate) document: Option<String>,
    /// Yours, in place of the workspace's: an override
    #[arg(long)]
    pub(crate) mine: bool,
    /// Of custom services, serve those of this manifest type [default: the type it accepts; empty: all custom services]
    #[arg(long, value_name = "ID")]
    pub(crate) manifest_id: Option<String>,
    /// Docker only: the socket, unix:///…; empty: the engine that `docker` uses
    #[arg(long, value_name = "ADDRESS")]
    pub(crate) endpoint: Option<String>,
    /// Docker only: what people see
    #[arg(long, value_name = "TEXT", value_parser = not_empty)]
    pub(crate) label: Option<String>,
    #[command(flatten)]
    pub(crate) fields: Fields,
    #[command(flatten)]
    pub(crate) secrets: Secrets,
}

impl HandlerSet {
    /// The handler is the one for Docker, and no document is read.
    pub(crate) fn is_docker(&self) -> bool {
        self.endpoint.is_some()
            || self.label.is_some()
            || self.document.as_deref() == Some("docker-compose")
    }
}

/// Single fields of a document.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct Fields {
    /// Set one field: /manifest/providerConfig/port=8080 as text, /manifest/defaultTtlMs:=3600000 as JSON
    #[arg(id = "set_field", long = "set", value_name = "/FIELD=TEXT", value_parser = patch::parse)]
    set: Vec<Assignment>,
    /// Leave one field out
    #[arg(id = "unset_field", long = "unset", value_name = "/FIELD", value_parser = patch::parse_removal)]
    unset: Vec<Assignment>,
}

impl Fields {
    /// In the order in which they take effect.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Assignment> {
        self.unset.iter().chain(&self.set)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.set.is_empty() && self.unset.is_empty()
    }
}

/// Secrets beside a document: their names. Values are asked for, or read from
/// standard input.
#[derive(Debug, Default, ClapArgs)]
pub(crate) struct Secrets {
    /// Set this secret; its value is asked for
    #[arg(id = "set_secret", long = "secret", value_name = "NAME", value_parser = not_empty)]
    pub(crate) set: Vec<String>,
    /// Remove this secret
    #[arg(id = "remove_secret", long = "remove-secret", value_name = "NAME", value_parser = not_empty)]
    pub(crate) remove: Vec<String>,
    /// Read NAME=VALUE lines from standard input in place of asking
    #[arg(long)]
    pub(crate) secrets_from_stdin: bool,
}

#[derive(Debug, ClapArgs)]
#[command(override_usage = "berth handler secret [OPTIONS] KIND --set NAME… --remove NAME…")]
pub(crate) struct HandlerSecret {
    /// docker-compose, kubernetes, custom or custom:MANIFEST_ID
    #[arg(value_parser = kind)]
    pub(crate) kind: HandlerKey,
    /// Set this secret; its value is asked for
    #[arg(long, value_name = "NAME", value_parser = not_empty, required_unless_present_any = ["remove", "secrets_from_stdin"])]
    pub(crate) set: Vec<String>,
    /// Remove this secret
    #[arg(long, value_name = "NAME", value_parser = not_empty)]
    pub(crate) remove: Vec<String>,
    /// Read NAME=VALUE lines from standard input in place of asking
    #[arg(long)]
    pub(crate) secrets_from_stdin: bool,
    /// Of your override, not of the workspace's handler
    #[arg(long)]
    pub(crate) mine: bool,
}

impl HandlerSecret {
    pub(crate) fn secrets(self) -> Secrets {
        Secrets {
            set: self.set,
            remove: self.remove,
            secrets_from_stdin: self.secrets_from_stdin,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct HandlerTest {
    /// The handler of this kind as it is stored, or a document that is not (`-`: standard input)
    #[arg(value_name = "KIND|FILE", default_value = "docker-compose", value_parser = not_empty)]
    pub(crate) subject: String,
    /// Your override, not the workspace's handler
    #[arg(long)]
    pub(crate) mine: bool,
    #[command(flatten)]
    pub(crate) secrets: Secrets,
}

#[derive(Debug, ClapArgs)]
#[command(
    arg_required_else_help = true,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    disable_help_subcommand = true,
    override_usage = "berth handler override [OPTIONS] KIND\n       berth handler override on|off|compare|reset KIND"
)]
pub(crate) struct HandlerOverride {
    #[command(subcommand)]
    pub(crate) verb: Option<OverrideVerb>,
    /// docker-compose, kubernetes, custom or custom:MANIFEST_ID
    #[arg(value_parser = kind, required = true)]
    pub(crate) kind: Option<HandlerKey>,
    /// A document in place of the workspace's handler (`-`: standard input)
    #[arg(long, value_name = "FILE", value_parser = not_empty)]
    pub(crate) from: Option<String>,
    #[command(flatten)]
    pub(crate) fields: Fields,
    #[command(flatten)]
    pub(crate) secrets: Secrets,
}

#[derive(Debug, Subcommand)]
pub(crate) enum OverrideVerb {
    /// Put it in front of the workspace's handler
    On {
        /// docker-compose, kubernetes, custom or custom:MANIFEST_ID
        #[arg(value_parser = kind)]
        kind: HandlerKey,
    },
    /// Leave it aside, without losing it
    Off {
        /// docker-compose, kubernetes, custom or custom:MANIFEST_ID
        #[arg(value_parser = kind)]
        kind: HandlerKey,
    },
    /// Show it beside the workspace's handler, field by field
    Compare {
        /// docker-compose, kubernetes, custom or custom:MANIFEST_ID
        #[arg(value_parser = kind)]
        kind: HandlerKey,
    },
    /// Remove it, with its secrets
    Reset {
        /// docker-compose, kubernetes, custom or custom:MANIFEST_ID
        #[arg(value_parser = kind)]
        kind: HandlerKey,
    },
}

#[derive(Debug, ClapArgs)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct ManifestType {
    #[command(subcommand)]
    pub(crate) verb: ManifestTypeVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ManifestTypeVerb {
    /// List the catalogue
    Ls,
    /// Add a manifest type to the workspace, or replace it
    Set {
        /// Lower-case letters, digits and dashes
        #[arg(value_name = "ID", value_parser = not_empty)]
        id: String,
        /// What people see
        #[arg(long, value_name = "TEXT", value_parser = not_empty)]
        label: String,
        /// What a manifest of this type is to look like
        #[arg(long, value_name = "TEXT")]
        hint: Option<String>,
        /// What it is for
        #[arg(long, value_name = "TEXT")]
        description: Option<String>,
    },
    /// Remove a manifest type of the workspace; services and handlers that name it stay
    Rm {
        /// As `berth type ls` shows it
        #[arg(value_name = "ID", value_parser = not_empty)]
        id: String,
    },
}

#[derive(Debug, ClapArgs)]
#[command(arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct User {
    #[command(subcommand)]
    pub(crate) verb: UserVerb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum UserVerb {
    /// List the users of this laptop
    Ls,
    /// Add a user
    Add {
        /// What people see; the id is made of it
        #[arg(value_name = "NAME", value_parser = not_empty)]
        name: String,
    },
    /// Forget a user that was added, with its overrides and their secrets
    Rm {
        /// Name or id
        #[arg(value_name = "NAME", value_parser = not_empty)]
        name: String,
    },
    /// Put a user's overrides into effect
    Use {
        /// Name or id
        #[arg(value_name = "NAME", value_parser = not_empty)]
        name: String,
    },
}

/// What a handler serves, as it is typed.
pub(crate) fn kind(text: &str) -> Result<HandlerKey, String> {
    let (provision_type, manifest_id) = match text.split_once(':') {
        None => (text, None),
        Some((provision_type, id)) => (provision_type, Some(id)),
    };
    let provision_type = match (provision_type, manifest_id) {
        ("docker-compose", None) => ProvisionType::DockerCompose,
        ("kubernetes", None) => ProvisionType::Kubernetes,
        ("custom", _) => ProvisionType::Custom,
        ("infraless", None) => return Err("nothing handles infraless services".to_owned()),
        ("docker-compose" | "kubernetes", Some(_)) => {
            return Err(format!("only custom has a manifest type: {KINDS}"));
        }
        _ => return Err(format!("accepted are {KINDS}")),
    };
    if manifest_id == Some("") {
        return Err(format!("the manifest type is missing: {KINDS}"));
    }
    Ok(HandlerKey {
        provision_type,
        manifest_id: manifest_id.map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::args::{Args, Verb};

    fn parse(line: &[&str]) -> Result<HandlerVerb, clap::Error> {
        let line = ["berth", "handler"].iter().chain(line);
        Args::try_parse_from(line).map(|args| match args.verb {
            Verb::Handler(handler) => handler.verb,
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn kinds_are_typed_as_they_are_shown() {
        for (text, provision_type, manifest_id) in [
            ("docker-compose", ProvisionType::DockerCompose, None),
            ("kubernetes", ProvisionType::Kubernetes, None),
            ("custom", ProvisionType::Custom, None),
            ("custom:helm", ProvisionType::Custom, Some("helm")),
        ] {
            let key = kind(text).unwrap();
            assert_eq!(key.provision_type, provision_type);
            assert_eq!(key.manifest_id.as_deref(), manifest_id);
            assert_eq!(crate::handler_words::kind(&key), text);
        }
        for text in ["", "docker", "custom:", "kubernetes:x", "infraless", ":"] {
            assert!(kind(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn an_override_is_made_or_something_is_done_to_it() {
        let HandlerVerb::Override(made) = parse(&[
            "override",
            "docker-compose",
            "--set",
            "/manifest/label=Mine",
        ])
        .unwrap() else {
            panic!("another verb");
        };
        assert!(made.verb.is_none());
        assert!(made.kind.is_some());
        assert_eq!(made.fields.all().count(), 1);
        let HandlerVerb::Override(switched) = parse(&["override", "off", "custom:helm"]).unwrap()
        else {
            panic!("another verb");
        };
        assert!(matches!(switched.verb, Some(OverrideVerb::Off { .. })));
        for line in [
            &["override"][..],
            &["override", "on"],
            &["override", "--set", "/a=b"],
            &["override", "--from", "x", "on", "kubernetes"],
            &["override", "nonsense"],
        ] {
            assert!(parse(line).is_err(), "{line:?}");
        }
    }

    #[test]
    fn values_of_secrets_have_no_place_on_the_command_line() {
        let HandlerVerb::Secret(args) = parse(&[
            "secret", "custom", "--set", "A", "--set", "B", "--remove", "C",
        ])
        .unwrap() else {
            panic!("another verb");
        };
        assert_eq!(args.set, ["A", "B"]);
        assert_eq!(args.remove, ["C"]);
        assert!(parse(&["secret", "custom"]).is_err());
        assert!(parse(&["secret", "custom", "--secrets-from-stdin"]).is_ok());
    }

    #[test]
    fn docker_needs_no_document() {
        for (line, docker) in [
            (&["set", "docker-compose"][..], true),
            (&["set", "docker-compose", "--label", "Colima"], true),
            (&["set", "--endpoint", "unix:///x"], true),
            (&["set", "./docker-compose"], false),
            (&["set", "-"], false),
            (&["set"], false),
        ] {
            let HandlerVerb::Set(args) = parse(line).unwrap() else {
                panic!("another verb");
            };
            assert_eq!(args.is_docker(), docker, "{line:?}");
        }
    }
}
