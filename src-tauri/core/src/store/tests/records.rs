use berth_contracts::EnvironmentStatus;
use berth_engines::docker::{Address, Part, PartHealth, PartState};
use berth_engines::{Change as PlanChange, PlanView, ResourceKind, Step, StepKind, StepState};

use super::*;
use crate::problem::{Code, Place, Problem};
use crate::store::inventory::Presence;
use crate::store::operations::StepChange;
use crate::store::snapshot::{environment, environment_detail};
use crate::view::{
    Activity, ActivityPlace, ActivityVerb, Actor, Change, OperationKind, OperationState, Outcome,
    Revision,
};

fn step(key: &str, kind: StepKind) -> Step {
    Step {
        key: key.to_owned(),
        kind,
        state: StepState::Waiting,
        detail: None,
        progress: None,
        started_at: None,
        finished_at: None,
    }
}

fn became(key: &str, state: StepState) -> StepChange {
    StepChange {
        key: key.to_owned(),
        state,
        detail: None,
        progress: None,
    }
}

fn problem() -> Problem {
    let mut problem = Problem::new(Code::Unhealthy, "db never became healthy")
        .detail("after 60 s")
        .hint("Look at its log.")
        .retryable();
    problem.lines = vec!["pg_isready: no response".to_owned()];
    problem.places = vec![Place {
        file: Some("compose.yaml".to_owned()),
        line: Some(3),
        column: None,
        key: "services.db".to_owned(),
        message: "m".to_owned(),
        hint: None,
    }];
    problem
}

fn part() -> Part {
    Part {
        service: "db".to_owned(),
        name: "shop-db-1".to_owned(),
        image: "postgres:17".to_owned(),
        state: PartState::Running,
        health: PartHealth::Unhealthy,
        cause: Some("exit 2".to_owned()),
        one_shot: false,
        exit_code: None,
    }
}

