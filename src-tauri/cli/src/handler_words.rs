//! The words for handlers, whose they are, and why one was chosen.

use berth_contracts::{Engine, ProvisionType};
use berth_core::view::{
    Choice, Explanation, HandlerKey, HandlerRef, HandlerScope, LookedAtVerdict, SecretStoreKind,
    SecretStoreState,
};

/// What a handler serves, as it is typed: `docker-compose`, `custom:helm`.
pub(crate) fn kind(key: &HandlerKey) -> String {
    let word = provision_type(key.provision_type);
    match &key.manifest_id {
        Some(id) => format!("{word}:{id}"),
        None => word.to_owned(),
    }
}

/// The contract's word.
pub(crate) fn provision_type(provision_type: ProvisionType) -> &'static str {
    match provision_type {
        ProvisionType::Kubernetes => "kubernetes",
        ProvisionType::DockerCompose => "docker-compose",
        ProvisionType::Custom => "custom",
        ProvisionType::Infraless => "infraless",
    }
}

/// The contract's word.
pub(crate) fn engine(engine: Engine) -> &'static str {
    match engine {
        Engine::LocalDocker => "local-docker",
        Engine::LocalK3s => "local-k3s",
        Engine::RemoteKubernetes => "remote-kubernetes",
        Engine::RemoteCustom => "remote-custom",
        Engine::None => "none",
    }
}

/// Whose a handler is, seen by the user whose handlers are `own`.
pub(crate) fn whose(scope: &HandlerScope, own: &HandlerScope) -> String {
    match scope {
        HandlerScope::Workspace => "the workspace's".to_owned(),
        HandlerScope::User { .. } if scope == own => "your override".to_owned(),
        HandlerScope::User { user_id } => format!("the override of {user_id}"),
    }
}

/// `Local Docker, the workspace's`
pub(crate) fn named(handler: &HandlerRef, own: &HandlerScope) -> String {
    format!("{}, {}", handler.label, whose(&handler.scope, own))
}

fn has_override_off(explanation: &Explanation) -> bool {
    explanation
        .looked_at
        .iter()
        .any(|row| row.verdict == LookedAtVerdict::SwitchedOff)
}

/// What a choice came to, in a few words, with its reason where it has one.
pub(crate) fn in_effect(explanation: &Explanation, own: &HandlerScope) -> String {
    let aside = if has_override_off(explanation) {
        " (your override is switched off)"
    } else {
        ""
    };
    match &explanation.choice {
        Choice::NothingToRun => "nothing to run".to_owned(),
        Choice::Handled { handler } => format!("{}{aside}", named(handler, own)),
        Choice::NoHandler => format!("no handler{aside}"),
        Choice::Ambiguous { candidates } => {
            let labels: Vec<&str> = candidates.iter().map(|one| one.label.as_str()).collect();
            format!("ambiguous: {}", labels.join(", "))
        }
        Choice::LocalDevOnly { handler } => {
            format!(
                "refused: for local development only, and {} is not on this machine",
                handler.label
            )
        }
    }
}

/// What will happen when a service is started, as a sentence or two.
pub(crate) fn outcome(service: &str, explanation: &Explanation, own: &HandlerScope) -> Vec<String> {
    let provisioning = &explanation.provisioning;
    let kind = kind(&HandlerKey {
        provision_type: provisioning.provision_type,
        manifest_id: provisioning
            .manifest_id
            .clone()
            .filter(|_| provisioning.provision_type == ProvisionType::Custom),
    });
    match &explanation.choice {
        Choice::NothingToRun => vec![format!(
            "{service} is infraless: starting it starts nothing, and no handler is needed."
        )],
        Choice::Handled { handler } => vec![format!(
            "{service} ({kind}) is handled by {} ({}).",
            named(handler, own),
            engine(handler.engine)
        )],
        Choice::NoHandler => vec![
            format!("Nothing handles {service}: there is no handler for {kind}."),
            if has_override_off(explanation) {
                "Add one with berth handler set, or switch your override on with berth handler override on."
            } else {
                "Add one with berth handler set."
            }
            .to_owned(),
        ],
        Choice::Ambiguous { candidates } => {
            let labels: Vec<String> = candidates.iter().map(|one| named(one, own)).collect();
            vec![
                format!(
                    "Several handlers would serve {service} ({kind}), so none is chosen: {}.",
                    labels.join("; ")
                ),
                "Name the manifest type in the service's provisioning, or remove all but one."
                    .to_owned(),
            ]
        }
        Choice::LocalDevOnly { handler } => vec![
            format!(
                "{service} is for local development only, and {} ({}) is not on this machine: starting it is refused.",
                named(handler, own),
                engine(handler.engine)
            ),
            "Override the handler with one of this machine, or lift the service's local-development-only mark."
                .to_owned(),
        ],
    }
}

/// Why a row was or was not chosen.
pub(crate) fn verdict(verdict: LookedAtVerdict) -> &'static str {
    match verdict {
        LookedAtVerdict::Chosen => "chosen",
        LookedAtVerdict::Candidate => "would serve it, and so would another",
        LookedAtVerdict::OtherType => "serves another provision type",
        LookedAtVerdict::OtherManifestType => "serves another manifest type",
        LookedAtVerdict::SwitchedOff => "is switched off",
        LookedAtVerdict::Overridden => "would serve it, but an override stands in front",
        LookedAtVerdict::NotLocal => "would serve it, but is not on this machine",
    }
}

/// What a store of secrets is called on the command line.
pub(crate) fn secret_store(kind: SecretStoreKind) -> &'static str {
    match kind {
        SecretStoreKind::Keychain => "keychain",
        SecretStoreKind::Vault => "vault",
    }
}

/// How a store of secrets stands.
pub(crate) fn secret_store_state(state: SecretStoreState) -> &'static str {
    match state {
        SecretStoreState::Ready => "ready",
        SecretStoreState::NoService => "not there",
        SecretStoreState::Locked => "locked",
        SecretStoreState::Dismissed => "not unlocked",
        SecretStoreState::Silent => "not answering",
        SecretStoreState::NotPersistent => "not persistent",
        SecretStoreState::Broken => "broken",
    }
}

#[cfg(test)]
#[path = "handler_words_tests.rs"]
mod tests;
