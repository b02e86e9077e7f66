//! The encrypted file that takes the place of a keychain where somebody chose it.
//!
//! The passphrase is never written. Argon2id makes the file's key of it;
//! XChaCha20-Poly1305 seals every value under a random nonce, with the value's name
//! as associated data, so that no value passes for another. A checksum over the
//! whole file tells damage from a wrong passphrase: the passphrase is only tried on
//! a file that is as it was written.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use argon2::{Algorithm, Argon2, Params, Version};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use chacha20poly1305::aead::{Aead as _, Generate as _, KeyInit as _, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use secrecy::{ExposeSecret as _, SecretBox, SecretString};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::store::{Ask, SecretStore, StoreFailure};
use crate::platform;

/// What is sealed beside the values, so that a passphrase can be tried.
const CHECK: &str = "berth vault";
/// Letters that a new passphrase has to have.
const SHORTEST_PASSPHRASE: usize = 8;

/// The file, and its key once it was opened.
pub(super) struct Vault {
    path: PathBuf,
    cost: Cost,
    opened: Mutex<Option<Opened>>,
}

struct Opened {
    /// Of the file that the key is for: another one may have taken its place.
    salt: String,
    key: SecretBox<[u8; 32]>,
}

/// What came of making the file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Made {
    /// It was there, and is open now.
    Opened,
    /// There was none.
    New,
    /// The one that was there is damaged, and has this name now.
    InPlaceOf(PathBuf),
}

/// How hard a passphrase is to guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Cost {
    memory_kib: u32,
    passes: u32,
    lanes: u32,
}

/// RFC 9106's second recommendation, with one lane: there is one thread.
const COST: Cost = Cost {
    memory_kib: 64 * 1024,
    passes: 3,
    lanes: 1,
};

