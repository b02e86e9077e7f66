//! Compose project names that a handler's template gives.

use super::Variables;

/// Docker Compose itself sets no bound; this is what a label of a host name
/// bears.
const LONGEST: usize = 63;

/// Length of the hash that tells two of one name apart.
const HASH_LENGTH: usize = 6;

/// The project name that a template gives, legal for Compose. Another
/// environment may have it: see [`unique_project_name`].
pub(crate) fn templated_project_name(template: &str, variables: &Variables) -> String {
    sanitised(&variables.render(template))
}

/// `proposed`, or the same with a hash of the environment's id when it is taken.
pub(crate) fn unique_project_name(
    proposed: &str,
    environment_id: &str,
    is_taken: impl FnOnce(&str) -> bool,
) -> String {
    if !is_taken(proposed) {
        return proposed.to_owned();
    }
    let front = cut(proposed, LONGEST - HASH_LENGTH - 1);
    format!("{front}-{}", short_hash(environment_id))
}

/// Lower-case `a-z0-9_-`, a letter or digit first, no dash last, at most 63.
fn sanitised(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut replaced = false;
    // Lower case may turn one character into a legal one and a mark (`İ`).
    for character in text.chars().flat_map(char::to_lowercase) {
        let legal = character.is_ascii_lowercase()
            || character.is_ascii_digit()
            || matches!(character, '_' | '-');
        if legal {
            clean.push(character);
        } else if !replaced {
            clean.push('-');
        }
        replaced = !legal;
    }
    let clean = clean.trim_start_matches(['_', '-']);
    match cut(clean, LONGEST) {
        "" => "env".to_owned(),
        name => name.to_owned(),
    }
}

/// At most `length` bytes of ASCII `text`, without a dash at the end.
fn cut(text: &str, length: usize) -> &str {
    text.get(..length).unwrap_or(text).trim_end_matches('-')
}

/// djb2 over the UTF-16 units, in base 36, at most six digits.
fn short_hash(text: &str) -> String {
    let mut hash = text.encode_utf16().fold(5381_u32, |hash, unit| {
        hash.wrapping_mul(33).wrapping_add(u32::from(unit))
    });
    let mut digits = Vec::new();
    loop {
        digits.extend(char::from_digit(hash % 36, 36));
        hash /= 36;
        if hash == 0 {
            break;
        }
    }
    digits.iter().rev().take(HASH_LENGTH).collect()
}
