use berth_core::view::Lifetime;
use jiff::civil::date;

use super::*;
use crate::sample;

fn all_kinds() -> Vec<StepKind> {
    let name = || "n".to_owned();
    vec![
        StepKind::Read,
        StepKind::Plan,
        StepKind::Pull { image: name() },
        StepKind::Build { service: name() },
        StepKind::CreateNetwork { name: name() },
        StepKind::CreateVolume { name: name() },
        StepKind::Create {
            container: "c".to_owned(),
            service: name(),
        },
        StepKind::Start {
            container: "c".to_owned(),
            service: name(),
        },
        StepKind::WaitHealthy { service: name() },
        StepKind::WaitCompleted { service: name() },
        StepKind::Reach { url: name() },
        StepKind::Remove { container: name() },
        StepKind::RemoveNetwork { name: name() },
        StepKind::RemoveVolume { name: name() },
        StepKind::RemoveImage { image: name() },
        StepKind::RemoveCheckout,
        StepKind::Verify,
        StepKind::TakeBack,
    ]
}

#[test]
fn steps_are_worded_in_the_tense_of_their_state() {
    let table: Vec<String> = all_kinds()
        .iter()
        .map(|kind| {
            [StepState::Waiting, StepState::Running, StepState::Done]
                .map(|state| step(kind, state))
                .join(" | ")
        })
        .collect();
    assert_eq!(
        table,
        [
            "Read the files | Reading the files | Read the files",
            "Plan | Planning | Planned",
            "Pull n | Pulling n | Pulled n",
            "Build n | Building n | Built n",
            "Create network n | Creating network n | Created network n",
            "Create volume n | Creating volume n | Created volume n",
            "Create n | Creating n | Created n",
            "Start n | Starting n | Started n",
            "Wait for n to be healthy | Waiting for n to be healthy | n is healthy",
            "Wait for n to complete | Waiting for n to complete | n completed",
            "Reach n | Waiting for n to answer | n answers",
            "Remove n | Removing n | Removed n",
            "Remove network n | Removing network n | Removed network n",
            "Remove volume n | Removing volume n | Removed volume n",
            "Remove image n | Removing image n | Removed image n",
            "Remove the checkout | Removing the checkout | Removed the checkout",
            "Make sure that everything is gone | Making sure that everything is gone | Everything is gone",
            "Take back what was made | Taking back what was made | Took back what was made",
        ]
    );
}

#[test]
fn failed_and_skipped_steps_say_so() {
    let pull = StepKind::Pull {
        image: "Registry.example/X".to_owned(),
    };
    assert_eq!(
        step(&pull, StepState::Failed),
        "Failed: pull Registry.example/X"
    );
    assert_eq!(
        step(&pull, StepState::Skipped),
        "Not needed: pull Registry.example/X"
    );
}

#[test]
fn progress_is_told_in_the_unit_of_the_whole() {
    let told = |current, total| progress(Progress { current, total });
    assert_eq!(told(18_400_000, Some(41_000_000)), "18.4 of 41.0 MB, 44 %");
    assert_eq!(told(0, Some(512)), "0 of 512 B, 0 %");
    assert_eq!(told(950_000, Some(2_000_000_000)), "0.0 of 2.0 GB, 0 %");
    assert_eq!(told(1_234, None), "1.2 kB");
    assert_eq!(told(5, Some(0)), "5 B");
    // Engines count a layer twice now and then.
    assert_eq!(told(60, Some(50)), "50 of 50 B, 100 %");
    assert_eq!(
        told(u64::MAX, Some(u64::MAX)),
        "18446744073.7 of 18446744073.7 GB, 100 %"
    );
}

#[test]
fn durations() {
    for (milliseconds, expected) in [
        (0, "0.0 s"),
        (-5, "0.0 s"),
        (49, "0.0 s"),
        (50, "0.1 s"),
        (6_240, "6.2 s"),
        (59_949, "59.9 s"),
        (59_950, "1 min 0 s"),
        (125_000, "2 min 5 s"),
        (3_720_000, "1 h 2 min"),
    ] {
        assert_eq!(took(milliseconds), expected, "{milliseconds}");
    }
    for (milliseconds, expected) in [
        (-1, "0 s"),
        (40_000, "40 s"),
        (119_000, "119 s"),
        (119_999, "2 min"),
        (360_000, "6 min"),
        (7_199_980, "2 h"),
        (3_600_000, "1 h"),
        (6_120_000, "1 h 42 min"),
        (86_400_000, "1 d"),
        (273_600_000, "3 d 4 h"),
    ] {
        assert_eq!(span(milliseconds), expected, "{milliseconds}");
    }
}

#[test]
fn the_time_left() {
    let mut environment = sample::environment();
    assert_eq!(left(&environment, sample::NOW), "1 h 42 min left");
    assert_eq!(left(&environment, i64::MAX), "time is over");
    environment.expires_at = None;
    assert_eq!(left(&environment, sample::NOW), "never ends");
    environment.status = EnvironmentStatus::TornDown;
    assert_eq!(left(&environment, sample::NOW), "");
}