/// More is not asked of a machine: the file may come from anywhere.
const MOST_MEMORY_KIB: u32 = 1024 * 1024;
const MOST_PASSES: u32 = 64;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Written {
    berth_vault: u32,
    /// SHA-256 of `content` as it is written.
    checksum: String,
    content: Content,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Content {
    kdf: String,
    cost: Cost,
    salt: String,
    check: Sealed,
    items: BTreeMap<String, Sealed>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Sealed {
    nonce: String,
    sealed: String,
}

impl Vault {
    pub(super) fn at(path: PathBuf) -> Self {
        Self::with_cost(path, COST)
    }

    /// One that is quick to guess, and quick to open.
    #[cfg(test)]
    pub(super) fn cheap_at(path: PathBuf) -> Self {
        let cost = Cost {
            memory_kib: 64,
            passes: 1,
            lanes: 1,
        };
        Self::with_cost(path, cost)
    }

    fn with_cost(path: PathBuf, cost: Cost) -> Self {
        Self {
            path,
            cost,
            opened: Mutex::default(),
        }
    }

    pub(super) fn is_open(&self) -> bool {
        self.opened
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some()
    }

    /// Opens the file, or makes one: where there is none, and in place of one that
    /// is damaged, which is set aside and stays. Blocks for about a second.
    pub(super) fn make(&self, passphrase: &SecretString) -> Result<Made, StoreFailure> {
        let _lock = self.lock()?;
        let damaged = match self.open(passphrase) {
            Ok(()) => return Ok(Made::Opened),
            Err(StoreFailure::Gone { .. }) => false,
            Err(StoreFailure::Damaged { .. }) => true,
            Err(failure) => return Err(failure),
        };
        if passphrase.expose_secret().chars().count() < SHORTEST_PASSPHRASE {
            return Err(StoreFailure::ShortPassphrase {
                least: SHORTEST_PASSPHRASE,
            });
        }
        // As good a salt as any: 192 random bits.
        let salt = BASE64.encode(XNonce::generate());
        let key = derive(passphrase, self.cost, &salt)?;
        let content = Content {
            kdf: "argon2id".to_owned(),
            cost: self.cost,
            check: seal(&key, CHECK, CHECK)?,
            salt: salt.clone(),
            items: BTreeMap::new(),
        };
        let made = if damaged {
            Made::InPlaceOf(self.set_aside()?)
        } else {
            Made::New
        };
        self.write(&content)?;
        self.keep(salt, key);
        Ok(made)
    }

    /// Gives the file a name that nothing has yet. The lock has to be held.
    fn set_aside(&self) -> Result<PathBuf, StoreFailure> {
        let aside = (1_u32..)
            .map(|number| self.path.with_extension(format!("damaged-{number}")))
            .find(|path| fs::symlink_metadata(path).is_err())
            .ok_or_else(|| self.damaged())?;
        fs::rename(&self.path, &aside).map_err(broken)?;
        Ok(aside)
    }

    /// Opens the file until this process ends. Blocks for about a second.
    pub(super) fn open(&self, passphrase: &SecretString) -> Result<(), StoreFailure> {
        let content = self.read()?;
        let key = derive(passphrase, content.cost, &content.salt)?;
        match unseal(&key, CHECK, &content.check) {
            Some(_) => {
                self.keep(content.salt, key);
                Ok(())
            }
            None => Err(StoreFailure::WrongPassphrase),
        }
    }

    fn keep(&self, salt: String, key: SecretBox<[u8; 32]>) {
        *self.opened.lock().unwrap_or_else(PoisonError::into_inner) = Some(Opened { salt, key });
    }

    /// The key, when it is this content's.
    fn with_key<R>(
        &self,
        content: &Content,
        f: impl FnOnce(&SecretBox<[u8; 32]>) -> Result<R, StoreFailure>,
    ) -> Result<R, StoreFailure> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        match &*opened {
            Some(opened) if opened.salt == content.salt => f(&opened.key),
            _ => Err(StoreFailure::Locked),
        }
    }

    fn change(
        &self,
        f: impl FnOnce(&mut Content, &SecretBox<[u8; 32]>) -> Result<(), StoreFailure>,
    ) -> Result<(), StoreFailure> {
        let _lock = self.lock()?;
        let mut content = self.read()?;
        self.with_key(&content.clone(), |key| f(&mut content, key))?;
        self.write(&content)
    }

    fn read(&self) -> Result<Content, StoreFailure> {
        let bytes = fs::read(&self.path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => StoreFailure::Gone {
                what: self.called(),
            },
            _ => broken(error),
        })?;
        let written: Written = serde_json::from_slice(&bytes).map_err(|_| self.damaged())?;
        let content = written.content;
        let sane = written.berth_vault == 1
            && content.kdf == "argon2id"
            && content.cost.memory_kib <= MOST_MEMORY_KIB
            && content.cost.passes <= MOST_PASSES
            && checksum(&content)? == written.checksum;
        if sane {
            Ok(content)
        } else {
            Err(self.damaged())
        }
    }

    /// Replaces the file as a whole. The lock has to be held.
    fn write(&self, content: &Content) -> Result<(), StoreFailure> {
        let written = Written {
            berth_vault: 1,
            checksum: checksum(content)?,
            content: content.clone(),
        };
        let mut text = serde_json::to_vec_pretty(&written).map_err(|error| broken(error.into()))?;
        text.push(b'\n');
        self.replace(&text).map_err(broken)
    }

    fn replace(&self, text: &[u8]) -> io::Result<()> {
        let unfinished = self.path.with_extension("new");
        // Of a writer that was killed.
        match fs::remove_file(&unfinished) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let mut file = platform::new_private_file(&unfinished)?;
        file.write_all(text)?;
        file.sync_all()?;
        fs::rename(&unfinished, &self.path)?;
        platform::sync_folder(self.path.parent().unwrap_or(Path::new(".")))
    }

    /// Of all processes, only one changes the file at a time.
    fn lock(&self) -> Result<File, StoreFailure> {
        let path = self.path.with_extension("lock");
        let file = File::options()
            .create(true)
            .write(true)
            .truncate(false)
            .open(path)
            .map_err(broken)?;
        file.lock().map_err(broken)?;
        Ok(file)
    }

    fn damaged(&self) -> StoreFailure {
        StoreFailure::Damaged {
            what: self.called(),
        }
    }

    fn called(&self) -> String {
        format!("The encrypted file {}", self.path.display())
    }
}

