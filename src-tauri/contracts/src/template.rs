//! Texts with placeholders: `{{input.branch}}`.
//!
//! A placeholder is `{{`, white space, a name of letters, digits, `_` and `.`, white space, `}}`.
//! Anything else between braces is text and stays. What is filled in is not looked at again.

use std::ops::Range;

use crate::ecmascript::is_white_space;

/// The variables that a template may use.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// Tells scopes apart in generated names; a word in upper camel case.
    pub(crate) name: &'static str,
    pub(crate) variables: &'static [Variable],
    /// Prefixes of names that have a value only when someone gave one.
    pub(crate) open: &'static [&'static str],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Variable {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// A likely value, for previews.
    pub(crate) sample: &'static str,
}

/// A placeholder in a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placeholder<'a> {
    /// Its bytes, braces included.
    pub range: Range<usize>,
    /// The variable that it names.
    pub name: &'a str,
}

/// The placeholders of a template, first to last.
pub fn placeholders(template: &str) -> impl Iterator<Item = Placeholder<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some(at) = template[from..].find("{{").map(|at| at + from) {
            let braces = template[at..]
                .bytes()
                .take_while(|byte| *byte == b'{')
                .count();
            // No name begins with a brace: of `{{{a}}` only the last two can be a placeholder's.
            let placeholder = placeholder_at(template, at + braces - 2);
            from = placeholder
                .as_ref()
                .map_or(at + braces, |found| found.range.end);
            if placeholder.is_some() {
                return placeholder;
            }
        }
        None
    })
}

fn placeholder_at(template: &str, start: usize) -> Option<Placeholder<'_>> {
    let inner = template[start..].strip_prefix("{{")?;
    let spaced = inner.trim_start_matches(is_white_space);
    let rest =
        spaced.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
    let name = &spaced[..spaced.len() - rest.len()];
    let end = rest.trim_start_matches(is_white_space).strip_prefix("}}")?;
    (!name.is_empty()).then(|| Placeholder {
        range: start..template.len() - end.len(),
        name,
    })
}

/// The template with its placeholders filled in; one without a value becomes nothing.
pub fn render(template: &str, value_of: impl Fn(&str) -> Option<String>) -> String {
    let mut rendered = String::with_capacity(template.len());
    let mut from = 0;
    for placeholder in placeholders(template) {
        rendered.push_str(&template[from..placeholder.range.start]);
        rendered.push_str(&value_of(placeholder.name).unwrap_or_default());
        from = placeholder.range.end;
    }
    rendered.push_str(&template[from..]);
    rendered
}

macro_rules! variables {
    ($($name:literal, $description:literal, $sample:literal;)*) => {
        &[$(Variable { name: $name, description: $description, sample: $sample },)*]
    };
}

/// A request that creates an environment: nothing has answered yet.
pub(crate) static PROVISION: Scope = Scope {
    name: "Provision",
    variables: variables![
        "input.branch", "The branch that the environment is made of.", "feature/login";
        "input.pullNumber", "The number of the pull request, where there is one.", "42";
        "input.pullUrl", "The address of the pull request, where there is one.", "https://github.com/acme/web/pull/42";
        "input.repoOwner", "The owner of the repository.", "acme";
        "input.repoName", "The name of the repository.", "web";
        "input.blockId", "The service's id in Berth.", "svc_7f3a";
    ],
    open: &["input."],
};

/// A request about an environment that exists.
pub(crate) static PROVISIONED: Scope = Scope {
    name: "Provisioned",
    variables: variables![
        "provision.externalId", "The environment's id in the API, taken from its answer.", "env-1842";
        "provision.url", "The environment's address, taken from the answer.", "https://login.preview.example.com";
    ],
    open: &[],
};

