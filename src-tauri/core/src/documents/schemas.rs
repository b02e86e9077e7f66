//! The contract's schemas by name.

use berth_contracts::{Group, NamedSchema, schema, schemas};
use serde_json::Value;

use crate::problem::{Code, Problem};
use crate::view::ContractSchema;

/// How many near names are offered.
const NEAR: usize = 3;

/// Every schema of the contract, in its order.
#[must_use]
pub fn contract_schemas() -> Vec<ContractSchema> {
    schemas()
        .iter()
        .map(|named| ContractSchema {
            name: named.name.to_owned(),
            title: schema_title(named),
            description: named.schema.description(),
            group: group_title(named.group).to_owned(),
            storable: is_storable(named),
        })
        .collect()
}

/// The JSON Schema of a schema of the contract.
///
/// # Errors
/// [`Code::NotFound`].
pub fn contract_schema(name: &str) -> Result<Value, Problem> {
    Ok(find_schema(name)?.schema.json_schema())
}

/// A schema of the contract, by name.
///
/// # Errors
/// [`Code::NotFound`], with near names.
pub fn find_schema(name: &str) -> Result<&'static NamedSchema, Problem> {
    schema(name).ok_or_else(|| unknown(name))
}

/// Whether documents of a schema may be written down: not when one carries the
/// values of secrets.
pub(super) fn is_storable(named: &NamedSchema) -> bool {
    fn holds_secrets(schema: &Value) -> bool {
        match schema {
            Value::Object(keywords) => {
                keywords.get("writeOnly") == Some(&Value::Bool(true))
                    || keywords.values().any(holds_secrets)
            }
            Value::Array(items) => items.iter().any(holds_secrets),
            _ => false,
        }
    }
    !holds_secrets(&named.schema.json_schema())
}

/// What a schema's documents are called; a plain value goes by its schema's
/// name.
#[must_use]
pub fn schema_title(named: &NamedSchema) -> String {
    let title = named.schema.title();
    if title.is_empty() {
        named.name.to_owned()
    } else {
        title
    }
}

fn group_title(group: Group) -> &'static str {
    match group {
        Group::Manifest => "HTTP APIs",
        Group::Kubernetes => "Kubernetes",
        Group::Handlers => "Handlers",
        Group::Services => "Services",
        Group::Runners => "Runners",
        Group::Messages => "Messages",
    }
}

fn unknown(name: &str) -> Problem {
    let shown: String = name.chars().take(80).collect();
    let problem = Problem::new(Code::NotFound, format!("There is no schema {shown}"));
    let asked = shown.to_lowercase();
    let mut near: Vec<(usize, &str)> = schemas()
        .iter()
        .map(|known| {
            let whole = known.name.to_lowercase();
            let bare = whole.strip_suffix("schema").unwrap_or(&whole);
            let distance = strsim::damerau_levenshtein(&asked, &whole)
                .min(strsim::damerau_levenshtein(&asked, bare));
            let contained = asked.len() >= 3 && whole.contains(&asked);
            (
                if contained { distance.min(2) } else { distance },
                known.name,
            )
        })
        .filter(|(distance, name)| *distance <= 1 + name.len() / 5)
        .collect();
    near.sort_unstable();
    near.truncate(NEAR);
    if near.is_empty() {
        problem.hint("berth schema lists them.")
    } else {
        let names: Vec<&str> = near.into_iter().map(|(_, name)| name).collect();
        problem.hint(format!("Did you mean {}?", names.join(" or ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_schema_is_listed_with_words() {
        let all = contract_schemas();
        assert!(all.len() > 30);
        for schema in &all {
            assert!(!schema.title.is_empty(), "{}", schema.name);
            assert!(contract_schema(&schema.name).unwrap().is_object());
        }
    }

    #[test]
    fn what_carries_the_values_of_secrets_is_not_kept() {
        let storable = |name| is_storable(find_schema(name).unwrap());
        assert!(storable("environmentManifestSchema"));
        assert!(storable("infraHandlerConfigSchema"));
        assert!(storable("serviceProvisioningSchema"));
        for name in [
            "registerEnvironmentProviderSchema",
            "updateEnvironmentSecretsSchema",
            "testEnvironmentConnectionSchema",
            "registerRunnerPoolSchema",
            "environmentHandleSchema",
        ] {
            assert!(!storable(name), "{name}");
        }
    }

    #[test]
    fn near_names_are_offered() {
        let hint = |name: &str| find_schema(name).unwrap_err().hint.unwrap();
        assert_eq!(
            hint("enviromentManifestSchema"),
            "Did you mean environmentManifestSchema?"
        );
        assert!(hint("environmentmanifest").contains("environmentManifestSchema"));
        assert!(hint("runnerPoolManifest").contains("runnerPoolManifestSchema"));
        assert_eq!(hint("x"), "berth schema lists them.");
        assert_eq!(hint(&"é".repeat(10_000)), "berth schema lists them.");
    }
}
