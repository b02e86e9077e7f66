use super::*;
use crate::problem::Code;
use crate::view::GitRefKind;

#[tokio::test]
async fn two_refs_side_by_side_leave_the_users_clone_as_it_was() {
    let place = Place::new();
    let folder = place.repository("sho p ü");
    place.git(&folder, &["switch", "--quiet", "--create", "feature/x"]);
    let feature = place.commit(&folder, "page.txt", "feature\n");
    place.git(&folder, &["switch", "--quiet", "main"]);
    fs::write(folder.join("page.txt"), "not committed\n").unwrap();
    fs::write(folder.join("new.txt"), "new\n").unwrap();
    let before = everything(&folder);

    let service = folder_service(&folder);
    let tree = place
        .prepare(&service, &Selector::WorkingTree, "e0")
        .await
        .unwrap();
    let main = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    let other = place
        .prepare(&service, &reference("feature/x"), "e2")
        .await
        .unwrap();

    assert_eq!(tree.directory, folder);
    assert!(tree.revision.dirty);
    assert_eq!(tree.revision.label.as_deref(), Some("main"));
    assert_eq!(text(main.directory.join("page.txt")), "main\n");
    assert_eq!(text(other.directory.join("page.txt")), "feature\n");
    assert!(!main.directory.join("new.txt").exists());
    assert_eq!(other.revision.commit.as_deref(), Some(feature.as_str()));
    assert_eq!(other.revision.label.as_deref(), Some("feature/x"));
    assert!(!other.directory.join(".git").exists());
    assert_eq!(everything(&folder), before);
}

#[tokio::test]
async fn a_new_commit_comes_in_place_and_what_containers_wrote_stays() {
    let place = Place::new();
    let folder = place.repository("shop");
    place.commit(&folder, "old/gone.txt", "gone\n");
    let service = folder_service(&folder);
    let first = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    fs::write(
        first.directory.join("page.txt"),
        "overwritten by a container\n",
    )
    .unwrap();
    fs::write(first.directory.join("upload.bin"), "kept").unwrap();

    place.git(&folder, &["rm", "--quiet", "-r", "old"]);
    let commit = place.commit(&folder, "page.txt", "second\n");
    let behind = place
        .sources
        .behind(
            &service,
            &reference("main"),
            first.revision.commit.as_deref().unwrap(),
            &CancellationToken::new(),
        )
        .await
        .unwrap();
    assert_eq!(behind, Some(1));
    let second = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    assert_eq!(second.directory, first.directory);
    assert_eq!(second.revision.commit, Some(commit));
    assert_eq!(text(second.directory.join("page.txt")), "second\n");
    assert_eq!(text(second.directory.join("upload.bin")), "kept");
    assert!(!second.directory.join("old").exists());
}

#[tokio::test]
async fn every_way_to_name_a_commit() {
    let place = Place::new();
    let folder = place.repository("shop");
    let first = place.git(&folder, &["rev-parse", "HEAD"]);
    place.git(&folder, &["tag", "--annotate", "v1", "--message", "one"]);
    let second = place.commit(&folder, "page.txt", "second\n");
    // A tag and a branch of one name: the branch wins.
    place.git(&folder, &["tag", "both", &first]);
    place.git(&folder, &["branch", "both", &second]);
    // A commit that no ref leads to.
    place.git(&folder, &["switch", "--quiet", "--detach"]);
    let loose = place.commit(&folder, "page.txt", "loose\n");
    let service = folder_service(&folder);
    let detached = place
        .prepare(&service, &Selector::WorkingTree, "e0")
        .await
        .unwrap();
    assert_eq!(detached.revision.commit, Some(loose.clone()));
    assert_eq!(detached.revision.label, None);
    place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    let after = place.commit(&folder, "page.txt", "loose too\n");
    place.git(&folder, &["switch", "--quiet", "main"]);

    for (name, commit) in [
        ("main", &second),
        ("refs/heads/main", &second),
        ("v1", &first),
        ("both", &second),
        ("HEAD~1", &first),
        ("main~1", &first),
        (&first[..8], &first),
        (&loose, &loose),
        (&after[..10], &after),
    ] {
        let prepared = place
            .prepare(&service, &reference(name), "e1")
            .await
            .unwrap();
        assert_eq!(prepared.revision.commit.as_ref(), Some(commit), "{name}");
    }
}

