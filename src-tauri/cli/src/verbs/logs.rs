//! `berth logs`

use std::collections::{BTreeSet, HashMap};
use std::pin::pin;

use berth_core::view::Environment;
use berth_core::{Code, Problem};
use berth_engines::docker::{LogLine, LogOptions};
use console::{Color, Style, measure_text_width};
use futures_util::StreamExt as _;
use jiff::tz::TimeZone;

use super::open_berth;
use crate::args;
use crate::failure::{Failure, STOPPED};
use crate::log_text;
use crate::output::Output;
use crate::platform::{self, Stop};
use crate::target;
use crate::words;

/// Colours that stay readable on light and dark ground.
const COLOURS: [Color; 6] = [
    Color::Cyan,
    Color::Yellow,
    Color::Green,
    Color::Magenta,
    Color::Blue,
    Color::Red,
];

pub(super) async fn run(args: args::Logs, output: &Output) -> Result<(), Failure> {
    let berth = open_berth().await?;
    let environment = target::environment(&berth, &args.target).await?;
    check_services(&environment, &args.services)?;
    let mut stop = Stop::listen()?;
    let mut prefixes = Prefixes::new(
        environment
            .parts
            .iter()
            .map(|part| part.service.as_str())
            .filter(|service| {
                args.services.is_empty() || args.services.iter().any(|s| s == service)
            }),
    );
    let colours = console::colors_enabled();
    let follow = args.follow;
    let zone = args.timestamps.then(TimeZone::system);
    let mut lines = pin!(berth.logs(
        &environment.id,
        LogOptions {
            services: args.services,
            follow,
            tail: args.tail,
        },
    ));
    let mut reader_left = pin!(platform::reader_left(std::io::stdout()));
    loop {
        let line = tokio::select! {
            biased;
            () = &mut reader_left => return Err(Failure::Closed),
            // The usual way to end following; of a whole log, parts are missing.
            () = stop.requested() => {
                return if follow { Ok(()) } else { Err(Failure::Said(STOPPED)) };
            }
            line = lines.next() => match line {
                Some(line) => line?,
                None => return Ok(()),
            },
        };
        if output.is_json() {
            output.object(&line)?;
        } else {
            output.line(&shown(&line, &mut prefixes, zone.as_ref(), colours))?;
        }
    }
}

/// A name that fits no service would show nothing, forever.
fn check_services(environment: &Environment, asked: &[String]) -> Result<(), Problem> {
    let known: BTreeSet<&str> = environment
        .parts
        .iter()
        .map(|part| part.service.as_str())
        .collect();
    match asked.iter().find(|asked| !known.contains(asked.as_str())) {
        // Before its containers are there, nothing is known.
        Some(unknown) if !known.is_empty() => Err(Problem::new(
            Code::NotFound,
            format!("{} has no service \"{unknown}\"", environment.name),
        )
        .hint(format!(
            "It has: {}.",
            known.into_iter().collect::<Vec<_>>().join(", ")
        ))),
        _ => Ok(()),
    }
}

fn shown(
    line: &LogLine,
    prefixes: &mut Prefixes,
    zone: Option<&TimeZone>,
    colours: bool,
) -> String {
    let mut out = prefixes.of(&line.service, colours);
    if let Some(zone) = zone {
        out.push_str(&words::log_time(line.at, zone));
        out.push(' ');
    }
    out.push_str(&log_text::clean(&line.text, colours));
    out
}

/// `web | `, aligned, each service in its own colour.
struct Prefixes {
    colours: HashMap<String, Color>,
    width: usize,
}

impl Prefixes {
    fn new<'a>(services: impl Iterator<Item = &'a str>) -> Self {
        let mut prefixes = Self {
            colours: HashMap::new(),
            width: 0,
        };
        for service in services {
            prefixes.learn(service);
        }
        prefixes
    }

    fn learn(&mut self, service: &str) -> Color {
        if let Some(colour) = self.colours.get(service) {
            return *colour;
        }
        let colour = COLOURS
            .get(self.colours.len() % COLOURS.len())
            .copied()
            .unwrap_or(Color::Cyan);
        self.colours.insert(service.to_owned(), colour);
        self.width = self.width.max(measure_text_width(service));
        colour
    }

    fn of(&mut self, service: &str, colours: bool) -> String {
        let colour = self.learn(service);
        let prefix = console::pad_str(
            &log_text::plain(service),
            self.width,
            console::Alignment::Left,
            None,
        )
        .into_owned();
        Style::new()
            .fg(colour)
            .force_styling(colours)
            .apply_to(format!("{prefix} | "))
            .to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(service: &str, text: &str) -> LogLine {
        LogLine {
            service: service.to_owned(),
            container: format!("shop-{service}-1"),
            at: 1_796_047_331_204,
            stderr: false,
            text: text.to_owned(),
        }
    }

    #[test]
    fn unknown_services_are_told() {
        let mut environment = crate::sample::environment();
        let asked = ["web".to_owned(), "wbe".to_owned()];
        let problem = check_services(&environment, &asked).unwrap_err();
        assert_eq!(problem.title, "shop-api-main has no service \"wbe\"");
        assert_eq!(problem.hint.as_deref(), Some("It has: web, worker."));
        assert_eq!(check_services(&environment, &asked[..1]), Ok(()));
        environment.parts.clear();
        assert_eq!(check_services(&environment, &asked), Ok(()));
    }

    #[test]
    fn prefixes_are_aligned() {
        let mut prefixes = Prefixes::new(["db", "worker"].into_iter());
        assert_eq!(
            shown(&line("db", "up"), &mut prefixes, None, false),
            "db     | up"
        );
        assert_eq!(
            shown(&line("worker", "a\rb"), &mut prefixes, None, false),
            "worker | b"
        );
    }

    #[test]
    fn times_are_those_of_the_users_clock() {
        let mut prefixes = Prefixes::new(["db"].into_iter());
        assert_eq!(
            shown(
                &line("db", "up"),
                &mut prefixes,
                Some(&TimeZone::UTC),
                false
            ),
            "db | 14:02:11.204 up"
        );
    }

    #[test]
    fn colours_frame_the_prefix_only() {
        let mut prefixes = Prefixes::new(["db"].into_iter());
        assert_eq!(
            shown(&line("db", "\u{1b}[31mred"), &mut prefixes, None, true),
            "\u{1b}[36mdb | \u{1b}[0m\u{1b}[31mred\u{1b}[0m"
        );
    }
}
