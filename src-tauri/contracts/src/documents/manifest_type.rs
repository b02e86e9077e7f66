use crate::declare::{choice, document};
use crate::documents::texts;
use crate::schema::{Entry, Schema, Starter, TextRule};

pub(super) const INPUT_HINT: &Schema =
    &Schema::text(&[TextRule::AtMost(500)]).example(r#""A values file for our Helm chart""#);
pub(super) const DESCRIPTION: &Schema =
    &Schema::text(&[TextRule::AtMost(2000)]).entered_as(Entry::Long);

choice! {
    /// Source
    pub enum ManifestTypeSource {
        /// Registered
        ///
        /// Comes with a backend.
        Registered = "registered",
        /// Workspace
        ///
        /// Was added in this workspace.
        Workspace = "workspace",
    }
}

document! {
    /// Custom manifest type
    ///
    /// A kind of manifest that services name and handlers accept.
    pub struct CustomManifestType with starting_with(CUSTOM_MANIFEST_TYPE_STARTERS) {
        /// Manifest id
        ///
        /// The name that services and handlers meet through.
        "manifestId" manifest_id: String = texts::MANIFEST_ID,
        /// Label
        ///
        /// What people see.
        "label" label: String = &texts::LABEL.example(r#""Helm chart""#),
        /// Source
        ///
        /// Where the type comes from.
        "source" source: ManifestTypeSource,
        /// Input hint
        ///
        /// What a service's manifest of this type should hold.
        "acceptsInputHint" accepts_input_hint?: String = INPUT_HINT,
        /// Description
        "description" description?: String = DESCRIPTION,
    }
}

document! {
    /// Custom manifest type, new or changed
    ///
    /// What can be said of a manifest type of this workspace; its id stands beside it.
    pub struct UpsertCustomManifestType with starting_with(STARTERS) {
        /// Label
        ///
        /// What people see.
        "label" label: String = &texts::LABEL.example(r#""Helm chart""#),
        /// Input hint
        ///
        /// What a service's manifest of this type should hold.
        "acceptsInputHint" accepts_input_hint?: String = INPUT_HINT,
        /// Description
        "description" description?: String = DESCRIPTION,
    }
}

const STARTERS: &[Starter] = &[Starter {
    title: "A Helm chart",
    description: "Services bring a values file.",
    document: r#"{ "label": "Helm chart", "acceptsInputHint": "A values file for our chart" }"#,
}];

const CUSTOM_MANIFEST_TYPE_STARTERS: &[Starter] = &[Starter {
    title: "A Helm chart",
    description: "Added in this workspace.",
    document: r#"{"manifestId": "helm", "label": "Helm chart", "source": "workspace", "acceptsInputHint": "A values file for our chart"}"#,
}];
