//! `berth schema`

use berth_core::documents;
use berth_core::view::ContractSchema;
use serde::Serialize;

use crate::args;
use crate::failure::Failure;
use crate::output::Output;
use crate::table;

#[derive(Serialize)]
struct Listed {
    schemas: Vec<ContractSchema>,
}

pub(super) fn run(args: &args::Schema, output: &Output) -> Result<(), Failure> {
    if let Some(name) = &args.name {
        let schema = documents::contract_schema(name)?;
        return if output.is_json() {
            output.object(&schema)
        } else {
            output.line(&format!("{schema:#}"))
        };
    }
    let schemas = documents::contract_schemas();
    if output.is_json() {
        return output.object(&Listed { schemas });
    }
    let rows: Vec<Vec<String>> = schemas
        .into_iter()
        .map(|schema| vec![schema.name, schema.title, schema.group])
        .collect();
    for line in table::lines(&["SCHEMA", "DESCRIBES", "PART OF"], &rows) {
        output.line(&line)?;
    }
    Ok(())
}
