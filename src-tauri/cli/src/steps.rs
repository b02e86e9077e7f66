//! The steps of operations under way: finished ones stay above, running ones
//! are redrawn below them on a terminal; elsewhere one line per finished step.

use std::collections::HashMap;
use std::time::Duration;

use berth_engines::{Step, StepState};
use console::{Style, Term, measure_text_width, truncate_str};
use tokio::time::Instant;

use crate::log_text;
use crate::words;

/// Between two redraws.
const CALM: Duration = Duration::from_millis(100);

/// One operation's steps as far as they are known.
struct Track {
    /// Stands before each line when several operations run.
    label: Option<String>,
    /// In order.
    steps: Vec<Step>,
    /// Which finished steps were printed, by key.
    printed: HashMap<String, StepState>,
}

/// Collects steps and shows them on standard error.
pub(crate) struct StepsShown {
    tracks: Vec<Track>,
    screen: Screen,
    /// Finished lines that wait to be printed.
    pending: Vec<String>,
    drawn_at: Option<Instant>,
    dirty: bool,
}

enum Screen {
    /// Nothing is shown (`--json`, `--detached`).
    Silent,
    /// A pipe or a dumb terminal.
    Plain,
    /// A terminal; how many lines at its end are ours to redraw.
    Live { terminal: Term, lines: usize },
}

impl StepsShown {
    /// For standard error as it is; `silent`: only collects.
    pub(crate) fn new(silent: bool) -> Self {
        let terminal = Term::buffered_stderr();
        let screen = if silent {
            Screen::Silent
        } else if terminal.is_term() && !console::is_dumb() {
            Screen::Live { terminal, lines: 0 }
        } else {
            Screen::Plain
        };
        Self {
            tracks: Vec::new(),
            screen,
            pending: Vec::new(),
            drawn_at: None,
            dirty: false,
        }
    }

    /// Begins an operation; what is returned names it from now on.
    pub(crate) fn begin(&mut self, label: Option<String>) -> usize {
        self.tracks.push(Track {
            label,
            steps: Vec::new(),
            printed: HashMap::new(),
        });
        self.tracks.len() - 1
    }

    /// Whether this step was heard of.
    pub(crate) fn knows(&self, track: usize, key: &str) -> bool {
        self.tracks
            .get(track)
            .is_some_and(|track| track.steps.iter().any(|step| step.key == key))
    }

    /// The steps as recorded, all at once. Returns those that changed.
    pub(crate) fn recorded(&mut self, track: usize, steps: &[Step]) -> Vec<Step> {
        let changed = steps
            .iter()
            .filter(|step| self.step(track, step))
            .cloned()
            .collect();
        // The record knows the order; single events do not.
        if let Some(track) = self.tracks.get_mut(track) {
            let place: HashMap<&str, usize> = steps
                .iter()
                .enumerate()
                .map(|(at, step)| (step.key.as_str(), at))
                .collect();
            track
                .steps
                .sort_by_key(|step| place.get(step.key.as_str()).copied().unwrap_or(usize::MAX));
        }
        changed
    }

    /// One step changed; says whether it really did.
    pub(crate) fn step(&mut self, track: usize, step: &Step) -> bool {
        let colours = matches!(self.screen, Screen::Live { .. });
        let width = self.width();
        let Some(track) = self.tracks.get_mut(track) else {
            return false;
        };
        match track.steps.iter_mut().find(|known| known.key == step.key) {
            // A late event about a step that is known to be finished.
            Some(known) if *known == *step || is_over(known.state) && !is_over(step.state) => {
                return false;
            }
            Some(known) => *known = step.clone(),
            None => track.steps.push(step.clone()),
        }
        self.dirty = true;
        if is_over(step.state) && track.printed.insert(step.key.clone(), step.state).is_none() {
            let line = finished_line(step, track.label.as_deref(), colours, width);
            self.pending.extend(line);
        }
        true
    }

