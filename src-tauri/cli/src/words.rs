//! The words for steps, states and times, in one place.

use berth_contracts::EnvironmentStatus;
use berth_core::view::{
    Activity, ActivityVerb, Actor, Environment, OperationKind, Outcome, Remover, Revision, Source,
};
use berth_engines::docker::{Part, PartHealth, PartState};
use berth_engines::{Progress, Rewrite, RewriteKind, Step, StepKind, StepState};
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// What a step does, in the tense of its state.
pub(crate) fn step(kind: &StepKind, state: StepState) -> String {
    let (future, present, past, subject) = step_words(kind);
    let verb = match state {
        StepState::Running => present,
        StepState::Done => past,
        StepState::Waiting | StepState::Failed | StepState::Skipped => future,
    };
    let text = if subject.is_empty() {
        verb.to_owned()
    } else {
        verb.replace("{}", subject)
    };
    match state {
        StepState::Failed => format!("Failed: {}", lower_first(&text)),
        StepState::Skipped => format!("Not needed: {}", lower_first(&text)),
        StepState::Waiting | StepState::Running | StepState::Done => text,
    }
}

/// Infinitive, present, past, and what stands for `{}`.
fn step_words(kind: &StepKind) -> (&'static str, &'static str, &'static str, &str) {
    match kind {
        StepKind::Read => ("Read the files", "Reading the files", "Read the files", ""),
        StepKind::Plan => ("Plan", "Planning", "Planned", ""),
        StepKind::Pull { image } => ("Pull {}", "Pulling {}", "Pulled {}", image),
        StepKind::Build { service } => ("Build {}", "Building {}", "Built {}", service),
        StepKind::CreateNetwork { name } => (
            "Create network {}",
            "Creating network {}",
            "Created network {}",
            name,
        ),
        StepKind::CreateVolume { name } => (
            "Create volume {}",
            "Creating volume {}",
            "Created volume {}",
            name,
        ),
        StepKind::Create { service, .. } => ("Create {}", "Creating {}", "Created {}", service),
        StepKind::Start { service, .. } => ("Start {}", "Starting {}", "Started {}", service),
        StepKind::WaitHealthy { service } => (
            "Wait for {} to be healthy",
            "Waiting for {} to be healthy",
            "{} is healthy",
            service,
        ),
        StepKind::WaitCompleted { service } => (
            "Wait for {} to complete",
            "Waiting for {} to complete",
            "{} completed",
            service,
        ),
        StepKind::Reach { url } => ("Reach {}", "Waiting for {} to answer", "{} answers", url),
        StepKind::Remove { container } => ("Remove {}", "Removing {}", "Removed {}", container),
        StepKind::RemoveNetwork { name } => (
            "Remove network {}",
            "Removing network {}",
            "Removed network {}",
            name,
        ),
        StepKind::RemoveVolume { name } => (
            "Remove volume {}",
            "Removing volume {}",
            "Removed volume {}",
            name,
        ),
        StepKind::RemoveImage { image } => (
            "Remove image {}",
            "Removing image {}",
            "Removed image {}",
            image,
        ),
        StepKind::RemoveCheckout => (
            "Remove the checkout",
            "Removing the checkout",
            "Removed the checkout",
            "",
        ),
        StepKind::Verify => (
            "Make sure that everything is gone",
            "Making sure that everything is gone",
            "Everything is gone",
            "",
        ),
        StepKind::TakeBack => (
            "Take back what was made",
            "Taking back what was made",
            "Took back what was made",
            "",
        ),
    }
}

/// How many steps are over and well.
pub(crate) fn steps_over(steps: &[Step]) -> usize {
    steps
        .iter()
        .filter(|step| matches!(step.state, StepState::Done | StepState::Skipped))
        .count()
}

/// `Pull x` → `pull x`, but names that begin a sentence keep their letters.
fn lower_first(text: &str) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_lowercase().chain(characters).collect(),
        None => String::new(),
    }
}

/// `18.4 of 41.0 MB, 45 %`; without a known total `18.4 MB`.
pub(crate) fn progress(progress: Progress) -> String {
    match progress.total {
        Some(total) if total > 0 => {
            let current = progress.current.min(total);
            let (unit, divisor) = byte_unit(total);
            format!(
                "{} of {} {unit}, {} %",
                in_unit(current, divisor),
                in_unit(total, divisor),
                u128::from(current) * 100 / u128::from(total)
            )
        }
        _ => {
            let (unit, divisor) = byte_unit(progress.current);
            format!("{} {unit}", in_unit(progress.current, divisor))
        }
    }
}

