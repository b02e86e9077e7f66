//! The engine's log stream as lines. Without a terminal it comes in frames that
//! name their stream; with one it is raw text. Every message begins with its
//! time, and a long line comes in several messages, each with a time of its own.
//! Nothing here holds more than one cut line per stream.

use super::logs::TEXT_LIMIT;

/// `2026-11-30T14:05:52.774407714Z `, always nine digits.
const TIME_LENGTH: usize = 31;
/// The engine splits lines after so many bytes.
const MESSAGE_LIMIT: usize = 16 * 1024;

/// One line, without its break.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DecodedLine {
    /// Nanoseconds since the epoch.
    pub(super) at: i128,
    pub(super) stderr: bool,
    pub(super) text: String,
}

/// Takes bytes as they come, in pieces of any size, and gives lines.
#[derive(Debug)]
pub(super) enum Decoder {
    /// Without a terminal.
    Framed {
        header: Vec<u8>,
        /// Bytes of the frame's message still to come.
        left: usize,
        stderr: bool,
        streams: [Assembler; 2],
    },
    /// With a terminal.
    Raw(Assembler),
}

impl Decoder {
    pub(super) fn new(tty: bool) -> Self {
        if tty {
            Self::Raw(Assembler::default())
        } else {
            Self::Framed {
                header: Vec::with_capacity(8),
                left: 0,
                stderr: false,
                streams: Default::default(),
            }
        }
    }

    /// Decodes the next bytes; complete lines are added to `lines`.
    pub(super) fn feed(&mut self, mut bytes: &[u8], lines: &mut Vec<DecodedLine>) {
        match self {
            Self::Raw(assembler) => {
                for byte in bytes {
                    if assembler.at_message_end() {
                        assembler.begin_message(true);
                    }
                    assembler.take(*byte, false, lines);
                }
            }
            Self::Framed {
                header,
                left,
                stderr,
                streams,
            } => {
                while let Some((first, rest)) = bytes.split_first() {
                    if *left == 0 {
                        header.push(*first);
                        bytes = rest;
                        if let [kind, _, _, _, a, b, c, d] = header[..] {
                            *stderr = kind == 2;
                            *left = u32::from_be_bytes([a, b, c, d]) as usize;
                            streams[usize::from(*stderr)].begin_message(false);
                            header.clear();
                        }
                        continue;
                    }
                    let (message, rest) = bytes.split_at(bytes.len().min(*left));
                    for byte in message {
                        streams[usize::from(*stderr)].take(*byte, *stderr, lines);
                    }
                    *left -= message.len();
                    bytes = rest;
                }
            }
        }
    }

    /// The stream is over: a line that never ended is one all the same.
    pub(super) fn finish(&mut self, lines: &mut Vec<DecodedLine>) {
        match self {
            Self::Raw(assembler) => assembler.end(false, lines),
            Self::Framed { streams, .. } => {
                for (index, assembler) in streams.iter_mut().enumerate() {
                    assembler.end(index == 1, lines);
                }
            }
        }
    }
}

/// One stream's line on its way.
#[derive(Debug, Default)]
pub(super) struct Assembler {
    at: i128,
    line: Vec<u8>,
    /// Whether the line has begun at all.
    open: bool,
    /// A carriage return that may belong to a line break.
    returned: bool,
    /// The time at the start of a message, as far as it came.
    time: Option<Vec<u8>>,
    /// Whether text that is no time may stand where one is looked for.
    unsure: bool,
    /// Bytes of the present message.
    message: usize,
}

impl Assembler {
    /// The next bytes begin with a time. `unsure`: unless they do not.
    fn begin_message(&mut self, unsure: bool) {
        self.time = Some(Vec::with_capacity(TIME_LENGTH));
        self.unsure = unsure;
        self.message = 0;
    }

    /// Where raw text holds a time: at the start of a line, and where the engine
    /// has split one.
    fn at_message_end(&self) -> bool {
        self.time.is_none() && (!self.open || self.message == MESSAGE_LIMIT)
    }

    fn take(&mut self, byte: u8, stderr: bool, lines: &mut Vec<DecodedLine>) {
        let Some(time) = &mut self.time else {
            return self.text(byte, stderr, lines);
        };
        time.push(byte);
        if time.len() < TIME_LENGTH && time_goes_on(time) {
            return;
        }
        let time = self.time.take().unwrap_or_default();
        match parse_time(&time) {
            Some(at) => {
                // The time of a line is that of its beginning.
                if !self.open {
                    self.at = at;
                    self.open = true;
                }
            }
            None => {
                self.open = true;
                for byte in time {
                    self.text(byte, stderr, lines);
                }
            }
        }
    }

    fn text(&mut self, byte: u8, stderr: bool, lines: &mut Vec<DecodedLine>) {
        self.open = true;
        self.message += 1;
        if byte == b'\n' {
            self.returned = false;
            return self.end(stderr, lines);
        }
        if std::mem::take(&mut self.returned) {
            // Back to the start: what follows overwrites.
            self.line.clear();
        }
        if byte == b'\r' {
            self.returned = true;
        } else if self.line.len() < TEXT_LIMIT {
            self.line.push(byte);
        }
    }

