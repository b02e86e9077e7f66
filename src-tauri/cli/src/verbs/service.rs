//! `berth service`

use berth_contracts::ServiceProvisioning;
use berth_core::documents::{self, Rules};
use berth_core::view::{Service, Verdict};
use berth_core::{Berth, Problem};
use serde::Serialize;

use super::validate::{invalid, left_out};
use super::{open_berth, up};
use crate::args::{Provisioning, ServiceAdd, ServiceSet, ServiceVerb};
use crate::document_input::{self, Document};
use crate::failure::Failure;
use crate::handler_words;
use crate::log_text::plain;
use crate::output::Output;
use crate::stopping::until_stopped;
use crate::table;
use crate::target;
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
        ServiceVerb::Set(args) => until_stopped(set(&berth, args, output)).await,
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
                plain(&service.name),
                handler_words::provision_type(service.provisioning.provision_type).to_owned(),
                service
                    .provisioning
                    .compose_path
                    .as_deref()
                    .map_or_else(|| "-".to_owned(), plain),
                plain(&words::source(&service.source)),
            ]
        })
        .collect();
    for line in table::lines(&["NAME", "TYPE", "FILE", "SOURCE"], &rows) {
        output.line(&line)?;
    }
    Ok(())
}

async fn set(berth: &Berth, args: ServiceSet, output: &Output) -> Result<(), Failure> {
    let service = target::service(berth, &args.name).await?;
    let document = match &args.provisioning {
        Some(file) => document_input::read_aside(Some(file), output).await?,
        None => Document {
            text: serde_json::to_vec(&changed(service.provisioning, args.change)).map_err(
                |error| Problem::internal("a document cannot be written").caused_by(&error),
            )?,
            shown: "The provisioning".to_owned(),
        },
    };
    let named = documents::find_schema("serviceProvisioningSchema")?;
    let check = documents::check(named, &document.text, Rules::Settings);
    let provisioning = match (check.verdict, &check.output) {
        (Verdict::Valid, Some(text)) => {
            let unknown = left_out(&document, text)?;
            if !unknown.is_empty() {
                return Err(documents::unknown_fields(named, &document.shown, &unknown).into());
            }
            serde_json::from_str(text).map_err(|error| {
                Problem::internal("a document that is valid cannot be read").caused_by(&error)
            })?
        }
        _ => {
            let title = documents::schema_title(named);
            return Err(invalid(&document.shown, &title, &check).into());
        }
    };
    let service = berth.set_provisioning(&service.id, provisioning).await?;
    if output.is_json() {
        return output.object(&One { service: &service });
    }
    let kind = handler_words::provision_type(service.provisioning.provision_type);
    output.line(&format!("{}  {kind}", plain(&service.name)))?;
    output.note("In effect from the next start of each of its environments.");
    Ok(())
}

/// What is given in place of what was; an empty text leaves a field out.
fn changed(mut provisioning: ServiceProvisioning, change: Provisioning) -> ServiceProvisioning {
    let text = |field: &mut Option<String>, given: Option<String>| {
        if let Some(given) = given {
            *field = Some(given).filter(|text| !text.is_empty());
        }
    };
    if let Some(provision_type) = change.provision_type {
        provisioning.provision_type = provision_type;
    }
    text(&mut provisioning.compose_path, change.compose_path);
    text(&mut provisioning.manifest_id, change.manifest_id);
    text(&mut provisioning.manifest_path, change.manifest_path);
    if let Some(only) = change.local_dev_only {
        provisioning.local_dev_only = Some(only);
    }
    provisioning
}

async fn remove(berth: &Berth, name: &str, output: &Output) -> Result<(), Failure> {
    let service = target::service(berth, name).await?;
    berth.remove_service(&service.id).await?;
    if output.is_json() {
        return output.object(&One { service: &service });
    }
    output.line(&format!("{} is forgotten. Its files stay.", service.name))
}
