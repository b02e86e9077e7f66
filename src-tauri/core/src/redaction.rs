//! What must not be written down: the values that a project takes from `.env`,
//! env files and the shell.

use std::collections::BTreeSet;

use berth_compose::Project;

use crate::problem::Problem;

/// Put in place of a value.
const MARK: &str = "•••";

/// Values shorter than this are not looked for: they would be found everywhere.
const SHORTEST: usize = 6;

/// Replaces the values of one project wherever an engine or container quotes
/// them.
#[derive(Default)]
pub(crate) struct Redaction {
    /// Longest first, so that a value that contains another goes whole.
    values: Vec<String>,
}

impl Redaction {
    /// Of the environments and build arguments of a project. A value that stands
    /// in one of the compose files itself is no secret.
    pub(crate) fn of(project: &Project, compose_files: &[String]) -> Self {
        let environments = project
            .services
            .values()
            .flat_map(|service| service.environment.values());
        let arguments = project
            .services
            .values()
            .filter_map(|service| service.build.as_ref())
            .flat_map(|build| build.args.values());
        let values: BTreeSet<&str> = environments
            .chain(arguments)
            .flatten()
            .flat_map(|value| std::iter::once(value.as_str()).chain(value.lines()))
            .map(str::trim)
            .filter(|value| value.chars().count() >= SHORTEST)
            .filter(|value| !compose_files.iter().any(|text| text.contains(value)))
            .collect();
        let mut values: Vec<String> = values.into_iter().map(str::to_owned).collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Self { values }
    }

    /// A text without the values.
    pub(crate) fn text(&self, text: String) -> String {
        self.values.iter().fold(text, |text, value| {
            if text.contains(value.as_str()) {
                text.replace(value.as_str(), MARK)
            } else {
                text
            }
        })
    }

    /// A problem without the values.
    pub(crate) fn problem(&self, problem: Problem) -> Problem {
        if self.values.is_empty() {
            return problem;
        }
        let all = |texts: Vec<String>| texts.into_iter().map(|text| self.text(text)).collect();
        Problem {
            title: self.text(problem.title),
            detail: problem.detail.map(|text| self.text(text)),
            hint: problem.hint.map(|text| self.text(text)),
            causes: all(problem.causes),
            lines: all(problem.lines),
            ..problem
        }
    }
}

#[cfg(test)]
mod tests {
    use berth_compose::{Build, Service};

    use super::*;
    use crate::problem::Code;

    fn redaction(values: &[(&str, &str)], argument: &str, text: &str) -> Redaction {
        let service = Service {
            environment: values
                .iter()
                .map(|(key, value)| ((*key).to_owned(), Some((*value).to_owned())))
                .collect(),
            build: Some(Build {
                args: [("TOKEN".to_owned(), Some(argument.to_owned()))]
                    .into_iter()
                    .collect(),
                ..Build::default()
            }),
            ..Service::default()
        };
        let project = Project {
            services: [("web".to_owned(), service)].into_iter().collect(),
            ..Project::default()
        };
        Redaction::of(&project, &[text.to_owned()])
    }

    #[test]
    fn values_from_elsewhere_go_and_those_in_the_file_stay() {
        let redaction = redaction(
            &[
                ("PASSWORD", "hunter2hunter2"),
                ("LONGER", "hunter2hunter2-and-more"),
                ("NAME", "postgres"),
            ],
            "argument-token",
            "environment:\n  NAME: postgres\n",
        );
        let problem = Problem {
            lines: vec!["postgres: hunter2hunter2-and-more".to_owned()],
            causes: vec!["argument-token".to_owned()],
            ..Problem::new(Code::ContainerExited, "web ended").detail("hunter2hunter2 was refused")
        };
        let clean = redaction.problem(problem);
        assert_eq!(clean.lines, ["postgres: •••"]);
        assert_eq!(clean.detail.unwrap(), "••• was refused");
        assert_eq!(clean.causes, ["•••"]);
    }

    #[test]
    fn short_values_are_not_looked_for() {
        let redaction = redaction(&[("DEBUG", "true"), ("PORT", "8080")], "", "");
        assert_eq!(redaction.text("true 8080".to_owned()), "true 8080");
    }

    #[test]
    fn each_line_of_a_long_value_goes() {
        let redaction = redaction(&[("KEY", "-----BEGIN KEY-----\nabcdefghijkl\n")], "", "");
        assert_eq!(
            redaction.text("bad line abcdefghijkl".to_owned()),
            "bad line •••"
        );
    }
}