#[tokio::test]
async fn branches_of_the_remote_are_fetched_when_named() {
    let place = Place::new();
    let upstream = place.repository("upstream");
    place.git(&upstream, &["branch", "seen"]);
    place.git(place.root.path(), &["clone", "--quiet", "upstream", "mine"]);
    let mine = place.path("mine");
    place.git(&upstream, &["switch", "--quiet", "seen"]);
    let moved = place.commit(&upstream, "page.txt", "seen, moved\n");
    place.git(&upstream, &["switch", "--quiet", "--create", "unseen"]);
    let unseen = place.commit(&upstream, "page.txt", "unseen\n");
    let before = everything(&mine);
    let service = folder_service(&mine);

    let prepared = place
        .prepare(&service, &reference("unseen"), "e1")
        .await
        .unwrap();
    assert_eq!(prepared.revision.commit, Some(unseen));
    let prepared = place
        .prepare(&service, &reference("seen"), "e2")
        .await
        .unwrap();
    assert_eq!(prepared.revision.commit, Some(moved.clone()));
    let prepared = place
        .prepare(&service, &reference("origin/seen"), "e3")
        .await
        .unwrap();
    assert_eq!(prepared.revision.commit, Some(moved));
    assert_eq!(everything(&mine), before);

    // Away from the network the last known state is used, and said.
    fs::rename(&upstream, place.path("elsewhere")).unwrap();
    let prepared = place
        .prepare(&service, &reference("origin/seen"), "e3")
        .await
        .unwrap();
    assert_eq!(text(prepared.directory.join("page.txt")), "main\n");
    assert!(
        prepared.warnings[0].contains("did not answer"),
        "{:?}",
        prepared.warnings
    );
}

#[tokio::test]
async fn pull_requests_of_both_kinds_of_host() {
    let place = Place::new();
    let work = place.repository("work");
    place.git(
        place.root.path(),
        &["init", "--quiet", "--bare", "remote.git"],
    );
    place.git(&work, &["remote", "add", "origin", "../remote.git"]);
    place.git(&work, &["push", "--quiet", "origin", "main"]);
    place.git(&work, &["switch", "--quiet", "--create", "theirs"]);
    let pull = place.commit(&work, "page.txt", "pull request\n");
    place.git(
        &work,
        &["push", "--quiet", "origin", "HEAD:refs/pull/42/head"],
    );
    let merge = place.commit(&work, "page.txt", "merge request\n");
    place.git(
        &work,
        &[
            "push",
            "--quiet",
            "origin",
            "HEAD:refs/merge-requests/7/head",
        ],
    );
    place.git(&work, &["switch", "--quiet", "main"]);
    place.git(&work, &["branch", "--quiet", "-D", "theirs"]);
    let service = folder_service(&work);

    for (number, commit) in [(42, pull), (7, merge)] {
        let selector = Selector::PullRequest { number };
        let prepared = place.prepare(&service, &selector, "e1").await.unwrap();
        assert_eq!(prepared.revision.commit, Some(commit));
        assert_eq!(prepared.revision.label, Some(format!("pull {number}")));
    }
    let problem = place
        .prepare(&service, &Selector::PullRequest { number: 1 }, "e1")
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::RefMissing);
    let detail = problem.detail.unwrap();
    assert!(detail.contains("refs/pull/1/head") && detail.contains("refs/merge-requests/1/head"));
}

#[tokio::test]
async fn an_address_works_like_a_folder() {
    let place = Place::new();
    let remote = place.repository("remote");
    place.git(&remote, &["branch", "feature"]);
    let service = url_service(&format!("file://{}", remote.display()));
    let prepared = place
        .prepare(&service, &Selector::WorkingTree, "e1")
        .await
        .unwrap();
    assert_eq!(prepared.revision.label.as_deref(), Some("main"));
    assert!(prepared.directory.starts_with(place.path("data")));
    let commit = place.commit(&remote, "page.txt", "newer\n");
    let prepared = place
        .prepare(&service, &Selector::WorkingTree, "e1")
        .await
        .unwrap();
    assert_eq!(prepared.revision.commit, Some(commit));
    place
        .prepare(&service, &reference("feature"), "e2")
        .await
        .unwrap();

    let refs = place
        .sources
        .refs(&service, &CancellationToken::new())
        .await
        .unwrap();
    let mut names: Vec<_> = refs
        .iter()
        .map(|one| (one.name.as_str(), one.current))
        .collect();
    // Commits of one second have no order.
    names.sort_unstable();
    assert_eq!(names, [("feature", false), ("main", true)]);
}