#[test]
fn times_name_the_day_when_it_is_another() {
    let at = |year, month, day, hour| {
        date(year, month, day)
            .at(hour, 5, 0, 0)
            .to_zoned_datetime(TimeZone::UTC)
            .unwrap()
            .timestamp()
            .as_millisecond()
    };
    let now = at(2026, 11, 30, 14);
    assert_eq!(
        at_time(at(2026, 11, 30, 16), now, &TimeZone::UTC),
        "at 16:05"
    );
    assert_eq!(
        at_time(at(2026, 12, 1, 9), now, &TimeZone::UTC),
        "on Dec 1 at 09:05"
    );
    assert_eq!(
        at_time(at(2027, 1, 4, 9), now, &TimeZone::UTC),
        "on Jan 4 2027 at 09:05"
    );
    assert_eq!(time(i64::MAX, now, &TimeZone::UTC), "an unknown time");
}

#[test]
fn who_removes_it_is_said() {
    let mut environment = sample::environment();
    assert_eq!(
        ends(&environment, Remover::Owner, sample::NOW, &TimeZone::UTC),
        [
            "It ends at 15:44, in 1 h 42 min.",
            "Berth's window or agent removes it at 15:44."
        ]
    );
    assert_eq!(
        ends(
            &environment,
            Remover::NextStart,
            sample::NOW,
            &TimeZone::UTC
        ),
        [
            "It ends at 15:44, in 1 h 42 min.",
            "No Berth window or agent is running: it is removed at the next start of Berth after 15:44. \
             Keep `berth agent` running to have it removed on time."
        ]
    );
    environment.expires_at = None;
    assert_eq!(
        ends(&environment, Remover::Owner, sample::NOW, &TimeZone::UTC),
        ["It never ends: berth down shop-api-main takes it away."]
    );
}

#[test]
fn revisions() {
    let mut told = Revision {
        label: Some("feature/checkout".to_owned()),
        commit: Some("b81e0d7aaaa".to_owned()),
        dirty: false,
        behind: Some(2),
    };
    assert_eq!(revision(&told), "feature/checkout@b81e0d7");
    assert_eq!(behind(&told).as_deref(), Some("2 commits behind"));
    told.behind = Some(0);
    assert_eq!(behind(&told), None);
    told.label = None;
    told.dirty = true;
    assert_eq!(revision(&told), "b81e0d7 +changes");
    told.commit = None;
    told.dirty = false;
    assert_eq!(revision(&told), "folder");
}

#[test]
fn parts() {
    let mut told = sample::environment().parts.remove(1);
    assert_eq!(part(&told), "ended with code 137");
    told.one_shot = true;
    assert_eq!(part(&told), "ended with code 137");
    told.exit_code = Some(0);
    assert_eq!(part(&told), "completed");
    told.state = PartState::Running;
    told.health = PartHealth::Unhealthy;
    assert_eq!(part(&told), "unhealthy");
}

#[test]
fn rewrites() {
    let mut told = Rewrite {
        kind: RewriteKind::Port,
        subject: "web".to_owned(),
        from: "8080".to_owned(),
        to: "41891".to_owned(),
    };
    assert_eq!(rewrite(&told), "web: port 8080 → 41891");
    told.kind = RewriteKind::ProjectName;
    told.subject.clear();
    assert_eq!(rewrite(&told), "project name 8080 → 41891");
}

#[test]
fn activities() {
    let line = Activity {
        id: 1,
        at: sample::NOW,
        verb: ActivityVerb::Up,
        outcome: Outcome::Failure,
        environment_id: Some("env_1".to_owned()),
        environment_name: Some("shop-api-main".to_owned()),
        service_name: Some("shop-api".to_owned()),
        engine_label: Some("Local Docker".to_owned()),
        actor: Actor::CommandLine,
        duration_ms: Some(12_300),
        detail: Some("web ended with code 1".to_owned()),
    };
    assert_eq!(
        activity(&line),
        "shop-api-main could not be brought up (Local Docker, 12.3 s, command line): web ended with code 1"
    );
}

#[test]
fn a_line_of_the_activity_may_be_about_a_handler_or_about_berth() {
    let line = |verb, label: Option<&str>| Activity {
        id: 1,
        at: sample::NOW,
        verb,
        outcome: Outcome::Success,
        environment_id: None,
        environment_name: None,
        service_name: None,
        engine_label: label.map(str::to_owned),
        actor: Actor::Window,
        duration_ms: None,
        detail: None,
    };
    for (line, said) in [
        (
            line(ActivityVerb::OverrideOff, Some("Colima")),
            "Colima switched off as an override (window)",
        ),
        (
            line(ActivityVerb::SecretsChanged, Some("Acme")),
            "Acme given other secrets (window)",
        ),
        (
            line(ActivityVerb::Imported, None),
            "Berth took in a workspace file (window)",
        ),
    ] {
        assert_eq!(activity(&line), said);
    }
}

#[test]
fn the_default_lifetime_is_not_a_word() {
    assert!(crate::lifetime::parse("default").is_err());
    assert_ne!(crate::lifetime::parse("never"), Ok(Lifetime::Default));
}
