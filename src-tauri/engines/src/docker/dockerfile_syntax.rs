//! What a Dockerfile asks for that only BuildKit understands. The engine's
//! classic builder, with which Berth builds, takes some of it for something else
//! and builds a wrong image without a word, so it is looked for beforehand.
//!
//! Lines, comments, continuations and here-documents are told apart as BuildKit's
//! own parser does (`frontend/dockerfile/parser`).

/// Something the classic builder cannot do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unsupported {
    /// Where its instruction begins, from 1.
    pub(super) line: usize,
    /// As written, in short: `RUN --mount`, `COPY <<EOF`.
    pub(super) what: String,
    /// What to write instead.
    pub(super) hint: &'static str,
}

const SCRIPT: &str =
    "Join the commands with && and end each line with \\, or COPY the script from a file.";
const FILE: &str = "Put the text into a file of the build context and COPY that.";
const FRONTEND: &str = "Remove the line, or name docker/dockerfile there.";
const DECLARE: &str = "Declare that argument with ARG before the first FROM; Berth fills it in.";
const GIT: &str = "Clone the repository in a RUN, or ADD an archive of it.";

/// Arguments that BuildKit fills in wherever they are declared, and the classic
/// builder leaves empty.
const PLATFORM_ARGUMENTS: [&str; 8] = [
    "TARGETPLATFORM",
    "TARGETOS",
    "TARGETARCH",
    "TARGETVARIANT",
    "BUILDPLATFORM",
    "BUILDOS",
    "BUILDARCH",
    "BUILDVARIANT",
];

/// The platform arguments that a Dockerfile declares, with their values for a
/// build for `target` by an engine on `engine` (`linux/arm64/v8`).
pub(super) fn platform_arguments(
    text: &str,
    target: &str,
    engine: &str,
) -> Vec<(&'static str, String)> {
    let declared = |name: &str| text.lines().any(|line| declares(line, name));
    let value = |name: &str| {
        let (platform, part) = match name.strip_prefix("TARGET") {
            Some(part) => (target, part),
            None => (engine, name.trim_start_matches("BUILD")),
        };
        let mut parts = platform.splitn(3, '/');
        let (os, arch, variant) = (parts.next(), parts.next(), parts.next());
        let value = match part {
            "OS" => os,
            "ARCH" => arch,
            "VARIANT" => variant,
            _ => Some(platform),
        };
        value.unwrap_or_default().to_owned()
    };
    PLATFORM_ARGUMENTS
        .into_iter()
        .filter(|name| declared(name))
        .map(|name| (name, value(name)))
        .collect()
}

/// Looks through a Dockerfile, up to the end of stage `target` when one is named:
/// later stages are not built.
pub(super) fn unsupported(text: &str, target: Option<&str>) -> Vec<Unsupported> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut found = Vec::new();
    let escape = directives(text, &mut found);
    let mut stages = Stages::new(target);
    let lines: Vec<&str> = text.lines().collect();
    let mut next = 0;
    while next < lines.len() {
        let first = next;
        let mut instruction = String::new();
        let mut goes_on = true;
        while let Some(line) = lines.get(next).filter(|_| goes_on) {
            next += 1;
            if is_comment_or_blank(line) {
                // Also in the middle of an instruction.
                goes_on = !instruction.is_empty();
                continue;
            }
            let open = continued(line, escape);
            instruction.push_str(open.unwrap_or(line));
            goes_on = open.is_some();
        }
        if stages.are_over(&instruction) {
            break;
        }
        if let Some(undeclared) = undeclared_platform(&instruction, &lines[..first]) {
            found.push(Unsupported {
                line: first + 1,
                what: format!("FROM {undeclared}"),
                hint: DECLARE,
            });
        }
        for document in inspect(instruction.trim(), first + 1, escape, &mut found) {
            // It may hold anything, also what looks like a comment.
            let length = lines.iter().skip(next).position(|it| document.ends_at(it));
            next = length.map_or(lines.len(), |length| next + length + 1);
        }
    }
    found
}

/// The `--platform` of a `FROM` that names a platform argument which no line
/// before declares: only BuildKit knows it then.
fn undeclared_platform<'a>(instruction: &'a str, before: &[&str]) -> Option<&'a str> {
    let mut words = instruction.split_whitespace();
    words.next().filter(|it| it.eq_ignore_ascii_case("from"))?;
    let flag = words.find(|it| it.starts_with("--platform="))?;
    let (_, name) = flag.split_once('$')?;
    let name = name.trim_start_matches('{');
    let name = name
        .split(|it: char| !it.is_ascii_alphanumeric() && it != '_')
        .next()?;
    let known = PLATFORM_ARGUMENTS.contains(&name);
    (known && !before.iter().any(|line| declares(line, name))).then_some(flag)
}

