//! Texts that several documents share.

use crate::pattern;
use crate::schema::{Entry, Schema, TextRule};

use TextRule::{AtLeast, AtMost, Matches};

/// What people call a thing.
pub(super) const LABEL: &Schema =
    &Schema::trimmed(&[AtLeast(1), AtMost(120)]).example(r#""Acme previews""#);

/// The address of an API. Its syntax is checked where it is used, by the URL policy.
pub(super) const URL: &Schema = &Schema::trimmed(&[AtLeast(1), AtMost(2000)])
    .example(r#""https://previews.example.com/api/v1""#);

/// The address of a Kubernetes API server.
pub(super) const API_SERVER_URL: &Schema =
    &Schema::trimmed(&[AtLeast(1), AtMost(2000)]).example(r#""https://127.0.0.1:6443""#);

pub(super) const PROVIDER_ID: &Schema =
    &Schema::text(&[Matches(pattern::PROVIDER_ID), AtLeast(1), AtMost(64)])
        .example(r#""acme-previews""#);

/// The name of a custom manifest type.
pub(crate) const MANIFEST_ID: &Schema =
    &Schema::text(&[Matches(pattern::SLUG), AtLeast(1), AtMost(64)])
        .named(
            "ManifestId",
            &[
                " Manifest id",
                "",
                " The name of a custom manifest type: lower-case letters, digits and “-”.",
            ],
        )
        .example(r#""helm""#);

/// A path of 1 to 500 characters.
pub(super) const REQUIRED_PATH: &Schema = &Schema::trimmed(&[AtLeast(1), AtMost(500)]);

/// A path of at most 500 characters, which may be empty.
pub(super) const OPTIONAL_PATH: &Schema = &Schema::trimmed(&[AtMost(500)]);

/// A name that is not empty, with its white space as it is.
pub(super) const NON_EMPTY: &Schema = &Schema::text(&[AtLeast(1)]);

/// A name that is not empty.
pub(super) const TRIMMED_NON_EMPTY: &Schema = &Schema::trimmed(&[AtLeast(1)]);

pub(super) const PEM: &Schema = &Schema::text(&[]).entered_as(Entry::Pem);

/// How long an environment lives, in milliseconds; at least a minute.
pub(super) const TTL: &Schema = &Schema::number(Some(60_000.0), None)
    .entered_as(Entry::Milliseconds)
    .example("7200000");

/// A TCP port.
pub(super) const PORT: &Schema = &Schema::whole_number(1.0, 65_535.0).example("8080");

/// A dotted path into a JSON answer.
pub(super) const JSON_PATH: &Schema = &Schema::text(&[]).example(r#""data.url""#);
