//! Shapes that several sections share.

use super::{Names, Record, Shape};

pub(super) const ANY_INTEGER: Shape = Shape::Integer(i64::MIN, i64::MAX);
pub(super) const NATURAL: Shape = Shape::Integer(0, i64::MAX);
pub(super) const STRINGS: Shape = Shape::Set(&Shape::Text);
pub(super) const STRING_LIST: Shape = Shape::List(&Shape::Text);
pub(super) const STRING_OR_LIST: Shape = Shape::Either(&[Shape::Text, STRINGS]);

/// `KEY: value` or `- KEY=value`.
pub(super) const LIST_OR_DICT: Shape = Shape::Either(&[
    Shape::Table(Names::Any, &Shape::Either(&[Shape::Null, Shape::Scalar])),
    STRINGS,
]);

pub(super) const COMMAND: Shape = Shape::Either(&[Shape::Null, Shape::Text, STRING_LIST]);

pub(super) const EXTRA_HOSTS: Shape = Shape::Either(&[
    Shape::Table(
        Names::Any,
        &Shape::Either(&[Shape::Text, Shape::List(&Shape::Text)]),
    ),
    STRINGS,
]);

pub(super) const DRIVER_OPTS: Shape = Shape::Table(Names::Any, &Shape::TextOrNumber);

pub(super) const ULIMITS: Shape = Shape::Table(
    Names::Any,
    &Shape::Either(&[
        ANY_INTEGER,
        Shape::Record(&Record {
            keys: &[("hard", ANY_INTEGER), ("soft", ANY_INTEGER)],
            required: &["hard", "soft"],
        }),
    ]),
);

/// How a service uses a config or a secret.
pub(super) const GRANTS: Shape = Shape::List(&Shape::Either(&[
    Shape::Text,
    Shape::Record(&Record {
        keys: &[
            ("source", Shape::Text),
            ("target", Shape::Text),
            ("uid", Shape::Text),
            ("gid", Shape::Text),
            ("mode", Shape::TextOrNumber),
        ],
        required: &[],
    }),
]));

pub(super) const HOOK: Shape = Shape::Record(&Record {
    keys: &[
        ("command", COMMAND),
        ("user", Shape::Text),
        ("privileged", Shape::Boolean),
        ("working_dir", Shape::Text),
        ("environment", LIST_OR_DICT),
    ],
    required: &["command"],
});

const ENV_FILE_ENTRY: Shape = Shape::Either(&[
    Shape::Text,
    Shape::Record(&Record {
        keys: &[
            ("path", Shape::Text),
            ("format", Shape::Text),
            ("required", Shape::Boolean),
        ],
        required: &["path"],
    }),
]);

pub(super) const ENV_FILE: Shape = Shape::Either(&[Shape::Text, Shape::List(&ENV_FILE_ENTRY)]);

pub(super) const DEVICE_REQUEST_KEYS: &[(&str, Shape)] = &[
    ("capabilities", STRINGS),
    ("count", Shape::TextOrInteger),
    ("device_ids", STRINGS),
    ("driver", Shape::Text),
    ("options", LIST_OR_DICT),
];
