//! When environments end: pure rules over wall-clock times.

use crate::problem::{Code, Problem};
use crate::view::Lifetime;

/// How long an environment lives when nobody says otherwise: two hours.
pub(crate) const DEFAULT_LIFETIME: i64 = 2 * 60 * 60 * 1000;

/// How long before its end an environment is warned about: ten minutes.
pub(crate) const WARNING: i64 = 10 * 60 * 1000;

/// The shortest lifetime that may be asked for, milliseconds.
pub(crate) const SHORTEST: i64 = 1000;

/// The longest lifetime that may be asked for, milliseconds: ten years.
pub(crate) const LONGEST: i64 = 10 * 366 * 24 * 60 * 60 * 1000;

/// How long an environment lives when its start does not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lifespan {
    /// Until it is torn down.
    Forever,
    /// So many milliseconds, at most [`LONGEST`].
    Milliseconds(i64),
}

/// Nobody says anything.
impl Default for Lifespan {
    fn default() -> Self {
        Self::Milliseconds(DEFAULT_LIFETIME)
    }
}

/// The end of an environment that is brought up at `now`; `usual` is how long
/// those of its handler live. `present` is the end of one that is there already
/// (`Some(None)`: never).
pub(crate) fn end_when_brought_up(
    lifetime: Lifetime,
    usual: Lifespan,
    now: i64,
    present: Option<Option<i64>>,
) -> Result<Option<i64>, Problem> {
    let usual = match usual {
        Lifespan::Forever => None,
        Lifespan::Milliseconds(milliseconds) => Some(now + milliseconds),
    };
    match (lifetime, present) {
        (Lifetime::Default, None) => Ok(usual),
        (Lifetime::Default, Some(None)) | (Lifetime::Never, _) => Ok(None),
        (Lifetime::Default, Some(Some(end))) => Ok(usual.map(|usual| usual.max(end))),
        (Lifetime::For { milliseconds }, _) => Ok(Some(now + checked(milliseconds)?)),
    }
}

/// The end of an environment that is extended at `now`: time is added to its
/// present end, or to now when that has passed or was never.
pub(crate) fn end_when_extended(
    lifetime: Lifetime,
    now: i64,
    present: Option<i64>,
) -> Result<Option<i64>, Problem> {
    let from = present.map_or(now, |end| end.max(now));
    match lifetime {
        Lifetime::Never => Ok(None),
        Lifetime::Default => Ok(Some(from + DEFAULT_LIFETIME)),
        Lifetime::For { milliseconds } => Ok(Some(from + checked(milliseconds)?)),
    }
}

fn checked(milliseconds: i64) -> Result<i64, Problem> {
    if (SHORTEST..=LONGEST).contains(&milliseconds) {
        Ok(milliseconds)
    } else {
        Err(
            Problem::new(Code::InvalidInput, "That lifetime is out of range")
                .detail("A lifetime is at least 1 second and at most 10 years.")
                .hint("Give one such as 45m, 2h or 1d, or never."),
        )
    }
}

/// What is due for one environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Due {
    /// Nothing, until then (`None`: ever).
    At(Option<i64>),
    /// A warning that it ends soon.
    Warning,
    /// Its removal.
    Removal,
}

