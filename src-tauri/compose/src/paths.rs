use std::path::{Component, Path, PathBuf};

/// `path` as seen from `folder`, `~` as the user's home, without `.` and `..`.
pub(crate) fn absolute(folder: &Path, path: &str, home: Option<&str>) -> PathBuf {
    let expanded = match (path.strip_prefix('~'), home) {
        (Some(""), Some(home)) => PathBuf::from(home),
        (Some(rest), Some(home)) if rest.starts_with('/') => {
            Path::new(home).join(rest.trim_start_matches('/'))
        }
        _ => PathBuf::from(path),
    };
    clean(&folder.join(expanded))
}

/// Takes `.` and `..` out by the letters of the path, links not followed.
pub(crate) fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if matches!(cleaned.components().next_back(), Some(Component::Normal(_))) {
                    cleaned.pop();
                } else if !cleaned.has_root() {
                    cleaned.push("..");
                }
            }
            other => cleaned.push(other),
        }
    }
    cleaned
}

/// Cleans a path inside a container: `/d/` is `/d`.
pub(crate) fn clean_inside(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if rooted => {}
            part => parts.push(part),
        }
    }
    let joined = parts.join("/");
    match (rooted, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".to_owned(),
        (false, false) => joined,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_made_absolute_and_clean() {
        let folder = Path::new("/p/app");
        for (path, expected) in [
            ("./src", "/p/app/src"),
            ("../up", "/p/up"),
            (".", "/p/app"),
            ("/etc//x/", "/etc/x"),
            ("~/k", "/home/u/k"),
            ("~", "/home/u"),
            ("~x", "/p/app/~x"),
            ("/../x", "/x"),
        ] {
            assert_eq!(
                absolute(folder, path, Some("/home/u")),
                Path::new(expected),
                "{path}"
            );
        }
        assert_eq!(clean_inside("/d/"), "/d");
        assert_eq!(clean_inside("/a/../b/./c//"), "/b/c");
        assert_eq!(clean_inside("/"), "/");
    }
}