fn declares(line: &str, name: &str) -> bool {
    let mut words = line.split_whitespace();
    words
        .next()
        .is_some_and(|it| it.eq_ignore_ascii_case("arg"))
        && words.any(|it| it.split('=').next() == Some(name))
}

/// Reads the directives at the top and returns the escape character.
fn directives(text: &str, found: &mut Vec<Unsupported>) -> char {
    let mut escape = '\\';
    for (line, at) in text.lines().zip(1..) {
        let directive = line.trim().strip_prefix('#').and_then(|it| {
            let (key, value) = it.split_once('=')?;
            let key = key.trim();
            let is_word = !key.is_empty() && key.chars().all(|it| it.is_ascii_alphanumeric());
            is_word.then(|| (key.to_ascii_lowercase(), value.trim()))
        });
        match directive {
            Some((key, "`")) if key == "escape" => escape = '`',
            Some((key, image)) if key == "syntax" && !is_dockers_own(image) => {
                found.push(Unsupported {
                    line: at,
                    what: format!("# syntax={image}"),
                    hint: FRONTEND,
                });
            }
            Some(_) => {}
            None => break,
        }
    }
    escape
}

/// Docker's own syntax by itself asks for nothing.
fn is_dockers_own(image: &str) -> bool {
    let image = image.strip_prefix("docker.io/").unwrap_or(image);
    image
        .strip_prefix("docker/dockerfile")
        .is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '@']))
}

fn is_comment_or_blank(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

/// The line without its escape character, when it goes on in the next.
fn continued(line: &str, escape: char) -> Option<&str> {
    let open = line
        .trim_end_matches([' ', '\t', '\r'])
        .strip_suffix(escape)?;
    (!open.ends_with(escape)).then_some(open)
}

/// Which stages are built.
struct Stages<'a> {
    target: Option<&'a str>,
    next: usize,
    in_target: bool,
}

impl<'a> Stages<'a> {
    fn new(target: Option<&'a str>) -> Self {
        Self {
            target: target.filter(|it| !it.is_empty()),
            next: 0,
            in_target: false,
        }
    }

    /// Whether an instruction begins a stage after the last that is built.
    fn are_over(&mut self, instruction: &str) -> bool {
        let words: Vec<&str> = instruction.split_whitespace().collect();
        if !words
            .first()
            .is_some_and(|it| it.eq_ignore_ascii_case("from"))
        {
            return false;
        }
        if self.in_target {
            return true;
        }
        let name = match words.as_slice() {
            [.., word, name] if word.eq_ignore_ascii_case("as") => Some(*name),
            _ => None,
        };
        self.in_target = self.target.is_some_and(|target| {
            name.is_some_and(|it| it.eq_ignore_ascii_case(target))
                || target.parse() == Ok(self.next)
        });
        self.next += 1;
        false
    }
}

/// A here-document that an instruction begins.
#[derive(Debug, PartialEq, Eq)]
struct HereDocument {
    end: String,
    /// `<<-`: tabs before the last line do not count.
    chomp: bool,
}