#[tokio::test]
async fn refs_are_listed_with_dates_and_the_current_one() {
    let place = Place::new();
    place.repository("upstream");
    place.git(place.root.path(), &["clone", "--quiet", "upstream", "mine"]);
    let mine = place.path("mine");
    place.git(&mine, &["tag", "--annotate", "v1", "--message", "one"]);
    place.git(&mine, &["switch", "--quiet", "--create", "work"]);
    place.git(
        &mine,
        &[
            "commit",
            "--quiet",
            "--allow-empty",
            "--message",
            "x",
            "--date=now",
        ],
    );
    let refs = place
        .sources
        .refs(&folder_service(&mine), &CancellationToken::new())
        .await
        .unwrap();
    let kinds: Vec<_> = refs
        .iter()
        .map(|one| (one.name.as_str(), one.kind))
        .collect();
    assert!(kinds.contains(&("work", GitRefKind::Branch)));
    assert!(kinds.contains(&("main", GitRefKind::Branch)));
    assert!(kinds.contains(&("origin/main", GitRefKind::Remote)));
    assert!(kinds.contains(&("v1", GitRefKind::Tag)));
    assert_eq!(kinds.len(), 4);
    let current: Vec<_> = refs.iter().filter(|one| one.current).collect();
    assert_eq!(current.len(), 1);
    assert_eq!(current[0].name, "work");
    assert!(
        refs.iter()
            .all(|one| one.commit.len() == 40 && one.committed_at > 1_600_000_000_000)
    );
}

#[tokio::test]
async fn submodules_come_from_the_users_clone_or_the_remote() {
    let place = Place::new();
    let inner = place.repository("inner");
    let library = place.repository("library");
    place.git(
        &library,
        &["submodule", "--quiet", "add", "../inner", "deep/inner"],
    );
    place.commit(&library, "lib.txt", "library 1\n");
    let outer = place.repository("outer");
    place.git(
        &outer,
        &["submodule", "--quiet", "add", "../library", "lib"],
    );
    place.commit(&outer, "page.txt", "with library\n");
    // The user's clone does not have the submodules yet.
    place.git(place.root.path(), &["clone", "--quiet", "outer", "mine"]);
    let mine = place.path("mine");
    let service = folder_service(&mine);
    let prepared = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    assert_eq!(text(prepared.directory.join("lib/lib.txt")), "library 1\n");
    assert_eq!(
        text(prepared.directory.join("lib/deep/inner/page.txt")),
        "main\n"
    );

    // Where the user's clone has them, the remotes are not needed.
    place.git(
        &mine,
        &["submodule", "--quiet", "update", "--init", "--recursive"],
    );
    let before = everything(&mine);
    for gone in [&inner, &library] {
        fs::rename(gone, gone.with_extension("gone")).unwrap();
    }
    let prepared = place
        .prepare(&service, &reference("main"), "e2")
        .await
        .unwrap();
    assert_eq!(
        text(prepared.directory.join("lib/deep/inner/page.txt")),
        "main\n"
    );
    assert_eq!(everything(&mine), before);

    // Another commit of the library comes in place.
    place.git(
        &mine.join("lib"),
        &["switch", "--quiet", "--create", "next"],
    );
    place.commit(&mine.join("lib"), "lib.txt", "library 2\n");
    place.commit(&mine, "page.txt", "with library 2\n");
    let prepared = place
        .prepare(&service, &reference("main"), "e2")
        .await
        .unwrap();
    assert_eq!(text(prepared.directory.join("lib/lib.txt")), "library 2\n");

    // And it goes when a commit has it no more.
    place.git(&mine, &["rm", "--quiet", "--force", "lib"]);
    place.commit(&mine, "page.txt", "without library\n");
    let prepared = place
        .prepare(&service, &reference("main"), "e2")
        .await
        .unwrap();
    assert!(!prepared.directory.join("lib").exists());
    place.sources.remove_checkout("e2").await.unwrap();
}
