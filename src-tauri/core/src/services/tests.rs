use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use tempfile::TempDir;

use super::*;
use crate::Options;
use crate::view::Actor;

const WEB: &str = "services:\n  web:\n    image: web\n    ports: ['8080:80']\n";

struct Opened {
    root: TempDir,
    berth: Berth,
}

async fn opened() -> Opened {
    let root = tempfile::tempdir().unwrap();
    let mut options = Options::from_process(Actor::CommandLine);
    options.data_dir = Some(root.path().join("data"));
    options.environment = BTreeMap::from([
        ("HOME".to_owned(), root.path().display().to_string()),
        ("PATH".to_owned(), std::env::var("PATH").unwrap()),
        ("GIT_CONFIG_NOSYSTEM".to_owned(), "1".to_owned()),
    ]);
    let berth = Berth::open(options).await.unwrap();
    Opened { root, berth }
}

impl Opened {
    fn folder(&self, name: &str, file: &str, text: &str) -> String {
        let folder = self.root.path().join(name);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(file), text).unwrap();
        fs::canonicalize(folder).unwrap().display().to_string()
    }

    fn git(&self, folder: &str, arguments: &[&str]) {
        let status = Command::new("git")
            .env("HOME", self.root.path())
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .current_dir(folder)
            .args([
                "-c",
                "user.name=T",
                "-c",
                "user.email=t@example.com",
                "-c",
                "init.defaultBranch=main",
            ])
            .args(arguments)
            .status()
            .unwrap();
        assert!(status.success(), "git {arguments:?}");
    }
}

#[tokio::test]
async fn a_folder_becomes_one_service_however_it_is_named() {
    let opened = opened().await;
    let berth = &opened.berth;
    let shop = opened.folder("one/Shop", "compose.yaml", WEB);
    let before = berth.detect(Path::new(&shop)).await.unwrap();
    assert_eq!((before.name.as_str(), before.git), ("shop", false));
    assert_eq!(before.existing_service_id, None);
    let added = berth.add_service(&shop, None, None).await.unwrap();
    assert_eq!(added.name, "shop");
    for same in [format!("{shop}/compose.yaml"), format!("{shop}/../Shop/")] {
        let again = berth.add_service(&same, None, None).await.unwrap();
        assert_eq!(again.id, added.id, "{same}");
    }
    let after = berth.detect(Path::new(&shop)).await.unwrap();
    assert_eq!(after.existing_service_id, Some(added.id.clone()));

    let other = opened.folder("two/shop", "compose.yaml", WEB);
    let second = berth.add_service(&other, None, None).await.unwrap();
    assert_eq!(second.name, "shop-2");
    fs::write(Path::new(&shop).join("ci.yaml"), WEB).unwrap();
    let third = berth
        .add_service(&shop, Some("ci.yaml"), Some("shop-ci"))
        .await
        .unwrap();
    assert_eq!(third.name, "shop-ci");
    assert_eq!(third.provisioning.compose_path.as_deref(), Some("ci.yaml"));

    let verbs: Vec<_> = berth
        .activity(None, 10)
        .await
        .unwrap()
        .into_iter()
        .map(|line| line.verb)
        .collect();
    assert_eq!(verbs, [ActivityVerb::ServiceAdded; 3]);
    berth.remove_service(&added.id).await.unwrap();
    let gone = berth.remove_service(&added.id).await.unwrap_err();
    assert_eq!(gone.code, Code::NotFound);
}

