//! A Secret Service of a test's own: GNOME Keyring on a session bus that nothing else uses.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

const START_DEADLINE: Duration = Duration::from_secs(20);

const PASSWORD: &str = "correct horse battery";

const SERVICE: &str = "/org/freedesktop/secrets";

/// How the service is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyring {
    /// The user has logged in with their password.
    Unlocked,
    /// As after a login without one.
    Locked,
}

/// A home, a session bus and, while it runs, a keyring daemon. All end with it, and with the thread that
/// started it.
#[derive(Debug)]
pub struct SecretService {
    home: TempDir,
    bus: Child,
    keyring: Option<Child>,
}

impl SecretService {
    /// A bus with an unlocked keyring.
    ///
    /// # Panics
    /// When either cannot be started.
    #[must_use]
    pub fn start() -> Self {
        let mut service = Self::without_keyring();
        service.start_keyring(Keyring::Unlocked);
        service
    }

    /// A bus on which nothing runs, and which starts nothing by itself.
    ///
    /// # Panics
    /// When it cannot be started.
    #[must_use]
    pub fn without_keyring() -> Self {
        let home = tempfile::Builder::new()
            .prefix("berth-keyring-")
            .tempdir()
            .expect("a folder can be made");
        let config = home.path().join("bus.conf");
        let socket = home.path().join("bus");
        fs::create_dir(home.path().join("run")).expect("a folder can be made");
        let text = format!(
            r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:path={}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"#,
            socket.display()
        );
        fs::write(&config, text).expect("a file can be written");
        // The keyring daemon ends with the bus, and the bus with the thread that started it: nothing is left
        // of a test that is killed.
        let bus = Command::new("setpriv")
            .args(["--pdeathsig", "KILL", "--", "dbus-daemon", "--nofork"])
            .arg(format!("--config-file={}", config.display()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("setpriv can be run (package util-linux)");
        let service = Self {
            home,
            bus,
            keyring: None,
        };
        until("dbus-daemon (package dbus) listens", || socket.exists());
        service
    }

    /// What a program needs in its environment to use this service and no other.
    #[must_use]
    pub fn surroundings(&self) -> [(&'static str, PathBuf); 3] {
        let home = self.home.path();
        [
            ("DBUS_SESSION_BUS_ADDRESS", self.address().into()),
            ("HOME", home.to_owned()),
            ("XDG_RUNTIME_DIR", home.join("run")),
        ]
    }

    /// Where the bus is.
    #[must_use]
    pub fn address(&self) -> String {
        format!("unix:path={}", self.home.path().join("bus").display())
    }

    /// Starts the keyring daemon, and holds until it answers.
    ///
    /// # Panics
    /// When it does not.
    pub fn start_keyring(&mut self, keyring: Keyring) {
        assert!(self.keyring.is_none(), "the keyring runs already");
        let mut command = Command::new("gnome-keyring-daemon");
        command
            .args(["--foreground", "--components=secrets"])
            .envs(self.surroundings())
            .env_remove("GNOME_KEYRING_CONTROL")
            .env_remove("DISPLAY")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        if keyring == Keyring::Unlocked {
            command.arg("--unlock");
        }
        let mut child = command
            .spawn()
            .expect("gnome-keyring-daemon can be run (package gnome-keyring)");
        let mut stdin = child.stdin.take().expect("its input is a pipe");
        stdin
            .write_all(PASSWORD.as_bytes())
            .expect("it reads its password");
        drop(stdin);
        self.keyring = Some(child);
        until("gnome-keyring-daemon answers", || {
            let answer = self.call(SERVICE, "Service.ReadAlias", &["string:default"]);
            answer.is_ok_and(|path| keyring == Keyring::Locked || path.contains("collection/"))
        });
    }

    /// Ends the keyring daemon without a chance to finish anything.
    ///
    /// # Panics
    /// When it does not run.
    pub fn kill_keyring(&mut self) {
        let mut keyring = self.keyring.take().expect("the keyring runs");
        keyring.kill().expect("the keyring can be killed");
        keyring.wait().expect("the keyring can be waited for");
    }

    /// Lets the keyring daemon stand still: it keeps its name and answers nothing.
    pub fn halt(&self) {
        self.signal(Signal::STOP);
    }

    /// Lets it go on, with everything that it was asked meanwhile.
    pub fn go_on(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        let keyring = self.keyring.as_ref().expect("the keyring runs");
        kill_process(Pid::from_child(keyring), signal).expect("the keyring can be signalled");
    }

    /// Locks the keyring.
    ///
    /// # Panics
    /// When it refuses.
    pub fn lock(&self) {
        let login = format!("array:objpath:{SERVICE}/collection/login");
        self.call(SERVICE, "Service.Lock", &[&login])
            .expect("the keyring can be locked");
    }

    /// Makes the keyring of the session, which ends with it, the default one.
    ///
    /// # Panics
    /// When it refuses.
    pub fn forget_at_logout(&self) {
        let session = format!("objpath:{SERVICE}/collection/session");
        self.call(SERVICE, "Service.SetAlias", &["string:default", &session])
            .expect("the default keyring can be changed");
    }

    /// The user names of all of Berth's items, sorted.
    ///
    /// # Panics
    /// When they cannot be listed.
    #[must_use]
    pub fn items(&self) -> Vec<String> {
        let mut items: Vec<String> = self
            .paths()
            .iter()
            .map(|path| self.user_name(path))
            .collect();
        items.sort();
        items
    }

    /// Removes an item behind Berth's back.
    ///
    /// # Panics
    /// When there is none of that user name.
    pub fn delete(&self, user_name: &str) {
        let paths = self.paths();
        let path = paths
            .iter()
            .find(|path| self.user_name(path) == user_name)
            .expect("the item is there");
        self.call(path, "Item.Delete", &[])
            .expect("an item can be removed");
    }

    fn paths(&self) -> Vec<String> {
        let wanted = ["dict:string:string:service,dev.berth"];
        let found = self
            .call(SERVICE, "Service.SearchItems", &wanted)
            .expect("items can be searched");
        quoted(&found).map(str::to_owned).collect()
    }

    fn user_name(&self, path: &str) -> String {
        let attributes = self
            .send(
                path,
                "org.freedesktop.DBus.Properties.Get",
                &["string:org.freedesktop.Secret.Item", "string:Attributes"],
            )
            .expect("an item's attributes can be read");
        let mut texts = quoted(&attributes);
        texts.find(|text| *text == "username");
        texts.next().expect("an item has a user name").to_owned()
    }

    fn call(&self, path: &str, method: &str, arguments: &[&str]) -> Result<String, String> {
        self.send(path, &format!("org.freedesktop.Secret.{method}"), arguments)
    }

    fn send(&self, path: &str, method: &str, arguments: &[&str]) -> Result<String, String> {
        let output = Command::new("dbus-send")
            .args([
                "--session",
                "--print-reply",
                "--dest=org.freedesktop.secrets",
            ])
            .args([path, method])
            .args(arguments)
            .envs(self.surroundings())
            .output()
            .expect("dbus-send can be run (package dbus)");
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        } else {
            Err(String::from_utf8_lossy(&output.stderr).into_owned())
        }
    }
}

impl Drop for SecretService {
    fn drop(&mut self) {
        // Already gone is as good.
        if let Some(keyring) = &mut self.keyring {
            let _ = keyring.kill();
            let _ = keyring.wait();
        }
        let _ = self.bus.kill();
        let _ = self.bus.wait();
    }
}

/// The texts in what dbus-send prints.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

fn until(what: &str, holds: impl Fn() -> bool) {
    let deadline = Instant::now() + START_DEADLINE;
    while !holds() {
        assert!(
            Instant::now() < deadline,
            "not in {START_DEADLINE:?}: {what}"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
}
