//! The example that people read is a file that is read.

use super::*;

#[tokio::test]
async fn the_example_of_the_page_is_what_berth_writes() {
    let page = include_str!("../../../../../docs/workspace-file.md");
    let example = page
        .split_once("```json\n")
        .and_then(|(_, rest)| rest.split_once("```"))
        .unwrap()
        .0;
    let machine = Machine::new().await;
    let repo = machine.folder("repo");
    machine.folder("repo/services/shop");
    let preview = machine.preview(example, Some(&repo)).await;
    assert_eq!(preview.warnings, [""; 0]);
    let given = preview
        .missing_secrets
        .iter()
        .map(|missing| {
            let values: Vec<_> = missing.keys.iter().map(|key| (key.as_str(), "x")).collect();
            (missing.key.clone(), secrets(&values))
        })
        .collect();
    machine.import(example, Some(&repo), given).await.unwrap();
    assert_eq!(machine.export(Some(&repo)).await, example);
}
