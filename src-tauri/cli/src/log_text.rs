//! Text that others wrote, made safe for a terminal: only colours pass.

use anstyle_parse::{Params, Parser, Perform, Utf8Parser};

/// A line without anything that moves the cursor, sets titles or rings;
/// colours stay when `colours` is set and end with the line. What a carriage
/// return would have overwritten is left out.
pub(crate) fn clean(line: &str, colours: bool) -> String {
    let mut filter = Filter {
        text: String::with_capacity(line.len()),
        colours,
        painted: false,
        rewind: false,
    };
    let mut parser = Parser::<Utf8Parser>::new();
    for byte in line.bytes() {
        parser.advance(&mut filter, byte);
    }
    if filter.painted {
        filter.text.push_str("\u{1b}[0m");
    }
    filter.text
}

/// The same without colours: for names, messages and details.
pub(crate) fn plain(line: &str) -> String {
    clean(line, false)
}

struct Filter {
    text: String,
    colours: bool,
    /// A colour is in effect.
    painted: bool,
    /// A carriage return was seen: the next character starts the line anew.
    rewind: bool,
}

impl Filter {
    fn rewound(&mut self) {
        if std::mem::take(&mut self.rewind) {
            self.text.clear();
            self.painted = false;
        }
    }
}

impl Perform for Filter {
    fn print(&mut self, c: char) {
        // C1 controls and the marks that reorder text reach a terminal as
        // characters.
        let harmful =
            c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if !harmful {
            self.rewound();
            self.text.push(c);
        }
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\r' => self.rewind = true,
            b'\t' => {
                self.rewound();
                self.text.push('\t');
            }
            // A text of several lines where one is shown.
            b'\n' => self.text.push(' '),
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, action: u8) {
        if !self.colours || action != b'm' || ignore || !intermediates.is_empty() {
            return;
        }
        self.rewound();
        let mut codes = String::new();
        for (at, param) in params.iter().enumerate() {
            if at > 0 {
                codes.push(';');
            }
            for (at, part) in param.iter().enumerate() {
                if at > 0 {
                    codes.push(':');
                }
                codes.push_str(&part.to_string());
            }
        }
        self.painted = !codes.is_empty() && codes != "0";
        self.text.push_str("\u{1b}[");
        self.text.push_str(&codes);
        self.text.push('m');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_pass_and_end_with_the_line() {
        assert_eq!(
            clean("\u{1b}[31mred\u{1b}[0m plain", true),
            "\u{1b}[31mred\u{1b}[0m plain"
        );
        assert_eq!(
            clean("\u{1b}[1;38;5;208mbold", true),
            "\u{1b}[1;38;5;208mbold\u{1b}[0m"
        );
        assert_eq!(clean("\u{1b}[4:3mwavy", true), "\u{1b}[4:3mwavy\u{1b}[0m");
        assert_eq!(clean("\u{1b}[31mred", false), "red");
    }

    #[test]
    fn nothing_else_reaches_the_terminal() {
        for (text, expected) in [
            ("\u{1b}[2J\u{1b}[1;1Hclear", "clear"),
            ("\u{1b}]0;title\u{7}after", "after"),
            ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
            ("bell\u{7}", "bell"),
            ("\u{9b}2Jc1", "2Jc1"),
            ("\u{1b}P+q544e\u{1b}\\dcs", "dcs"),
            ("a\u{8}b", "ab"),
            ("\u{1b}[?1049hscreen", "screen"),
            ("user\u{202e}nimda", "usernimda"),
            ("cut \u{1b}[3", "cut "),
        ] {
            assert_eq!(clean(text, true), expected, "{text:?}");
        }
    }

    #[test]
    fn a_carriage_return_starts_the_line_anew() {
        assert_eq!(clean("10 %\r50 %\r100 %", true), "100 %");
        assert_eq!(clean("windows line\r", true), "windows line");
        assert_eq!(clean("kept\r\u{1b}[K", false), "kept");
        assert_eq!(clean("\u{1b}[32mold\rnew", true), "new");
    }

    #[test]
    fn ordinary_text_is_untouched() {
        for text in ["", "tab\tstays", "日本語 ünïcode 🚢", "{\"a\": [1]}"] {
            assert_eq!(clean(text, true), text);
        }
    }
}
