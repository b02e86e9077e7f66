//! The catalogue of custom manifest types: those that come with a backend, and
//! those that a workspace added. Pure.

use std::collections::BTreeMap;

use berth_contracts::documents::{CustomManifestType, ManifestTypeSource};

use crate::store::manifest_types::ManifestType;

/// A manifest type that comes with a backend.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RegisteredType {
    pub(crate) manifest_id: String,
    pub(crate) label: String,
    pub(crate) description: Option<String>,
}

/// Both lists as one, by id. A workspace's type replaces a registered one of the
/// same id.
pub(crate) fn merged(
    registered: &[RegisteredType],
    workspace: &[ManifestType],
) -> Vec<CustomManifestType> {
    let registered = registered.iter().map(|registered| CustomManifestType {
        manifest_id: registered.manifest_id.clone(),
        label: registered.label.clone(),
        source: ManifestTypeSource::Registered,
        accepts_input_hint: None,
        description: said(registered.description.as_deref()),
    });
    let workspace = workspace.iter().map(|added| CustomManifestType {
        manifest_id: added.manifest_id.clone(),
        label: added.content.label.clone(),
        source: ManifestTypeSource::Workspace,
        accepts_input_hint: said(added.content.accepts_input_hint.as_deref()),
        description: said(added.content.description.as_deref()),
    });
    let by_id: BTreeMap<String, CustomManifestType> = registered
        .chain(workspace)
        .map(|one| (one.manifest_id.clone(), one))
        .collect();
    by_id.into_values().collect()
}

fn said(text: Option<&str>) -> Option<String> {
    text.filter(|text| !text.is_empty()).map(str::to_owned)
}
