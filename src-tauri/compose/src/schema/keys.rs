//! The top level: everything but services.

use super::parts::{DRIVER_OPTS, LIST_OR_DICT, STRING_OR_LIST};
use super::{Names, Record, Shape, service};

pub(super) const FILE: Shape = Shape::Record(&Record {
    keys: &[
        ("version", Shape::Text),
        ("name", Shape::Text),
        ("include", Shape::List(&INCLUDE)),
        ("services", Shape::Table(Names::Resource, &service::SERVICE)),
        ("models", Shape::Table(Names::Any, &MODEL)),
        ("networks", Shape::Table(Names::Any, &NETWORK)),
        ("volumes", Shape::Table(Names::Resource, &VOLUME)),
        ("secrets", Shape::Table(Names::Resource, &SECRET)),
        ("configs", Shape::Table(Names::Resource, &CONFIG)),
    ],
    required: &[],
});

const INCLUDE: Shape = Shape::Either(&[
    Shape::Text,
    // Docker Compose ignores unknown keys here; Berth names them.
    Shape::Record(&Record {
        keys: &[
            ("path", STRING_OR_LIST),
            ("env_file", STRING_OR_LIST),
            ("project_directory", Shape::Text),
        ],
        required: &[],
    }),
]);

/// `external: true`, or the old `external: {name: …}`.
const EXTERNAL: Shape = Shape::Either(&[
    Shape::Boolean,
    Shape::Record(&Record {
        keys: &[("name", Shape::Text)],
        required: &[],
    }),
]);

const NETWORK: Shape = Shape::Either(&[
    Shape::Null,
    Shape::Record(&Record {
        keys: &[
            ("name", Shape::Text),
            ("driver", Shape::Text),
            ("driver_opts", DRIVER_OPTS),
            ("ipam", IPAM),
            ("external", EXTERNAL),
            ("internal", Shape::Boolean),
            ("enable_ipv4", Shape::Boolean),
            ("enable_ipv6", Shape::Boolean),
            ("attachable", Shape::Boolean),
            ("labels", LIST_OR_DICT),
        ],
        required: &[],
    }),
]);

const IPAM: Shape = Shape::Record(&Record {
    keys: &[
        ("driver", Shape::Text),
        (
            "config",
            Shape::List(&Shape::Record(&Record {
                keys: &[
                    ("subnet", Shape::Text),
                    ("ip_range", Shape::Text),
                    ("gateway", Shape::Text),
                    ("aux_addresses", Shape::Table(Names::Any, &Shape::Text)),
                ],
                required: &[],
            })),
        ),
        ("options", Shape::Table(Names::Any, &Shape::Text)),
    ],
    required: &[],
});

const VOLUME: Shape = Shape::Either(&[
    Shape::Null,
    Shape::Record(&Record {
        keys: &[
            ("name", Shape::Text),
            ("driver", Shape::Text),
            ("driver_opts", DRIVER_OPTS),
            ("external", EXTERNAL),
            ("labels", LIST_OR_DICT),
        ],
        required: &[],
    }),
]);

const SECRET: Shape = Shape::Record(&Record {
    keys: &[
        ("name", Shape::Text),
        ("environment", Shape::Text),
        ("file", Shape::Text),
        ("external", EXTERNAL),
        ("labels", LIST_OR_DICT),
        ("driver", Shape::Text),
        ("driver_opts", DRIVER_OPTS),
        ("template_driver", Shape::Text),
    ],
    required: &[],
});

const CONFIG: Shape = Shape::Record(&Record {
    keys: &[
        ("name", Shape::Text),
        ("content", Shape::Text),
        ("environment", Shape::Text),
        ("file", Shape::Text),
        ("external", EXTERNAL),
        ("labels", LIST_OR_DICT),
        ("template_driver", Shape::Text),
    ],
    required: &[],
});

const MODEL: Shape = Shape::Record(&Record {
    keys: &[
        ("name", Shape::Text),
        ("model", Shape::Text),
        ("context_size", super::parts::ANY_INTEGER),
        ("runtime_flags", super::parts::STRING_LIST),
    ],
    required: &["model"],
});