impl HereDocument {
    /// `<<EOF`, `3<<-"EOF"` as one word.
    fn of(word: &str) -> Option<Self> {
        let rest = word
            .trim_start_matches(|it: char| it.is_ascii_digit())
            .strip_prefix("<<")?;
        let (rest, chomp) = match rest.strip_prefix('-') {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let end: String = rest
            .chars()
            .filter(|it| !matches!(it, '"' | '\''))
            .collect();
        (!rest.contains('<') && !end.is_empty()).then_some(Self { end, chomp })
    }

    fn ends_at(&self, line: &str) -> bool {
        let line = line.trim_end_matches('\r');
        let line = if self.chomp {
            line.trim_start_matches('\t')
        } else {
            line
        };
        line == self.end
    }
}

/// Looks at one instruction and returns the here-documents that follow it.
fn inspect(
    instruction: &str,
    line: usize,
    escape: char,
    found: &mut Vec<Unsupported>,
) -> Vec<HereDocument> {
    let (name, rest) = instruction
        .split_once(char::is_whitespace)
        .unwrap_or((instruction, ""));
    let name = name.to_ascii_uppercase();
    let known: &[&str] = match name.as_str() {
        "ONBUILD" => return inspect(rest.trim_start(), line, escape, found),
        "RUN" => &[],
        "COPY" => &["from", "chown"],
        "ADD" => &["chown"],
        _ => return Vec::new(),
    };
    let mut add = |what: String, hint| found.push(Unsupported { line, what, hint });
    let words = words(rest, escape);
    let flags = words.iter().take_while(|it| it.starts_with("--"));
    for flag in flags.clone() {
        let flag = flag.trim_start_matches('-');
        let flag = flag.split('=').next().unwrap_or(flag);
        if !flag.is_empty() && !known.contains(&flag) {
            add(format!("{name} --{flag}"), hint_for(&name, flag));
        }
    }
    let arguments = &words[flags.count()..];
    if let ("ADD", Some((_, sources))) = (name.as_str(), arguments.split_last())
        && let Some(source) = sources.iter().find(|it| is_git(it))
    {
        add(format!("ADD {source}"), GIT);
    }
    let mut here = Vec::new();
    for word in arguments {
        if let Some(document) = HereDocument::of(word) {
            let hint = if name == "RUN" { SCRIPT } else { FILE };
            add(format!("{name} <<{}", document.end), hint);
            here.push(document);
        }
    }
    here
}

fn hint_for(name: &str, flag: &str) -> &'static str {
    match (name, flag) {
        ("RUN", "mount") => {
            "Without it: leave caches out, COPY what a bind brings in, and give a secret to the running container instead of the build."
        }
        ("RUN", "network") => "Set `build.network` in the compose file instead.",
        ("RUN", _) => "Write the RUN without it.",
        (_, "chmod") => "Set the mode in a RUN chmod after it, or on the file itself.",
        (_, "link") => "Leave it out: the image is the same, only its layers are cached otherwise.",
        (_, "exclude") => "Name what to leave out in .dockerignore.",
        (_, "parents") => "COPY each folder to its own place.",
        ("ADD", "checksum") => "Download and check the file in a RUN (curl, then sha256sum -c).",
        ("ADD", "keep-git-dir") => GIT,
        _ => "Write the instruction without it.",
    }
}

/// A source that BuildKit would clone; the classic builder downloads a page.
fn is_git(source: &str) -> bool {
    let address = source.split(['#', '?']).next().unwrap_or(source);
    let over_http = address.starts_with("http://") || address.starts_with("https://");
    address.starts_with("git@")
        || address.starts_with("git://")
        || address.starts_with("ssh://")
        || (over_http && address.ends_with(".git"))
}