fn byte_unit(bytes: u64) -> (&'static str, u64) {
    match bytes {
        0..1_000 => ("B", 1),
        1_000..1_000_000 => ("kB", 1_000),
        1_000_000..1_000_000_000 => ("MB", 1_000_000),
        _ => ("GB", 1_000_000_000),
    }
}

fn in_unit(bytes: u64, divisor: u64) -> String {
    if divisor == 1 {
        return bytes.to_string();
    }
    let tenths = u128::from(bytes) * 10 / u128::from(divisor);
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// How long something took: `0.1 s`, `12.3 s`, `2 min 5 s`, `1 h 2 min`.
pub(crate) fn took(milliseconds: i64) -> String {
    let milliseconds = milliseconds.max(0);
    let tenths = (milliseconds + 50) / 100;
    if tenths < 600 {
        return format!("{}.{} s", tenths / 10, tenths % 10);
    }
    let seconds = (milliseconds + 500) / 1_000;
    if seconds < 3_600 {
        format!("{} min {} s", seconds / 60, seconds % 60)
    } else {
        format!("{} h {} min", seconds / 3_600, seconds % 3_600 / 60)
    }
}

/// A stretch of time to come, to the nearest minute, in the two largest units:
/// `1 h 42 min`, `6 min`, `3 d 4 h`; below two minutes in seconds, `88 s`.
pub(crate) fn span(milliseconds: i64) -> String {
    let seconds = milliseconds.max(0).saturating_add(500) / 1_000;
    if seconds < 120 {
        return format!("{seconds} s");
    }
    let minutes = (seconds + 30) / 60;
    let hours = minutes / 60;
    let days = hours / 24;
    let two = |large: i64, unit: &str, small: i64, small_unit: &str| {
        if small == 0 {
            format!("{large} {unit}")
        } else {
            format!("{large} {unit} {small} {small_unit}")
        }
    };
    if days > 0 {
        two(days, "d", hours % 24, "h")
    } else if hours > 0 {
        two(hours, "h", minutes % 60, "min")
    } else {
        format!("{minutes} min")
    }
}

/// The time left: `1 h 42 min left`, `over`, `never ends`.
pub(crate) fn left(environment: &Environment, now: i64) -> String {
    match (environment.status, environment.expires_at) {
        (EnvironmentStatus::TornDown, _) => String::new(),
        (_, None) => "never ends".to_owned(),
        (_, Some(end)) if end <= now => "time is over".to_owned(),
        (_, Some(end)) => format!("{} left", span(end - now)),
    }
}

/// A time as the user's clock shows it: `16:05`; on another day
/// `Dec 1 at 09:30`, in another year `Jan 4 2027 at 09:30`.
pub(crate) fn time(at: i64, now: i64, zone: &TimeZone) -> String {
    let (Ok(at), Ok(now)) = (
        Timestamp::from_millisecond(at),
        Timestamp::from_millisecond(now),
    ) else {
        return "an unknown time".to_owned();
    };
    let (at, now) = (
        at.to_zoned_datetime(zone.clone()),
        now.to_zoned_datetime(zone.clone()),
    );
    let form = if at.date() == now.date() {
        "%H:%M"
    } else if at.year() == now.year() {
        "%b %-d at %H:%M"
    } else {
        "%b %-d %Y at %H:%M"
    };
    at.strftime(form).to_string()
}

/// The same with its preposition: `at 16:05`, `on Dec 1 at 09:30`.
pub(crate) fn at_time(at: i64, now: i64, zone: &TimeZone) -> String {
    let time = time(at, now, zone);
    let preposition = if time.contains(" at ") { "on" } else { "at" };
    format!("{preposition} {time}")
}

/// When a line of a log was written: `14:02:11.204`.
pub(crate) fn log_time(at: i64, zone: &TimeZone) -> String {
    Timestamp::from_millisecond(at).map_or_else(
        |_| "--:--:--.---".to_owned(),
        |at| {
            at.to_zoned_datetime(zone.clone())
                .strftime("%H:%M:%S%.3f")
                .to_string()
        },
    )
}

/// When it ends and who will remove it.
pub(crate) fn ends(
    environment: &Environment,
    remover: Remover,
    now: i64,
    zone: &TimeZone,
) -> Vec<String> {
    let Some(end) = environment.expires_at else {
        return vec![format!(
            "It never ends: berth down {} takes it away.",
            environment.name
        )];
    };
    let at = at_time(end, now, zone);
    let first = if end > now {
        format!("It ends {at}, in {}.", span(end - now))
    } else {
        format!("Its time was over {at}.")
    };
    let second = match remover {
        Remover::Owner => format!("Berth's window or agent removes it {at}."),
        Remover::NextStart => format!(
            "No Berth window or agent is running: it is removed at the next start of Berth after {}. \
             Keep `berth agent` running to have it removed on time.",
            time(end, now, zone)
        ),
    };
    vec![first, second]
}

/// The state of an environment.
pub(crate) fn status(status: EnvironmentStatus) -> &'static str {
    match status {
        EnvironmentStatus::Provisioning => "starting",
        EnvironmentStatus::Ready => "ready",
        EnvironmentStatus::Failed => "failed",
        EnvironmentStatus::Expired => "expired",
        EnvironmentStatus::TearingDown => "tearing down",
        EnvironmentStatus::TornDown => "torn down",
    }
}

