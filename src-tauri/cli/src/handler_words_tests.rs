use berth_contracts::ServiceProvisioning;
use berth_core::view::LookedAt;

use super::*;
use crate::sample;

fn explained(choice: Choice, looked_at: &[(HandlerRef, LookedAtVerdict)]) -> Explanation {
    Explanation {
        provisioning: ServiceProvisioning::of(ProvisionType::DockerCompose),
        choice,
        looked_at: looked_at
            .iter()
            .map(|(handler, verdict)| LookedAt {
                handler: handler.clone(),
                verdict: *verdict,
            })
            .collect(),
    }
}

#[test]
fn what_is_in_effect_comes_with_its_reason() {
    let (own, handler, mine) = (
        sample::own_scope(),
        sample::handler(),
        sample::own_handler(),
    );
    for (choice, looked_at, words) in [
        (
            Choice::Handled {
                handler: mine.clone(),
            },
            vec![(mine.clone(), LookedAtVerdict::Chosen)],
            "Colima, your override",
        ),
        (
            Choice::Handled {
                handler: handler.clone(),
            },
            vec![(mine.clone(), LookedAtVerdict::SwitchedOff)],
            "Local Docker, the workspace's (your override is switched off)",
        ),
        (Choice::NoHandler, Vec::new(), "no handler"),
        (
            Choice::Ambiguous {
                candidates: vec![handler.clone(), mine.clone()],
            },
            Vec::new(),
            "ambiguous: Local Docker, Colima",
        ),
        (Choice::NothingToRun, Vec::new(), "nothing to run"),
    ] {
        assert_eq!(in_effect(&explained(choice, &looked_at), &own), words);
    }
    let others = HandlerScope::User {
        user_id: "bo".to_owned(),
    };
    assert_eq!(named(&mine, &others), "Colima, the override of me");
}

#[test]
fn an_outcome_names_service_kind_and_engine() {
    let choice = Choice::Handled {
        handler: sample::handler(),
    };
    assert_eq!(
        outcome("shop", &explained(choice, &[]), &sample::own_scope()),
        ["shop (docker-compose) is handled by Local Docker, the workspace's (local-docker)."]
    );
}
