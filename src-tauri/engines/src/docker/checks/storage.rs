//! Where the engine keeps things, and how much room there is.

use std::io::ErrorKind;
use std::path::PathBuf;

use super::advice::docker;
use super::machine::About;
use crate::docker::Endpoint;
use crate::platform::Space;
use crate::{Finding, platform};

/// With less than this, an image or two fill it.
const LITTLE: u64 = 5_000_000_000;
/// With less than this, nothing can be made.
const NONE: u64 = 100_000_000;

/// What is known of the room that is left.
enum Room {
    Known(Space),
    /// The engine has a machine of its own.
    Elsewhere,
    /// Its folder cannot be looked at.
    Hidden(String),
}

/// Looks at what the engine says, and at its folder where that is on this machine.
pub(super) async fn look(about: &About, endpoint: &Endpoint) -> (Finding, Option<()>) {
    let root = about.info.docker_root_dir.clone().map(PathBuf::from);
    let room = match root.filter(|_| about.is_native) {
        None => Room::Elsewhere,
        Some(root) => tokio::task::spawn_blocking(move || match platform::free_space(&root) {
            Ok(space) => Room::Known(space),
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                Room::Hidden("this user may not look into it".to_owned())
            }
            Err(error) => Room::Hidden(error.to_string()),
        })
        .await
        .unwrap_or(Room::Elsewhere),
    };
    (judge(about, &room, endpoint), Some(()))
}

/// The folder did not answer in time.
pub(super) fn late() -> Finding {
    Finding::warned("The file system of its folder does not answer.")
        .hint("Check the disk or network drive that the engine keeps its data on.")
}

fn judge(about: &About, room: &Room, endpoint: &Endpoint) -> Finding {
    let info = &about.info;
    let driver = info.driver.clone().unwrap_or_default();
    let root = info.docker_root_dir.clone().unwrap_or_default();
    let count = |it: Option<i64>| it.map(|it| it.to_string()).unwrap_or_default();
    let driven = if driver.is_empty() {
        String::new()
    } else {
        format!(" (driver {driver})")
    };
    let little = |finding: Finding| {
        finding
            .hint("See what uses it; docker image prune and docker builder prune make room.")
            .command(docker(endpoint, "system df"))
    };
    let finding = match room {
        Room::Known(space) if space.free < NONE => little(Finding::failed(format!(
            "Only {} are free in {root}: nothing can be made there.",
            size(space.free)
        ))),
        Room::Known(space) if space.free < LITTLE => little(Finding::warned(format!(
            "Only {} are free in {root}.",
            size(space.free)
        ))),
        // Every layer of every container is a full copy.
        _ if driver == "vfs" => Finding::warned(
            "Driver vfs copies a whole image for each container: slow, and much room.",
        )
        .hint("Let the engine use overlay2 (or fuse-overlayfs where it is rootless)."),
        Room::Known(space) => {
            Finding::passed(format!("{} free in {root}{driven}.", size(space.free)))
        }
        Room::Elsewhere => Finding::passed(format!(
            "The engine keeps its data in a machine of its own; how much room is left there does not show from here{driven}."
        )),
        Room::Hidden(why) => Finding::passed(format!(
            "How much room is left in {root} does not show: {why}{driven}."
        )),
    };
    let finding = match room {
        Room::Known(space) => finding
            .fact("Free", size(space.free))
            .fact("Of", size(space.total)),
        Room::Elsewhere | Room::Hidden(_) => finding,
    };
    finding
        .fact("Driver", driver)
        .fact("Data folder", root)
        .fact("Images", count(info.images))
        .fact("Containers", count(info.containers))
}

/// `41.8 GB`.
pub(super) fn size(bytes: u64) -> String {
    let (unit, divisor) = match bytes {
        1_000_000_000_000.. => ("TB", 1_000_000_000_000),
        1_000_000_000.. => ("GB", 1_000_000_000),
        _ => ("MB", 1_000_000),
    };
    let tenths = bytes / (divisor / 10);
    if tenths.is_multiple_of(10) || tenths >= 1000 {
        format!("{} {unit}", tenths / 10)
    } else {
        format!("{}.{} {unit}", tenths / 10, tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_short() {
        for (bytes, text) in [
            (0, "0 MB"),
            (4_960_000_000, "4.9 GB"),
            (42_000_000_000, "42 GB"),
            (512_300_000_000, "512 GB"),
            (2_100_000_000_000, "2.1 TB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }
}
