//! An engine that refuses every container, quoting the whole request in its answer.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;
use tempfile::TempDir;

/// In front of a real engine, which answers everything else. Ends with the test's process.
pub(crate) struct QuotingEngine {
    folder: TempDir,
    quoted: Arc<AtomicBool>,
}

impl QuotingEngine {
    pub(crate) fn start(engine: &Path) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join("docker.sock")).unwrap();
        let quoted = Arc::new(AtomicBool::new(false));
        let (engine, flag) = (engine.to_owned(), Arc::clone(&quoted));
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let (engine, flag) = (engine.clone(), Arc::clone(&flag));
                // A connection that breaks is the client's to notice.
                std::thread::spawn(move || serve(client, &engine, &flag).ok());
            }
        });
        Self { folder, quoted }
    }

    pub(crate) fn address(&self) -> String {
        format!(
            "unix://{}",
            self.folder.path().join("docker.sock").display()
        )
    }

    pub(crate) fn has_quoted(&self) -> bool {
        self.quoted.load(Ordering::SeqCst)
    }
}

/// One request per connection, so that each is seen.
fn serve(client: UnixStream, engine: &PathBuf, quoted: &AtomicBool) -> std::io::Result<()> {
    let mut reader = BufReader::new(client.try_clone()?);
    let mut head = Vec::new();
    let mut length = 0_usize;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let lower = line.to_ascii_lowercase();
        if let Some(value) = lower.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
        if !lower.starts_with("connection:") {
            head.push(line);
        }
    }
    let request = head.first().cloned().unwrap_or_default();
    let mut client = client;
    if request.starts_with("POST ") && request.contains("/containers/create") {
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        let body = String::from_utf8_lossy(&body);
        quoted.store(true, Ordering::SeqCst);
        let message = format!("invalid request: {body}");
        let answer = json!({"message": message}).to_string();
        return write!(
            client,
            "HTTP/1.1 500 Internal Server Error\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{answer}",
            answer.len()
        );
    }
    let mut engine = UnixStream::connect(engine)?;
    let head = head.concat();
    write!(engine, "{head}Connection: close\r\n\r\n")?;
    let mut answers = engine.try_clone()?;
    std::thread::spawn(move || {
        let _ = std::io::copy(&mut reader, &mut engine);
    });
    std::io::copy(&mut answers, &mut client)?;
    client.shutdown(Shutdown::Both)
}
