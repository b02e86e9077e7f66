//! Who may use a Unix socket.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// How this user stands to a socket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// May use it: it is the superuser.
    Root,
    /// May use it: it is theirs.
    Owner,
    /// May use it: as a member of this group.
    Member(String),
    /// May use it: everybody may.
    Anyone,
    /// May not yet: the user joined this group after the session began.
    JoinedSince(String),
    /// May not: this group may.
    Group(String),
    /// May not: only this user may.
    User(String),
    /// May not, although it is theirs: it lets nobody in.
    Closed,
    /// May not even enter the folder that it is in.
    Hidden,
}

/// What the file system says of a socket; nothing when it is not there. Blocking.
pub(crate) fn access(socket: &Path) -> Option<Access> {
    let about = match std::fs::metadata(socket) {
        Ok(about) => about,
        Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => {
            return Some(Access::Hidden);
        }
        Err(_) => return None,
    };
    let me = rustix::process::geteuid().as_raw();
    let mine: Vec<u32> = rustix::process::getgroups()
        .unwrap_or_default()
        .into_iter()
        .chain([rustix::process::getegid()])
        .map(|group| group.as_raw())
        .collect();
    let read = |file| std::fs::read_to_string(file).unwrap_or_default();
    Some(judge(
        &Socket {
            owner: about.uid(),
            group: about.gid(),
            mode: about.mode(),
        },
        me,
        &mine,
        &read("/etc/passwd"),
        &read("/etc/group"),
    ))
}

struct Socket {
    owner: u32,
    group: u32,
    mode: u32,
}

/// Connecting takes the right to write.
fn judge(socket: &Socket, me: u32, mine: &[u32], users: &str, groups: &str) -> Access {
    let may = |bit: u32| socket.mode & bit != 0;
    if me == 0 {
        return Access::Root;
    }
    let user = |id: u32| named(users, id).map(|line| line.name.to_owned());
    if me == socket.owner {
        return if may(0o200) {
            Access::Owner
        } else {
            Access::Closed
        };
    }
    let group = named(groups, socket.group);
    let group_name = group
        .as_ref()
        .map_or_else(|| socket.group.to_string(), |line| line.name.to_owned());
    if mine.contains(&socket.group) && may(0o020) {
        return Access::Member(group_name);
    }
    if may(0o002) {
        return Access::Anyone;
    }
    // A group of the superuser alone is nobody's to join.
    if may(0o020) && socket.group != 0 {
        let listed = group.zip(user(me)).is_some_and(|(line, me)| {
            let members = line.rest.rsplit(':').next().unwrap_or_default();
            members.split(',').any(|member| member == me)
        });
        return if listed {
            Access::JoinedSince(group_name)
        } else {
            Access::Group(group_name)
        };
    }
    Access::User(user(socket.owner).unwrap_or_else(|| socket.owner.to_string()))
}

/// A line of `/etc/passwd` or `/etc/group`.
struct Line<'a> {
    name: &'a str,
    /// What follows the id.
    rest: &'a str,
}

/// `name:password:id:rest`.
fn named(table: &str, id: u32) -> Option<Line<'_>> {
    table.lines().find_map(|line| {
        let mut columns = line.splitn(4, ':');
        let name = columns.next()?;
        let _password = columns.next()?;
        let its: u32 = columns.next()?.parse().ok()?;
        (its == id).then(|| Line {
            name,
            rest: columns.next().unwrap_or_default(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const USERS: &str = "root:x:0:0:root:/root:/bin/bash\nann:x:1000:1000::/home/ann:/bin/sh\nbob:x:1001:1001::/home/bob:/bin/sh\n";
    const GROUPS: &str = "root:x:0:\ndocker:x:998:ann,eve\nann:x:1000:\n";

    fn of(owner: u32, group: u32, mode: u32, me: u32, mine: &[u32]) -> Access {
        let socket = Socket { owner, group, mode };
        judge(&socket, me, mine, USERS, GROUPS)
    }

    #[test]
    fn those_who_may_are_told_why() {
        let docker = || "docker".to_owned();
        assert_eq!(of(0, 998, 0o660, 0, &[0]), Access::Root);
        assert_eq!(
            of(0, 998, 0o660, 1000, &[1000, 998]),
            Access::Member(docker())
        );
        assert_eq!(of(1000, 1000, 0o600, 1000, &[1000]), Access::Owner);
        assert_eq!(of(0, 0, 0o666, 1001, &[1001]), Access::Anyone);
    }

    #[test]
    fn those_who_may_not_are_told_apart() {
        let docker = || "docker".to_owned();
        assert_eq!(
            of(0, 998, 0o660, 1000, &[1000]),
            Access::JoinedSince(docker())
        );
        assert_eq!(of(0, 998, 0o660, 1001, &[1001]), Access::Group(docker()));
        assert_eq!(
            of(0, 77, 0o660, 1001, &[1001]),
            Access::Group("77".to_owned())
        );
        // A rootless engine of somebody else, and one of the superuser alone.
        assert_eq!(
            of(1000, 1000, 0o600, 1001, &[1001]),
            Access::User("ann".to_owned())
        );
        assert_eq!(
            of(0, 0, 0o660, 1001, &[1001]),
            Access::User("root".to_owned())
        );
        assert_eq!(of(1000, 1000, 0, 1000, &[1000]), Access::Closed);
    }
}
