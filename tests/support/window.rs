//! Berth's window as a user has it: the real program in the system's web view, steered through WebDriver.

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use fantoccini::error::{CmdError, ErrorStatus};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::programs;

/// How long the driver and the window may take to start, on a busy machine.
const START_DEADLINE: Duration = Duration::from_secs(60);

/// How long the page may take to show what does not depend on an engine.
pub const PAGE_DEADLINE: Duration = Duration::from_secs(20);

/// How long an operation on an engine may take until the page shows its end.
pub const OPERATION_DEADLINE: Duration = Duration::from_secs(90);

/// Between two looks at the page.
const LOOK: Duration = Duration::from_millis(50);

/// Which appearance the page has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theme {
    /// Dark text on light ground.
    Light,
    /// Light text on dark ground.
    Dark,
}

impl Theme {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Light, Self::Dark];

    /// As the page calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

/// An open window, and the driver that steers it. Both end on drop.
#[derive(Debug)]
pub struct Window {
    client: Client,
    data: PathBuf,
    driver: Driver,
}

impl Window {
    /// Opens the window on a data folder and an engine's address, in surroundings that hold nothing of the
    /// user's. Returns once the page is there.
    ///
    /// # Panics
    /// When there is no display, no driver or no program (`make window` brings all three), or when the
    /// window does not come up in time.
    pub async fn open(data: &Path, engine: &str) -> Self {
        assert!(
            std::env::var_os("DISPLAY").is_some(),
            "DISPLAY is not set: run these tests with `make window`"
        );
        let driver = Driver::start(data, engine);
        let capabilities = json!({
            "webkitgtk:browserOptions": { "binary": programs::berth_desktop(), "args": [] }
        });
        let Value::Object(capabilities) = capabilities else {
            unreachable!("an object")
        };
        let mut builder = ClientBuilder::new(HttpConnector::new());
        let connecting = builder.capabilities(capabilities);
        let url = format!("http://127.0.0.1:{}", driver.port);
        let client = tokio::time::timeout(START_DEADLINE, connecting.connect(&url))
            .await
            .unwrap_or_else(|_| panic!("no window in {START_DEADLINE:?}: {}", driver.words()))
            .unwrap_or_else(|error| panic!("no window: {error}\n{}", driver.words()));
        let window = Self {
            client,
            data: data.to_owned(),
            driver,
        };
        // The session is there before the page is.
        window.wait(START_DEADLINE, "nav [aria-current]").await;
        window
    }

