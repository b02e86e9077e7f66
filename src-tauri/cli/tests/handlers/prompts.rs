//! What is asked on a terminal: util-linux's `script` provides one.

use std::io::{Read, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use crate::home::{Home, PASSPHRASE, api};

const VALUE: &str = "hunter2-9f8e7d6c5b4a";

/// A shell line on a terminal of its own, read and typed to.
struct Terminal {
    child: Child,
    keys: ChildStdin,
    screen: ChildStdout,
    seen: String,
}

impl Terminal {
    fn run(home: &Home, line: &str) -> Self {
        let berth = env!("CARGO_BIN_EXE_berth");
        let mut child = home
            .program("script")
            .args(["-q", "-e", "-c"])
            .arg(line.replace("berth ", &format!("{berth} ")))
            .arg("/dev/null")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("script of util-linux is installed");
        Self {
            keys: child.stdin.take().unwrap(),
            screen: child.stdout.take().unwrap(),
            child,
            seen: String::new(),
        }
    }

    /// Reads until a text is on the screen, behind what was awaited before.
    fn until(&mut self, text: &str) {
        let from = self.seen.len();
        let mut buffer = [0; 256];
        while !self.seen[from..].contains(text) {
            let count = self.screen.read(&mut buffer).unwrap();
            assert_ne!(count, 0, "{text:?} did not come: {}", self.seen);
            self.seen
                .push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
    }

    fn type_in(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
        self.keys.flush().unwrap();
    }

    /// Waits for the end: the exit code, and everything that was on the screen.
    fn end(mut self) -> (i32, String) {
        let mut rest = Vec::new();
        self.screen.read_to_end(&mut rest).unwrap();
        self.seen.push_str(&String::from_utf8_lossy(&rest));
        let code = self.child.wait().unwrap().code().unwrap();
        (code, self.seen)
    }
}

#[test]
fn values_and_passphrases_are_asked_for_and_not_shown() {
    let home = Home::new();
    let file = home.file("api.json", &api("Acme"));
    let mut terminal = Terminal::run(&home, "berth secrets use vault");
    for question in ["Passphrase of the encrypted file: ", "The same again: "] {
        terminal.until(question);
        terminal.type_in(&format!("{PASSPHRASE}\r"));
    }
    let (code, seen) = terminal.end();
    assert_eq!(code, 0, "{seen}");
    assert!(!seen.contains(PASSPHRASE), "{seen}");

    let mut terminal = Terminal::run(
        &home,
        &format!("berth handler set {file} --secret API_TOKEN"),
    );
    terminal.until("Value of API_TOKEN: ");
    terminal.type_in(&format!("{VALUE}\r"));
    terminal.until("Passphrase of the encrypted file: ");
    terminal.type_in(&format!("{PASSPHRASE}\r"));
    let (code, seen) = terminal.end();
    assert_eq!(code, 0, "{seen}");
    assert!(seen.contains("custom:acme-preview  Acme"), "{seen}");
    for value in [VALUE, PASSPHRASE] {
        assert!(!seen.contains(value), "{seen}");
        home.refuse_in_data(value);
    }
}

#[test]
fn a_mistyped_new_passphrase_makes_no_vault() {
    let home = Home::new();
    let mut terminal = Terminal::run(&home, "berth secrets use vault");
    terminal.until("Passphrase of the encrypted file: ");
    terminal.type_in(&format!("{PASSPHRASE}\r"));
    terminal.until("The same again: ");
    terminal.type_in("something else\r");
    let (code, seen) = terminal.end();
    assert_eq!(code, 2, "{seen}");
    assert!(seen.contains("differ"), "{seen}");
    assert_eq!(
        home.berth(&["secrets", "--json"]).object()["secretStore"]["kind"],
        "keychain"
    );
}

/// However it is left, the terminal shows again what is typed.
#[test]
fn a_question_is_left_with_ctrl_c_or_a_signal() {
    let home = Home::new();
    let file = home.file("api.json", &api("Acme"));
    let asking = format!("berth handler set {file} --secret API_TOKEN");
    let mut terminal = Terminal::run(&home, &format!("{asking}; echo code=$?; stty -a"));
    terminal.until("Value of API_TOKEN: ");
    terminal.type_in("half\u{3}");
    terminal.until("code=130");
    let (_, seen) = terminal.end();
    assert!(seen.contains(" echo "), "{seen}");
    assert!(!seen.contains("half"), "{seen}");

    let mut terminal = Terminal::run(
        &home,
        &format!("(sh -c 'echo $$ > pid; exec {asking}'); echo code=$?; stty -a"),
    );
    terminal.until("Value of API_TOKEN: ");
    let pid = std::fs::read_to_string(home.path().join("pid")).unwrap();
    let killed = home.program("kill").args(["-TERM", pid.trim()]).status();
    assert!(killed.unwrap().success());
    terminal.until("code=130");
    let (_, seen) = terminal.end();
    assert!(seen.contains(" echo "), "{seen}");
}

#[test]
fn an_import_is_asked_for_and_no_means_no() {
    let home = Home::new();
    let file = home.file(
        "berth.json",
        r#"{"berth": 1, "manifestTypes": [{"manifestId": "helm", "label": "Helm"}], "handlers": [], "services": []}"#,
    );
    for (answer, code, types) in [("\r", 1, 0), ("y\r", 0, 1)] {
        let mut terminal = Terminal::run(&home, &format!("berth workspace import {file}"));
        terminal.until("Import this? [y/N] ");
        terminal.type_in(answer);
        let (ended, seen) = terminal.end();
        assert_eq!(ended, code, "{seen}");
        assert!(seen.contains("add     manifest type helm"), "{seen}");
        let known = home.object(&["type", "ls"]);
        assert_eq!(known["types"].as_array().unwrap().len(), types);
    }
}