/// `feature/checkout@b81e0d7`, with `+changes` for a working tree that differs.
pub(crate) fn revision(revision: &Revision) -> String {
    let mut out = revision.label.clone().unwrap_or_default();
    if let Some(commit) = &revision.commit {
        if !out.is_empty() {
            out.push('@');
        }
        out.extend(commit.chars().take(7));
    }
    if revision.dirty {
        out.push_str(" +changes");
    }
    if out.is_empty() {
        out.push_str("folder");
    }
    out
}

/// `2 commits behind`.
pub(crate) fn behind(revision: &Revision) -> Option<String> {
    match revision.behind {
        None | Some(0) => None,
        Some(1) => Some("1 commit behind".to_owned()),
        Some(count) => Some(format!("{count} commits behind")),
    }
}

/// Where a service's files are.
pub(crate) fn source(source: &Source) -> String {
    match source {
        Source::Folder { path, .. } => path.clone(),
        Source::GitUrl { url, subdirectory } if subdirectory.is_empty() => url.clone(),
        Source::GitUrl { url, subdirectory } => format!("{url} ({subdirectory})"),
    }
}

/// The state of a container.
pub(crate) fn part(part: &Part) -> String {
    let state = match (part.state, part.health) {
        (PartState::Running, PartHealth::None) => "running",
        (PartState::Running, PartHealth::Starting) => "running, health not known yet",
        (PartState::Running, PartHealth::Healthy) => "healthy",
        (PartState::Running, PartHealth::Unhealthy) => "unhealthy",
        (PartState::Created, _) => "created",
        (PartState::Restarting, _) => "restarting",
        (PartState::Paused, _) => "paused",
        (PartState::Exited, _) if part.one_shot && part.exit_code == Some(0) => "completed",
        (PartState::Exited, _) => "ended",
    };
    match (part.state, part.exit_code) {
        (PartState::Exited, Some(code)) if state == "ended" => format!("ended with code {code}"),
        _ => state.to_owned(),
    }
}

/// `web: port 8080 → 41891`.
pub(crate) fn rewrite(rewrite: &Rewrite) -> String {
    let what = match rewrite.kind {
        RewriteKind::Port => "port",
        RewriteKind::ContainerName => "container name",
        RewriteKind::VolumeName => "volume name",
        RewriteKind::NetworkName => "network name",
        RewriteKind::ProjectName => "project name",
        RewriteKind::ImageTag => "image tag",
    };
    let change = format!("{what} {} → {}", rewrite.from, rewrite.to);
    if rewrite.subject.is_empty() {
        change
    } else {
        format!("{}: {change}", rewrite.subject)
    }
}

/// What an operation is called.
pub(crate) fn operation(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Up => "Starting",
        OperationKind::Down => "Tearing down",
    }
}

/// What the first request to stop leads to.
pub(crate) fn stopping(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Up => "Stopping: taking back what was made. Ctrl-C again leaves at once.",
        OperationKind::Down => "The removal goes on to its end. Ctrl-C again leaves at once.",
    }
}