    /// Berth's data folder.
    #[must_use]
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// Asks the window's process to end and waits until it has.
    ///
    /// # Panics
    /// When it does not in time.
    pub async fn end_as_the_session_does(self) {
        let pid = self.driver.child();
        kill_process(pid, Signal::TERM).expect("the window can be told");
        let deadline = Instant::now() + PAGE_DEADLINE;
        while self.driver.children().contains(&pid) {
            assert!(
                Instant::now() < deadline,
                "the window stays: {}",
                self.driver.words()
            );
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Closes the window as the driver does, which is at once.
    pub async fn close(self) {
        // The driver may report that the page it asks is gone; so it should be.
        let _ = self.client.clone().close().await;
    }

    /// Waits until something matches a CSS selector.
    ///
    /// # Panics
    /// When nothing does in time; with what the page shows instead.
    pub async fn wait(&self, patience: Duration, css: &str) {
        self.until(patience, css, async || {
            self.client.find(Locator::Css(css)).await.map(|_| ())
        })
        .await;
    }

    /// Waits until what has this test id is there.
    pub async fn sees(&self, id: &str) {
        self.wait(PAGE_DEADLINE, &by_id(id)).await;
    }

    /// Whether something with this test id is there now.
    pub async fn has(&self, id: &str) -> bool {
        self.client.find(Locator::Css(&by_id(id))).await.is_ok()
    }

    /// Waits until nothing has this test id any more.
    pub async fn sees_gone(&self, id: &str) {
        self.is_gone(&by_id(id)).await;
    }

    /// Waits until nothing matches a CSS selector any more.
    pub async fn is_gone(&self, css: &str) {
        self.until(PAGE_DEADLINE, &format!("no {css}"), async || {
            if self.client.find(Locator::Css(css)).await.is_ok() {
                Err(not_yet(css))
            } else {
                Ok(())
            }
        })
        .await;
    }

    /// Clicks on what has this test id, as soon as it can be clicked.
    pub async fn click(&self, id: &str) {
        self.click_css(&by_id(id)).await;
    }

    /// Clicks on what matches a CSS selector, as soon as it can be clicked.
    pub async fn click_css(&self, css: &str) {
        self.until(PAGE_DEADLINE, css, async || {
            let element = self.client.find(Locator::Css(css)).await?;
            if !element.is_enabled().await? {
                return Err(not_yet(css));
            }
            element.click().await
        })
        .await;
    }

    /// Types a text into a field, in place of what it held.
    pub async fn types(&self, id: &str, text: &str) {
        self.types_css(&by_id(id), text).await;
    }

    /// Types a text into the field that matches a CSS selector, in place of what it held.
    pub async fn types_css(&self, css: &str, text: &str) {
        self.until(PAGE_DEADLINE, css, async || {
            let field = self.client.find(Locator::Css(css)).await?;
            field.clear().await?;
            field.send_keys(text).await
        })
        .await;
    }

    /// Presses keys where the focus is.
    ///
    /// # Panics
    /// When nothing takes them in time.
    pub async fn press(&self, keys: &str) {
        self.until(PAGE_DEADLINE, "something with the focus", async || {
            let focused = self.client.active_element().await?;
            focused.send_keys(keys).await
        })
        .await;
    }

    /// The text of what has this test id, as a user sees it.
    pub async fn text(&self, id: &str) -> String {
        self.until(PAGE_DEADLINE, id, async || {
            self.client
                .find(Locator::Css(&by_id(id)))
                .await?
                .text()
                .await
        })
        .await
    }

    /// Waits until the text of what matches a CSS selector contains a text; returns all of it.
    ///
    /// # Panics
    /// When it does not in time.
    pub async fn shows(&self, patience: Duration, css: &str, text: &str) -> String {
        self.until(patience, &format!("{css} with “{text}”"), async || {
            // The driver's own text of an element lacks what may be cut short with an ellipsis.
            let script = "return document.querySelector(arguments[0])?.innerText ?? null";
            let found = self.client.execute(script, vec![json!(css)]).await?;
            let found = found.as_str().ok_or_else(|| not_yet("nothing"))?.to_owned();
            if found.contains(text) {
                Ok(found)
            } else {
                Err(not_yet(&found))
            }
        })
        .await
    }

    /// The value of a script that runs in the page.
    ///
    /// # Panics
    /// When it fails.
    pub async fn script(&self, script: &str) -> Value {
        self.client
            .execute(script, Vec::new())
            .await
            .unwrap_or_else(|error| panic!("{script}: {error}"))
    }

    /// What an expression of the page comes to, `value` or `error`. It is asked after until it is
    /// there: of a promise that is handed to it the driver loses the result now and then.
    pub async fn answer(&self, expression: &str) -> Value {
        self.script(&format!(
            "window.answer = null;
             Promise.resolve().then(() => {expression}).then(
               (value) => {{ window.answer = {{ value }} }},
               (error) => {{ window.answer = {{ error: String(error) }} }},
             );
             return true"
        ))
        .await;
        let deadline = Instant::now() + OPERATION_DEADLINE;
        loop {
            let answer = self.script("return window.answer").await;
            if !answer.is_null() {
                return answer;
            }
            assert!(
                Instant::now() < deadline,
                "no answer in {OPERATION_DEADLINE:?}: {expression}"
            );
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Loads the page anew, as a user's F5 would.
    pub async fn reload(&self) {
        self.client
            .refresh()
            .await
            .expect("the page can be loaded anew");
        self.wait(PAGE_DEADLINE, "nav [aria-current]").await;
    }

    /// Gives the page an appearance until it is loaded anew.
    pub async fn appear(&self, theme: Theme) {
        let name = theme.name();
        self.script(&format!(
            "document.documentElement.dataset.theme = '{name}'"
        ))
        .await;
    }

    /// Sets the size of the page, in pixels.
    pub async fn resize(&self, width: u32, height: u32) {
        self.client
            .set_window_size(width, height)
            .await
            .expect("the window can be resized");
        self.until(PAGE_DEADLINE, "the new size", async || {
            let size = self
                .client
                .execute("return [innerWidth, innerHeight]", Vec::new())
                .await?;
            if size == json!([width, height]) {
                Ok(())
            } else {
                Err(not_yet(&size.to_string()))
            }
        })
        .await;
    }

    /// Keeps a picture of the page among the artifacts.
    ///
    /// # Panics
    /// When it cannot be taken or kept.
    pub async fn picture(&self, name: &str) {
        let mut picture = self.painted().await;
        // The web view may still show the frame before the last change. A page on which something
        // happens never stands still; then the last picture has to do.
        for _ in 0..10 {
            let next = self.painted().await;
            let still = next == picture;
            picture = next;
            if still {
                break;
            }
        }
        let file = artifacts().join(format!("{name}.png"));
        fs::write(&file, picture).expect("the picture can be kept");
    }

    /// Keeps a text among the artifacts.
    ///
    /// # Panics
    /// When it cannot be kept.
    pub fn keep(&self, name: &str, text: &str) {
        fs::write(artifacts().join(name), text).expect("the text can be kept");
    }

    /// A picture of the page after its next two frames.
    async fn painted(&self) -> Vec<u8> {
        self.script(
            "return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))",
        )
        .await;
        self.client
            .screenshot()
            .await
            .expect("a picture can be taken")
    }

    /// Pictures in both appearances and in a small and a large window, named `NAME-THEME-WIDTH.png`.
    pub async fn pictures(&self, name: &str) {
        for theme in Theme::ALL {
            self.appear(theme).await;
            for (width, height) in [(1000, 700), (1600, 1000)] {
                self.resize(width, height).await;
                self.picture(&format!("{name}-{}-{width}", theme.name()))
                    .await;
            }
        }
        self.appear(Theme::Light).await;
    }

    /// Tries until it works: the page changes while it is looked at.
    async fn until<T>(
        &self,
        patience: Duration,
        what: &str,
        attempt: impl AsyncFn() -> Result<T, CmdError>,
    ) -> T {
        let deadline = Instant::now() + patience;
        loop {
            match attempt().await {
                Ok(value) => return value,
                Err(error) if Instant::now() > deadline => {
                    let name = what.replace(|letter: char| !letter.is_alphanumeric(), "-");
                    self.picture(&format!("missed-{name}")).await;
                    let page = self.script("return document.body.innerText").await;
                    panic!(
                        "not in {patience:?}: {what} ({error}). The page shows:\n{}\n{}",
                        page.as_str().unwrap_or_default(),
                        self.driver.words()
                    );
                }
                Err(_) => tokio::time::sleep(LOOK).await,
            }
        }
    }
}

/// The CSS selector of a test id.
#[must_use]
pub fn by_id(id: &str) -> String {
    format!("[data-testid='{id}']")
}

/// "Look again", in the shape of the driver's errors.
fn not_yet(found: &str) -> CmdError {
    CmdError::Standard(fantoccini::error::WebDriver::new(
        ErrorStatus::NoSuchElement,
        format!("found: {found}"),
    ))
}

/// Where pictures go: `BERTH_TEST_ARTIFACTS`, else `tests/artifacts`.
fn artifacts() -> PathBuf {
    let folder = std::env::var_os("BERTH_TEST_ARTIFACTS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts"),
        PathBuf::from,
    );
    fs::create_dir_all(&folder).expect("the folder for artifacts can be made");
    folder
}

/// WebKit's driver, with a port of its own: one that a failed session has left behind disturbs nobody.
#[derive(Debug)]
struct Driver {
    process: Child,
    port: u16,
    /// An empty home; the driver's and the window's words.
    home: TempDir,
}

impl Driver {
    fn start(data: &Path, engine: &str) -> Self {
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
            .and_then(|listener| listener.local_addr())
            .expect("there is a free port")
            .port();
        let home = tempfile::tempdir().expect("a folder can be made");
        let words = fs::File::create(home.path().join("words")).expect("a file can be made");
        // The driver ends with the thread that started it: nothing is left of a test that is killed.
        let process = Command::new("setpriv")
            .args([
                "--pdeathsig",
                "KILL",
                "--",
                "WebKitWebDriver",
                "--host=127.0.0.1",
            ])
            .arg(format!("--port={port}"))
            .env("TAURI_WEBVIEW_AUTOMATION", "true")
            .env("BERTH_DATA_DIR", data)
            .env("HOME", home.path())
            .env("DOCKER_HOST", engine)
            .env("DOCKER_CONFIG", home.path().join(".docker"))
            .env_remove("DOCKER_CONTEXT")
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_CACHE_HOME")
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(words.try_clone().expect("a file can be shared"))
            .stderr(words)
            .spawn()
            .expect("setpriv can be run (package util-linux)");
        let mut driver = Self {
            process,
            port,
            home,
        };
        let deadline = Instant::now() + START_DEADLINE;
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            let ended = driver.process.try_wait().expect("the driver can be asked");
            assert!(
                ended.is_none() && Instant::now() < deadline,
                "WebKitWebDriver (package webkit2gtk-driver) does not listen, {ended:?}: {}",
                driver.words()
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        driver
    }

    /// What the driver and the window wrote.
    fn words(&self) -> String {
        fs::read_to_string(self.home.path().join("words")).unwrap_or_default()
    }

    /// The driver's one child: the window.
    fn child(&self) -> Pid {
        self.children()
            .first()
            .copied()
            .expect("the driver has started the window")
    }

    /// The driver's children that still run.
    fn children(&self) -> Vec<Pid> {
        let pid = self.process.id();
        let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else {
            return Vec::new();
        };
        let children = tasks
            .filter_map(|task| fs::read_to_string(task.ok()?.path().join("children")).ok())
            .collect::<String>();
        let runs = |pid: &str| {
            let status = fs::read_to_string(format!("/proc/{pid}/status"));
            status.is_ok_and(|status| !status.contains("State:\tZ"))
        };
        children
            .split_whitespace()
            .filter(|child| runs(child))
            .filter_map(|child| Pid::from_raw(child.parse().ok()?))
            .collect()
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // The window is in the driver's group. Already gone is as good.
        let _ = kill_process_group(Pid::from_child(&self.process), Signal::KILL);
        let _ = self.process.wait();
    }
}
