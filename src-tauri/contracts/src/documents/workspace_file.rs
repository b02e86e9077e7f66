use crate::declare::{document, union};
use crate::documents::{
    HandlerConfig, ProvisionType, ServiceProvisioning, auth, manifest_type, texts,
};
use crate::pattern;
use crate::schema::{Schema, Shape, TextRule};

use TextRule::{AtLeast, AtMost, Matches};

const SECRET_KEYS: &Schema = &Schema::of(Shape::Array(auth::SECRET_KEY));

const SERVICE_NAME: &Schema =
    &Schema::text(&[Matches(pattern::SERVICE_NAME), AtLeast(1), AtMost(40)]).example(r#""shop""#);

document! {
    /// Workspace file
    ///
    /// The services, handlers and custom manifest types of a workspace, for a team to keep in its
    /// repository. It names secrets and never holds their values.
    pub struct WorkspaceFile {
        /// Format
        ///
        /// The version of this format.
        "berth" format: f64 = &Schema::whole_number(1.0, 1.0).example("1"),
        /// Custom manifest types
        "manifestTypes" manifest_types?: Vec<WorkspaceManifestType>,
        /// Handlers
        "handlers" handlers?: Vec<WorkspaceHandler>,
        /// Services
        "services" services?: Vec<WorkspaceService>,
    }
}

document! {
    /// Custom manifest type
    ///
    /// A kind of manifest that services name and handlers accept.
    pub struct WorkspaceManifestType {
        /// Manifest id
        ///
        /// The name that services and handlers meet through.
        "manifestId" manifest_id: String = texts::MANIFEST_ID,
        /// Label
        ///
        /// What people see.
        "label" label: String = texts::LABEL,
        /// Input hint
        ///
        /// What a service's manifest of this type should hold.
        "acceptsInputHint" accepts_input_hint?: String = manifest_type::INPUT_HINT,
        /// Description
        "description" description?: String = manifest_type::DESCRIPTION,
    }
}

document! {
    /// Handler
    ///
    /// A handler of the workspace.
    pub struct WorkspaceHandler {
        /// Provision type
        ///
        /// The services it takes.
        "provisionType" provision_type: ProvisionType,
        /// Manifest type
        ///
        /// Of custom services, those of this manifest type.
        "manifestId" manifest_id?: String = texts::MANIFEST_ID,
        /// Document
        "config" config: HandlerConfig,
        /// Secrets
        ///
        /// The names of its secrets. Those that its document refers to need not be listed.
        "secrets" secrets?: Vec<String> = SECRET_KEYS,
    }
}

document! {
    /// Service
    pub struct WorkspaceService {
        /// Name
        "name" name: String = SERVICE_NAME,
        /// Source
        ///
        /// Where its files are.
        "source" source: WorkspaceSource,
        /// Provisioning
        ///
        /// What its environments are made of.
        "provisioning" provisioning: ServiceProvisioning,
    }
}

document! {
    /// A folder
    pub struct WorkspaceFolder {
        /// Path
        ///
        /// From the folder of the workspace file, with “/” between its parts.
        "path" path: String = &Schema::text(&[AtLeast(1), AtMost(1000)]).example(r#""services/shop""#),
    }
}

document! {
    /// A git repository
    pub struct WorkspaceRepository {
        /// Address
        ///
        /// Without user name and password.
        "url" url: String = texts::URL,
        /// Folder
        ///
        /// In the repository; its top folder when empty.
        "subdirectory" subdirectory?: String = texts::OPTIONAL_PATH,
    }
}

union! {
    /// Source
    ///
    /// Where the files of a service are.
    pub enum WorkspaceSource by "type" {
        /// A folder
        ///
        /// Near the workspace file: in the same repository, or beside it.
        "folder" Folder(WorkspaceFolder),
        /// A git repository
        ///
        /// Each environment has its own checkout.
        "git" Git(WorkspaceRepository),
    }
}
