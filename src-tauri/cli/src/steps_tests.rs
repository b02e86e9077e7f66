use berth_engines::{Progress, StepKind};

use super::*;

fn step(key: &str, state: StepState) -> Step {
    Step {
        key: key.to_owned(),
        kind: StepKind::Pull {
            image: key.to_owned(),
        },
        state,
        detail: None,
        progress: None,
        started_at: Some(1_000),
        finished_at: is_over(state).then_some(2_240),
    }
}

fn collected() -> StepsShown {
    let mut shown = StepsShown::new(true);
    shown.begin(None);
    shown
}

#[test]
fn a_finished_step_is_one_plain_line_on_a_pipe() {
    let mut done = step("busybox:1.36", StepState::Done);
    assert_eq!(
        finished_line(&done, None, false, None).as_deref(),
        Some("Pulled busybox:1.36 (1.2 s)")
    );
    done.detail = Some("already here\u{1b}[2J".to_owned());
    assert_eq!(
        finished_line(&done, Some("shop"), false, None).as_deref(),
        Some("shop: Pulled busybox:1.36: already here (1.2 s)")
    );
}

#[test]
fn a_skipped_step_is_a_line_only_with_a_reason() {
    let mut skipped = step("a", StepState::Skipped);
    assert_eq!(finished_line(&skipped, None, false, None), None);
    skipped.detail = Some("already here".to_owned());
    assert_eq!(
        finished_line(&skipped, None, false, None).as_deref(),
        Some("Not needed: pull a: already here")
    );
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let long = "registry.example/a/very/long/name/日本語/that/does/not/fit:1.2.3";
    for width in [1_usize, 10, 20, 40, 80] {
        let mut running = step(long, StepState::Running);
        running.progress = Some(Progress {
            current: 1,
            total: Some(2),
        });
        running.detail = Some("x".repeat(300));
        let tracks = [Track {
            label: None,
            steps: vec![running, step("b", StepState::Waiting)],
            printed: HashMap::new(),
        }];
        for line in live_region(&tracks, 24, width) {
            assert!(
                measure_text_width(&line) <= width.max(3),
                "{width}: {line:?}"
            );
        }
        let done = finished_line(&step(long, StepState::Done), None, true, Some(width));
        if width >= 20 {
            assert!(measure_text_width(&done.unwrap()) <= width);
        }
    }
}

#[test]
fn the_region_never_fills_the_screen() {
    let steps = (0..50)
        .map(|at| step(&format!("s{at}"), StepState::Running))
        .collect();
    let tracks = [Track {
        label: None,
        steps,
        printed: HashMap::new(),
    }];
    let region = live_region(&tracks, 10, 80);
    assert_eq!(region.len(), 9);
    assert!(
        region[8].contains("0 of 50 steps, 42 more running"),
        "{region:?}"
    );
    assert!(!live_region(&tracks, 0, 0).is_empty());
}

#[test]
fn the_region_is_empty_before_the_first_and_after_the_last_step() {
    assert!(live_region(&[], 24, 80).is_empty());
    let tracks = [Track {
        label: None,
        steps: vec![step("a", StepState::Done)],
        printed: HashMap::new(),
    }];
    assert!(live_region(&tracks, 24, 80).is_empty());
}

#[test]
fn a_finished_step_is_printed_once_and_stays_finished() {
    let mut shown = collected();
    assert!(shown.step(0, &step("a", StepState::Running)));
    assert!(!shown.step(0, &step("a", StepState::Running)));
    assert!(shown.step(0, &step("a", StepState::Done)));
    assert_eq!(shown.pending.len(), 1);
    // Events that come after the record was read.
    assert!(!shown.step(0, &step("a", StepState::Running)));
    assert!(shown.recorded(0, &[step("a", StepState::Done)]).is_empty());
    assert_eq!(shown.pending.len(), 1);
}

#[test]
fn the_record_gives_the_order_and_what_events_left_out() {
    let mut shown = collected();
    shown.step(0, &step("b", StepState::Running));
    let changed = shown.recorded(
        0,
        &[step("a", StepState::Done), step("b", StepState::Running)],
    );
    assert_eq!(
        changed.iter().map(|s| s.key.as_str()).collect::<Vec<_>>(),
        ["a"]
    );
    let order: Vec<&str> = shown.tracks[0]
        .steps
        .iter()
        .map(|s| s.key.as_str())
        .collect();
    assert_eq!(order, ["a", "b"]);
}

#[test]
fn draws_are_at_least_a_tenth_of_a_second_apart() {
    let mut shown = collected();
    assert!(shown.due().is_none());
    shown.step(0, &step("a", StepState::Running));
    assert!(shown.due().is_some_and(|at| at <= Instant::now()));
    shown.draw();
    assert!(shown.due().is_none());
    let drawn = Instant::now();
    shown.step(0, &step("a", StepState::Done));
    assert!(shown.due().is_some_and(|at| at > drawn));
}

#[test]
fn unknown_operations_are_ignored() {
    assert!(!collected().step(7, &step("a", StepState::Done)));
}
