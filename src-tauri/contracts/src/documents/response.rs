use crate::declare::{choice, document};
use crate::documents::{EnvironmentStatus, texts};
use crate::schema::{Schema, Starter};

choice! {
    /// Access
    pub enum AccessScheme {
        /// None
        None = "none",
        /// Bearer token
        Bearer = "bearer",
        /// User name and password
        Basic = "basic",
        /// Custom header
        CustomHeader = "custom_header",
    }
}

document! {
    /// Status mapping
    pub struct StatusMapping {
        /// The API says
        ///
        /// Capital and small letters are the same.
        "from" from: String = &Schema::text(&[]).example(r#""RUNNING""#),
        /// Means
        "to" to: EnvironmentStatus,
    }
}

document! {
    /// Access mapping
    ///
    /// Where the answer has the credentials that open the environment.
    pub struct AccessMapping {
        /// Kind
        "scheme" scheme: AccessScheme,
        /// Token at
        ///
        /// Dotted path to the bearer token.
        "tokenPath" token_path?: String =
            &texts::JSON_PATH.when("scheme", &["bearer"]),
        /// User name at
        ///
        /// Dotted path to the user name.
        "usernamePath" username_path?: String =
            &texts::JSON_PATH.when("scheme", &["basic"]),
        /// Password at
        ///
        /// Dotted path to the password.
        "passwordPath" password_path?: String =
            &texts::JSON_PATH.when("scheme", &["basic"]),
        /// Header name
        ///
        /// The header that opens the environment, as it is.
        "headerName" header_name?: String =
            &Schema::text(&[])
                .example(r#""X-Preview-Token""#)
                .when("scheme", &["custom_header"]),
        /// Header value at
        ///
        /// Dotted path to that header's value.
        "headerValuePath" header_value_path?: String =
            &texts::JSON_PATH.when("scheme", &["custom_header"]),
    }
}

document! {
    /// Response mapping
    ///
    /// Where the answers of the API say what Berth wants to know. A path such as data.links.0.href
    /// goes into objects by name and into lists by number.
    pub struct ResponseMapping with starting_with(RESPONSE_MAPPING_STARTERS) {
        /// Address at
        ///
        /// Dotted path to the environment's URL.
        "urlPath" url_path?: String = texts::JSON_PATH,
        /// Status at
        ///
        /// Dotted path to the word that says how far the environment is.
        "statusPath" status_path?: String = &Schema::text(&[]).example(r#""data.state""#),
        /// Status words
        ///
        /// What the API's words mean here; the first that fits counts.
        "statusMap" status_map?: Vec<StatusMapping>,
        /// Expiry at
        ///
        /// Dotted path to the time when the environment ends: a date, or milliseconds since 1970.
        "expiresAtPath" expires_at_path?: String =
            &Schema::text(&[]).example(r#""data.expires_at""#),
        /// Id at
        ///
        /// Dotted path to the environment's id, which later requests name as
        /// {{provision.externalId}}.
        "externalIdPath" external_id_path?: String =
            &Schema::text(&[]).example(r#""data.id""#),
        /// Access
        ///
        /// The credentials that open the environment, when the API hands some out.
        "access" access?: AccessMapping,
    }
}

const RESPONSE_MAPPING_STARTERS: &[Starter] = &[Starter {
    title: "Address, state and id",
    description: "Dotted paths, and what the API's words mean.",
    document: r#"{"urlPath": "url", "statusPath": "state", "statusMap": [{"from": "building", "to": "provisioning"}, {"from": "running", "to": "ready"}, {"from": "error", "to": "failed"}], "externalIdPath": "id"}"#,
}];
