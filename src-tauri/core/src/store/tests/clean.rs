//! What is written as free text holds no secret, whoever wrote it.

use berth_contracts::EnvironmentStatus;
use berth_engines::docker::{Part, PartHealth, PartState};
use berth_engines::{PlanView, Step, StepKind, StepState};

use super::*;
use crate::problem::{Code, Place, Problem};
use crate::store::operations::StepChange;
use crate::view::{Activity, ActivityVerb, Actor, OperationKind, OperationState, Outcome};

const SAID: &str = "postgres://app:hunter2@db refused my_password=hunter2";

fn problem() -> Problem {
    let mut problem = Problem::new(Code::Unhealthy, SAID).detail(SAID).hint(SAID);
    problem.lines = vec![SAID.to_owned()];
    problem.causes = vec![SAID.to_owned()];
    problem.places = vec![Place {
        file: None,
        line: None,
        column: None,
        key: "services.db".to_owned(),
        message: SAID.to_owned(),
        hint: Some(SAID.to_owned()),
    }];
    problem
}

#[tokio::test]
async fn free_text_reaches_the_file_without_secrets() {
    let (folder, store, id) = with_environment().await;
    store
        .write(move |tx| {
            let operation = operations::start(tx, 1, &id, OperationKind::Up, Actor::Window)?;
            let said = Some(SAID.to_owned());
            let step = Step {
                key: "read".to_owned(),
                kind: StepKind::Read,
                state: StepState::Waiting,
                detail: said.clone(),
                progress: None,
                started_at: None,
                finished_at: None,
            };
            operations::expect_steps(tx, 1, &operation, &[step])?;
            let change = StepChange {
                key: "read".to_owned(),
                state: StepState::Failed,
                detail: said.clone(),
                progress: None,
            };
            operations::set_step(tx, 1, &operation, &change)?;
            let plan = PlanView {
                warnings: vec![SAID.to_owned()],
                ..PlanView::default()
            };
            operations::set_plan(tx, 1, &operation, &plan)?;
            let part = Part {
                service: "db".to_owned(),
                name: "shop-db-1".to_owned(),
                image: "postgres:17".to_owned(),
                state: PartState::Running,
                health: PartHealth::Unhealthy,
                cause: said.clone(),
                one_shot: false,
                exit_code: None,
            };
            environments::set_parts(tx, 1, &id, &[part])?;
            let failed = EnvironmentStatus::Failed;
            environments::set_status(tx, 1, &id, failed, Some(&problem()))?;
            operations::finish(tx, 1, &operation, OperationState::Failed, Some(&problem()))?;
            let line = Activity {
                id: 0,
                at: 1,
                verb: ActivityVerb::Up,
                outcome: Outcome::Failure,
                environment_id: None,
                environment_name: None,
                service_name: None,
                engine_label: None,
                actor: Actor::Window,
                duration_ms: None,
                detail: said,
            };
            activity::append(tx, &line)?;
            Ok(())
        })
        .await
        .unwrap();
    let mut marks = 0;
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(file.unwrap().path()).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("hunter2"), "a secret is in the file");
        marks += text.matches("app:[REDACTED]@db refused").count();
    }
    // Two steps' details, a plan, a part, two problems of seven texts, a line.
    assert!(marks >= 19, "{marks}");
}
