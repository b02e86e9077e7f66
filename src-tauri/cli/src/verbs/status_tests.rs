use berth_core::view::{Operation, OperationKind};
use berth_core::{Code, Problem};
use berth_engines::{Kept, Progress, Rewrite, RewriteKind, Step, StepKind};

use super::*;
use crate::sample;

fn detail() -> EnvironmentDetail {
    EnvironmentDetail {
        environment: sample::environment(),
        operations: Vec::new(),
        plan: Some(PlanView {
            rewrites: vec![Rewrite {
                kind: RewriteKind::Port,
                subject: "web".to_owned(),
                from: "8080".to_owned(),
                to: "41873".to_owned(),
            }],
            kept: vec![Kept {
                service: "web".to_owned(),
                what: "/home/me/shop/src".to_owned(),
                note: "Changes to it are seen at once.".to_owned(),
            }],
            carried: vec![".env".to_owned()],
            warnings: vec!["version is obsolete.".to_owned()],
            ..PlanView::default()
        }),
    }
}

#[test]
fn everything_of_a_ready_one() {
    assert_eq!(
        lines(
            &detail(),
            Remover::Owner,
            &sample::own_scope(),
            sample::NOW,
            &TimeZone::UTC,
            false
        )
        .join("\n"),
        "\
shop-api-main was ready, but worker ended since. berth up brings it back
Service   shop-api
Revision  main@4f2a91c +changes
Engine    Local Docker
Handler   Local Docker, the workspace's
URL       http://shop-api-main.localhost:41873
URL       http://shop-api-main.localhost:41874  mail
It ends at 15:44, in 1 h 42 min.
Berth's window or agent removes it at 15:44.

PART    STATE                CONTAINER               CAUSE
web     running              shop-api-main-web-1
worker  ended with code 137  shop-api-main-worker-1  out of memory

Berth changed, so that copies stand side by side:
  web: port 8080 → 41873
Shared with this machine:
  web: /home/me/shop/src
    Changes to it are seen at once.
Carried over, though git ignores it: .env
Note: version is obsolete."
    );
}

#[test]
fn a_running_operation_and_a_problem() {
    let mut detail = detail();
    detail.plan = None;
    let environment = &mut detail.environment;
    environment.parts.clear();
    environment.addresses.clear();
    environment.expires_at = None;
    environment.status = EnvironmentStatus::Provisioning;
    environment.problem = Some(Problem::new(Code::Unhealthy, "db is not healthy"));
    let step = |key: &str, state| Step {
        key: key.to_owned(),
        kind: StepKind::Pull {
            image: key.to_owned(),
        },
        state,
        detail: None,
        progress: Some(Progress {
            current: 1,
            total: None,
        }),
        started_at: None,
        finished_at: None,
    };
    environment.operation = Some(Operation {
        id: "op".to_owned(),
        kind: OperationKind::Up,
        state: OperationState::Running,
        started_at: sample::NOW,
        finished_at: None,
        steps: vec![
            step("a", StepState::Done),
            step("b", StepState::Running),
            step("c", StepState::Waiting),
        ],
        problem: None,
    });
    let text = lines(
        &detail,
        Remover::Owner,
        &sample::own_scope(),
        sample::NOW,
        &TimeZone::UTC,
        false,
    )
    .join("\n");
    assert!(
        text.ends_with(
            "
Starting: 1 of 3 steps, begun at 14:02
  Pulling b  1 B

db is not healthy"
        ),
        "{text}"
    );
}

#[test]
fn the_json_is_the_detail_and_who_removes_it() {
    let detail = detail();
    let value = serde_json::to_value(Status {
        detail: &detail,
        removed_by: Remover::NextStart,
    })
    .unwrap();
    let keys: Vec<&str> = value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(keys, ["environment", "operations", "plan", "removedBy"]);
    assert_eq!(value["removedBy"], "next_start");
}