    fn end(&mut self, stderr: bool, lines: &mut Vec<DecodedLine>) {
        if let Some(rest) = self.time.take()
            && !rest.is_empty()
        {
            self.open = true;
            self.line.extend(rest);
        }
        if !self.open {
            return;
        }
        let mut text = String::from_utf8_lossy(&self.line).into_owned();
        if text.len() > TEXT_LIMIT {
            // Replacement characters are longer than what they replace.
            let end = (0..=TEXT_LIMIT)
                .rev()
                .find(|at| text.is_char_boundary(*at))
                .unwrap_or(0);
            text.truncate(end);
        }
        lines.push(DecodedLine {
            at: self.at,
            stderr,
            text,
        });
        self.line.clear();
        self.open = false;
        self.returned = false;
        self.message = 0;
    }
}

/// Whether bytes may still become a time.
fn time_goes_on(bytes: &[u8]) -> bool {
    const FORM: &[u8; TIME_LENGTH] = b"0000-00-00T00:00:00.000000000Z ";
    bytes.iter().zip(FORM).all(|(byte, form)| match form {
        b'0' => byte.is_ascii_digit(),
        form => byte == form,
    })
}

fn parse_time(bytes: &[u8]) -> Option<i128> {
    if bytes.len() != TIME_LENGTH || !time_goes_on(bytes) {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    let time: jiff::Timestamp = text.trim_end().parse().ok()?;
    Some(time.as_nanosecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: &str = "2026-11-30T14:05:52.774407714Z ";
    const LATER: &str = "2026-11-30T14:05:53.000000001Z ";

    fn frame(kind: u8, message: &str) -> Vec<u8> {
        let length = u32::try_from(message.len()).unwrap();
        let mut frame = vec![kind, 0, 0, 0];
        frame.extend(length.to_be_bytes());
        frame.extend(message.as_bytes());
        frame
    }

    /// In pieces of every size the lines are the same.
    fn decode(tty: bool, bytes: &[u8]) -> Vec<(bool, String)> {
        let all = |size: usize| {
            let mut decoder = Decoder::new(tty);
            let mut lines = Vec::new();
            for piece in bytes.chunks(size) {
                decoder.feed(piece, &mut lines);
            }
            decoder.finish(&mut lines);
            lines
        };
        let whole = all(bytes.len().max(1));
        for size in [1, 2, 3, 7, 8, 9, 31, 1000] {
            assert_eq!(all(size), whole, "pieces of {size}");
        }
        whole
            .into_iter()
            .map(|line| {
                assert_eq!(line.at, 1_796_047_552_774_407_714, "{}", line.text);
                (line.stderr, line.text)
            })
            .collect()
    }

    #[test]
    fn frames_become_lines_of_their_stream() {
        let mut bytes = frame(1, &format!("{TIME}out\n"));
        bytes.extend(frame(2, &format!("{TIME}err\n")));
        bytes.extend(frame(1, &format!("{TIME}\n")));
        bytes.extend(frame(1, &format!("{TIME}open")));
        assert_eq!(
            decode(false, &bytes),
            [
                (false, "out".to_owned()),
                (true, "err".to_owned()),
                (false, String::new()),
                (false, "open".to_owned()),
            ]
        );
    }

    #[test]
    fn a_split_line_is_put_together_without_the_inner_times() {
        let part = "x".repeat(MESSAGE_LIMIT);
        let mut bytes = frame(1, &format!("{TIME}{part}"));
        // The other stream speaks in between.
        bytes.extend(frame(2, &format!("{TIME}err\n")));
        bytes.extend(frame(1, &format!("{LATER}end\n")));
        let lines = decode(false, &bytes);
        assert_eq!(lines[0], (true, "err".to_owned()));
        assert_eq!(lines[1], (false, format!("{part}end")));
        let raw = format!("{TIME}{part}{LATER}end\r\n{TIME}next\r\n");
        let lines = decode(true, raw.as_bytes());
        assert_eq!(
            lines,
            [(false, format!("{part}end")), (false, "next".to_owned())]
        );
    }

    #[test]
    fn a_terminal_may_write_what_looks_like_a_frame() {
        let raw = format!("{TIME}\u{1}\u{0}\u{2}odd\r\n{TIME}plain\r\n");
        assert_eq!(
            decode(true, raw.as_bytes()),
            [
                (false, "\u{1}\u{0}\u{2}odd".to_owned()),
                (false, "plain".to_owned())
            ]
        );
    }

    #[test]
    fn a_carriage_return_overwrites() {
        let raw = format!("{TIME}10%\r50%\r100%\r\n");
        assert_eq!(decode(true, raw.as_bytes()), [(false, "100%".to_owned())]);
        let framed = frame(1, &format!("{TIME}10%\rdone\n"));
        assert_eq!(decode(false, &framed), [(false, "done".to_owned())]);
    }

    #[test]
    fn long_lines_are_cut_and_the_next_is_whole() {
        let mut bytes = Vec::new();
        for _ in 0..64 {
            bytes.extend(frame(
                1,
                &format!("{TIME}{}", "ä".repeat(MESSAGE_LIMIT / 2)),
            ));
        }
        bytes.extend(frame(1, &format!("{TIME}\n")));
        bytes.extend(frame(1, &format!("{TIME}next\n")));
        let lines = decode(false, &bytes);
        assert_eq!(lines[0].1.len(), TEXT_LIMIT);
        assert_eq!(lines[1].1, "next");
    }
}
