//! What checking a document against a plugin's schema may cost at most, found
//! out before it is done.
//!
//! JSON Schema is small and can still ask for endless work: two references to a
//! definition that holds two references to the next one double with every step.
//! The work at a place of the document is bounded by that of the schemas which
//! apply to it in place plus the dearest of its parts; the sum over the document
//! must stay under [`MOST_WORK`].

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

/// Values that a schema may consist of.
const MOST_VALUES: usize = 20_000;
/// Subschemas that may be reached.
const MOST_SCHEMAS: usize = 2_000;
/// Levels that a schema may be nested, and that a document may be.
pub(super) const MOST_LEVELS: usize = 128;
/// References and combinations that may follow each other without going deeper
/// into the document.
const LONGEST_CHAIN: usize = 100;
/// Keywords that may be looked at for one document.
const MOST_WORK: u64 = 5_000_000;

const IN_PLACE: [&str; 9] = [
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependencies",
];
const BELOW: [&str; 11] = [
    "properties",
    "additionalProperties",
    "patternProperties",
    "unevaluatedProperties",
    "propertyNames",
    "items",
    "prefixItems",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "contentSchema",
];
/// Keywords that hold schemas by names of the user's choice.
const NAMED: [&str; 4] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "dependencies",
];

/// Whether a schema can be applied to a document at a bounded cost.
///
/// # Errors
/// What about the schema, or about the two together, is too much; one sentence.
pub(super) fn check(schema: &Value, document: &Value) -> Result<(), String> {
    measure(schema, MOST_VALUES, "The schema")?;
    let (values, levels) = measure(document, usize::MAX, "The document")?;
    reachable(schema)?;
    let mut costs = Costs {
        root: schema,
        known: HashMap::new(),
        open: HashSet::new(),
    };
    let dearest = costs.of(schema, levels, 0)?;
    let work = dearest.saturating_mul(values as u64);
    if work > MOST_WORK {
        return Err(
            "Its combinations and references multiply to more work than a check may take. Use fewer of them."
                .to_owned(),
        );
    }
    Ok(())
}

/// How many values there are, and how many levels.
fn measure(value: &Value, most: usize, what: &str) -> Result<(usize, usize), String> {
    let (mut values, mut levels) = (0, 0);
    let mut rest = vec![(value, 1)];
    while let Some((value, level)) = rest.pop() {
        values += 1;
        levels = levels.max(level);
        if values > most {
            return Err(format!("{what} has more than {most} values."));
        }
        if level > MOST_LEVELS {
            return Err(format!(
                "{what} is nested more than {MOST_LEVELS} levels deep."
            ));
        }
        match value {
            Value::Array(items) => rest.extend(items.iter().map(|item| (item, level + 1))),
            Value::Object(map) => rest.extend(map.values().map(|value| (value, level + 1))),
            _ => {}
        }
    }
    Ok((values, levels))
}

/// Looks at every subschema once: their number, and that each reference stays
/// inside.
fn reachable(root: &Value) -> Result<(), String> {
    let mut seen = HashSet::new();
    let mut rest = vec![root];
    while let Some(schema) = rest.pop() {
        if !seen.insert(address(schema)) {
            continue;
        }
        if seen.len() > MOST_SCHEMAS {
            return Err(format!("The schema has more than {MOST_SCHEMAS} parts."));
        }
        let Value::Object(keywords) = schema else {
            continue;
        };
        for dynamic in ["$dynamicRef", "$recursiveRef"] {
            if keywords.contains_key(dynamic) {
                return Err(format!("It uses {dynamic}. Use $ref in its place."));
            }
        }
        if seen.len() > 1 && (keywords.contains_key("$id") || keywords.contains_key("id")) {
            return Err(
                "One of its parts has an $id. Only the whole schema may have one.".to_owned(),
            );
        }
        rest.extend(target(root, keywords)?);
        for keyword in IN_PLACE.iter().chain(&BELOW) {
            rest.extend(schemas_in(keywords, keyword).map(|(_, schema)| schema));
        }
    }
    Ok(())
}

