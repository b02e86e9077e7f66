//! An environment and its handlers for tests.

use berth_contracts::{Engine, EnvironmentStatus, ProvisionType};
use berth_core::view::{Environment, HandlerKey, HandlerRef, HandlerScope, Revision, Selector};
use berth_engines::docker::{Address, Part, PartHealth, PartState};

/// Mon Nov 30 2026, 14:02:11.204 UTC.
pub(crate) const NOW: i64 = 1_796_047_331_204;

const MINUTE: i64 = 60_000;

/// A ready environment with 1 h 42 min left.
pub(crate) fn environment() -> Environment {
    Environment {
        id: "env_1".to_owned(),
        name: "shop-api-main".to_owned(),
        service_id: "svc_1".to_owned(),
        service_name: "shop-api".to_owned(),
        provision_type: ProvisionType::DockerCompose,
        selector: Selector::WorkingTree,
        revision: Revision {
            label: Some("main".to_owned()),
            commit: Some("4f2a91c7d1e0b5a6f3c2d4e5f60718293a4b5c6d".to_owned()),
            dirty: true,
            behind: None,
        },
        status: EnvironmentStatus::Ready,
        engine: Engine::LocalDocker,
        engine_label: "Local Docker".to_owned(),
        made_with: Some(handler()),
        addresses: vec![
            Address {
                service: "web".to_owned(),
                target: 8080,
                host_port: 41_873,
                url: "http://shop-api-main.localhost:41873".to_owned(),
                primary: true,
            },
            Address {
                service: "mail".to_owned(),
                target: 8025,
                host_port: 41_874,
                url: "http://shop-api-main.localhost:41874".to_owned(),
                primary: false,
            },
        ],
        created_at: NOW - 18 * MINUTE,
        ready_at: Some(NOW - 17 * MINUTE),
        expires_at: Some(NOW + 102 * MINUTE),
        torn_down_at: None,
        operation: None,
        problem: None,
        parts: vec![
            Part {
                service: "web".to_owned(),
                name: "shop-api-main-web-1".to_owned(),
                image: "busybox:1.36".to_owned(),
                state: PartState::Running,
                health: PartHealth::None,
                cause: None,
                one_shot: false,
                exit_code: None,
            },
            Part {
                service: "worker".to_owned(),
                name: "shop-api-main-worker-1".to_owned(),
                image: "busybox:1.36".to_owned(),
                state: PartState::Exited,
                health: PartHealth::None,
                cause: Some("out of memory".to_owned()),
                one_shot: false,
                exit_code: Some(137),
            },
        ],
    }
}

/// The workspace's handler for Docker.
pub(crate) fn handler() -> HandlerRef {
    HandlerRef {
        scope: HandlerScope::Workspace,
        key: HandlerKey {
            provision_type: ProvisionType::DockerCompose,
            manifest_id: None,
        },
        label: "Local Docker".to_owned(),
        engine: Engine::LocalDocker,
        accepts_manifest_id: None,
    }
}

/// The current user's own handlers.
pub(crate) fn own_scope() -> HandlerScope {
    HandlerScope::User {
        user_id: "me".to_owned(),
    }
}

/// The current user's override for Docker.
pub(crate) fn own_handler() -> HandlerRef {
    HandlerRef {
        scope: own_scope(),
        label: "Colima".to_owned(),
        ..handler()
    }
}
