//! A problem as a person reads it.

use berth_core::Problem;
use berth_core::problem::Place;
use console::style;

use crate::log_text;

/// Title, places, detail, last lines, causes, hint, without what looks like a
/// secret. The detail may introduce the lines, the hint refer to them.
pub(crate) fn lines(problem: &Problem, colours: bool) -> Vec<String> {
    let problem = &problem.clean();
    let paint = |text: &str, bold: bool| {
        let styled = style(text).force_styling(colours);
        if bold {
            styled.red().bold().to_string()
        } else {
            styled.dim().to_string()
        }
    };
    let mut out = vec![paint(&log_text::plain(&problem.title), true)];
    for place in &problem.places {
        out.push(format!("  {}", place_line(place)));
        if let Some(hint) = &place.hint {
            out.push(format!("    {}", log_text::plain(hint)));
        }
    }
    if let Some(detail) = &problem.detail {
        out.extend(detail.lines().map(log_text::plain));
    }
    if !problem.lines.is_empty() {
        out.push(String::new());
        for line in &problem.lines {
            out.push(format!(
                "  {} {}",
                paint("|", false),
                log_text::clean(line, colours)
            ));
        }
        out.push(String::new());
    }
    out.extend(
        problem
            .causes
            .iter()
            // Errors often repeat their source in their own text.
            .filter(|cause| {
                !says(problem.detail.as_deref(), cause) && !says(Some(&problem.title), cause)
            })
            .map(|cause| paint(&format!("Cause: {}", log_text::plain(cause)), false)),
    );
    if let Some(hint) = &problem.hint {
        out.extend(hint.lines().map(log_text::plain));
    }
    out
}

fn says(text: Option<&str>, cause: &str) -> bool {
    text.is_some_and(|text| text.contains(cause))
}

/// `compose.yaml:4:7 services.web.ports: message`
fn place_line(place: &Place) -> String {
    let mut out = String::new();
    if let Some(file) = &place.file {
        out.push_str(&log_text::plain(file));
        for number in [place.line, place.column.filter(|_| place.line.is_some())]
            .into_iter()
            .flatten()
        {
            out.push_str(&format!(":{number}"));
        }
        out.push(' ');
    }
    if !place.key.is_empty() {
        out.push_str(&log_text::plain(&place.key));
        out.push_str(": ");
    }
    out.push_str(&log_text::plain(&place.message));
    out
}

#[cfg(test)]
mod tests {
    use berth_core::Code;

    use super::*;

    fn place() -> Place {
        Place {
            file: Some("compose.yaml".to_owned()),
            line: Some(4),
            column: Some(7),
            key: "services.web.ports".to_owned(),
            message: "is not a list".to_owned(),
            hint: Some("Write - \"8080:80\" below it.".to_owned()),
        }
    }

    #[test]
    fn a_fault_in_a_file_names_file_line_column_and_key() {
        let mut problem = Problem::new(Code::ProjectInvalid, "compose.yaml is not valid")
            .hint("Correct it and run berth up again.");
        problem.places.push(place());
        assert_eq!(
            lines(&problem, false),
            [
                "compose.yaml is not valid",
                "  compose.yaml:4:7 services.web.ports: is not a list",
                "    Write - \"8080:80\" below it.",
                "Correct it and run berth up again.",
            ]
        );
    }

    #[test]
    fn a_place_shows_only_what_is_known() {
        let bare = Place {
            file: None,
            line: None,
            column: Some(3),
            key: String::new(),
            message: "is missing".to_owned(),
            hint: None,
        };
        assert_eq!(place_line(&bare), "is missing");
        let file = Place {
            file: Some(".env".to_owned()),
            ..bare
        };
        assert_eq!(place_line(&file), ".env is missing");
    }

    #[test]
    fn last_lines_stand_apart_and_cannot_move_the_cursor() {
        let mut problem = Problem::new(Code::ContainerExited, "web ended with code 1")
            .detail("It ran for 0.3 s.");
        problem.lines = vec!["\u{1b}[2J\u{1b}[31mboom\u{1b}[0m\r".to_owned()];
        problem.causes = vec!["0.3 s".to_owned(), "exit 1".to_owned()];
        assert_eq!(
            lines(&problem, false),
            [
                "web ended with code 1",
                "It ran for 0.3 s.",
                "",
                "  | boom",
                "",
                "Cause: exit 1",
            ]
        );
    }
}
