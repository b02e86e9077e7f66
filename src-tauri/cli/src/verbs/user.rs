//! `berth user`

use berth_core::view::User;
use berth_core::{Berth, Code, Problem};
use serde::Serialize;

use super::open_berth;
use crate::args::UserVerb;
use crate::failure::Failure;
use crate::log_text::plain;
use crate::output::Output;
use crate::stopping::until_stopped;
use crate::table;
use crate::vault;

#[derive(Serialize)]
struct Listed<'a> {
    users: &'a [User],
}

#[derive(Serialize)]
struct One<'a> {
    user: &'a User,
}

pub(super) async fn run(verb: UserVerb, output: &Output) -> Result<(), Failure> {
    let berth = open_berth().await?;
    match verb {
        UserVerb::Ls => list(&berth, output).await,
        UserVerb::Add { name } => {
            let user = berth.add_user(&name).await?;
            if output.is_json() {
                return output.object(&One { user: &user });
            }
            output.line(&format!("{}  {}", user.id, plain(&user.name)))?;
            output.note(&format!(
                "berth user use {} puts its overrides into effect.",
                user.id
            ));
            Ok(())
        }
        UserVerb::Rm { name } => {
            let user = find(&berth, &name).await?;
            if user.overrides > 0 {
                // Only an open vault lets go of what it holds.
                until_stopped(vault::unlock(&berth)).await?;
            }
            berth.remove_user(&user.id).await?;
            if output.is_json() {
                return output.object(&One { user: &user });
            }
            output.line(&format!(
                "{} is forgotten, with {}.",
                plain(&user.name),
                overrides(user.overrides)
            ))
        }
        UserVerb::Use { name } => {
            let user = find(&berth, &name).await?;
            let user = berth.use_user(&user.id).await?;
            if output.is_json() {
                return output.object(&One { user: &user });
            }
            output.line(&format!(
                "Overrides of {} are in effect from the next start of each environment.",
                plain(&user.name)
            ))
        }
    }
}

async fn list(berth: &Berth, output: &Output) -> Result<(), Failure> {
    let users = berth.users().await?;
    if output.is_json() {
        return output.object(&Listed { users: &users });
    }
    let rows: Vec<Vec<String>> = users
        .iter()
        .map(|user| {
            let mark = match (user.current, user.system) {
                (true, true) => "current, of this computer",
                (true, false) => "current",
                (false, true) => "of this computer",
                (false, false) => "",
            };
            vec![
                user.id.clone(),
                plain(&user.name),
                user.overrides.to_string(),
                mark.to_owned(),
            ]
        })
        .collect();
    for line in table::lines(&["ID", "NAME", "OVERRIDES", ""], &rows) {
        output.line(&line)?;
    }
    Ok(())
}

/// The user of that id, else the one of that name.
async fn find(berth: &Berth, name: &str) -> Result<User, Problem> {
    let users = berth.users().await?;
    let found = users
        .iter()
        .find(|user| user.id == name)
        .or_else(|| users.iter().find(|user| user.name == name));
    found.cloned().ok_or_else(|| {
        let known: Vec<&str> = users.iter().map(|user| user.id.as_str()).collect();
        Problem::new(Code::NotFound, format!("No user is called \"{name}\""))
            .hint(format!("There are: {}.", known.join(", ")))
    })
}

fn overrides(count: u32) -> String {
    match count {
        0 => "no overrides".to_owned(),
        1 => "1 override".to_owned(),
        count => format!("{count} overrides"),
    }
}
