//! Whether this user may use the engine, and by what right.

use super::advice::quoted;
use super::reachable::Answer;
use crate::docker::Endpoint;
use crate::{Finding, platform};

/// Judges it from how the engine answered and from what the file system says of its
/// socket.
pub(super) async fn judge(endpoint: &Endpoint, answer: Answer) -> (Finding, Option<()>) {
    let denied = match answer {
        Answer::Engine => false,
        Answer::Denied => true,
        Answer::Refused { status, message } => {
            let finding = Finding::failed(format!(
                "It refuses to be asked (HTTP {status}){}",
                quoted(&message)
            ))
            .hint("Something in front of the engine wants to know who asks. Use the engine's own socket.");
            return (finding, None);
        }
    };
    let address = endpoint.address.clone();
    let known = tokio::task::spawn_blocking(move || platform::access(platform::path_of(&address)))
        .await
        .ok()
        .flatten();
    if denied {
        (refused(known.as_ref(), &endpoint.address), None)
    } else {
        (granted(known.as_ref()), Some(()))
    }
}

/// The file system did not say by what right in time.
pub(super) fn late(denied: bool) -> Finding {
    if denied {
        refused(None, "")
    } else {
        granted(None)
    }
}

fn granted(access: Option<&platform::Access>) -> Finding {
    #[cfg(unix)]
    let right = {
        use platform::Access;
        match access {
            Some(Access::Root) => "as the superuser".to_owned(),
            Some(Access::Owner) => "as its owner".to_owned(),
            Some(Access::Member(group)) => format!("as a member of group {group}"),
            Some(Access::Anyone) => "as everybody on this machine may".to_owned(),
            // By an access list, or a right of the process.
            _ => String::new(),
        }
    };
    #[cfg(not(unix))]
    let right = {
        let _ = access;
        String::new()
    };
    let finding = Finding::passed(if right.is_empty() {
        "This user may use it.".to_owned()
    } else {
        format!("This user may use it, {right}.")
    });
    finding.fact("Right", right)
}

#[cfg(unix)]
fn refused(access: Option<&platform::Access>, address: &str) -> Finding {
    use platform::Access;

    let no = "This user may not use it";
    match access {
        Some(Access::JoinedSince(group)) => Finding::failed(format!(
            "{no} yet: joining group {group} counts from the next login."
        ))
        .hint("Log out and in again, or start Berth from a shell that has the group already.")
        .command(format!("newgrp {group}")),
        Some(Access::Group(group)) => Finding::failed(format!(
            "{no}: only the superuser and group {group} may."
        ))
        .hint(format!(
            "Join the group, then log out and in again. (Whoever is in {group} has the superuser's power over this machine; rootless Docker does without.)"
        ))
        .command(format!("sudo usermod -aG {group} \"$USER\"")),
        Some(Access::User(user)) if user == "root" => {
            Finding::failed(format!("{no}: only the superuser may."))
                .hint("Let Docker give its socket to group docker (“group” in /etc/docker/daemon.json), or set up rootless Docker, an engine of your own.")
                .command("dockerd-rootless-setuptool.sh install")
        }
        Some(Access::User(user)) => {
            Finding::failed(format!("{no}: it is the engine of user {user}."))
                .hint("Use an engine of your own; rootless Docker is one.")
                .command("dockerd-rootless-setuptool.sh install")
        }
        Some(Access::Closed) => Finding::failed(format!(
            "{no}: its mode lets nobody in, not even its owner."
        ))
        .hint("Give its owner the right to write to it.")
        .command(format!(
            "chmod u+rw {}",
            quoted_for_a_shell(platform::path_of(address))
        )),
        Some(Access::Hidden) => Finding::failed(format!(
            "{no}: it is in a folder that this user may not enter."
        ))
        .hint("It is somebody else's engine. Use one of your own; rootless Docker is one.")
        .command("dockerd-rootless-setuptool.sh install"),
        // The modes would let the user in: something else does not.
        Some(Access::Root | Access::Owner | Access::Member(_) | Access::Anyone) | None => {
            Finding::failed(format!("{no}: the operating system refuses the connection."))
                .hint("A sandbox (snap, Flatpak) or a rule of AppArmor or SELinux may forbid it. See the system's log.")
                .command("sudo journalctl -k -g denied")
        }
    }
}

#[cfg(not(unix))]
fn refused(_access: Option<&platform::Access>, _address: &str) -> Finding {
    Finding::failed("This user may not use it.")
        .hint("Join the group docker-users, then log out and in again.")
}

#[cfg(unix)]
fn quoted_for_a_shell(path: &std::path::Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', r"'\''"))
}