/// A request seen on its own, without the call that it is for.
pub(crate) static REQUEST: Scope = Scope {
    name: "Any",
    variables: variables![
        "input.branch", "The branch that the environment is made of.", "feature/login";
        "input.pullNumber", "The number of the pull request, where there is one.", "42";
        "input.pullUrl", "The address of the pull request, where there is one.", "https://github.com/acme/web/pull/42";
        "input.repoOwner", "The owner of the repository.", "acme";
        "input.repoName", "The name of the repository.", "web";
        "input.blockId", "The service's id in Berth.", "svc_7f3a";
        "provision.externalId", "The environment's id in the API, taken from its answer.", "env-1842";
        "provision.url", "The environment's address, taken from the answer.", "https://login.preview.example.com";
    ],
    open: &["input."],
};

/// Names, hosts and images that an engine of this machine or cluster fills in.
pub(crate) static ENVIRONMENT: Scope = Scope {
    name: "Environment",
    variables: variables![
        "branch", "The branch that the environment is made of.", "feature/login";
        "pullNumber", "The number of the pull request, where there is one.", "42";
        "pullUrl", "The address of the pull request, where there is one.", "https://github.com/acme/web/pull/42";
        "repoOwner", "The owner of the repository.", "acme";
        "repoName", "The name of the repository.", "web";
        "blockId", "The service's id in Berth.", "svc_7f3a";
    ],
    open: &["input."],
};

/// What is known once an environment has a namespace and an image.
pub(crate) static NAMESPACED: Scope = Scope {
    name: "Namespaced",
    variables: variables![
        "namespace", "The environment's namespace.", "web-42";
        "image", "The image, when an image template is set.", "ghcr.io/acme/web:feature-login";
        "branch", "The branch that the environment is made of.", "feature/login";
        "pullNumber", "The number of the pull request, where there is one.", "42";
        "pullUrl", "The address of the pull request, where there is one.", "https://github.com/acme/web/pull/42";
        "repoOwner", "The owner of the repository.", "acme";
        "repoName", "The name of the repository.", "web";
        "blockId", "The service's id in Berth.", "svc_7f3a";
    ],
    open: &["input."],
};

/// A request that starts a job.
pub(crate) static DISPATCH: Scope = Scope {
    name: "Dispatch",
    variables: variables![
        "input.jobId", "The job's id.", "job_51c2";
        "input.job", "The whole job, as JSON.", "{\"kind\":\"build\"}";
        "input.kind", "What kind of job it is.", "build";
        "input.instanceType", "The size that was asked for.", "medium";
        "input.cloudProvider", "Where it was asked to run.", "docker";
    ],
    open: &[],
};

/// A request about a job that was started.
pub(crate) static DISPATCHED: Scope = Scope {
    name: "Dispatched",
    variables: variables![
        "input.jobId", "The job's id.", "job_51c2";
        "input.kind", "What kind of job it is.", "build";
        "input.instanceType", "The size that was asked for.", "medium";
        "input.cloudProvider", "Where it was asked to run.", "docker";
    ],
    open: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    fn names(template: &str) -> Vec<&str> {
        placeholders(template).map(|found| found.name).collect()
    }

    #[test]
    fn finds_placeholders_and_nothing_else() {
        assert_eq!(
            names("a {{b}} {{ c.d }} {{\u{feff}e\u{2028}}}"),
            ["b", "c.d", "e"]
        );
        assert_eq!(names("{{{a}}}"), ["a"]);
        assert_eq!(names("{{ {{a}} }}"), ["a"]);
        for none in [
            "{{}}",
            "{{a-b}}",
            "{{é}}",
            "{{\u{85}a}}",
            "{{a b}}",
            "{a}",
            "{{a}",
            "{{",
            "é{{",
        ] {
            assert_eq!(names(none), [""; 0], "{none}");
        }
    }

    #[test]
    fn what_is_filled_in_is_not_looked_at_again() {
        let value_of = |name: &str| (name == "a").then(|| "{{b}} $1".to_owned());
        assert_eq!(render("x{{a}}y{{b}}z", value_of), "x{{b}} $1yz");
    }

    #[test]
    fn many_open_braces_are_linear() {
        assert_eq!(placeholders(&"{".repeat(1_000_000)).count(), 0);
        assert_eq!(placeholders(&"{{a".repeat(300_000)).count(), 0);
    }
}
