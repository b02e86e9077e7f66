use berth_core::Code;
use berth_engines::{Rewrite, RewriteKind};

use super::*;
use crate::sample;

#[test]
fn the_end_says_what_else_there_is() {
    let plan = PlanView {
        rewrites: vec![Rewrite {
            kind: RewriteKind::Port,
            subject: "web".to_owned(),
            from: "8080".to_owned(),
            to: "41873".to_owned(),
        }],
        ..PlanView::default()
    };
    assert_eq!(
        closing_lines(
            &sample::environment(),
            Some(&plan),
            Remover::NextStart,
            &sample::own_scope(),
            sample::NOW,
            &TimeZone::UTC
        ),
        [
            "",
            "shop-api-main is ready, through Local Docker, the workspace's.",
            "Also reachable:",
            "  http://shop-api-main.localhost:41874  mail:8025",
            "Berth changed, so that copies stand side by side:",
            "  web: port 8080 → 41873",
            "It ends at 15:44, in 1 h 42 min.",
            "No Berth window or agent is running: it is removed at the next start of Berth after 15:44. \
             Keep `berth agent` running to have it removed on time.",
        ]
    );
}

#[test]
fn the_last_line_of_json_is_a_result() {
    let environment = sample::environment();
    let done = serde_json::to_value(Outcome {
        environment: Some(&environment),
        plan: Some(&PlanView::default()),
        removed_by: Some(Remover::Owner),
        problem: None,
    })
    .unwrap();
    let keys: Vec<&str> = done
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(keys, ["type", "environment", "plan", "removedBy"]);
    assert_eq!(done["type"], "result");
    assert_eq!(done["removedBy"], "owner");

    let problem = Problem::new(Code::RefMissing, "There is no branch x");
    let failed = serde_json::to_value(Outcome {
        environment: None,
        plan: None,
        removed_by: None,
        problem: Some(&problem),
    })
    .unwrap();
    assert_eq!(failed["type"], "result");
    assert_eq!(failed["environment"], serde_json::Value::Null);
    assert_eq!(failed["problem"]["code"], "ref_missing");
}

#[test]
fn a_compose_file_stands_for_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("compose.dev.yaml");
    std::fs::write(&file, "services: {}").unwrap();
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    assert_eq!(
        split_file(text(&file), None),
        (text(folder.path()), Some("compose.dev.yaml".to_owned()))
    );
    // What was said explicitly stays.
    assert_eq!(
        split_file(text(folder.path()), Some("a.yaml".to_owned())),
        (text(folder.path()), Some("a.yaml".to_owned()))
    );
    assert_eq!(
        split_file("https://git.example/shop.git".to_owned(), None),
        ("https://git.example/shop.git".to_owned(), None)
    );
}
