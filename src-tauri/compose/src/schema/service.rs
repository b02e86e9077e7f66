//! The keys of a service.

use super::parts::{
    ANY_INTEGER, COMMAND, DEVICE_REQUEST_KEYS, DRIVER_OPTS, ENV_FILE, EXTRA_HOSTS, GRANTS, HOOK,
    LIST_OR_DICT, NATURAL, STRING_LIST, STRING_OR_LIST, STRINGS, ULIMITS,
};
use super::{Names, Record, Shape};

pub(super) const SERVICE: Shape = Shape::Record(&Record {
    keys: &[
        ("annotations", LIST_OR_DICT),
        ("attach", Shape::Boolean),
        ("blkio_config", BLKIO),
        ("build", BUILD),
        ("cap_add", STRINGS),
        ("cap_drop", STRINGS),
        ("cgroup", Shape::Word(&["host", "private"])),
        ("cgroup_parent", Shape::Text),
        ("command", COMMAND),
        ("configs", GRANTS),
        ("container_name", Shape::Text),
        ("cpu_count", NATURAL),
        ("cpu_percent", Shape::Number),
        ("cpu_period", ANY_INTEGER),
        ("cpu_quota", ANY_INTEGER),
        ("cpu_rt_period", ANY_INTEGER),
        ("cpu_rt_runtime", ANY_INTEGER),
        ("cpu_shares", ANY_INTEGER),
        ("cpus", Shape::Number),
        ("cpuset", Shape::Text),
        ("credential_spec", CREDENTIAL_SPEC),
        ("depends_on", DEPENDS_ON),
        ("deploy", DEPLOY),
        ("develop", DEVELOP),
        ("device_cgroup_rules", STRINGS),
        ("devices", DEVICES),
        ("dns", STRING_OR_LIST),
        ("dns_opt", STRINGS),
        ("dns_search", STRING_OR_LIST),
        ("domainname", Shape::Text),
        ("entrypoint", COMMAND),
        ("env_file", ENV_FILE),
        ("environment", LIST_OR_DICT),
        ("expose", Shape::Set(&Shape::TextOrNumber)),
        ("extends", EXTENDS),
        ("external_links", STRINGS),
        ("extra_hosts", EXTRA_HOSTS),
        ("gpus", GPUS),
        ("group_add", Shape::Set(&Shape::TextOrNumber)),
        ("healthcheck", HEALTHCHECK),
        ("hostname", Shape::Text),
        ("image", Shape::Text),
        ("init", Shape::Boolean),
        ("ipc", Shape::Text),
        ("isolation", Shape::Text),
        ("label_file", STRING_OR_LIST),
        ("labels", LIST_OR_DICT),
        ("links", STRINGS),
        ("logging", LOGGING),
        ("mac_address", Shape::Text),
        ("mem_limit", Shape::Bytes),
        ("mem_reservation", Shape::Bytes),
        ("mem_swappiness", ANY_INTEGER),
        ("memswap_limit", Shape::Bytes),
        ("models", MODELS),
        ("network_mode", Shape::Text),
        ("networks", NETWORKS),
        ("oom_kill_disable", Shape::Boolean),
        ("oom_score_adj", Shape::Integer(-1000, 1000)),
        ("pid", Shape::Either(&[Shape::Null, Shape::Text])),
        ("pids_limit", ANY_INTEGER),
        ("platform", Shape::Text),
        ("ports", PORTS),
        ("post_start", Shape::List(&HOOK)),
        ("pre_stop", Shape::List(&HOOK)),
        ("privileged", Shape::Boolean),
        ("profiles", STRINGS),
        ("provider", PROVIDER),
        ("pull_policy", Shape::Text),
        ("pull_refresh_after", Shape::Text),
        ("read_only", Shape::Boolean),
        ("restart", Shape::Text),
        ("runtime", Shape::Text),
        ("scale", NATURAL),
        ("secrets", GRANTS),
        ("security_opt", STRINGS),
        ("shm_size", Shape::Bytes),
        ("stdin_open", Shape::Boolean),
        ("stop_grace_period", Shape::Duration),
        ("stop_signal", Shape::Text),
        ("storage_opt", Shape::Table(Names::Any, &Shape::Any)),
        ("sysctls", LIST_OR_DICT),
        ("tmpfs", STRING_OR_LIST),
        ("tty", Shape::Boolean),
        ("ulimits", ULIMITS),
        ("use_api_socket", Shape::Boolean),
        ("user", Shape::Text),
        ("userns_mode", Shape::Text),
        ("uts", Shape::Text),
        ("volumes", VOLUMES),
        ("volumes_from", STRINGS),
        ("working_dir", Shape::Text),
    ],
    required: &[],
});