/// What the second one leads to.
pub(crate) fn left_at_once(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Up => "Left. The next start of Berth takes back what was made.",
        OperationKind::Down => "Left. The next start of Berth goes on with the removal.",
    }
}

/// A line of the activity, without its time: `shop-main brought up (Local Docker, 12.3 s)`.
pub(crate) fn activity(line: &Activity) -> String {
    let handler = of_handlers(line.verb).then_some(line.engine_label.as_deref());
    let subject = line
        .environment_name
        .as_deref()
        .or(line.service_name.as_deref())
        .or(handler.flatten())
        .unwrap_or("Berth");
    let what = match (line.verb, line.outcome) {
        (ActivityVerb::ServiceAdded, Outcome::Success) => "added as a service",
        (ActivityVerb::ServiceAdded, _) => "could not be added",
        (ActivityVerb::ServiceChanged, Outcome::Success) => "provisioned in another way",
        (ActivityVerb::ServiceChanged, _) => "could not be changed",
        (ActivityVerb::ServiceRemoved, Outcome::Success) => "forgotten",
        (ActivityVerb::ServiceRemoved, _) => "could not be forgotten",
        (ActivityVerb::Up, Outcome::Success) => "brought up",
        (ActivityVerb::Up, Outcome::Failure) => "could not be brought up",
        (ActivityVerb::Up, Outcome::Cancelled) => "stopped while coming up",
        (ActivityVerb::Down, Outcome::Success) => "torn down",
        (ActivityVerb::Down, Outcome::Failure) => "could not be torn down",
        (ActivityVerb::Down, Outcome::Cancelled) => "stopped while being torn down",
        (ActivityVerb::Extended, Outcome::Success) => "extended",
        (ActivityVerb::Extended, _) => "could not be extended",
        (ActivityVerb::Expired, Outcome::Success) => "removed, its time was over",
        (ActivityVerb::Expired, _) => "could not be removed when its time was over",
        (ActivityVerb::TakenBack, Outcome::Success) => "taken back after its process died",
        (ActivityVerb::TakenBack, _) => "could not be taken back",
        (ActivityVerb::HandlerSet, Outcome::Success) => "set as a handler",
        (ActivityVerb::HandlerSet, _) => "could not be set as a handler",
        (ActivityVerb::HandlerRemoved, Outcome::Success) => "removed as a handler",
        (ActivityVerb::HandlerRemoved, _) => "could not be removed",
        (ActivityVerb::SecretsChanged, Outcome::Success) => "given other secrets",
        (ActivityVerb::SecretsChanged, _) => "could not be given other secrets",
        (ActivityVerb::OverrideSet, Outcome::Success) => "set as an override",
        (ActivityVerb::OverrideSet, _) => "could not be set as an override",
        (ActivityVerb::OverrideOn, Outcome::Success) => "switched on as an override",
        (ActivityVerb::OverrideOn, _) => "could not be switched on",
        (ActivityVerb::OverrideOff, Outcome::Success) => "switched off as an override",
        (ActivityVerb::OverrideOff, _) => "could not be switched off",
        (ActivityVerb::OverrideRemoved, Outcome::Success) => "reset as an override",
        (ActivityVerb::OverrideRemoved, _) => "could not be reset",
        (ActivityVerb::Imported, Outcome::Success) => "took in a workspace file",
        (ActivityVerb::Imported, _) => "could not take in a workspace file",
    };
    let mut aside = Vec::new();
    aside.extend(line.engine_label.clone().filter(|_| handler.is_none()));
    aside.extend(line.duration_ms.map(took));
    aside.push(
        match line.actor {
            Actor::Window => "window",
            Actor::CommandLine => "command line",
            Actor::Berth => "Berth",
        }
        .to_owned(),
    );
    let mut out = format!("{subject} {what} ({})", aside.join(", "));
    if let Some(detail) = &line.detail {
        out.push_str(": ");
        out.push_str(detail);
    }
    out
}

/// The line is about a handler, whose label stands where else the engine's does.
fn of_handlers(verb: ActivityVerb) -> bool {
    matches!(
        verb,
        ActivityVerb::HandlerSet
            | ActivityVerb::HandlerRemoved
            | ActivityVerb::SecretsChanged
            | ActivityVerb::OverrideSet
            | ActivityVerb::OverrideOn
            | ActivityVerb::OverrideOff
            | ActivityVerb::OverrideRemoved
    )
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