impl SecretStore for Vault {
    fn product(&self) -> &str {
        "encrypted file"
    }

    fn largest_value(&self) -> Option<usize> {
        None
    }

    fn ready(&self, _ask: Ask) -> Result<(), StoreFailure> {
        let content = self.read()?;
        self.with_key(&content, |_| Ok(()))
    }

    fn get(&self, name: &str) -> Result<Option<SecretString>, StoreFailure> {
        let content = self.read()?;
        let Some(sealed) = content.items.get(name) else {
            return self.with_key(&content, |_| Ok(None));
        };
        self.with_key(&content, |key| {
            unseal(key, name, sealed)
                .map(Some)
                .ok_or_else(|| self.damaged())
        })
    }

    fn set(&self, name: &str, value: &SecretString) -> Result<(), StoreFailure> {
        self.change(|content, key| {
            let sealed = seal(key, name, value.expose_secret())?;
            content.items.insert(name.to_owned(), sealed);
            Ok(())
        })
    }

    fn delete(&self, name: &str) -> Result<(), StoreFailure> {
        self.change(|content, _| {
            content.items.remove(name);
            Ok(())
        })
    }
}

fn derive(
    passphrase: &SecretString,
    cost: Cost,
    salt: &str,
) -> Result<SecretBox<[u8; 32]>, StoreFailure> {
    let params = Params::new(cost.memory_kib, cost.passes, cost.lanes, Some(32))
        .map_err(|error| StoreFailure::Broken(error.to_string().into()))?;
    let argon = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
    let mut derived = Ok(());
    let key = SecretBox::init_with_mut(|key: &mut [u8; 32]| {
        derived =
            argon.hash_password_into(passphrase.expose_secret().as_bytes(), salt.as_bytes(), key);
    });
    derived
        .map(|()| key)
        .map_err(|error| StoreFailure::Broken(error.to_string().into()))
}

fn seal(key: &SecretBox<[u8; 32]>, name: &str, value: &str) -> Result<Sealed, StoreFailure> {
    let nonce = XNonce::generate();
    let payload = Payload {
        msg: value.as_bytes(),
        aad: name.as_bytes(),
    };
    let sealed = cipher(key)
        .encrypt(&nonce, payload)
        .map_err(|error| StoreFailure::Broken(error.to_string().into()))?;
    Ok(Sealed {
        nonce: BASE64.encode(nonce),
        sealed: BASE64.encode(sealed),
    })
}

/// What was sealed under that name; `None`: not with this key.
fn unseal(key: &SecretBox<[u8; 32]>, name: &str, sealed: &Sealed) -> Option<SecretString> {
    let nonce = XNonce::try_from(&*BASE64.decode(&sealed.nonce).ok()?).ok()?;
    let payload = Payload {
        msg: &BASE64.decode(&sealed.sealed).ok()?,
        aad: name.as_bytes(),
    };
    let value = cipher(key).decrypt(&nonce, payload).ok()?;
    Some(SecretString::from(String::from_utf8(value).ok()?))
}

fn cipher(key: &SecretBox<[u8; 32]>) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(&Key::from(*key.expose_secret()))
}

fn checksum(content: &Content) -> Result<String, StoreFailure> {
    let text = serde_json::to_vec(content).map_err(|error| broken(error.into()))?;
    Ok(BASE64.encode(Sha256::digest(text)))
}

fn broken(error: io::Error) -> StoreFailure {
    StoreFailure::Broken(error.into())
}

#[cfg(test)]
#[path = "vault_tests.rs"]
mod tests;