#[tokio::test]
async fn what_cannot_be_added_says_why() {
    let opened = opened().await;
    let berth = &opened.berth;
    let empty = opened.folder("empty", "notes.txt", "");
    let shop = opened.folder("shop", "compose.yaml", WEB);
    let cases = [
        (empty.clone(), None, None, Code::NothingToStart),
        (format!("{empty}/notes.txt"), None, None, Code::InvalidInput),
        (format!("{empty}/gone"), None, None, Code::PathMissing),
        (String::new(), None, None, Code::InvalidInput),
        (shop.clone(), Some("gone.yaml"), None, Code::PathMissing),
        (
            shop.clone(),
            Some("../compose.yaml"),
            None,
            Code::InvalidInput,
        ),
        (
            shop.clone(),
            Some("/etc/compose.yaml"),
            None,
            Code::InvalidInput,
        ),
        (shop.clone(), None, Some("Not A Name"), Code::InvalidInput),
        (format!("file://{empty}"), None, None, Code::Git),
    ];
    for (location, compose_path, name, code) in cases {
        let problem = berth
            .add_service(&location, compose_path, name)
            .await
            .unwrap_err();
        assert_eq!(
            problem.code, code,
            "{location} {compose_path:?} {name:?}: {problem:?}"
        );
    }
    berth.add_service(&shop, None, None).await.unwrap();
    let other = opened.folder("other", "compose.yaml", WEB);
    let taken = berth
        .add_service(&other, None, Some("shop"))
        .await
        .unwrap_err();
    assert_eq!(taken.code, Code::InvalidInput);
}

#[tokio::test]
async fn a_repository_shows_its_branch_and_refs_and_is_added_by_address_too() {
    let opened = opened().await;
    let berth = &opened.berth;
    let shop = opened.folder("shop", "compose.yaml", WEB);
    opened.git(&shop, &["init", "--quiet"]);
    opened.git(&shop, &["add", "."]);
    opened.git(&shop, &["commit", "--quiet", "-m", "one"]);
    opened.git(&shop, &["branch", "feature/x"]);
    let detection = berth.detect(Path::new(&shop)).await.unwrap();
    assert!(detection.git);
    assert_eq!(detection.branch.as_deref(), Some("main"));
    assert_eq!(detection.candidates[0].ports, ["8080:80"]);
    let service = berth.add_service(&shop, None, None).await.unwrap();
    let refs = berth.git_refs(&service.id).await.unwrap();
    assert_eq!(refs.len(), 2);

    let url = format!("file://{shop}");
    let remote = berth.add_service(&url, None, None).await.unwrap();
    assert_eq!(remote.name, "shop-2");
    assert_eq!(
        remote.source,
        Source::GitUrl {
            url,
            subdirectory: String::new()
        }
    );
    assert_eq!(berth.git_refs(&remote.id).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_folder_stays_one_service_when_it_is_provisioned_in_another_way() {
    let here = opened().await;
    let folder = here.folder("shop", "compose.yaml", WEB);
    let added = here.berth.add_service(&folder, None, None).await.unwrap();
    for provisioning in [
        ServiceProvisioning {
            local_dev_only: Some(true),
            ..added.provisioning.clone()
        },
        ServiceProvisioning::of(ProvisionType::Infraless),
    ] {
        here.berth
            .set_provisioning(&added.id, provisioning)
            .await
            .unwrap();
        let again = here.berth.add_service(&folder, None, None).await.unwrap();
        assert_eq!(again.id, added.id);
    }
    // A file that is named is another one's.
    let named = here.berth.add_service(&folder, Some("compose.yaml"), None);
    assert_ne!(named.await.unwrap().id, added.id);
}

#[tokio::test]
async fn manifests_lie_inside_the_service_s_folder_as_compose_files_do() {
    let mut provisioning = ServiceProvisioning::of(ProvisionType::Kubernetes);
    for path in ["../../../etc/shadow", "/etc/shadow", ""] {
        provisioning.manifest_path = Some(path.to_owned());
        let (member, problem) = check_paths(&provisioning).unwrap_err();
        assert_eq!((member, problem.code), ("manifestPath", Code::InvalidInput));
        assert!(problem.title.starts_with("The manifest `"), "{problem:?}");
    }
    provisioning.manifest_path = Some("./deploy/app.yaml".to_owned());
    assert!(check_paths(&provisioning).is_ok());
}