/// Splits at white space outside quotes; quotes and escapes stay as written.
fn words(text: &str, escape: char) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match quote {
            None if character.is_whitespace() => {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                continue;
            }
            None if matches!(character, '"' | '\'') => quote = Some(character),
            Some(open) if open == character => quote = None,
            _ => {}
        }
        word.push(character);
        if character == escape && quote != Some('\'') {
            word.extend(characters.next());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(usize, String)> {
        unsupported(text, None)
            .into_iter()
            .map(|it| (it.line, it.what))
            .collect()
    }

    fn one(line: usize, what: &str) -> Vec<(usize, String)> {
        vec![(line, what.to_owned())]
    }

    #[test]
    fn what_the_classic_builder_understands_is_let_through() {
        let text = "# syntax=docker/dockerfile:1.7\n# escape=\\\n\nFROM --platform=linux/amd64 busybox AS one\n\
            # RUN --mount=type=cache x\n\
            RUN echo --mount <<< x; echo $((1 << 2)) \"<<EOF\" '<<EOF' a<<b\n\
            RUN [\"cat\", \"--chmod\", \"<<E\"]\n\
            COPY --from=one --chown=1:1 a b\n\
            ADD --chown=1 https://example.org/a.tar.gz /a\n\
            HEALTHCHECK --interval=1s CMD true\nENTRYPOINT [\"--link\"]\n";
        assert_eq!(found(text), []);
        for own in ["docker/dockerfile", "docker.io/docker/dockerfile@sha256:1"] {
            assert_eq!(found(&format!("#syntax = {own}\nFROM a")), []);
        }
    }

    #[test]
    fn flags_of_buildkit_are_found_with_their_line() {
        for (instruction, what) in [
            ("RUN --mount=type=cache,target=/x make", "RUN --mount"),
            ("run --network=none make", "RUN --network"),
            ("RUN --security=insecure make", "RUN --security"),
            ("COPY --from=a --chmod=755 a b", "COPY --chmod"),
            ("COPY --link a b", "COPY --link"),
            ("COPY --parents a b", "COPY --parents"),
            ("COPY --exclude=*.md a b", "COPY --exclude"),
            ("ADD --checksum=sha256:1 https://a/b c", "ADD --checksum"),
            ("ADD --keep-git-dir=true . c", "ADD --keep-git-dir"),
            ("ADD --chmod=1 a c", "ADD --chmod"),
            ("ADD https://a/b.git#v1 c", "ADD https://a/b.git#v1"),
            ("ONBUILD RUN --mount=type=tmpfs,target=/t x", "RUN --mount"),
        ] {
            let text = format!("FROM a\n\n{instruction}\n");
            assert_eq!(found(&text), one(3, what), "{instruction}");
        }
    }

    #[test]
    fn continuations_comments_and_the_escape_directive_are_followed() {
        let text =
            "FROM a\nRUN \\\n  # why\n\n  --mount=type=cache,target=/x \\  \n  make\r\nRUN b";
        assert_eq!(found(text), one(2, "RUN --mount"));
        // The second line belongs to the first.
        assert_eq!(found("FROM a\nRUN echo \\\nRUN --mount=type=cache x"), []);
        assert_eq!(
            found("# escape=`\nFROM a\nRUN echo \\\nRUN --mount=type=cache x"),
            one(4, "RUN --mount")
        );
        assert_eq!(
            found("# escape=`\nFROM a\nRUN echo `\nRUN --mount=type=cache x"),
            []
        );
        // Not a directive any more.
        assert_eq!(
            found("FROM a\n# escape=`\nRUN echo `\nRUN --network=none x"),
            one(4, "RUN --network")
        );
    }

    #[test]
    fn here_documents_are_found_and_stepped_over() {
        let text =
            "FROM a\nRUN <<EOF\n# not a comment\nRUN --mount=x y\necho \\\nEOF\nCOPY --link a b\n";
        assert_eq!(
            found(text),
            [(2, "RUN <<EOF".to_owned()), (7, "COPY --link".to_owned())]
        );
        let two = "FROM a\nCOPY <<-\"one\" <<two /x/\nRUN --mount=x y\n\tone\ntwo?\ntwo\nRUN --network=none x";
        assert_eq!(
            found(two),
            [
                (2, "COPY <<one".to_owned()),
                (2, "COPY <<two".to_owned()),
                (7, "RUN --network".to_owned())
            ]
        );
        assert_eq!(
            found("FROM a\nRUN bash -e 3<<E\nRUN --mount=x y"),
            one(2, "RUN <<E")
        );
    }

    #[test]
    fn other_frontends_are_refused() {
        assert_eq!(
            found("# syntax=docker/dockerfile-upstream:master\nFROM a"),
            one(1, "# syntax=docker/dockerfile-upstream:master")
        );
        assert_eq!(
            found("\u{feff}# Syntax = example.org/mine\nFROM a"),
            one(1, "# syntax=example.org/mine")
        );
        assert_eq!(found("FROM a\n# syntax=example.org/mine"), []);
    }

    #[test]
    fn stages_after_the_target_do_not_matter() {
        let text = "FROM a AS dev\nRUN x\nFROM b AS prod\nRUN --mount=type=cache y\n";
        assert_eq!(unsupported(text, Some("DEV")), []);
        assert_eq!(unsupported(text, Some("0")), []);
        assert_eq!(unsupported(text, Some("prod")).len(), 1);
        assert_eq!(unsupported(text, None).len(), 1);
    }

    #[test]
    fn platform_arguments_are_filled_in_where_they_are_declared() {
        let text =
            "ARG BUILDPLATFORM\nFROM a\narg TARGETARCH=x TARGETVARIANT\nRUN echo $TARGETOS\n";
        let value = |name, value: &str| (name, value.to_owned());
        assert_eq!(
            platform_arguments(text, "linux/arm/v7", "linux/amd64"),
            [
                value("TARGETARCH", "arm"),
                value("TARGETVARIANT", "v7"),
                value("BUILDPLATFORM", "linux/amd64"),
            ]
        );
        assert_eq!(
            platform_arguments("FROM a", "linux/arm64", "linux/amd64"),
            []
        );
    }

    #[test]
    fn a_platform_argument_of_a_from_must_be_declared() {
        let from = "FROM --platform=${BUILDPLATFORM} a AS b";
        assert_eq!(found(from), one(1, "FROM --platform=${BUILDPLATFORM}"));
        assert_eq!(found(&format!("ARG BUILDPLATFORM\n{from}")), []);
        assert_eq!(found("FROM --platform=$MINE a"), []);
    }

    #[test]
    fn no_text_breaks_it() {
        for text in [
            "",
            "\\",
            "RUN \\",
            "RUN",
            "RUN <<",
            "RUN <<E",
            "RUN '",
            "#",
            "COPY --",
            "ADD --a=\"b",
        ] {
            found(text);
        }
    }
}
