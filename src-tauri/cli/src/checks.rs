//! A connection test on the terminal: a line for each check as it ends, the one
//! that runs below them.

use std::sync::{Mutex, PoisonError};

use berth_core::view::CheckUpdate;
use berth_engines::{Check, Verdict};
use console::{Style, Term, truncate_str};

use crate::failure::Failure;
use crate::log_text;
use crate::output::Output;
use crate::words;

/// Wide enough for the titles of a Docker engine's checks.
const TITLE: usize = 14;
/// Where details begin: after the word for the verdict and the title.
const INDENT: usize = 9 + TITLE + 2;

/// How much is said of each check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// What it came to.
    Short,
    /// That, and every fact that was found.
    Facts,
}

/// Hears of checks and shows them: results on standard output, what runs on
/// standard error. With `--json` it only collects.
pub(crate) struct ChecksShown {
    state: Mutex<State>,
}

struct State {
    output: Output,
    detail: Detail,
    /// Where the running check is drawn.
    terminal: Option<Term>,
    checks: Vec<Check>,
    written: Result<(), Failure>,
}

impl ChecksShown {
    /// For an output as it is.
    pub(crate) fn new(output: &Output, detail: Detail) -> Self {
        let terminal = Term::stderr();
        let live = !output.is_json() && terminal.is_term() && !console::is_dumb();
        Self {
            state: Mutex::new(State {
                output: *output,
                detail,
                terminal: live.then_some(terminal),
                checks: Vec::new(),
                written: Ok(()),
            }),
        }
    }

    /// Takes in what a test tells.
    pub(crate) fn hear(&self, update: CheckUpdate) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match update {
            CheckUpdate::Expected { checks } => state.checks.extend(checks),
            CheckUpdate::Changed { check } => state.change(check),
            // What the caller is told as well.
            CheckUpdate::Refused { .. } | CheckUpdate::Finished { .. } => {}
        }
    }

    /// Every check as it stood last.
    ///
    /// # Errors
    /// When they could not be written.
    pub(crate) fn end(self) -> Result<Vec<Check>, Failure> {
        let state = self
            .state
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        state.draw(None);
        state.written.map(|()| state.checks)
    }
}

impl State {
    fn change(&mut self, check: Check) {
        match check.verdict {
            Verdict::Waiting => {}
            Verdict::Running => self.draw(Some(&check.title)),
            Verdict::Passed | Verdict::Warned | Verdict::Failed | Verdict::Skipped { .. } => {
                self.draw(None);
                if self.written.is_ok() && !self.output.is_json() {
                    let lines = lines(&check, &self.checks, self.detail, console::colors_enabled());
                    self.written = lines.iter().try_for_each(|line| self.output.line(line));
                }
            }
        }
        match self.checks.iter_mut().find(|it| it.key == check.key) {
            Some(known) => *known = check,
            None => self.checks.push(check),
        }
    }

    /// The line of the check that runs, or none. A terminal that went away is no
    /// reason to stop the test.
    fn draw(&self, title: Option<&str>) {
        let Some(terminal) = &self.terminal else {
            return;
        };
        let _ = terminal.clear_line();
        if let Some(title) = title {
            let room = usize::from(terminal.size().1).saturating_sub(3);
            let mark = Style::new().cyan().for_stderr().apply_to("›");
            let title = log_text::plain(title);
            let _ = terminal.write_str(&format!("{mark} {}", truncate_str(&title, room, "…")));
        }
    }
}

