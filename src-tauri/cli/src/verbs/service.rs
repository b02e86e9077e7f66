//! `berth service`

use berth_core::view::Service;
use berth_core::{Berth, Code, Problem};
use serde::Serialize;

use super::{open_berth, up};
use crate::args::{ServiceAdd, ServiceVerb};
use crate::failure::Failure;
use crate::log_text;
use crate::output::Output;
use crate::table;
use crate::words;

#[derive(Serialize)]
struct Listed<'a> {
    services: &'a [Service],
}

#[derive(Serialize)]
struct One<'a> {
    service: &'a Service,
}

pub(super) async fn run(verb: ServiceVerb, output: &Output) -> Result<(), Failure> {
    let berth = open_berth().await?;
    match verb {
        ServiceVerb::Add(args) => add(&berth, args, output).await,
        ServiceVerb::Ls => list(&berth, output).await,
        ServiceVerb::Rm { name } => remove(&berth, &name, output).await,
    }
}

async fn add(berth: &Berth, args: ServiceAdd, output: &Output) -> Result<(), Failure> {
    let (location, file) = up::split_file(args.location, args.file);
    let service = berth
        .add_service(&location, file.as_deref(), args.name.as_deref())
        .await?;
    if output.is_json() {
        return output.object(&One { service: &service });
    }
    output.line(&format!(
        "{}  {}",
        service.name,
        words::source(&service.source)
    ))
}

async fn list(berth: &Berth, output: &Output) -> Result<(), Failure> {
    let services = berth.snapshot().await?.services;
    if output.is_json() {
        return output.object(&Listed {
            services: &services,
        });
    }
    if services.is_empty() {
        output.note("No services yet. Add one with: berth service add PATH");
        return Ok(());
    }
    let rows: Vec<Vec<String>> = services
        .iter()
        .map(|service| {
            vec![
                log_text::plain(&service.name),
                service
                    .provisioning
                    .compose_path
                    .as_deref()
                    .map_or_else(|| "-".to_owned(), log_text::plain),
                log_text::plain(&words::source(&service.source)),
            ]
        })
        .collect();
    for line in table::lines(&["NAME", "FILE", "SOURCE"], &rows) {
        output.line(&line)?;
    }
    Ok(())
}

async fn remove(berth: &Berth, name: &str, output: &Output) -> Result<(), Failure> {
    let services = berth.snapshot().await?.services;
    let service = services
        .iter()
        .find(|service| service.name == name || service.id == name)
        .ok_or_else(|| {
            let known: Vec<&str> = services.iter().map(|one| one.name.as_str()).collect();
            Problem::new(Code::NotFound, format!("No service is called \"{name}\"")).hint(
                if known.is_empty() {
                    "There are no services.".to_owned()
                } else {
                    format!("There are: {}.", known.join(", "))
                },
            )
        })?;
    berth.remove_service(&service.id).await?;
    if output.is_json() {
        return output.object(&One { service });
    }
    output.line(&format!("{} is forgotten. Its files stay.", service.name))
}
