use super::*;
use crate::view::HandlerKey;

fn key(provision_type: ProvisionType, manifest_id: Option<&str>) -> HandlerKey {
    HandlerKey {
        provision_type,
        manifest_id: manifest_id.map(str::to_owned),
    }
}

fn row(label: &str, key: HandlerKey, engine: Engine) -> Row {
    Row {
        handler: HandlerRef {
            scope: HandlerScope::Workspace,
            accepts_manifest_id: key.manifest_id.clone(),
            key,
            label: label.to_owned(),
            engine,
        },
        enabled: true,
    }
}

fn own(row: Row) -> Row {
    let scope = HandlerScope::User {
        user_id: "ann".to_owned(),
    };
    Row {
        handler: HandlerRef {
            scope,
            ..row.handler
        },
        ..row
    }
}

fn docker(label: &str) -> Row {
    row(
        label,
        key(ProvisionType::DockerCompose, None),
        Engine::LocalDocker,
    )
}

fn api(label: &str, id: &str) -> Row {
    row(
        label,
        key(ProvisionType::Custom, Some(id)),
        Engine::RemoteCustom,
    )
}

fn custom(id: &str) -> ServiceProvisioning {
    ServiceProvisioning {
        manifest_id: Some(id.to_owned()),
        ..ServiceProvisioning::of(ProvisionType::Custom)
    }
}

fn verdicts(explanation: &Explanation) -> Vec<(&str, LookedAtVerdict)> {
    explanation
        .looked_at
        .iter()
        .map(|it| (it.handler.label.as_str(), it.verdict))
        .collect()
}

#[test]
fn every_row_that_was_looked_at_says_why_it_was_passed_over() {
    let provisioning = ServiceProvisioning::of(ProvisionType::DockerCompose);
    let explanation = resolve(
        &provisioning,
        &[own(docker("Colima")), own(api("Kargo", "kargo"))],
        &[docker("Local Docker"), api("Kargo", "kargo")],
    );
    assert_eq!(
        verdicts(&explanation),
        [
            ("Colima", LookedAtVerdict::Chosen),
            ("Kargo", LookedAtVerdict::OtherType),
            ("Local Docker", LookedAtVerdict::Overridden),
            ("Kargo", LookedAtVerdict::OtherType),
        ]
    );
    assert_eq!(chosen(&explanation, "shop").unwrap().label, "Colima");
}

#[test]
fn an_override_that_is_switched_off_is_named_and_passed_over() {
    let provisioning = ServiceProvisioning::of(ProvisionType::DockerCompose);
    let off = Row {
        enabled: false,
        ..own(docker("Colima"))
    };
    let explanation = resolve(
        &provisioning,
        std::slice::from_ref(&off),
        &[docker("Local Docker")],
    );
    assert_eq!(chosen(&explanation, "shop").unwrap().label, "Local Docker");
    assert_eq!(
        verdicts(&explanation)[0],
        ("Colima", LookedAtVerdict::SwitchedOff)
    );

    let problem = chosen(&resolve(&provisioning, &[off], &[]), "shop").unwrap_err();
    assert_eq!(problem.code, Code::NoHandler);
    assert!(
        problem
            .hint
            .unwrap()
            .contains("“Colima” would: switch it on")
    );
}

#[test]
fn too_many_candidates_are_named_although_the_workspace_has_exactly_one() {
    let explanation = resolve(
        &ServiceProvisioning::of(ProvisionType::Custom),
        &[own(api("One", "one")), own(api("Two", "two"))],
        &[api("Only", "only")],
    );
    let problem = chosen(&explanation, "shop").unwrap_err();
    assert_eq!(problem.code, Code::AmbiguousHandler);
    assert!(
        problem
            .detail
            .unwrap()
            .contains("“One” of ann, “Two” of ann")
    );
    assert_eq!(
        verdicts(&explanation),
        [
            ("One", LookedAtVerdict::Candidate),
            ("Two", LookedAtVerdict::Candidate),
            ("Only", LookedAtVerdict::Overridden),
        ]
    );
}

#[test]
fn custom_services_and_handlers_meet_by_key_or_by_acceptance() {
    let mut accepting = api("Accepts", "tf");
    accepting.handler.key.manifest_id = None;
    let rows = [api("Keyed", "helm"), accepting];
    let chosen_label = |id| {
        let explanation = resolve(&custom(id), &[], &rows);
        chosen(&explanation, "shop").map(|handler| handler.label.clone())
    };
    assert_eq!(chosen_label("helm").unwrap(), "Keyed");
    assert_eq!(chosen_label("tf").unwrap(), "Accepts");
    assert_eq!(chosen_label("nope").unwrap_err().code, Code::NoHandler);
}

#[test]
fn a_service_for_local_development_only_is_not_sent_elsewhere() {
    let mut provisioning = custom("kargo");
    provisioning.local_dev_only = Some(true);
    let explanation = resolve(&provisioning, &[], &[api("Kargo", "kargo")]);
    assert_eq!(
        verdicts(&explanation),
        [("Kargo", LookedAtVerdict::NotLocal)]
    );
    let problem = chosen(&explanation, "shop").unwrap_err();
    assert_eq!(problem.code, Code::LocalDevOnly);
    provisioning.local_dev_only = Some(false);
    let explanation = resolve(&provisioning, &[], &[api("Kargo", "kargo")]);
    assert!(chosen(&explanation, "shop").is_ok());
}

#[test]
fn a_service_that_needs_nothing_looks_at_nothing() {
    let explanation = resolve(
        &ServiceProvisioning::of(ProvisionType::Infraless),
        &[],
        &[docker("Local Docker")],
    );
    assert!(explanation.looked_at.is_empty());
    assert_eq!(
        chosen(&explanation, "shop").unwrap_err().code,
        Code::NothingToRun
    );
}