const BUILD: Shape = Shape::Either(&[
    Shape::Text,
    Shape::Record(&Record {
        keys: &[
            ("additional_contexts", LIST_OR_DICT),
            ("args", LIST_OR_DICT),
            ("cache_from", STRING_LIST),
            ("cache_to", STRING_LIST),
            ("context", Shape::Text),
            ("dockerfile", Shape::Text),
            ("dockerfile_inline", Shape::Text),
            ("entitlements", STRING_LIST),
            ("extra_hosts", EXTRA_HOSTS),
            ("isolation", Shape::Text),
            ("labels", LIST_OR_DICT),
            ("network", Shape::Text),
            ("no_cache", Shape::Boolean),
            ("platforms", STRING_LIST),
            ("privileged", Shape::Boolean),
            ("provenance", Shape::Scalar),
            ("pull", Shape::Boolean),
            ("sbom", Shape::Scalar),
            ("secrets", GRANTS),
            ("shm_size", Shape::Bytes),
            ("ssh", LIST_OR_DICT),
            ("tags", STRING_LIST),
            ("target", Shape::Text),
            ("ulimits", ULIMITS),
        ],
        required: &[],
    }),
]);

const BLKIO_LIMITS: Shape = Shape::List(&Shape::Record(&Record {
    keys: &[("path", Shape::Text), ("rate", Shape::Bytes)],
    required: &[],
}));

const BLKIO: Shape = Shape::Record(&Record {
    keys: &[
        ("device_read_bps", BLKIO_LIMITS),
        ("device_read_iops", BLKIO_LIMITS),
        ("device_write_bps", BLKIO_LIMITS),
        ("device_write_iops", BLKIO_LIMITS),
        ("weight", ANY_INTEGER),
        (
            "weight_device",
            Shape::List(&Shape::Record(&Record {
                keys: &[("path", Shape::Text), ("weight", ANY_INTEGER)],
                required: &[],
            })),
        ),
    ],
    required: &[],
});

const CREDENTIAL_SPEC: Shape = Shape::Record(&Record {
    keys: &[
        ("config", Shape::Text),
        ("file", Shape::Text),
        ("registry", Shape::Text),
    ],
    required: &[],
});

const DEPENDS_ON: Shape = Shape::Either(&[
    STRINGS,
    Shape::Table(
        Names::Resource,
        &Shape::Record(&Record {
            keys: &[
                ("restart", Shape::Boolean),
                ("required", Shape::Boolean),
                (
                    "condition",
                    Shape::Word(&[
                        "service_started",
                        "service_healthy",
                        "service_completed_successfully",
                    ]),
                ),
            ],
            required: &["condition"],
        }),
    ),
]);

const UPDATE_CONFIG: Shape = Shape::Record(&Record {
    keys: &[
        ("parallelism", ANY_INTEGER),
        ("delay", Shape::Duration),
        ("failure_action", Shape::Text),
        ("monitor", Shape::Duration),
        ("max_failure_ratio", Shape::Number),
        ("order", Shape::Word(&["start-first", "stop-first"])),
    ],
    required: &[],
});