/// What is due at `now` for an environment that ends at `end` and was or was
/// not warned about.
pub(crate) fn due(end: Option<i64>, warned: bool, now: i64) -> Due {
    match end {
        None => Due::At(None),
        Some(end) if now >= end => Due::Removal,
        Some(end) if warned => Due::At(Some(end)),
        Some(end) if now >= end - WARNING => Due::Warning,
        Some(end) => Due::At(Some(end - WARNING)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000_000;
    const HOUR: i64 = 60 * 60 * 1000;

    #[test]
    fn a_new_environment_lives_two_hours() {
        assert_eq!(
            end_when_brought_up(Lifetime::Default, Lifespan::default(), NOW, None).unwrap(),
            Some(NOW + 2 * HOUR)
        );
    }

    #[test]
    fn an_update_never_shortens_a_life() {
        let usual = Lifespan::default();
        let up =
            |present| end_when_brought_up(Lifetime::Default, usual, NOW, Some(present)).unwrap();
        assert_eq!(up(Some(NOW + 5 * HOUR)), Some(NOW + 5 * HOUR));
        assert_eq!(up(Some(NOW + HOUR)), Some(NOW + 2 * HOUR));
        assert_eq!(up(Some(NOW - HOUR)), Some(NOW + 2 * HOUR));
        assert_eq!(up(None), None);
    }

    /// What the start says, then what the handler says.
    #[test]
    fn the_handlers_lifespan_holds_unless_the_start_says() {
        let asked = Lifetime::For { milliseconds: HOUR };
        for (lifetime, usual, present, end) in [
            (
                Lifetime::Default,
                Lifespan::Milliseconds(3 * HOUR),
                None,
                Some(3),
            ),
            (
                Lifetime::Default,
                Lifespan::Milliseconds(3 * HOUR),
                Some(Some(1)),
                Some(3),
            ),
            (
                Lifetime::Default,
                Lifespan::Milliseconds(3 * HOUR),
                Some(Some(5)),
                Some(5),
            ),
            (Lifetime::Default, Lifespan::Forever, None, None),
            (Lifetime::Default, Lifespan::Forever, Some(Some(1)), None),
            (asked, Lifespan::Forever, None, Some(1)),
            (
                asked,
                Lifespan::Milliseconds(3 * HOUR),
                Some(Some(5)),
                Some(1),
            ),
            (
                Lifetime::Never,
                Lifespan::Milliseconds(3 * HOUR),
                None,
                None,
            ),
        ] {
            let hours = |hours: i64| NOW + hours * HOUR;
            let present = present.map(|end: Option<i64>| end.map(hours));
            assert_eq!(
                end_when_brought_up(lifetime, usual, NOW, present).unwrap(),
                end.map(hours)
            );
        }
    }

    #[test]
    fn time_is_added_to_the_end_or_to_now() {
        let hour = Lifetime::For { milliseconds: HOUR };
        let extended = |present| end_when_extended(hour, NOW, present).unwrap();
        assert_eq!(extended(Some(NOW + HOUR)), Some(NOW + 2 * HOUR));
        assert_eq!(extended(Some(NOW - HOUR)), Some(NOW + HOUR));
        assert_eq!(extended(None), Some(NOW + HOUR));
        assert_eq!(
            end_when_extended(Lifetime::Never, NOW, Some(NOW)).unwrap(),
            None
        );
    }

    #[test]
    fn lifetimes_out_of_range_are_refused() {
        for milliseconds in [i64::MIN, -1, 0, 999, LONGEST + 1, i64::MAX] {
            let problem = end_when_extended(Lifetime::For { milliseconds }, NOW, None).unwrap_err();
            assert_eq!(problem.code, Code::InvalidInput);
        }
    }

    #[test]
    fn a_warning_comes_once_and_before_the_end() {
        let end = Some(NOW + HOUR);
        assert_eq!(due(end, false, NOW), Due::At(Some(NOW + HOUR - WARNING)));
        assert_eq!(due(end, false, NOW + HOUR - WARNING), Due::Warning);
        assert_eq!(due(end, true, NOW + HOUR - WARNING), Due::At(end));
        assert_eq!(due(end, true, NOW + HOUR), Due::Removal);
        assert_eq!(due(None, false, NOW), Due::At(None));
    }

    #[test]
    fn a_clock_set_back_postpones_and_one_set_forward_hastens() {
        let end = Some(NOW + HOUR);
        assert_eq!(due(end, true, NOW - 10 * HOUR), Due::At(end));
        assert_eq!(due(end, false, NOW + 10 * HOUR), Due::Removal);
    }
}
