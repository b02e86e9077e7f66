//! `.dockerignore`, by Docker's own rules: patterns from the root of the context,
//! `*` and `?` within one name, `**` across folders, `!` for exceptions, the last
//! match decides, and what matches a folder matches everything below it.

/// The patterns of one file.
#[derive(Clone, Debug, Default)]
pub struct Ignore {
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug)]
struct Pattern {
    exception: bool,
    parts: Vec<String>,
}

impl Ignore {
    /// Reads the text of a `.dockerignore`. A pattern that is malformed matches
    /// nothing.
    pub fn parse(text: &str) -> Self {
        let patterns = text
            .trim_start_matches('\u{feff}')
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .filter_map(Pattern::parse)
            .collect();
        Self { patterns }
    }

    /// Adds an exception that nothing before it can take back.
    pub(super) fn keep(&mut self, path: &str) {
        self.patterns.push(Pattern {
            exception: true,
            parts: parts_of(path),
        });
    }

    /// Whether a path, relative with `/`, is left out.
    pub fn ignores(&self, path: &str) -> bool {
        let path = parts_of(path);
        let mut ignored = false;
        for pattern in &self.patterns {
            // Only a pattern that could change the verdict is worth a match.
            if pattern.exception == ignored && pattern.matches(&path) {
                ignored = !pattern.exception;
            }
        }
        ignored
    }

    /// Whether something below an ignored folder may be kept all the same.
    pub(super) fn may_keep_below(&self, folder: &str) -> bool {
        let folder = parts_of(folder);
        self.patterns
            .iter()
            .filter(|pattern| pattern.exception)
            .any(|pattern| pattern.may_match_below(&folder))
    }
}

fn parts_of(path: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part.to_owned()),
        }
    }
    parts
}

impl Pattern {
    fn parse(line: &str) -> Option<Self> {
        let (exception, rest) = match line.strip_prefix('!') {
            Some(rest) => (true, rest.trim()),
            None => (false, line),
        };
        let parts = parts_of(rest);
        (!parts.is_empty()).then_some(Self { exception, parts })
    }

    /// The path itself, or a folder above it.
    fn matches(&self, path: &[String]) -> bool {
        (1..=path.len()).any(|length| match_parts(&self.parts, &path[..length]))
    }

    fn may_match_below(&self, folder: &[String]) -> bool {
        let mut pattern = self.parts.as_slice();
        for name in folder {
            match pattern.split_first() {
                None => return true,
                Some((first, _)) if first.contains("**") => return true,
                Some((first, rest)) => {
                    if !match_name(first, name) {
                        return false;
                    }
                    pattern = rest;
                }
            }
        }
        true
    }
}

fn match_parts(pattern: &[String], path: &[String]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, None) => true,
        (None, Some(_)) => false,
        (Some((first, rest)), _) if first == "**" => {
            // At the end it stands for whatever is inside.
            if rest.is_empty() {
                return !path.is_empty();
            }
            (0..=path.len()).any(|skipped| match_parts(rest, &path[skipped..]))
        }
        (Some((first, rest)), _) if first.contains("**") => {
            // Inside a name it crosses folders as well.
            (1..=path.len()).any(|length| {
                match_characters(
                    &first.chars().collect::<Vec<_>>(),
                    &path[..length].join("/").chars().collect::<Vec<_>>(),
                ) && match_parts(rest, &path[length..])
            })
        }
        (Some(_), None) => false,
        (Some((first, rest)), Some((name, below))) => {
            match_name(first, name) && match_parts(rest, below)
        }
    }
}

fn match_name(pattern: &str, name: &str) -> bool {
    match_characters(
        &pattern.chars().collect::<Vec<_>>(),
        &name.chars().collect::<Vec<_>>(),
    )
}

