//! Tabs between a key and its value: legal YAML that the parser refuses.

use super::reader::YamlError;

/// The parser's word for such a tab. Its check is meant for lists and mappings that
/// begin behind a tab; those are refused still once the tab is a space.
const COMPLAINT: &str = "':' must be followed by a valid YAML whitespace";
/// Work spent on one file, in bytes read again.
const MOST_READ_AGAIN: usize = 32 << 20;

/// Counts how often a text is read again.
pub(super) struct Patience(usize);

impl Patience {
    pub(super) fn new() -> Self {
        Self(MOST_READ_AGAIN)
    }

    /// The text with the tabs that the error is about as spaces; columns stay what
    /// they were. `None`: the error is about something else, or it is enough.
    pub(super) fn without_tabs(&mut self, text: &str, error: &YamlError) -> Option<String> {
        if !error.message.contains(COMPLAINT) {
            return None;
        }
        self.0 = self.0.checked_sub(text.len())?;
        let line = usize::try_from(error.place.line).ok()?.checked_sub(1)?;
        let column = usize::try_from(error.place.column).ok()?.checked_sub(1)?;
        let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
        let behind = text[start..].char_indices().nth(column)?.0 + start;
        let before = text[..behind].trim_end_matches('\t');
        let tabs = behind - before.len();
        if tabs == 0 || !before.ends_with(':') {
            return None;
        }
        Some(format!("{before}{}{}", " ".repeat(tabs), &text[behind..]))
    }
}
