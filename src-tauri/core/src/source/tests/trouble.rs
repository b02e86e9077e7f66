use super::*;
use crate::problem::Code;

#[tokio::test]
async fn what_a_killed_git_left_does_not_stop_the_next_try() {
    let place = Place::new();
    let folder = place.repository("shop");
    let service = folder_service(&folder);
    let sources = place.path("data/sources");
    fs::create_dir_all(&sources).unwrap();
    let first = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    let clone = fs::read_dir(&sources)
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|end| end == "git"))
        .unwrap();

    // Killed while fetching and checking out.
    for lock in [
        "packed-refs.lock",
        "refs/local/heads/main.lock",
        "shallow.lock",
        "worktrees/e1/index.lock",
        "worktrees/e1/HEAD.lock",
    ] {
        fs::create_dir_all(clone.join(lock).parent().unwrap()).unwrap();
        fs::write(clone.join(lock), "").unwrap();
    }
    fs::remove_file(first.directory.join("page.txt")).unwrap();
    let commit = place.commit(&folder, "page.txt", "second\n");
    let second = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    assert_eq!(second.revision.commit, Some(commit));
    assert_eq!(text(second.directory.join("page.txt")), "second\n");

    // Killed while cloning: only a part of a clone under its temporary name.
    fs::remove_dir_all(&clone).unwrap();
    let unfinished = clone.with_extension("new");
    fs::create_dir_all(unfinished.join("objects")).unwrap();
    fs::write(unfinished.join("HEAD"), "half").unwrap();
    fs::write(second.directory.join("written.txt"), "by a container").unwrap();
    let third = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    assert_eq!(text(third.directory.join("page.txt")), "second\n");
    assert_eq!(text(third.directory.join("written.txt")), "by a container");
    assert!(!unfinished.exists());
}

#[tokio::test]
async fn a_damaged_clone_is_made_again() {
    let place = Place::new();
    let folder = place.repository("shop");
    let service = folder_service(&folder);
    place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    let clone = fs::read_dir(place.path("data/sources"))
        .unwrap()
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|end| end == "git"))
        .unwrap();
    fs::write(clone.join("config"), "[core\nnot git's").unwrap();
    place.commit(&folder, "page.txt", "second\n");
    let prepared = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    assert_eq!(text(prepared.directory.join("page.txt")), "second\n");

    // Objects gone.
    fs::remove_dir_all(clone.join("objects")).unwrap();
    fs::create_dir(clone.join("objects")).unwrap();
    place.commit(&folder, "page.txt", "third\n");
    let prepared = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    assert_eq!(text(prepared.directory.join("page.txt")), "third\n");
}

#[tokio::test]
async fn missing_things_are_named() {
    let place = Place::new();
    let folder = place.repository("shop");
    let service = folder_service(&folder);
    let problem = place
        .prepare(&service, &reference("nope"), "e1")
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::RefMissing);
    assert!(problem.title.contains("`nope`") && problem.detail.unwrap().contains("main"));
    let problem = place
        .prepare(&service, &reference("--upload-pack=x"), "e1")
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::InvalidInput);
    let problem = place
        .prepare(&service, &Selector::PullRequest { number: 1 }, "e1")
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::RefMissing);

    let missing = folder_service(&place.path("gone"));
    let problem = place
        .prepare(&missing, &Selector::WorkingTree, "e1")
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::PathMissing);

    let plain = place.path("plain");
    fs::create_dir(&plain).unwrap();
    let service = folder_service(&plain);
    let prepared = place
        .prepare(&service, &Selector::WorkingTree, "e1")
        .await
        .unwrap();
    assert_eq!(prepared.revision.commit, None);
    let problem = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::InvalidInput);

    let url = format!("file://{}", place.path("no.git").display());
    let problem = place
        .prepare(&url_service(&url), &reference("main"), "e1")
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::Git);
    assert!(problem.title.contains("no git repository"), "{problem:?}");
}

#[tokio::test]
async fn an_empty_repository_has_a_working_tree_only() {
    let place = Place::new();
    let folder = place.path("empty");
    fs::create_dir(&folder).unwrap();
    place.git(&folder, &["init", "--quiet"]);
    let service = folder_service(&folder);
    let prepared = place
        .prepare(&service, &Selector::WorkingTree, "e1")
        .await
        .unwrap();
    assert_eq!(prepared.revision.label.as_deref(), Some("main"));
    assert_eq!(prepared.revision.commit, None);
    let problem = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::RefMissing);
    assert!(problem.title.contains("no commits yet"), "{problem:?}");
}