const RESERVED_DEVICES: Shape = Shape::List(&Shape::Record(&Record {
    keys: DEVICE_REQUEST_KEYS,
    required: &["capabilities"],
}));

const GENERIC_RESOURCES: Shape = Shape::List(&Shape::Record(&Record {
    keys: &[(
        "discrete_resource_spec",
        Shape::Record(&Record {
            keys: &[("kind", Shape::Text), ("value", Shape::Number)],
            required: &[],
        }),
    )],
    required: &[],
}));

const DEPLOY: Shape = Shape::Either(&[
    Shape::Null,
    Shape::Record(&Record {
        keys: &[
            ("mode", Shape::Text),
            ("endpoint_mode", Shape::Text),
            ("replicas", NATURAL),
            ("labels", LIST_OR_DICT),
            ("rollback_config", UPDATE_CONFIG),
            ("update_config", UPDATE_CONFIG),
            (
                "resources",
                Shape::Record(&Record {
                    keys: &[
                        (
                            "limits",
                            Shape::Record(&Record {
                                keys: &[
                                    ("cpus", Shape::Number),
                                    ("memory", Shape::Bytes),
                                    ("pids", ANY_INTEGER),
                                ],
                                required: &[],
                            }),
                        ),
                        (
                            "reservations",
                            Shape::Record(&Record {
                                keys: &[
                                    ("cpus", Shape::Number),
                                    ("memory", Shape::Bytes),
                                    ("devices", RESERVED_DEVICES),
                                    ("generic_resources", GENERIC_RESOURCES),
                                ],
                                required: &[],
                            }),
                        ),
                    ],
                    required: &[],
                }),
            ),
            (
                "restart_policy",
                Shape::Record(&Record {
                    keys: &[
                        ("condition", Shape::Text),
                        ("delay", Shape::Duration),
                        ("max_attempts", ANY_INTEGER),
                        ("window", Shape::Duration),
                    ],
                    required: &[],
                }),
            ),
            (
                "placement",
                Shape::Record(&Record {
                    keys: &[
                        ("constraints", STRING_LIST),
                        (
                            "preferences",
                            Shape::List(&Shape::Record(&Record {
                                keys: &[("spread", Shape::Text)],
                                required: &[],
                            })),
                        ),
                        ("max_replicas_per_node", ANY_INTEGER),
                    ],
                    required: &[],
                }),
            ),
        ],
        required: &[],
    }),
]);

const DEVELOP: Shape = Shape::Either(&[
    Shape::Null,
    Shape::Record(&Record {
        keys: &[(
            "watch",
            Shape::List(&Shape::Record(&Record {
                keys: &[
                    ("ignore", STRING_OR_LIST),
                    ("include", STRING_OR_LIST),
                    ("path", Shape::Text),
                    (
                        "action",
                        Shape::Word(&["rebuild", "sync", "restart", "sync+restart", "sync+exec"]),
                    ),
                    ("target", Shape::Text),
                    ("exec", HOOK),
                    ("initial_sync", Shape::Boolean),
                ],
                required: &["path", "action"],
            })),
        )],
        required: &[],
    }),
]);

const DEVICES: Shape = Shape::List(&Shape::Either(&[
    Shape::Text,
    Shape::Record(&Record {
        keys: &[
            ("source", Shape::Text),
            ("target", Shape::Text),
            ("permissions", Shape::Text),
        ],
        required: &["source"],
    }),
]));

const EXTENDS: Shape = Shape::Either(&[
    Shape::Text,
    Shape::Record(&Record {
        keys: &[("service", Shape::Text), ("file", Shape::Text)],
        required: &["service"],
    }),
]);

const GPUS: Shape = Shape::Either(&[
    Shape::Word(&["all"]),
    Shape::List(&Shape::Record(&Record {
        keys: DEVICE_REQUEST_KEYS,
        required: &[],
    })),
]);