/// What a schema refers to.
fn target<'s>(root: &'s Value, keywords: &Map<String, Value>) -> Result<Option<&'s Value>, String> {
    let Some(Value::String(reference)) = keywords.get("$ref") else {
        return Ok(None);
    };
    let shown: String = reference.chars().take(80).collect();
    let outside = || {
        format!(
            "It refers to `{shown}`. Only parts of the schema itself can be referred to, as #/$defs/NAME."
        )
    };
    let pointer = reference.strip_prefix('#').ok_or_else(outside)?;
    if !(pointer.is_empty() || pointer.starts_with('/')) || pointer.contains('%') {
        return Err(outside());
    }
    root.pointer(pointer)
        .map(Some)
        .ok_or_else(|| format!("It refers to `{shown}`, which is not there."))
}

/// The schemas that a keyword holds, with the names they stand under.
fn schemas_in<'s>(
    keywords: &'s Map<String, Value>,
    keyword: &str,
) -> impl Iterator<Item = (&'s str, &'s Value)> + use<'s> {
    let named = NAMED.contains(&keyword);
    let (list, map, one) = match keywords.get(keyword) {
        Some(Value::Array(list)) => (Some(list), None, None),
        Some(Value::Object(map)) if named => (None, Some(map), None),
        one => (None, None, one),
    };
    let list = list.into_iter().flatten().map(|schema| ("", schema));
    let map = map
        .into_iter()
        .flatten()
        .map(|(name, schema)| (name.as_str(), schema));
    list.chain(map).chain(one.map(|schema| ("", schema)))
}

/// A value of the schema is told from others by where it lies: equal ones may
/// stand in several places.
fn address(schema: &Value) -> usize {
    std::ptr::from_ref(schema).addr()
}

struct Costs<'s> {
    root: &'s Value,
    /// By schema and by the levels that the document may still have below.
    known: HashMap<(usize, usize), u64>,
    open: HashSet<(usize, usize)>,
}

impl<'s> Costs<'s> {
    /// The work on one path through a document of so many levels.
    fn of(&mut self, schema: &'s Value, levels: usize, chain: usize) -> Result<u64, String> {
        let Value::Object(keywords) = schema else {
            return Ok(1);
        };
        let place = (address(schema), levels);
        if let Some(known) = self.known.get(&place) {
            return Ok(*known);
        }
        if chain > LONGEST_CHAIN {
            return Err(format!(
                "More than {LONGEST_CHAIN} of its references follow each other."
            ));
        }
        if !self.open.insert(place) {
            return Err(
                "One of its references leads back to itself without going into a property or item."
                    .to_owned(),
            );
        }
        let choices = keywords
            .get("enum")
            .and_then(Value::as_array)
            .map_or(0, Vec::len);
        let mut cost = (1 + keywords.len() + choices) as u64;
        let target = target(self.root, keywords)?.map(|target| ("", target));
        let in_place = IN_PLACE
            .iter()
            .flat_map(|keyword| schemas_in(keywords, keyword));
        for (_, schema) in target.into_iter().chain(in_place) {
            cost = cost.saturating_add(self.of(schema, levels, chain + 1)?);
        }
        if let Some(levels) = levels.checked_sub(1) {
            cost = cost.saturating_add(self.below(keywords, levels)?);
        }
        if keywords.keys().any(|key| key.starts_with("unevaluated")) {
            // What was evaluated is found out by doing it once more.
            cost = cost.saturating_mul(2);
        }
        self.open.remove(&place);
        self.known.insert(place, cost);
        Ok(cost)
    }

