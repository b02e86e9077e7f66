//! How long, as it is typed.

use jiff::fmt::friendly::SpanParser;
use jiff::{SignedDuration, SpanRelativeTo};

use berth_core::view::Lifetime;

const FORMS: &str = "accepted are 90s, 45m, 2h, 1d, combinations such as 1h30m, and never";
const SHORTEST: SignedDuration = SignedDuration::from_secs(1);
/// Ten years of 365 days.
const LONGEST: SignedDuration = SignedDuration::from_hours(10 * 365 * 24);

/// A lifetime from the command line. Days are 24 hours.
pub(crate) fn parse(text: &str) -> Result<Lifetime, String> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("never") {
        return Ok(Lifetime::Never);
    }
    if !text.is_empty() && text.chars().all(|c| c.is_ascii_digit()) {
        return Err(format!(
            "the unit is missing: did you mean {text}m (minutes) or {text}h (hours)? ({FORMS})"
        ));
    }
    // Clock notation (1:30:00) is ambiguous to readers and a sign means nothing here.
    if text.contains([':', '-', '+']) || text.contains("ago") {
        return Err(FORMS.to_owned());
    }
    let duration = SpanParser::new()
        .parse_span(text)
        .and_then(|span| span.to_duration(SpanRelativeTo::days_are_24_hours()))
        .map_err(|_| FORMS.to_owned())?;
    if duration < SHORTEST {
        return Err(format!("the shortest time is 1s ({FORMS})"));
    }
    if duration > LONGEST {
        return Err(
            "the longest time is 3650d, ten years; say never for an environment that stays"
                .to_owned(),
        );
    }
    // At most ten years: far below what 64 bits hold.
    let milliseconds = i64::try_from(duration.as_millis()).map_err(|_| FORMS.to_owned())?;
    Ok(Lifetime::For { milliseconds })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_forms_are_read() {
        for (text, seconds) in [
            ("1s", 1),
            ("90s", 90),
            ("45m", 45 * 60),
            ("2h", 7_200),
            ("1d", 86_400),
            ("1h30m", 5_400),
            ("1d 12h", 129_600),
            (" 2h ", 7_200),
            ("2 hours", 7_200),
            ("1w", 604_800),
            ("3650d", 315_360_000),
        ] {
            assert_eq!(
                parse(text),
                Ok(Lifetime::For {
                    milliseconds: seconds * 1_000
                }),
                "{text}"
            );
        }
        assert_eq!(parse("never"), Ok(Lifetime::Never));
        assert_eq!(parse("Never"), Ok(Lifetime::Never));
    }

    #[test]
    fn everything_else_names_the_forms() {
        for text in [
            "", "h", "2x", "soon", "-1h", "1h ago", "1:30", "PT2H", "1mo", "2h2", "٢h", "1e3h",
        ] {
            let message = parse(text).expect_err(text);
            assert!(message.contains("1h30m"), "{text}: {message}");
        }
    }

    #[test]
    fn a_plain_number_is_asked_for_its_unit() {
        let message = parse("30").expect_err("no unit");
        assert!(message.contains("30m (minutes)"), "{message}");
    }

    #[test]
    fn limits_are_told() {
        assert!(parse("500ms").is_err_and(|m| m.contains("shortest time is 1s")));
        assert!(parse("0s").is_err_and(|m| m.contains("shortest time is 1s")));
        assert!(parse("3651d").is_err_and(|m| m.contains("longest time")));
        assert!(parse("99999999999999999999h").is_err());
    }
}
