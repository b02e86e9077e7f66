//! Secrets that are known themselves: what a project takes from `.env`, env files
//! and the shell, and the secrets of the handler in use.

use std::collections::BTreeSet;

use aho_corasick::{AhoCorasick, MatchKind};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use berth_compose::{Project, Service};

use super::MARK;

/// Values of a project that are shorter are not looked for: they would be found
/// everywhere.
const SHORTEST: usize = 6;

/// Secrets that are shorter are looked for as whole words only.
const SHORTEST_INSIDE: usize = 6;

/// Secrets that are shorter are not looked for.
const SHORTEST_WORD: usize = 3;

/// Values that must not be written down.
#[derive(Clone, Default)]
pub(crate) struct Values {
    known: BTreeSet<String>,
    search: Option<AhoCorasick>,
}

impl Values {
    /// Of the environments and build arguments of a project, and of its `.env`,
    /// wherever that was filled in. A value that stands in one of the compose files
    /// itself is no secret, nor is one of `.env` that names an image or a folder.
    pub(crate) fn of_project(
        project: &Project,
        dotenv: &BTreeSet<String>,
        compose_files: &[String],
    ) -> Self {
        let named: Vec<&str> = project.services.values().flat_map(names_in).collect();
        let dotenv = dotenv
            .iter()
            .filter(|value| !named.iter().any(|name| name.contains(value.as_str())));
        let environments = project
            .services
            .values()
            .flat_map(|service| service.environment.values());
        let arguments = project
            .services
            .values()
            .filter_map(|service| service.build.as_ref())
            .flat_map(|build| build.args.values());
        let known = environments
            .chain(arguments)
            .flatten()
            .chain(dotenv)
            .flat_map(|value| lines(value))
            .filter(|value| value.chars().count() >= SHORTEST)
            .filter(|value| !compose_files.iter().any(|text| text.contains(value)))
            .map(str::to_owned)
            .collect();
        Self::looking_for(known)
    }

    /// Secrets, and what they become in a JSON text, an address and a header.
    pub(crate) fn of_secrets<'s>(secrets: impl IntoIterator<Item = &'s str>) -> Self {
        let mut known = BTreeSet::new();
        for secret in secrets {
            for line in lines(secret).filter(|line| line.chars().count() >= SHORTEST_WORD) {
                known.insert(line.to_owned());
                if line.len() >= SHORTEST_INSIDE {
                    known.insert(STANDARD.encode(line).trim_end_matches('=').to_owned());
                    known.insert(url::form_urlencoded::byte_serialize(line.as_bytes()).collect());
                    known.insert(escaped(line));
                }
            }
        }
        Self::looking_for(known)
    }

    /// These and those.
    pub(crate) fn and(&self, others: Self) -> Self {
        let mut known = others.known;
        known.extend(self.known.iter().cloned());
        Self::looking_for(known)
    }

    fn looking_for(known: BTreeSet<String>) -> Self {
        if known.is_empty() {
            return Self::default();
        }
        // The mark is found, too, and replaced by itself: a value may be part of it.
        // Longest first, so that a value that contains another goes whole.
        let search = AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(std::iter::once(MARK).chain(known.iter().map(String::as_str)));
        Self {
            known,
            // Fails only for more than 2^31 bytes of values.
            search: search.ok(),
        }
    }

    /// `text` without them.
    pub(super) fn without(&self, text: String) -> String {
        let Some(search) = &self.search else {
            return text;
        };
        let mut clean = String::new();
        let mut from = 0;
        for found in search.find_iter(&text) {
            let value = &text[found.range()];
            if value.len() < SHORTEST_INSIDE && !stands_alone(&text, found.start(), found.end()) {
                continue;
            }
            clean.push_str(&text[from..found.start()]);
            clean.push_str(MARK);
            from = found.end();
        }
        if from == 0 {
            return text;
        }
        clean.push_str(&text[from..]);
        clean
    }
}

/// What people have to read where something goes wrong with it.
fn names_in(service: &Service) -> impl Iterator<Item = &str> {
    let named = [&service.image, &service.container_name, &service.platform];
    let sources = service.mounts.iter().filter_map(|it| it.source.as_deref());
    named
        .into_iter()
        .filter_map(|name| name.as_deref())
        .chain(sources)
}

/// The value, and each line of it.
fn lines(value: &str) -> impl Iterator<Item = &str> {
    std::iter::once(value).chain(value.lines()).map(str::trim)
}

/// As it stands in a JSON text.
fn escaped(value: &str) -> String {
    let quoted = serde_json::Value::from(value).to_string();
    // It stands between two quotes.
    quoted[1..quoted.len() - 1].to_owned()
}

fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !is_word(text[..start].chars().next_back()) && !is_word(text[end..].chars().next())
}