    /// The work on the dearest part. A property meets one schema of `properties`
    /// and any of the others, an item one of `prefixItems` and any of the others.
    fn below(&mut self, keywords: &'s Map<String, Value>, levels: usize) -> Result<u64, String> {
        let mut cost = 0_u64;
        for keyword in BELOW {
            let one_of_them = matches!(keyword, "properties" | "prefixItems" | "items");
            let mut of_keyword = 0_u64;
            for (_, schema) in schemas_in(keywords, keyword) {
                let one = self.of(schema, levels, 0)?;
                of_keyword = if one_of_them {
                    of_keyword.max(one)
                } else {
                    of_keyword.saturating_add(one)
                };
            }
            cost = cost.saturating_add(of_keyword);
        }
        Ok(cost)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn refused(schema: &Value, document: &Value) -> String {
        check(schema, document).unwrap_err()
    }

    fn nested(levels: usize) -> Value {
        (0..levels).fold(json!("end"), |inner, _| json!({ "a": inner }))
    }

    #[test]
    fn ordinary_schemas_may_be_large_and_recursive() {
        let fields: Map<String, Value> = (0..300)
            .map(|number| {
                let branches =
                    json!({"oneOf": [{"type": "string", "maxLength": 9}, {"type": "null"}]});
                (format!("field{number}"), branches)
            })
            .collect();
        let document: Map<String, Value> = (0..300)
            .map(|number| (format!("field{number}"), json!("x")))
            .collect();
        let schema = json!({"type": "object", "properties": fields});
        assert_eq!(check(&schema, &document.into()), Ok(()));

        let tree = json!({
            "$defs": {"node": {"type": "object", "properties": {
                "a": {"$ref": "#/$defs/node"}, "b": {"$ref": "#/$defs/node"}}}},
            "$ref": "#/$defs/node",
        });
        assert_eq!(check(&tree, &nested(120)), Ok(()));
    }

    #[test]
    fn work_that_doubles_is_refused() {
        let mut definitions = Map::new();
        for step in 0..40 {
            let next = json!({"$ref": format!("#/$defs/d{}", step + 1)});
            definitions.insert(format!("d{step}"), json!({"allOf": [next, next]}));
        }
        definitions.insert("d40".to_owned(), json!({"type": "string"}));
        let schema = json!({"$defs": definitions, "$ref": "#/$defs/d0"});
        assert!(refused(&schema, &json!("x")).contains("multiply"));

        let again = json!({"properties": {"a": {"$ref": "#"}}});
        let schema = json!({"anyOf": [again, again]});
        assert_eq!(check(&schema, &nested(5)), Ok(()));
        assert!(refused(&schema, &nested(60)).contains("multiply"));
    }

    #[test]
    fn references_stay_inside_and_arrive() {
        for outside in [
            "https://example.com/s.json",
            "file:///etc/passwd",
            "other.json",
            "#anchor",
        ] {
            let schema = json!({"properties": {"a": {"$ref": outside}}});
            assert!(refused(&schema, &json!({})).contains(outside));
        }
        let missing = json!({"items": {"$ref": "#/$defs/gone"}});
        assert!(refused(&missing, &json!([])).contains("which is not there"));
        let dynamic = json!({"items": {"$dynamicRef": "#a"}});
        assert!(refused(&dynamic, &json!([])).contains("$dynamicRef"));
        let second = json!({"$id": "https://a.example/", "items": {"$id": "https://b.example/"}});
        assert!(refused(&second, &json!([])).contains("$id"));
        let named = json!({"properties": {"$id": {"type": "string"}, "id": {"type": "string"}}});
        assert_eq!(check(&named, &json!({})), Ok(()));
    }

    #[test]
    fn circles_that_go_nowhere_are_refused() {
        assert!(refused(&json!({"$ref": "#"}), &json!(1)).contains("leads back"));
        let circle = json!({"allOf": [{"anyOf": [{"$ref": "#"}]}]});
        assert!(refused(&circle, &json!(1)).contains("leads back"));
    }

    #[test]
    fn size_and_depth_have_an_end() {
        let deep = (0..200).fold(json!(true), |inner, _| json!({ "not": inner }));
        assert!(refused(&deep, &json!(1)).contains("levels deep"));
        assert!(refused(&json!({}), &nested(200)).contains("levels deep"));
        let wide = json!({"enum": vec![1; 30_000]});
        assert!(refused(&wide, &json!(1)).contains("20000 values"));
        let chain: Map<String, Value> = (0..1_500)
            .map(|step| {
                (
                    format!("d{step}"),
                    json!({"$ref": format!("#/$defs/d{}", step + 1)}),
                )
            })
            .chain([("d1500".to_owned(), json!(true))])
            .collect();
        let schema = json!({"$defs": chain, "$ref": "#/$defs/d0"});
        assert!(refused(&schema, &json!(1)).contains("follow each other"));
    }
}