#[tokio::test]
async fn an_environment_reads_back_as_it_was_written() {
    let (_folder, store, id) = with_environment().await;
    store
        .write(move |tx| {
            let revision = Revision {
                label: Some("feature/checkout".to_owned()),
                commit: Some("a".repeat(40)),
                dirty: true,
                behind: Some(3),
            };
            let address = |primary, target| Address {
                service: "web".to_owned(),
                target,
                host_port: 41_000 + target,
                url: format!("http://shop.localhost:{}", 41_000 + target),
                primary,
            };
            environments::set_revision(tx, 20, &id, &revision)?;
            environments::set_checkout(tx, 20, &id, Some("/data/checkouts/x"))?;
            addresses::replace(tx, 20, &id, &[address(false, 1), address(true, 2)])?;
            environments::set_parts(tx, 20, &id, &[part()])?;
            environments::set_status(tx, 21, &id, EnvironmentStatus::Failed, Some(&problem()))?;
            let failed = environment(tx, &id)?;
            assert_eq!(failed.status, EnvironmentStatus::Failed);
            assert_eq!(failed.problem, Some(problem()));
            assert_eq!(failed.parts, [part()]);
            assert_eq!(failed.revision, revision);
            assert_eq!(
                failed.selector,
                of(&services::list(tx, "default")?[0], "x").selector
            );
            assert!(failed.addresses[0].primary, "the primary comes first");
            assert_eq!(failed.addresses.len(), 2);

            environments::set_ready(tx, 30, &id)?;
            let record = environments::get(tx, &id)?;
            assert_eq!(record.status, EnvironmentStatus::Ready);
            assert_eq!(record.ready_at, Some(30));
            assert_eq!(record.problem, None);
            assert_eq!(record.checkout.as_deref(), Some("/data/checkouts/x"));
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn one_live_environment_per_identity_name_and_project() {
    let (_folder, store, id) = with_environment().await;
    store
        .write(move |tx| {
            let service = services::list(tx, "default")?.remove(0);
            let same = of(&service, "shop-api-main");
            for changed in [
                NewEnvironment {
                    key: "other".to_owned(),
                    project: "other".to_owned(),
                    ..same.clone()
                },
                NewEnvironment {
                    name: "other".to_owned(),
                    project: "other".to_owned(),
                    ..same.clone()
                },
                NewEnvironment {
                    key: "other".to_owned(),
                    name: "other".to_owned(),
                    ..same.clone()
                },
            ] {
                let error = environments::insert(tx, 11, &new_id(tx)?, &changed).unwrap_err();
                assert!(matches!(error, StoreError::Exists { .. }), "{error:?}");
            }
            let found = environments::live_by_key(tx, "default", &service.id, &same.key)?;
            assert_eq!(found.unwrap().id, id);
            environments::set_torn_down(tx, 12, &id)?;
            assert_eq!(
                environments::live_by_key(tx, "default", &service.id, &same.key)?,
                None
            );
            environments::insert(tx, 13, &new_id(tx)?, &same)?;
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn an_operation_keeps_its_steps_in_order_and_in_time() {
    let (_folder, store, id) = with_environment().await;
    store
        .write(move |tx| {
            let operation = operations::start(tx, 100, &id, OperationKind::Up, Actor::Window)?;
            let web = || StepKind::WaitHealthy {
                service: "web".to_owned(),
            };
            operations::expect_steps(tx, 100, &operation, &[step("read", StepKind::Read)])?;
            operations::set_step(tx, 110, &operation, &became("read", StepState::Running))?;
            operations::expect_steps(
                tx,
                120,
                &operation,
                &[
                    step("read", StepKind::Read),
                    step("wait", web()),
                    step("verify", StepKind::Verify),
                ],
            )?;
            operations::set_step(tx, 130, &operation, &became("read", StepState::Done))?;
            operations::set_step(tx, 140, &operation, &became("wait", StepState::Running))?;
            let unknown = operations::set_step(tx, 1, &operation, &became("x", StepState::Done));
            assert!(matches!(unknown, Err(StoreError::Missing { .. })));

            let unfinished = operations::unfinished(tx)?;
            assert_eq!(unfinished.len(), 1);
            assert_eq!(unfinished[0].pid, std::process::id());
            operations::finish(
                tx,
                150,
                &operation,
                OperationState::Failed,
                Some(&problem()),
            )?;
            assert!(operations::unfinished(tx)?.is_empty());

            let shown = environment(tx, &id)?.operation.unwrap();
            assert_eq!(shown.state, OperationState::Failed);
            assert_eq!((shown.started_at, shown.finished_at), (100, Some(150)));
            assert_eq!(shown.problem, Some(problem()));
            let steps: Vec<_> = shown
                .steps
                .iter()
                .map(|step| {
                    (
                        step.key.as_str(),
                        step.state,
                        step.started_at,
                        step.finished_at,
                    )
                })
                .collect();
            assert_eq!(
                steps,
                [
                    ("read", StepState::Done, Some(110), Some(130)),
                    ("wait", StepState::Failed, Some(140), Some(150)),
                    ("verify", StepState::Skipped, None, None),
                ]
            );
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_detail_shows_the_newest_twenty_and_the_last_plan() {
    let (_folder, store, id) = with_environment().await;
    store
        .write(move |tx| {
            let plan = PlanView {
                changes: vec![PlanChange {
                    action: berth_engines::Action::Create,
                    kind: ResourceKind::Network,
                    name: "shop_default".to_owned(),
                    service: None,
                    reason: None,
                }],
                ..PlanView::default()
            };
            for at in 0..25 {
                let kind = if at == 24 {
                    OperationKind::Down
                } else {
                    OperationKind::Up
                };
                let operation = operations::start(tx, at, &id, kind, Actor::Berth)?;
                if at == 20 {
                    operations::set_plan(tx, at, &operation, &plan)?;
                }
                operations::expect_steps(tx, at, &operation, &[step("read", StepKind::Read)])?;
                operations::finish(tx, at, &operation, OperationState::Done, None)?;
            }
            let detail = environment_detail(tx, &id)?;
            let begun: Vec<i64> = detail
                .operations
                .iter()
                .map(|operation| operation.started_at)
                .collect();
            assert_eq!(begun, (5..25).rev().collect::<Vec<i64>>());
            assert!(detail.operations.iter().all(|one| one.steps.len() == 1));
            assert_eq!(detail.environment.operation.unwrap().started_at, 24);
            assert_eq!(detail.plan, Some(plan));
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn an_inventory_knows_who_made_what() {
    let (_folder, store, id) = with_environment().await;
    store
        .write(move |tx| {
            let volume = (ResourceKind::Volume, "shop_data".to_owned());
            let network = (ResourceKind::Network, "shop_default".to_owned());
            inventory::intend(tx, &id, "op1", std::slice::from_ref(&volume))?;
            inventory::set_all(tx, &id, Some("op1"), Presence::Made)?;
            inventory::intend(tx, &id, "op2", &[volume.clone(), network.clone()])?;
            let listed: Vec<_> = inventory::list(tx, &id)?
                .into_iter()
                .map(|resource| (resource.name, resource.operation_id, resource.presence))
                .collect();
            assert_eq!(
                listed,
                [
                    (network.1.clone(), "op2".to_owned(), Presence::Planned),
                    (volume.1.clone(), "op1".to_owned(), Presence::Made),
                ]
            );
            // Taking the second operation back leaves what the first one made.
            inventory::set_all(tx, &id, Some("op2"), Presence::Gone)?;
            assert_eq!(inventory::list(tx, &id)?.len(), 1);
            environments::set_torn_down(tx, 50, &id)?;
            assert!(inventory::list(tx, &id)?.is_empty());
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn the_end_of_an_environment_is_warned_of_once() {
    let (_folder, store, id) = with_environment().await;
    store
        .write(move |tx| {
            let before = super::super::events::last(tx)?;
            environments::warn(tx, 6_600_000, &id)?;
            environments::warn(tx, 6_600_001, &id)?;
            let told = super::super::events::after(tx, before, 10)?;
            assert_eq!(
                told.iter().map(|event| &event.change).collect::<Vec<_>>(),
                [&Change::ExpiresSoon {
                    environment: id.clone(),
                    expires_at: 7_200_000
                }]
            );
            assert!(environments::expired(tx, 7_199_999)?.is_empty());
            assert_eq!(environments::expired(tx, 7_200_000)?.len(), 1);
            // Extended: a new warning is due.
            environments::set_expiry(tx, 6_700_000, &id, Some(9_000_000))?;
            assert_eq!(environments::get(tx, &id)?.warned_at, None);
            environments::set_expiry(tx, 6_700_000, &id, None)?;
            assert!(environments::expired(tx, i64::MAX)?.is_empty());
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn parts_that_did_not_change_say_nothing() {
    let (_folder, store, id) = with_environment().await;
    store
        .write(move |tx| {
            environments::set_parts(tx, 1, &id, &[part()])?;
            let before = super::super::events::last(tx)?;
            environments::set_parts(tx, 2, &id, &[part()])?;
            assert_eq!(super::super::events::last(tx)?, before);
            environments::set_parts(tx, 3, &id, &[])?;
            assert!(super::super::events::last(tx)? > before);
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_name_or_the_beginning_of_an_id_finds_it() {
    let (_folder, store, id) = with_environment().await;
    store
        .write(move |tx| {
            let find = |text: &str| environments::matching(tx, "default", text);
            assert_eq!(find("shop-api-main")?[0].id, id);
            assert_eq!(find(&id[..4])?[0].id, id);
            assert!(find("%")?.is_empty());
            environments::set_torn_down(tx, 20, &id)?;
            let service = services::list(tx, "default")?.remove(0);
            let newer = add_environment(tx, &service, "shop-api-main")?;
            let both = find("shop-api-main")?;
            assert_eq!(both.len(), 2);
            assert_eq!((&both[0].id, both[0].live), (&newer, true));
            assert!(!both[1].live);
            assert_eq!(environments::names(tx, "default")?.len(), 1);
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn a_service_goes_only_when_its_environments_are_gone() {
    let (_folder, store, id) = with_environment().await;
    store
        .write(move |tx| {
            let service = services::list(tx, "default")?.remove(0);
            assert_eq!(services::get(tx, &service.id)?, service);
            let twice = add_service(tx, "shop-api").unwrap_err();
            assert!(matches!(twice, StoreError::Exists { .. }), "{twice:?}");
            let refused = services::remove(tx, 20, &service.id).unwrap_err();
            assert!(refused.to_string().contains("shop-api-main"), "{refused}");
            environments::set_torn_down(tx, 20, &id)?;
            services::remove(tx, 21, &service.id)?;
            assert!(services::list(tx, "default")?.is_empty());
            assert!(services::get(tx, &service.id).is_err());
            // The environment still says whose it was, and the name is free.
            assert_eq!(environment(tx, &id)?.service_name, "shop-api");
            add_service(tx, "shop-api")?;
            Ok(())
        })
        .await
        .unwrap();
}

#[tokio::test]
async fn what_is_old_goes_and_the_rest_stays() {
    let (_folder, store, id) = with_environment().await;
    store
        .write(move |tx| {
            let line = |at| Activity {
                id: 0,
                at,
                verb: ActivityVerb::Up,
                outcome: Outcome::Success,
                environment_id: None,
                environment_name: Some("shop-api-main".to_owned()),
                service_name: None,
                engine_label: None,
                actor: Actor::Window,
                duration_ms: Some(5),
                detail: None,
            };
            activity::append(tx, &line(1))?;
            activity::append(tx, &line(KEPT))?;
            let operation = operations::start(tx, 1, &id, OperationKind::Down, Actor::Window)?;
            operations::expect_steps(tx, 1, &operation, &[step("read", StepKind::Read)])?;
            environments::set_torn_down(tx, 100, &id)?;
            let last = super::super::events::last(tx)?;

            prune(tx, KEPT + 50)?;
            assert!(environments::get(tx, &id).is_ok());
            assert_eq!(activity::list(tx, None, 10)?.len(), 1);
            prune(tx, KEPT + 101)?;
            assert!(environments::get(tx, &id).is_err());
            let left: i64 = tx.query_row("SELECT count(*) FROM steps", [], |row| row.get(0))?;
            assert_eq!(left, 0);
            assert_eq!(super::super::events::last(tx)?, last);
            Ok(())
        })
        .await
        .unwrap();
}

/// Of five lines in the order they are written: three at once, and a clock that
/// goes back.
const TIMES: [i64; 5] = [4, 4, 5, 2, 4];

#[tokio::test]
async fn the_activity_is_read_page_by_page() {
    let (_folder, store) = opened().await;
    store
        .write(|tx| {
            for at in TIMES {
                activity::append(
                    tx,
                    &Activity {
                        id: 0,
                        at,
                        verb: ActivityVerb::Expired,
                        outcome: Outcome::Failure,
                        environment_id: Some("x".to_owned()),
                        environment_name: None,
                        service_name: None,
                        engine_label: Some("Local Docker".to_owned()),
                        actor: Actor::Berth,
                        duration_ms: None,
                        detail: Some("why".to_owned()),
                    },
                )?;
            }
            let times = |lines: &[Activity]| lines.iter().map(|it| it.at).collect::<Vec<_>>();
            let whole = activity::list(tx, None, 10)?;
            assert_eq!(times(&whole), [5, 4, 4, 4, 2]);
            assert_eq!(whole[0].outcome, Outcome::Failure);
            // Every cut, also between lines of one millisecond.
            for limit in 1..=5 {
                let mut pages = Vec::new();
                let mut before = None;
                loop {
                    let page = activity::list(tx, before, limit)?;
                    let Some(last) = page.last() else { break };
                    before = Some(ActivityPlace {
                        at: last.at,
                        id: last.id,
                    });
                    pages.extend(page);
                }
                assert_eq!(pages, whole, "{limit} at a time");
            }
            Ok(())
        })
        .await
        .unwrap();
}
