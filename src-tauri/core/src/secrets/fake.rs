//! A keychain for tests.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use secrecy::{ExposeSecret as _, SecretString};

use super::store::{Ask, SecretStore, StoreFailure};

/// A keychain in memory that does what it is told, misbehaving included. Clones are
/// the same keychain.
#[derive(Clone, Default)]
pub struct FakeKeychain {
    shared: Arc<Shared>,
    /// Of this connection: others go on when it is cut.
    connection: Arc<Mutex<Connection>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    items: BTreeMap<String, SecretString>,
    largest: Option<usize>,
    locked: bool,
    missing: bool,
    hanging: bool,
    waiting: usize,
}

#[derive(Default)]
struct Connection {
    calls: usize,
    cut: Option<(usize, Cut)>,
    dead: bool,
}

/// When a connection is cut off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The call never arrives.
    Before,
    /// The call is carried out, the answer never arrives.
    After,
}

impl FakeKeychain {
    /// Empty and unlocked.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Refuses larger values, as Windows does with those of more than 2,560 bytes of
    /// UTF-16.
    #[must_use]
    pub fn that_takes_at_most(bytes: usize) -> Self {
        let keychain = Self::default();
        keychain.state().largest = Some(bytes);
        keychain
    }

    /// The same keychain as another process sees it.
    #[must_use]
    pub fn connect(&self) -> Self {
        Self {
            shared: self.shared.clone(),
            connection: Arc::default(),
        }
    }

    /// Cuts this connection off at a call, counted from 1: all later ones fail.
    pub fn cut_at(&self, call: usize, cut: Cut) {
        self.connection().cut = Some((call, cut));
    }

    /// Whether the call came at which it was to be cut off.
    #[must_use]
    pub fn is_cut_off(&self) -> bool {
        self.connection().dead
    }

    /// How many calls came over this connection.
    #[must_use]
    pub fn calls(&self) -> usize {
        self.connection().calls
    }

    /// Locks it, or unlocks it. As real ones do, it then says of everything that it
    /// is not there.
    pub fn lock(&self, locked: bool) {
        self.state().locked = locked;
    }

    /// Takes the service away, or brings it back.
    pub fn take_away(&self, missing: bool) {
        self.state().missing = missing;
    }

    /// Lets calls hang from now on, or go on.
    pub fn hang(&self, hanging: bool) {
        self.state().hanging = hanging;
        self.shared.changed.notify_all();
    }

    /// How many calls hang now.
    #[must_use]
    pub fn hanging(&self) -> usize {
        self.state().waiting
    }

    /// Names of everything in it.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.state().items.keys().cloned().collect()
    }

    /// Removes an item behind Berth's back.
    pub fn forget(&self, name: &str) {
        self.state().items.remove(name);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn call<R>(
        &self,
        f: impl FnOnce(&mut State) -> Result<R, StoreFailure>,
    ) -> Result<R, StoreFailure> {
        let cut = {
            let mut connection = self.connection();
            connection.calls += 1;
            let cut = connection.cut.filter(|(call, _)| *call == connection.calls);
            if connection.dead || cut.is_some_and(|(_, cut)| cut == Cut::Before) {
                connection.dead = true;
                return Err(cut_off());
            }
            connection.dead = cut.is_some();
            cut
        };
        let mut state = self.state();
        state.waiting += 1;
        let mut state = self
            .shared
            .changed
            .wait_while(state, |state| state.hanging)
            .unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        if state.missing {
            return Err(StoreFailure::NoService("nobody is there".into()));
        }
        let result = f(&mut state);
        if cut.is_some() {
            Err(cut_off())
        } else {
            result
        }
    }
}

fn cut_off() -> StoreFailure {
    StoreFailure::Broken("cut off".into())
}

impl SecretStore for FakeKeychain {
    fn product(&self) -> &str {
        "keychain for tests"
    }

    fn largest_value(&self) -> Option<usize> {
        self.state().largest
    }

    fn ready(&self, _ask: Ask) -> Result<(), StoreFailure> {
        self.call(|state| {
            if state.locked {
                Err(StoreFailure::Locked)
            } else {
                Ok(())
            }
        })
    }

    fn get(&self, name: &str) -> Result<Option<SecretString>, StoreFailure> {
        self.call(|state| {
            let visible = !state.locked;
            Ok(state.items.get(name).filter(|_| visible).cloned())
        })
    }

    fn set(&self, name: &str, value: &SecretString) -> Result<(), StoreFailure> {
        self.call(|state| {
            let size = 2 * value.expose_secret().encode_utf16().count();
            if state.largest.is_some_and(|largest| size > largest) {
                return Err(StoreFailure::Broken(
                    format!("{size} bytes are too many").into(),
                ));
            }
            if state.locked {
                return Err(StoreFailure::Locked);
            }
            state.items.insert(name.to_owned(), value.clone());
            Ok(())
        })
    }

    fn delete(&self, name: &str) -> Result<(), StoreFailure> {
        self.call(|state| {
            if !state.locked {
                state.items.remove(name);
            }
            Ok(())
        })
    }
}
