//! Who asks for the keyring's password: what GNOME Keyring calls when somebody wants a locked keyring.

use std::collections::HashMap;
use std::time::Duration;

use dbus::Message;
use dbus::arg::{RefArg, Variant};
use dbus::blocking::Connection;
use dbus::channel::{Channel, MatchingReceiver as _, Sender as _};
use dbus::message::MatchRule;
use dbus::strings::Path;

use crate::SecretService;

/// What becomes of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The user looks at it for so long, then closes it.
    Dismissed {
        /// How long.
        after: Duration,
    },
    /// Nobody looks.
    None,
}

/// Asks, on a service's bus, until the test ends.
///
/// # Panics
/// When the bus cannot be reached.
pub fn prompter(service: &SecretService, answer: Answer) {
    let address = service.address();
    let (ready, is_ready) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut channel = Channel::open_private(&address).expect("the bus can be reached");
        channel.register().expect("the bus says hello");
        let connection = Connection::from(channel);
        connection
            .request_name("org.gnome.keyring.SystemPrompter", false, true, false)
            .expect("the name is free");
        connection.start_receive(
            MatchRule::new_method_call(),
            Box::new(move |call, connection| {
                answer_call(&call, connection, answer);
                true
            }),
        );
        let _ = ready.send(());
        // Ends with the bus.
        while connection.process(Duration::from_secs(1)).is_ok() {}
    });
    is_ready.recv().expect("the prompter is on the bus");
}

/// `BeginPrompting` is answered by a first `PromptReady`, `PerformPrompt` by one that says `no`.
fn answer_call(call: &Message, connection: &Connection, answer: Answer) {
    let _ = connection.send(call.method_return());
    let member = call.member().map(|member| member.to_string());
    let Answer::Dismissed { after } = answer else {
        return;
    };
    let reply = match member.as_deref() {
        Some("BeginPrompting") => "",
        Some("PerformPrompt") => {
            std::thread::sleep(after);
            "no"
        }
        _ => return,
    };
    let callback: Path<'_> = call.read1().expect("a prompter is called with an object");
    let caller = call.sender().expect("a call has a sender").to_string();
    let nothing = HashMap::<String, Variant<Box<dyn RefArg>>>::new();
    let ready = Message::new_method_call(
        caller,
        callback,
        "org.gnome.keyring.internal.Prompter.Callback",
        "PromptReady",
    )
    .expect("the names are well formed")
    .append3(reply, nothing, "");
    let _ = connection.send(ready);
}