/// A check that is over: verdict, title and detail, then what to do about it. `all`
/// are those of its test.
pub(crate) fn lines(check: &Check, all: &[Check], detail: Detail, colours: bool) -> Vec<String> {
    let paint = |style: Style, text: &str| style.force_styling(colours).apply_to(text).to_string();
    let dim = |text: &str| paint(Style::new().dim(), text);
    let word = match check.verdict {
        Verdict::Passed => paint(Style::new().green(), "ok"),
        Verdict::Warned => paint(Style::new().yellow(), "warning"),
        Verdict::Failed => paint(Style::new().red().bold(), "problem"),
        Verdict::Skipped { .. } => dim("skipped"),
        Verdict::Waiting | Verdict::Running => dim("waiting"),
    };
    let mut said: Vec<String> = check
        .detail
        .as_deref()
        .map(log_text::plain)
        .into_iter()
        .collect();
    if let Verdict::Skipped { because } = &check.verdict {
        let title = all.iter().find(|it| it.key == *because);
        let title = title.map_or(because.as_str(), |it| &it.title);
        said.push(format!("Needs “{}” first.", log_text::plain(title)));
    }
    if let Some(took) = check.duration_ms {
        said.push(dim(&format!("({})", duration(took))));
    }
    let word = console::pad_str(&word, 9, console::Alignment::Left, None).into_owned();
    let title = log_text::plain(&check.title);
    let mut out = vec![
        format!("{word}{title:<TITLE$}  {}", said.join(" "))
            .trim_end()
            .to_owned(),
    ];
    let mut below = |text: &str| out.push(format!("{:INDENT$}{text}", ""));
    if detail == Detail::Facts {
        for fact in &check.facts {
            let (name, value) = (log_text::plain(&fact.name), log_text::plain(&fact.value));
            below(&dim(&format!("{name}: {value}")));
        }
    }
    for hint in check.hint.iter().flat_map(|hint| hint.lines()) {
        below(&log_text::plain(hint));
    }
    for command in check.command.iter().flat_map(|command| command.lines()) {
        below(&format!("{} {}", dim("$"), log_text::plain(command)));
    }
    out
}

/// `12 ms`, `1.9 s`.
fn duration(milliseconds: u64) -> String {
    if milliseconds < 1000 {
        format!("{milliseconds} ms")
    } else {
        words::took(i64::try_from(milliseconds).unwrap_or(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use berth_engines::Fact;

    use super::*;

    fn check(key: &str, title: &str, verdict: Verdict) -> Check {
        Check {
            verdict,
            ..Check::waiting(key, title)
        }
    }

    #[test]
    fn a_failed_check_says_why_and_what_to_do() {
        let failed = Check {
            duration_ms: Some(12),
            detail: Some("This user may not use it.".to_owned()),
            facts: vec![Fact {
                name: "Right".to_owned(),
                value: "none\u{7}".to_owned(),
            }],
            hint: Some("Join the group.".to_owned()),
            command: Some("sudo usermod -aG docker \"$USER\"".to_owned()),
            ..check("permission", "Permission", Verdict::Failed)
        };
        let short = [
            "problem  Permission      This user may not use it. (12 ms)",
            "                         Join the group.",
            "                         $ sudo usermod -aG docker \"$USER\"",
        ];
        assert_eq!(lines(&failed, &[], Detail::Short, false), short);
        let long = lines(&failed, &[], Detail::Facts, false);
        assert_eq!(long[1], "                         Right: none");
        assert_eq!(long.len(), 4);
        let coloured = lines(&failed, &[], Detail::Short, true).concat();
        assert_eq!(console::strip_ansi_codes(&coloured), short.concat());
    }

    #[test]
    fn a_skipped_check_names_the_one_that_it_needs() {
        let all = [check("permission", "Permission", Verdict::Failed)];
        let because = "permission".to_owned();
        let skipped = check("api", "API version", Verdict::Skipped { because });
        assert_eq!(
            lines(&skipped, &all, Detail::Short, false),
            ["skipped  API version     Needs “Permission” first."]
        );
    }

    #[test]
    fn every_check_is_collected_as_it_stood_last() {
        let shown = ChecksShown::new(&Output::new(true), Detail::Short);
        let waiting = [
            check("a", "A", Verdict::Waiting),
            check("b", "B", Verdict::Waiting),
        ];
        shown.hear(CheckUpdate::Expected {
            checks: waiting.to_vec(),
        });
        for verdict in [Verdict::Running, Verdict::Warned] {
            shown.hear(CheckUpdate::Changed {
                check: check("a", "A", verdict),
            });
        }
        shown.hear(CheckUpdate::Finished { passed: false });
        let Ok(checks) = shown.end() else {
            panic!("nothing was to be written");
        };
        assert_eq!(checks[0].verdict, Verdict::Warned);
        assert_eq!(checks[1], waiting[1]);
    }

    #[test]
    fn durations_are_short() {
        assert_eq!(duration(0), "0 ms");
        assert_eq!(duration(1_940), "1.9 s");
    }
}
