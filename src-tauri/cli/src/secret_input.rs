//! Values of secrets as they come in: from a prompt that does not show them, or
//! from standard input. Never from arguments or variables, which other programs
//! can read.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Read as _};

use berth_core::{Code, NewSecrets, Problem};
use secrecy::{ExposeSecret as _, SecretString};

use crate::args::Secrets;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// Bytes that are read from standard input.
const MOST: u64 = 1024 * 1024;

/// The secrets that were asked for, with their values.
///
/// # Errors
/// [`Code::InvalidInput`], quoting nothing that may be a value.
pub(crate) async fn read(asked: Secrets) -> Result<NewSecrets, Failure> {
    refuse_values(asked.set.iter().chain(&asked.remove))?;
    if let Some(both) = asked.set.iter().find(|name| asked.remove.contains(name)) {
        return Err(Problem::new(
            Code::InvalidInput,
            format!("The secret {both} is to be set and to be removed"),
        )
        .hint("Ask for one of the two.")
        .into());
    }
    let set = if asked.secrets_from_stdin {
        of_lines(&standard_input().await?, &asked.set)?
    } else {
        from_prompts(asked.set).await?
    };
    Ok(NewSecrets {
        set,
        remove: asked.remove,
    })
}

/// Asks for each of them.
///
/// # Errors
/// Those of [`read`].
pub(crate) async fn from_prompts(
    names: Vec<String>,
) -> Result<BTreeMap<String, SecretString>, Failure> {
    let mut set = BTreeMap::new();
    if names.is_empty() {
        return Ok(set);
    }
    let terminal = Terminal::find().ok_or_else(|| {
        Problem::new(
            Code::InvalidInput,
            format!("There is no terminal to ask for {}", names.join(", ")),
        )
        .hint("With --secrets-from-stdin, NAME=VALUE lines are read from standard input.")
    })?;
    for name in names {
        let value = terminal.secret(&format!("Value of {name}")).await?;
        set.insert(name, value);
    }
    Ok(set)
}

/// A name with a value behind it was typed by mistake: the value is in the shell's
/// history now, and is not repeated here.
fn refuse_values<'a>(mut names: impl Iterator<Item = &'a String>) -> Result<(), Problem> {
    if names.any(|name| name.contains('=')) {
        return Err(Problem::new(
            Code::InvalidInput,
            "A secret's name is followed by “=”, as if its value were to follow",
        )
        .detail("Other programs can read what stands on a command line, so values are not taken from there. If that was a real value, replace it.")
        .hint("Give the name alone: Berth asks for the value."));
    }
    Ok(())
}

async fn standard_input() -> Result<SecretString, Failure> {
    if io::stdin().is_terminal() {
        return Err(Problem::new(
            Code::InvalidInput,
            "Standard input is the terminal: values would show on it",
        )
        .hint("Leave --secrets-from-stdin out: Berth asks, and what you type is not shown.")
        .into());
    }
    let reading = tokio::task::spawn_blocking(|| {
        let mut text = String::new();
        io::stdin()
            .lock()
            .take(MOST + 1)
            .read_to_string(&mut text)?;
        Ok::<_, io::Error>((text.len() as u64 > MOST, SecretString::from(text)))
    });
    let (too_long, text) = reading
        .await
        .map_err(|error| Problem::internal("reading broke off").caused_by(&error))?
        .map_err(|error| {
            Problem::new(Code::InvalidInput, "Standard input cannot be read").caused_by(&error)
        })?;
    if too_long {
        return Err(
            Problem::new(Code::InvalidInput, "Standard input is too long")
                .detail(format!("At most {MOST} bytes of secrets are read."))
                .into(),
        );
    }
    Ok(text)
}

/// `NAME=VALUE` a line; a value is everything behind the first `=`. With `wanted`
/// names, exactly those.
fn of_lines(
    text: &SecretString,
    wanted: &[String],
) -> Result<BTreeMap<String, SecretString>, Problem> {
    let mut set = BTreeMap::new();
    let lines = text.expose_secret().lines().enumerate();
    for (at, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let fault = |what: &str| {
            Problem::new(
                Code::InvalidInput,
                format!("Line {} of standard input {what}", at + 1),
            )
            .hint("Each line is NAME=VALUE, with nothing around the =.")
        };
        let (name, value) = line
            .split_once('=')
            .ok_or_else(|| fault("has no =, so it names no secret"))?;
        if name.is_empty() || name != name.trim() {
            return Err(fault("does not begin with a secret's name"));
        }
        let value = SecretString::from(value);
        if set.insert(name.to_owned(), value).is_some() {
            return Err(fault("names a secret that an earlier line names"));
        }
        if !wanted.is_empty() && !wanted.iter().any(|one| one == name) {
            return Err(fault("names a secret that was not asked for"));
        }
    }
    let missing: Vec<&str> = wanted
        .iter()
        .filter(|name| !set.contains_key(*name))
        .map(String::as_str)
        .collect();
    if !missing.is_empty() {
        return Err(Problem::new(
            Code::InvalidInput,
            format!("Standard input has no line for {}", missing.join(", ")),
        )
        .hint("Each line is NAME=VALUE, with nothing around the =."));
    }
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, wanted: &[&str]) -> Result<Vec<(String, String)>, Problem> {
        let wanted: Vec<String> = wanted.iter().map(|&name| name.to_owned()).collect();
        Ok(of_lines(&SecretString::from(text), &wanted)?
            .into_iter()
            .map(|(name, value)| (name, value.expose_secret().to_owned()))
            .collect())
    }

    fn pair(name: &str, value: &str) -> (String, String) {
        (name.to_owned(), value.to_owned())
    }

    #[test]
    fn a_value_is_all_that_follows_the_first_sign() {
        assert_eq!(
            lines("B=\r\n\nA= x=y==\n", &[]).unwrap(),
            [pair("A", " x=y=="), pair("B", "")]
        );
        assert_eq!(lines("A=1", &["A"]).unwrap(), [pair("A", "1")]);
        assert_eq!(lines("", &[]).unwrap(), []);
    }

    #[test]
    fn faults_quote_nothing_of_what_was_read() {
        for (text, wanted, said) in [
            ("A=1\nhunter2", &[][..], "Line 2"),
            ("=hunter2", &[], "Line 1"),
            (" A=hunter2", &[], "Line 1"),
            ("A=hunter2\nA=hunter2", &[], "Line 2"),
            ("hunter2=x", &["A"], "Line 1"),
            ("A=hunter2", &["A", "B"], "for B"),
        ] {
            let problem = lines(text, wanted).unwrap_err();
            let all = format!("{problem:?}");
            assert!(problem.title.contains(said), "{problem:?}");
            assert!(!all.contains("hunter2"), "{all}");
        }
    }

    #[tokio::test]
    async fn a_value_behind_a_name_is_refused_and_not_repeated() {
        let asked = Secrets {
            set: vec!["TOKEN=hunter2".to_owned()],
            ..Secrets::default()
        };
        let refused = read(asked).await.unwrap_err();
        let Failure::Problem(problem) = refused else {
            panic!("{refused:?}");
        };
        assert_eq!(problem.code, Code::InvalidInput);
        assert!(!format!("{problem:?}").contains("hunter2"));
    }

    #[tokio::test]
    async fn nothing_is_both_set_and_removed() {
        let asked = Secrets {
            set: vec!["A".to_owned()],
            remove: vec!["A".to_owned()],
            secrets_from_stdin: false,
        };
        let refused = read(asked).await.unwrap_err();
        assert_eq!(refused.exit_code(), 2);
    }
}
