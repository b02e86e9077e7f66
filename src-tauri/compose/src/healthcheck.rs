use crate::fields::{Fields, texts_of};
use crate::model::{Healthcheck, Probe};
use crate::place::KeyPath;
use crate::reading::Reading;
use crate::yaml::Node;
use crate::{Rule, scalars};

/// Reads `healthcheck:`.
pub(crate) fn read(
    node: &Node,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Option<Healthcheck> {
    let mut keys = Fields::of(node)?;
    let disabled = keys.flag("disable");
    let test = keys.take("test");
    let probe = match test {
        _ if disabled => Probe::Disabled,
        Some(test) => probe(test, &path.key("test"), reading),
        None => Probe::Inherit,
    };
    let healthcheck = Healthcheck {
        probe,
        interval: keys.duration("interval"),
        timeout: keys.duration("timeout"),
        retries: keys.take("retries").and_then(retries),
        start_period: keys.duration("start_period"),
        start_interval: keys.duration("start_interval"),
    };
    keys.finish(path, reading);
    Some(healthcheck)
}

/// A fraction is cut.
fn retries(node: &Node) -> Option<u64> {
    let number = scalars::number(node).filter(|number| (0.0..1e15).contains(number))?;
    // Within range.
    Some(number as u64)
}

fn probe(test: &Node, path: &KeyPath<'_>, reading: &mut Reading<'_>) -> Probe {
    if let Some(text) = test.as_text() {
        return Probe::Test(vec!["CMD-SHELL".to_owned(), text.to_owned()]);
    }
    let test_words = texts_of(test);
    match test_words.first().map(String::as_str) {
        None => Probe::Inherit,
        Some("NONE") => Probe::Disabled,
        Some("CMD" | "CMD-SHELL") => Probe::Test(test_words),
        Some(_) => {
            reading.problem(
                Rule::Invalid,
                test.place,
                path,
                "the list must begin with CMD, CMD-SHELL or NONE",
                Some("Write [\"CMD\", \"program\", \"argument\"], or one text for a shell."),
            );
            Probe::Inherit
        }
    }
}
