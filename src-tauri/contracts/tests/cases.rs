//! The contract's own validators and these agree on every case of `tests/data/contract/cases.jsonl`.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;

use berth_contracts::{Issue, schema, validate};

fn kind(issue: &Issue) -> String {
    serde_json::to_value(issue.kind)
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn verdicts_outputs_and_issues_agree() {
    let cases = support::cases();
    let (mut wrong, mut paths_differ, mut kinds_differ, mut invalid) = (vec![], vec![], vec![], 0);
    for case in &cases {
        let schema = schema(&case.schema).unwrap_or_else(|| panic!("no schema {}", case.schema));
        match validate(schema.schema, &case.input) {
            Ok(output) if !case.valid => wrong.push(format!("{}: accepted: {output}", case.id)),
            Ok(output) if !support::same(&output, &case.output) => {
                wrong.push(format!("{}: {output} instead of {}", case.id, case.output));
            }
            Ok(_) => {}
            Err(issues) if case.valid => wrong.push(format!("{}: refused: {issues}", case.id)),
            Err(issues) => {
                invalid += 1;
                let ours: BTreeSet<_> = issues.issues.iter().map(Issue::path_text).collect();
                let theirs: BTreeSet<_> = case.issues.iter().map(|it| it.path.clone()).collect();
                if ours != theirs {
                    paths_differ.push(format!("{}: {ours:?} instead of {theirs:?}", case.id));
                }
                let ours: Vec<_> = issues
                    .issues
                    .iter()
                    .map(|it| (it.path_text(), kind(it)))
                    .collect();
                let theirs: Vec<_> = case
                    .issues
                    .iter()
                    .map(|it| (it.path.clone(), it.kind.clone()))
                    .collect();
                if ours != theirs {
                    kinds_differ.push(format!("{}: {ours:?} instead of {theirs:?}", case.id));
                }
            }
        }
    }
    println!(
        "{} cases: {} verdicts or outputs differ; of {invalid} invalid ones the issues' paths differ in {}, \
         their order and kinds in {}",
        cases.len(),
        wrong.len(),
        paths_differ.len(),
        kinds_differ.len()
    );
    assert_eq!(wrong, [""; 0]);
    assert_eq!(paths_differ, [""; 0]);
    assert_eq!(kinds_differ, [""; 0]);
}