fn match_characters(pattern: &[char], text: &[char]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['*', '*', rest @ ..] => (0..=text.len()).any(|from| match_characters(rest, &text[from..])),
        ['*', rest @ ..] => {
            let end = text.iter().position(|it| *it == '/').unwrap_or(text.len());
            (0..=end).any(|from| match_characters(rest, &text[from..]))
        }
        ['?', rest @ ..] => match text {
            [first, text @ ..] if *first != '/' => match_characters(rest, text),
            _ => false,
        },
        ['[', class @ ..] => {
            let Some((matched, rest)) = text.first().and_then(|it| match_class(class, *it)) else {
                return false;
            };
            matched && match_characters(rest, &text[1..])
        }
        ['\\', escaped, rest @ ..] | [escaped, rest @ ..] => match text {
            [first, text @ ..] if first == escaped => match_characters(rest, text),
            _ => false,
        },
    }
}

/// Whether a character is in the class that begins after `[`, and what follows
/// the class. `None`: the class is malformed.
fn match_class(class: &[char], character: char) -> Option<(bool, &[char])> {
    let (negated, mut rest) = match class {
        ['^', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let mut matched = false;
    let mut first = true;
    loop {
        let (low, after) = match rest {
            [']', after @ ..] if !first => return Some((matched != negated, after)),
            ['\\', low, after @ ..] | [low, after @ ..] => (*low, after),
            [] => return None,
        };
        first = false;
        let (high, after) = match after {
            ['-', '\\', high, after @ ..] => (*high, after),
            ['-', high, after @ ..] if *high != ']' => (*high, after),
            after => (low, after),
        };
        matched |= (low..=high).contains(&character);
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_as_docker_matches_them() {
        // Pattern, path, ignored; from the tables of moby/patternmatcher.
        for (patterns, path, ignored) in [
            ("**", "file", true),
            ("**", "dir/file", true),
            ("**/", "dir/file", true),
            ("**/**", "dir/file", true),
            ("dir/**", "dir/file", true),
            ("dir/**", "dir/dir2/file", true),
            ("dir/**", "dir", false),
            ("**/dir", "dir/file", true),
            ("**/dir2/*", "dir/dir2/file", true),
            ("**/dir2/**", "dir/dir2/dir2/file", true),
            ("**file", "file", true),
            ("**file", "dir/file", true),
            ("**/file", "dir/dir/file", true),
            ("**/file*", "dir/dir/file.txt", true),
            ("**/file*txt", "dir/dir/file.txt", true),
            ("a**/*.txt", "a/file.txt", true),
            ("a**/*.txt", "a/dir/dir/file.txt", true),
            ("a/*.txt", "a/dir/file.txt", false),
            ("a/*.txt", "a/file.txt", true),
            ("a[b-d]e", "ae", false),
            ("a[b-d]e", "ace", true),
            ("a[^b-d]e", "aze", true),
            ("a[^b-d]e", "ace", false),
            ("a\\*", "a*", true),
            ("a\\*", "abc", false),
            (".*", ".foo", true),
            (".*", "foo", false),
            ("abc.def", "abcdef", false),
            ("*", "dir/file", true),
            ("a?c", "a/c", false),
            ("/node_modules", "node_modules/x/y", true),
            ("node_modules", "sub/node_modules/x", false),
            ("# comment", "# comment", false),
            ("*.md\n!README.md", "README.md", false),
            ("*.md\n!README.md", "OTHER.md", true),
            ("!README.md\n*.md", "README.md", true),
            ("docs\n!docs/README.md", "docs/README.md", false),
            ("docs\n!docs/README.md", "docs/other", true),
            ("./x/../y", "y", true),
            ("**\n!src", "src/deep/file", false),
        ] {
            let ignore = Ignore::parse(patterns);
            assert_eq!(ignore.ignores(path), ignored, "{patterns:?} on {path}");
        }
    }

    #[test]
    fn folders_are_pruned_unless_an_exception_points_inside() {
        let ignore = Ignore::parse("node_modules\nbuild\n!build/keep/this");
        assert!(!ignore.may_keep_below("node_modules"));
        assert!(ignore.may_keep_below("build"));
        assert!(ignore.may_keep_below("build/keep"));
        assert!(!ignore.may_keep_below("build/other"));
        assert!(Ignore::parse("*\n!**/*.rs").may_keep_below("deep/down"));
    }

    #[test]
    fn what_is_kept_stays() {
        let mut ignore = Ignore::parse("*");
        ignore.keep("Dockerfile");
        assert!(!ignore.ignores("Dockerfile"));
        assert!(ignore.ignores("other"));
    }
}
