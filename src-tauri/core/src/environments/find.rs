use berth_engines::docker::Part;

use super::operation::engine_of;
use crate::Berth;
use crate::problem::{Code, Problem};
use crate::redaction::redact;
use crate::store::environments::{self, Named};
use crate::store::snapshot;
use crate::view::{Environment, EnvironmentDetail};

/// How many near names are offered.
const NEAR: usize = 3;

impl Berth {
    /// The environment of that name or id (a unique prefix of the id will do);
    /// live ones win over torn-down ones.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`] with near names, [`crate::Code::Ambiguous`].
    pub async fn find_environment(&self, name: &str) -> Result<Environment, Problem> {
        let workspace_id = self.workspace_id().to_owned();
        let text = name.to_owned();
        let environment = self
            .store()
            .read(move |connection| {
                let matching = environments::matching(connection, &workspace_id, &text)?;
                let id = match choose(&matching, &text) {
                    Ok(id) => id.to_owned(),
                    Err(Unclear::Many(names)) => return Err(ambiguous(&text, &names).into()),
                    Err(Unclear::None) => {
                        let known = environments::names(connection, &workspace_id)?;
                        return Err(not_found(&text, &known).into());
                    }
                };
                snapshot::environment(connection, &id)
            })
            .await?;
        Ok(environment)
    }

    /// One environment with its past.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`].
    pub async fn environment(&self, id: &str) -> Result<EnvironmentDetail, Problem> {
        let id = id.to_owned();
        Ok(self
            .store()
            .read(move |connection| snapshot::environment_detail(connection, &id))
            .await?)
    }

    /// The containers of an environment as its engine has them now. Records
    /// nothing.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`], the `Engine…` codes.
    pub async fn parts(&self, environment_id: &str) -> Result<Vec<Part>, Problem> {
        let environment = self.record(environment_id).await?;
        if environment.torn_down_at.is_some() {
            return Ok(Vec::new());
        }
        let mut parts = engine_of(&environment).await?.parts(environment_id).await?;
        // Shown as they are, past the store: a probe may print what has the form of a
        // secret.
        for part in &mut parts {
            part.cause = part.cause.as_deref().map(redact);
        }
        Ok(parts)
    }
}

#[derive(Debug, PartialEq)]
enum Unclear {
    None,
    Many(Vec<String>),
}

/// A name wins over an id's prefix, a live one over torn-down ones.
fn choose<'a>(matching: &'a [Named], text: &str) -> Result<&'a str, Unclear> {
    let named = |live: bool| {
        matching
            .iter()
            .find(move |found| found.live == live && found.name == text)
    };
    if let Some(found) = named(true).or_else(|| matching.iter().find(|found| found.id == text)) {
        return Ok(&found.id);
    }
    let live: Vec<&Named> = matching.iter().filter(|found| found.live).collect();
    match live.as_slice() {
        [only] => Ok(&only.id),
        [] => match (named(false), matching) {
            (Some(found), _) => Ok(&found.id),
            (None, [only]) => Ok(&only.id),
            (None, []) => Err(Unclear::None),
            (None, many) => Err(Unclear::Many(
                many.iter().map(|found| found.id.clone()).collect(),
            )),
        },
        many => Err(Unclear::Many(
            many.iter().map(|found| found.id.clone()).collect(),
        )),
    }
}

fn ambiguous(text: &str, ids: &[String]) -> Problem {
    Problem::new(
        Code::Ambiguous,
        format!("More than one environment fits {text}"),
    )
    .detail(format!("Their ids: {}.", ids.join(", ")))
    .hint("Give the name, or more of the id.")
}

fn not_found(text: &str, known: &[Named]) -> Problem {
    let problem = Problem::new(Code::NotFound, format!("There is no environment {text}"));
    let mut near: Vec<(usize, &str)> = known
        .iter()
        .map(|named| {
            (
                strsim::damerau_levenshtein(text, &named.name),
                named.name.as_str(),
            )
        })
        .filter(|(distance, name)| *distance <= 1 + name.len() / 3 || name.contains(text))
        .collect();
    near.sort_unstable();
    near.truncate(NEAR);
    if near.is_empty() {
        problem.hint("berth ls shows what is there.")
    } else {
        let names: Vec<&str> = near.into_iter().map(|(_, name)| name).collect();
        problem.hint(format!("Did you mean {}?", names.join(" or ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(id: &str, name: &str, live: bool) -> Named {
        Named {
            id: id.to_owned(),
            name: name.to_owned(),
            live,
        }
    }

    #[test]
    fn a_live_name_wins() {
        let matching = [named("abc", "shop", true), named("xyz", "shop", false)];
        assert_eq!(choose(&matching, "shop"), Ok("abc"));
    }

    #[test]
    fn the_newest_of_the_torn_down_is_meant_when_none_lives() {
        let matching = [named("new", "shop", false), named("old", "shop", false)];
        assert_eq!(choose(&matching, "shop"), Ok("new"));
    }

    #[test]
    fn a_unique_prefix_of_an_id_will_do() {
        let matching = [named("abc", "shop", true), named("abd", "cart", false)];
        assert_eq!(choose(&matching, "ab"), Ok("abc"));
        let matching = [named("abc", "shop", true), named("abd", "cart", true)];
        assert!(matches!(choose(&matching, "ab"), Err(Unclear::Many(ids)) if ids.len() == 2));
        assert_eq!(choose(&[], "ab"), Err(Unclear::None));
    }

    #[test]
    fn near_names_are_offered() {
        let known = [
            named("a", "shop-api-main", true),
            named("b", "billing", true),
        ];
        let hint = not_found("shop-api-mian", &known).hint.unwrap();
        assert_eq!(hint, "Did you mean shop-api-main?");
    }
}