const HEALTHCHECK: Shape = Shape::Record(&Record {
    keys: &[
        ("disable", Shape::Boolean),
        ("interval", Shape::Duration),
        ("retries", Shape::Number),
        ("test", Shape::Either(&[Shape::Text, STRING_LIST])),
        ("timeout", Shape::Duration),
        ("start_period", Shape::Duration),
        ("start_interval", Shape::Duration),
    ],
    required: &[],
});

const LOGGING: Shape = Shape::Record(&Record {
    keys: &[
        ("driver", Shape::Text),
        (
            "options",
            Shape::Table(
                Names::Any,
                &Shape::Either(&[Shape::Null, Shape::TextOrNumber]),
            ),
        ),
    ],
    required: &[],
});

const MODELS: Shape = Shape::Either(&[
    STRINGS,
    Shape::Table(
        Names::Any,
        &Shape::Either(&[
            Shape::Null,
            Shape::Record(&Record {
                keys: &[("endpoint_var", Shape::Text), ("model_var", Shape::Text)],
                required: &[],
            }),
        ]),
    ),
]);

const NETWORKS: Shape = Shape::Either(&[
    STRINGS,
    Shape::Table(
        Names::Resource,
        &Shape::Either(&[
            Shape::Null,
            Shape::Record(&Record {
                keys: &[
                    ("aliases", STRINGS),
                    ("interface_name", Shape::Text),
                    ("ipv4_address", Shape::Text),
                    ("ipv6_address", Shape::Text),
                    ("link_local_ips", STRINGS),
                    ("mac_address", Shape::Text),
                    ("driver_opts", DRIVER_OPTS),
                    ("priority", ANY_INTEGER),
                    ("gw_priority", ANY_INTEGER),
                ],
                required: &[],
            }),
        ]),
    ),
]);

const PORTS: Shape = Shape::Set(&Shape::Either(&[
    Shape::TextOrInteger,
    Shape::Record(&Record {
        keys: &[
            ("name", Shape::Text),
            ("mode", Shape::Text),
            ("host_ip", Shape::Text),
            ("target", ANY_INTEGER),
            ("published", Shape::TextOrInteger),
            ("protocol", Shape::Text),
            ("app_protocol", Shape::Text),
        ],
        required: &[],
    }),
]));

const PROVIDER: Shape = Shape::Record(&Record {
    keys: &[
        ("type", Shape::Text),
        (
            "options",
            Shape::Table(
                Names::Any,
                &Shape::Either(&[Shape::Scalar, Shape::List(&Shape::Scalar)]),
            ),
        ),
    ],
    required: &["type"],
});

const VOLUMES: Shape = Shape::Set(&Shape::Either(&[
    Shape::Text,
    Shape::Record(&Record {
        keys: &[
            (
                "type",
                Shape::Word(&["bind", "volume", "tmpfs", "cluster", "npipe", "image"]),
            ),
            ("source", Shape::Text),
            ("target", Shape::Text),
            ("read_only", Shape::Boolean),
            ("consistency", Shape::Text),
            (
                "bind",
                Shape::Record(&Record {
                    keys: &[
                        ("propagation", Shape::Text),
                        ("create_host_path", Shape::Boolean),
                        (
                            "recursive",
                            Shape::Word(&["enabled", "disabled", "writable", "readonly"]),
                        ),
                        ("selinux", Shape::Word(&["z", "Z"])),
                    ],
                    required: &[],
                }),
            ),
            (
                "volume",
                Shape::Record(&Record {
                    keys: &[
                        ("labels", LIST_OR_DICT),
                        ("nocopy", Shape::Boolean),
                        ("subpath", Shape::Text),
                    ],
                    required: &[],
                }),
            ),
            (
                "tmpfs",
                Shape::Record(&Record {
                    keys: &[("size", Shape::Bytes), ("mode", NATURAL)],
                    required: &[],
                }),
            ),
            (
                "image",
                Shape::Record(&Record {
                    keys: &[("subpath", Shape::Text)],
                    required: &[],
                }),
            ),
        ],
        required: &["type"],
    }),
]));