#[tokio::test]
async fn a_linked_working_tree_and_a_subfolder_are_services_too() {
    let place = Place::new();
    let folder = place.repository("shop");
    place.commit(&folder, "api/page.txt", "api\n");
    place.git(
        &folder,
        &["worktree", "add", "--quiet", "-b", "side", "../side"],
    );
    let side = place.path("side");
    place.commit(&side, "api/page.txt", "side\n");
    let service = folder_service(&side.join("api"));
    let tree = place
        .prepare(&service, &Selector::WorkingTree, "e0")
        .await
        .unwrap();
    assert_eq!(tree.revision.label.as_deref(), Some("side"));
    let main = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    assert!(main.directory.ends_with("e1/api"));
    assert_eq!(text(main.directory.join("page.txt")), "api\n");
    let problem = place
        .prepare(&service, &reference("main~1"), "e1")
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::PathMissing);
}

#[tokio::test]
async fn a_cancelled_wait_ends_at_once() {
    let place = Place::new();
    let folder = place.repository("shop");
    let cancel = CancellationToken::new();
    cancel.cancel();
    let problem = place
        .sources
        .prepare(&folder_service(&folder), &reference("main"), "e1", &cancel)
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::Cancelled);
}

/// Hooks and settings of the repository run nothing.
#[tokio::test]
async fn nobodys_hooks_run() {
    use std::os::unix::fs::PermissionsExt as _;

    let place = Place::new();
    let folder = place.repository("shop");
    let trap = format!("#!/bin/sh\ntouch '{}'\n", place.path("trapped").display());
    for hook in [
        "post-checkout",
        "reference-transaction",
        "post-index-change",
    ] {
        let hook = folder.join(".git/hooks").join(hook);
        fs::create_dir_all(hook.parent().unwrap()).unwrap();
        fs::write(&hook, &trap).unwrap();
        fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let script = place.path("fsmonitor");
    fs::write(&script, &trap).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    place.git(
        &folder,
        &["config", "core.fsmonitor", script.to_str().unwrap()],
    );
    let service = folder_service(&folder);
    place
        .prepare(&service, &Selector::WorkingTree, "e0")
        .await
        .unwrap();
    let prepared = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    // A container plants a repository of its own.
    let planted = prepared.directory.join(".git");
    fs::create_dir_all(planted.join("objects")).unwrap();
    fs::create_dir_all(planted.join("refs")).unwrap();
    fs::write(planted.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(
        planted.join("config"),
        format!("[core]\nfsmonitor = {}\n", script.display()),
    )
    .unwrap();
    place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    assert!(!place.path("trapped").exists());
}

/// A folder starts as it is although git can say nothing of it.
#[tokio::test]
async fn a_folder_starts_without_git() {
    let place = Place::new();
    let folder = place.repository("shop");
    let nothing = BTreeMap::from([("PATH".to_owned(), place.path("empty").display().to_string())]);
    let sources = Sources::new(&place.path("data"), &nothing);
    let cancel = CancellationToken::new();
    let service = folder_service(&folder);
    let prepared = sources
        .prepare(&service, &Selector::WorkingTree, "e1", &cancel)
        .await
        .unwrap();
    assert_eq!(prepared.revision.commit, None);
    assert!(prepared.warnings[0].contains("git is not installed"));
    let problem = sources
        .prepare(&service, &reference("main"), "e1", &cancel)
        .await
        .unwrap_err();
    assert!(problem.title.contains("git is not installed") && problem.hint.is_some());
}

#[tokio::test]
async fn many_environments_of_one_repository_at_once() {
    let place = Place::new();
    let folder = place.repository("shop");
    for number in 0..6 {
        place.git(
            &folder,
            &["switch", "--quiet", "--create", &format!("b{number}")],
        );
        place.commit(&folder, "page.txt", &format!("page {number}\n"));
    }
    let service = folder_service(&folder);
    let selectors: Vec<_> = (0..6)
        .map(|number| reference(&format!("b{number}")))
        .collect();
    let ids: Vec<_> = (0..6).map(|number| format!("e{number}")).collect();
    let tries = selectors
        .iter()
        .zip(&ids)
        .map(|(selector, id)| place.prepare(&service, selector, id));
    let all = futures_util::future::join_all(tries).await;
    for (number, prepared) in all.into_iter().enumerate() {
        let page = text(prepared.unwrap().directory.join("page.txt"));
        assert_eq!(page, format!("page {number}\n"));
    }
}

#[tokio::test]
async fn a_shallow_clone_will_do() {
    let place = Place::new();
    let upstream = place.repository("upstream");
    place.commit(&upstream, "page.txt", "second\n");
    let url = format!("file://{}", upstream.display());
    place.git(
        place.root.path(),
        &["clone", "--quiet", "--depth=1", &url, "mine"],
    );
    let mine = place.path("mine");
    let service = folder_service(&mine);
    let first = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    assert_eq!(text(first.directory.join("page.txt")), "second\n");
    place.commit(&mine, "page.txt", "third\n");
    let second = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    assert_eq!(text(second.directory.join("page.txt")), "third\n");
}
