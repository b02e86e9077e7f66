use crate::declare::{document, union};
use crate::pattern;
use crate::schema::{Entry, Schema, Starter, TextRule};

pub(super) const SECRET_KEY: &Schema = &Schema::text(&[
    TextRule::Matches(pattern::SECRET_KEY),
    TextRule::AtLeast(1),
    TextRule::AtMost(64),
])
.example(r#""API_TOKEN""#);

const HEADER_NAME: &Schema = &Schema::text(&[TextRule::AtLeast(1)]).example(r#""X-Api-Key""#);

document! {
    /// Secret
    ///
    /// Names a secret value. The value itself is kept apart from the document.
    pub struct SecretRef with entered_as(Entry::SecretReference) with starting_with(SECRET_REF_STARTERS) {
        /// Key
        ///
        /// The name that the value is kept under.
        "key" key: String = SECRET_KEY,
    }
}

document! {
    /// No authentication
    pub struct NoAuth {}
}

document! {
    /// API key
    pub struct ApiKeyAuth {
        /// Header
        ///
        /// The request header that carries the key.
        "headerName" header_name: String = HEADER_NAME,
        /// Key
        ///
        /// The secret that is sent.
        "secretRef" secret_ref: SecretRef,
        /// Prefix
        ///
        /// Put before the key as it is, for example “Token ” with the space at its end.
        "valuePrefix" value_prefix?: String = &Schema::text(&[]).example(r#""Token ""#),
    }
}

document! {
    /// Bearer token
    pub struct BearerAuth {
        /// Token
        ///
        /// The secret that is sent as “Authorization: Bearer …”.
        "secretRef" secret_ref: SecretRef,
    }
}

document! {
    /// User name and password
    pub struct BasicAuth {
        /// User name
        "usernameSecretRef" username_secret_ref: SecretRef,
        /// Password
        "passwordSecretRef" password_secret_ref: SecretRef,
    }
}

document! {
    /// OAuth 2 client credentials
    pub struct OAuth2Auth {
        /// Token URL
        ///
        /// Where an access token is asked for.
        "tokenUrl" token_url: String =
            &Schema::trimmed(&[TextRule::AtLeast(1), TextRule::AtMost(2000)])
                .example(r#""https://login.example.com/oauth2/token""#),
        /// Client id
        "clientIdSecretRef" client_id_secret_ref: SecretRef,
        /// Client secret
        "clientSecretSecretRef" client_secret_secret_ref: SecretRef,
        /// Scope
        ///
        /// Sent with the request for a token when it is not empty.
        "scope" scope?: String = &Schema::text(&[]).example(r#""previews:write""#),
        /// Audience
        ///
        /// Sent with the request for a token when it is not empty.
        "audience" audience?: String,
    }
}

document! {
    /// Header
    pub struct SecretHeader {
        /// Name
        "name" name: String = HEADER_NAME,
        /// Value
        ///
        /// The secret that is sent as the header's value.
        "secretRef" secret_ref: SecretRef,
    }
}

document! {
    /// Custom headers
    pub struct CustomHeadersAuth {
        /// Headers
        ///
        /// Each is sent with every request.
        "headers" headers: Vec<SecretHeader>,
    }
}

union! {
    /// Authentication
    ///
    /// How requests show who they are from.
    pub enum AuthScheme by "type" with starting_with(AUTH_SCHEME_STARTERS) {
        /// None
        ///
        /// Requests carry no credentials.
        "none" None(NoAuth),
        /// API key
        ///
        /// A key in a header of your choice.
        "api_key" ApiKey(ApiKeyAuth),
        /// Bearer token
        ///
        /// A token as “Authorization: Bearer …”.
        "bearer" Bearer(BearerAuth),
        /// User name and password
        ///
        /// HTTP basic authentication.
        "basic" Basic(BasicAuth),
        /// OAuth 2 client credentials
        ///
        /// An access token is fetched with a client id and secret, and renewed when it ends.
        "oauth2_client_credentials" OAuth2ClientCredentials(OAuth2Auth),
        /// Custom headers
        ///
        /// Any number of headers with secret values.
        "custom_headers" CustomHeaders(CustomHeadersAuth),
    }
}

impl AuthScheme {
    /// The keys of the secrets that requests need, in the order of the document.
    #[must_use]
    pub fn secret_keys(&self) -> Vec<&str> {
        match self {
            Self::None(_) => vec![],
            Self::ApiKey(ApiKeyAuth { secret_ref, .. })
            | Self::Bearer(BearerAuth { secret_ref }) => {
                vec![&secret_ref.key]
            }
            Self::Basic(basic) => {
                vec![
                    &basic.username_secret_ref.key,
                    &basic.password_secret_ref.key,
                ]
            }
            Self::OAuth2ClientCredentials(oauth2) => vec![
                &oauth2.client_id_secret_ref.key,
                &oauth2.client_secret_secret_ref.key,
            ],
            Self::CustomHeaders(custom) => custom
                .headers
                .iter()
                .map(|header| header.secret_ref.key.as_str())
                .collect(),
        }
    }
}

const SECRET_REF_STARTERS: &[Starter] = &[Starter {
    title: "A token",
    description: "The name of a token.",
    document: r#"{"key": "API_TOKEN"}"#,
}];

const AUTH_SCHEME_STARTERS: &[Starter] = &[
    Starter {
        title: "Bearer token",
        description: "A token as “Authorization: Bearer …”.",
        document: r#"{"type": "bearer", "secretRef": {"key": "API_TOKEN"}}"#,
    },
    Starter {
        title: "API key",
        description: "A key in a header.",
        document: r#"{"type": "api_key", "headerName": "X-Api-Key", "secretRef": {"key": "API_KEY"}}"#,
    },
    Starter {
        title: "User name and password",
        description: "HTTP basic authentication.",
        document: r#"{"type": "basic", "usernameSecretRef": {"key": "USER"}, "passwordSecretRef": {"key": "PASSWORD"}}"#,
    },
    Starter {
        title: "OAuth 2 client credentials",
        description: "An access token that is fetched.",
        document: r#"{"type": "oauth2_client_credentials", "tokenUrl": "https://login.example.com/oauth2/token", "clientIdSecretRef": {"key": "CLIENT_ID"}, "clientSecretSecretRef": {"key": "CLIENT_SECRET"}}"#,
    },
    Starter {
        title: "Custom headers",
        description: "Two headers with secret values.",
        document: r#"{"type": "custom_headers", "headers": [{"name": "X-Team", "secretRef": {"key": "TEAM"}}, {"name": "X-Api-Key", "secretRef": {"key": "API_KEY"}}]}"#,
    },
];
