use std::sync::Arc;

use super::*;

const PASSPHRASE: &str = "correct horse battery";

fn secret(text: &str) -> SecretString {
    SecretString::from(text)
}

fn at(folder: &Path) -> Vault {
    Vault::cheap_at(folder.join("vault"))
}

fn made() -> (tempfile::TempDir, Vault) {
    let folder = tempfile::tempdir().unwrap();
    let vault = at(folder.path());
    vault.make(&secret(PASSPHRASE)).unwrap();
    (folder, vault)
}

fn get(vault: &Vault, name: &str) -> Option<String> {
    let value = vault.get(name).unwrap()?;
    Some(value.expose_secret().to_owned())
}

#[test]
fn values_are_there_for_who_knows_the_passphrase() {
    let (folder, vault) = made();
    vault.set("one", &secret("planted-4711")).unwrap();
    vault.set("two", &secret("")).unwrap();
    vault.delete("none").unwrap();
    vault.ready(Ask::Never).unwrap();

    let other = at(folder.path());
    for failure in [
        other.ready(Ask::IfLocked).unwrap_err(),
        other.get("one").map(drop).unwrap_err(),
        other.get("none").map(drop).unwrap_err(),
        other.set("one", &secret("x")).unwrap_err(),
        other.delete("one").unwrap_err(),
    ] {
        assert!(matches!(failure, StoreFailure::Locked), "{failure}");
    }
    let wrong = other.open(&secret("incorrect horse battery"));
    assert!(matches!(wrong, Err(StoreFailure::WrongPassphrase)));
    other.open(&secret(PASSPHRASE)).unwrap();
    assert_eq!(get(&other, "one").as_deref(), Some("planted-4711"));
    assert_eq!(get(&other, "two").as_deref(), Some(""));
    assert_eq!(get(&other, "none"), None);
    other.delete("one").unwrap();
    assert_eq!(get(&vault, "one"), None);

    let written = fs::read_to_string(folder.path().join("vault")).unwrap();
    for planted in ["planted", "horse"] {
        assert!(!written.contains(planted), "{written}");
    }
}

#[test]
fn a_passphrase_has_to_be_hard_to_guess() {
    let folder = tempfile::tempdir().unwrap();
    let vault = at(folder.path());
    let short = vault.make(&secret("1234567"));
    assert!(matches!(
        short,
        Err(StoreFailure::ShortPassphrase { least: 8 })
    ));
    assert!(!folder.path().join("vault").exists());
    assert!(matches!(
        vault.ready(Ask::Never),
        Err(StoreFailure::Gone { .. })
    ));
}

#[test]
fn making_it_twice_opens_what_is_there() {
    let (folder, vault) = made();
    vault.set("one", &secret("kept")).unwrap();
    let second = at(folder.path());
    let wrong = second.make(&secret("another passphrase"));
    assert!(matches!(wrong, Err(StoreFailure::WrongPassphrase)));
    second.make(&secret(PASSPHRASE)).unwrap();
    assert_eq!(get(&second, "one").as_deref(), Some("kept"));
}

#[test]
fn damage_is_told_from_a_wrong_passphrase_wherever_it_is() {
    let (folder, vault) = made();
    vault.set("one", &secret("value")).unwrap();
    let path = folder.path().join("vault");
    let good = fs::read(&path).unwrap();
    let mut damages: Vec<Vec<u8>> = (0..good.len())
        .step_by(7)
        .map(|at| {
            let mut bytes = good.clone();
            bytes[at] = if bytes[at] == b'x' { b'y' } else { b'x' };
            bytes
        })
        .collect();
    damages.extend(
        (0..good.len() - 2)
            .step_by(31)
            .map(|end| good[..end].to_vec()),
    );
    for bytes in damages {
        fs::write(&path, &bytes).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        let opened = at(folder.path()).open(&secret(PASSPHRASE));
        assert!(
            matches!(opened, Err(StoreFailure::Damaged { .. }))
                || bytes_say_the_same(&bytes, &good),
            "{opened:?}\n{text}"
        );
    }
    fs::write(&path, &good).unwrap();
    at(folder.path()).open(&secret(PASSPHRASE)).unwrap();
}

/// Blanks between values can be anything that is blank.
fn bytes_say_the_same(one: &[u8], other: &[u8]) -> bool {
    let parse = |bytes| serde_json::from_slice::<serde_json::Value>(bytes).ok();
    parse(one).is_some() && parse(one) == parse(other)
}

#[test]
fn no_value_passes_for_another_also_with_the_right_checksum() {
    let (folder, vault) = made();
    vault.set("one", &secret("first")).unwrap();
    vault.set("two", &secret("second")).unwrap();
    let mut content = vault.read().unwrap();
    let one = content.items["one"].clone();
    content.items.insert("two".to_owned(), one);
    vault.write(&content).unwrap();
    assert_eq!(get(&vault, "one").as_deref(), Some("first"));
    assert!(matches!(
        vault.get("two"),
        Err(StoreFailure::Damaged { .. })
    ));
    drop(folder);
}

#[test]
fn another_file_in_its_place_is_locked() {
    let (folder, vault) = made();
    let (_other_folder, other) = made();
    other.set("one", &secret("theirs")).unwrap();
    fs::copy(&other.path, folder.path().join("vault")).unwrap();
    assert!(matches!(vault.get("one"), Err(StoreFailure::Locked)));
}

#[test]
fn a_file_that_asks_for_too_much_is_refused() {
    let (folder, vault) = made();
    let mut content = vault.read().unwrap();
    content.cost.memory_kib = u32::MAX;
    vault.write(&content).unwrap();
    let opened = at(folder.path()).open(&secret(PASSPHRASE));
    assert!(matches!(opened, Err(StoreFailure::Damaged { .. })));
}

#[test]
fn many_writers_lose_nothing() {
    let (folder, _) = made();
    let folder = Arc::new(folder);
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let folder = folder.clone();
            std::thread::spawn(move || {
                let vault = at(folder.path());
                vault.open(&secret(PASSPHRASE)).unwrap();
                for number in 0..10 {
                    let name = format!("{writer}/{number}");
                    vault.set(&name, &secret(&name)).unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.join().unwrap();
    }
    let vault = at(folder.path());
    vault.open(&secret(PASSPHRASE)).unwrap();
    for writer in 0..8 {
        for number in 0..10 {
            let name = format!("{writer}/{number}");
            assert_eq!(get(&vault, &name), Some(name));
        }
    }
    let names: Vec<_> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names.len(), 2, "nothing unfinished is left: {names:?}");
}

#[cfg(unix)]
#[test]
fn other_users_cannot_read_it() {
    use std::os::unix::fs::PermissionsExt as _;

    let (folder, vault) = made();
    vault.set("one", &secret("value")).unwrap();
    let mode = fs::metadata(folder.path().join("vault"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// As it is used: about as long as it takes to guess once.
#[test]
fn the_real_cost_is_paid() {
    let folder = tempfile::tempdir().unwrap();
    let vault = Vault::at(folder.path().join("vault"));
    vault.make(&secret(PASSPHRASE)).unwrap();
    assert_eq!(vault.read().unwrap().cost, COST);
    let other = Vault::at(folder.path().join("vault"));
    other.open(&secret(PASSPHRASE)).unwrap();
}