    /// When the next draw is due, if one is.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.dirty
            .then(|| self.drawn_at.map_or_else(Instant::now, |at| at + CALM))
    }

    /// Draws what changed.
    pub(crate) fn draw(&mut self) {
        let region = self.region();
        self.paint(region);
        self.drawn_at = Some(Instant::now());
        self.dirty = false;
    }

    /// Prints a line among the steps.
    pub(crate) fn note(&mut self, text: &str) {
        if !matches!(self.screen, Screen::Silent) {
            self.pending.push(text.to_owned());
            self.draw();
        }
    }

    /// Prints what is left and gives the terminal back.
    pub(crate) fn end(&mut self) {
        self.paint(Vec::new());
        self.dirty = false;
    }

    fn width(&self) -> Option<usize> {
        match &self.screen {
            Screen::Live { terminal, .. } => Some(usize::from(terminal.size().1)),
            Screen::Silent | Screen::Plain => None,
        }
    }

    /// What stands below the finished lines now.
    fn region(&self) -> Vec<String> {
        let Screen::Live { terminal, .. } = &self.screen else {
            return Vec::new();
        };
        let (height, width) = terminal.size();
        live_region(&self.tracks, usize::from(height), usize::from(width))
    }

    /// One write: up to the first line that is ours, finished lines, region.
    fn paint(&mut self, region: Vec<String>) {
        match &mut self.screen {
            Screen::Silent => self.pending.clear(),
            Screen::Plain => {
                let terminal = Term::buffered_stderr();
                for line in self.pending.drain(..) {
                    let _ = terminal.write_line(&line);
                }
                let _ = terminal.flush();
            }
            Screen::Live { terminal, lines } => {
                // A terminal that went away is no reason to stop the operation.
                let _ = terminal.move_cursor_up(*lines);
                let _ = terminal.write_str("\r");
                if *lines > 0 {
                    let _ = terminal.clear_to_end_of_screen();
                }
                *lines = region.len();
                for line in self.pending.drain(..).chain(region) {
                    let _ = terminal.write_line(&line);
                }
                let _ = terminal.flush();
            }
        }
    }
}

fn is_over(state: StepState) -> bool {
    matches!(
        state,
        StepState::Done | StepState::Failed | StepState::Skipped
    )
}

/// The line that stays. Steps that were not needed are worth one only when
/// they say why.
fn finished_line(
    step: &Step,
    label: Option<&str>,
    terminal: bool,
    width: Option<usize>,
) -> Option<String> {
    // A failed step's detail is the title of the problem that is printed next.
    let detail = step
        .detail
        .as_deref()
        .filter(|_| step.state != StepState::Failed)
        .map(log_text::plain);
    if step.state == StepState::Skipped && detail.is_none() {
        return None;
    }
    let mut text = labelled(
        label,
        &log_text::plain(&words::step(&step.kind, step.state)),
    );
    if let Some(detail) = detail.filter(|detail| !detail.is_empty()) {
        text.push_str(": ");
        text.push_str(&detail);
    }
    let took = step
        .started_at
        .zip(step.finished_at)
        .filter(|_| step.state != StepState::Skipped)
        .map(|(from, to)| words::took(to - from))
        .unwrap_or_default();
    if !terminal {
        return Some(if took.is_empty() {
            text
        } else {
            format!("{text} ({took})")
        });
    }
    let (mark, style) = match step.state {
        StepState::Failed => ("✗", Style::new().red()),
        StepState::Skipped => ("–", Style::new().dim()),
        StepState::Done | StepState::Running | StepState::Waiting => ("✓", Style::new().green()),
    };
    let room = width
        .unwrap_or(usize::MAX)
        .saturating_sub(measure_text_width(&took) + 5);
    Some(format!(
        "{} {}  {}",
        style.for_stderr().apply_to(mark),
        truncate_str(&text, room, "…"),
        Style::new().dim().for_stderr().apply_to(took)
    ))
}

/// Running steps, at most as many as the terminal has lines for, and how many
/// steps are done of how many.
fn live_region(tracks: &[Track], height: usize, width: usize) -> Vec<String> {
    let room = height.saturating_sub(2).max(1);
    let running: Vec<(&Track, &Step)> = tracks
        .iter()
        .flat_map(|track| track.steps.iter().map(move |step| (track, step)))
        .filter(|(_, step)| step.state == StepState::Running)
        .collect();
    let all = tracks.iter().map(|track| track.steps.len()).sum::<usize>();
    let over = tracks
        .iter()
        .flat_map(|track| &track.steps)
        .filter(|step| is_over(step.state))
        .count();
    if all == 0 || over == all {
        return Vec::new();
    }
    let hidden = running.len().saturating_sub(room);
    let mut out: Vec<String> = running
        .iter()
        .take(room)
        .map(|(track, step)| {
            let mut text = labelled(
                track.label.as_deref(),
                &log_text::plain(&words::step(&step.kind, step.state)),
            );
            if let Some(progress) = step.progress {
                text.push_str("  ");
                text.push_str(&words::progress(progress));
            }
            if let Some(detail) = &step.detail {
                text.push_str("  ");
                text.push_str(&log_text::plain(detail));
            }
            format!(
                "{} {}",
                Style::new().cyan().for_stderr().apply_to("›"),
                truncate_str(&text, width.saturating_sub(3), "…")
            )
        })
        .collect();
    let mut summary = format!("{over} of {all} steps");
    if hidden > 0 {
        summary.push_str(&format!(", {hidden} more running"));
    }
    out.push(format!(
        "  {}",
        Style::new().dim().for_stderr().apply_to(truncate_str(
            &summary,
            width.saturating_sub(3),
            "…"
        ))
    ));
    out
}

fn labelled(label: Option<&str>, text: &str) -> String {
    match label {
        Some(label) => format!("{label}: {text}"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
#[path = "steps_tests.rs"]
mod tests;
