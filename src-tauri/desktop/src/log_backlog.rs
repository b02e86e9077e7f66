//! Log lines between the engine, which may be fast, and the page, which may be
//! slow.

use std::collections::VecDeque;

use berth_core::Problem;
use berth_core::view::{LogBatch, LogEnd};
use berth_engines::docker::LogLine;

/// Most that one message to the page carries, in bytes of JSON.
pub(crate) const MESSAGE_BYTES: usize = 256 * 1024;

/// Most that waits here, in bytes of JSON. Beyond it the oldest lines go.
const WAITING_BYTES: usize = 4 * MESSAGE_BYTES;

/// What a message needs around its lines.
const ENVELOPE_BYTES: usize = 4 * 1024;

/// Most of one line's text, in bytes. With every character escaped in JSON
/// (`\u001b`) it still fits a message.
const TEXT_BYTES: usize = 32 * 1024;

/// Lines that wait to be sent. When more come than the page takes, the oldest
/// go and are counted, so that memory stays bounded and what is new is seen.
#[derive(Debug, Default)]
pub(crate) struct LogBacklog {
    waiting: VecDeque<(usize, LogLine)>,
    bytes: usize,
    skipped: u64,
    end: Option<LogEnd>,
}

impl LogBacklog {
    /// Takes a line in.
    pub(crate) fn push(&mut self, mut line: LogLine) {
        cut(&mut line.text);
        let bytes = json_bytes(&line);
        self.waiting.push_back((bytes, line));
        self.bytes += bytes;
        while self.bytes > WAITING_BYTES
            && let Some((bytes, _)) = self.waiting.pop_front()
        {
            self.bytes -= bytes;
            self.skipped += 1;
        }
    }

    /// No more lines come.
    pub(crate) fn end(&mut self, problem: Option<Problem>) {
        self.end = Some(LogEnd { problem });
    }

    /// Whether [`LogBacklog::end`] was called.
    pub(crate) fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Whether there is anything to send.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.end.is_none()
    }

    /// The next message.
    pub(crate) fn next_batch(&mut self) -> LogBatch {
        let mut room = MESSAGE_BYTES - ENVELOPE_BYTES;
        let mut lines = Vec::new();
        while let Some((bytes, _)) = self.waiting.front()
            && (lines.is_empty() || *bytes <= room)
            && let Some((bytes, line)) = self.waiting.pop_front()
        {
            self.bytes -= bytes;
            room = room.saturating_sub(bytes);
            lines.push(line);
        }
        LogBatch {
            lines,
            skipped: std::mem::take(&mut self.skipped),
            end: self.end.take_if(|_| self.waiting.is_empty()),
        }
    }
}

/// Cuts a text at [`TEXT_BYTES`].
fn cut(text: &mut String) {
    if text.len() > TEXT_BYTES {
        // A character has at most four bytes, so one of these is its start.
        let end = (TEXT_BYTES - 3..=TEXT_BYTES)
            .rev()
            .find(|&at| text.is_char_boundary(at));
        text.truncate(end.unwrap_or(0));
        text.push('…');
    }
}

/// The line's size in a message, with the comma after it.
fn json_bytes(line: &LogLine) -> usize {
    // A line consists of strings and numbers, which always serialise.
    serde_json::to_string(line).map_or(0, |json| json.len() + 1)
}

#[cfg(test)]
mod tests {
    use berth_core::Code;

    use super::*;

    fn line(number: usize, text: &str) -> LogLine {
        LogLine {
            service: "web".to_owned(),
            container: "shop-web-1".to_owned(),
            at: i64::try_from(number).unwrap(),
            stderr: false,
            text: text.to_owned(),
        }
    }

    #[test]
    fn lines_leave_in_order_and_the_end_comes_last() {
        let mut backlog = LogBacklog::default();
        assert!(backlog.is_empty());
        for number in 0..1_000 {
            backlog.push(line(number, &"x".repeat(600)));
        }
        backlog.end(Some(Problem::new(Code::EngineLost, "The engine went away")));

        let mut seen = Vec::new();
        loop {
            let batch = backlog.next_batch();
            let size = serde_json::to_vec(&batch).unwrap().len();
            assert!(size <= MESSAGE_BYTES, "{size}");
            assert_eq!(batch.skipped, 0);
            seen.extend(batch.lines.iter().map(|line| line.at));
            if let Some(end) = batch.end {
                assert_eq!(end.problem.unwrap().code, Code::EngineLost);
                break;
            }
        }
        assert_eq!(seen, (0..1_000).collect::<Vec<i64>>());
        assert!(backlog.is_empty());
    }

    #[test]
    fn when_too_much_waits_the_oldest_go_and_are_counted() {
        let mut backlog = LogBacklog::default();
        for number in 0..5_000 {
            backlog.push(line(number, &"x".repeat(1_000)));
        }
        assert!(backlog.bytes <= WAITING_BYTES);
        let first = backlog.next_batch();
        assert!(first.skipped > 0);
        assert_eq!(first.lines[0].at, i64::try_from(first.skipped).unwrap());
        let mut sent = first.lines.len();
        while !backlog.is_empty() {
            let batch = backlog.next_batch();
            assert_eq!(batch.skipped, 0, "counted once");
            sent += batch.lines.len();
        }
        assert_eq!(sent + usize::try_from(first.skipped).unwrap(), 5_000);
    }

    #[test]
    fn the_worst_line_still_fits_a_message() {
        let mut backlog = LogBacklog::default();
        backlog.push(line(1, &"\u{1b}".repeat(64 * 1024)));
        let batch = backlog.next_batch();
        assert_eq!(batch.lines.len(), 1);
        assert!(batch.lines[0].text.ends_with('…'));
        assert!(serde_json::to_vec(&batch).unwrap().len() <= MESSAGE_BYTES);
    }

    #[test]
    fn a_cut_never_splits_a_character() {
        let mut text = "é".repeat(TEXT_BYTES);
        text.insert(0, 'x');
        cut(&mut text);
        assert!(text.len() <= TEXT_BYTES + '…'.len_utf8());
    }
}
