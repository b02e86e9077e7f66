use crate::declare::{choice, document};
use crate::documents::texts;
use crate::schema::{Entry, Schema, Starter, TextRule};
use crate::template;

choice! {
    /// Method
    pub enum HttpMethod {
        /// GET
        Get = "GET",
        /// POST
        Post = "POST",
        /// PUT
        Put = "PUT",
        /// PATCH
        Patch = "PATCH",
        /// DELETE
        Delete = "DELETE",
    }
}

document! {
    /// Query parameter
    pub struct QueryParameter {
        /// Name
        "key" key: String = &Schema::text(&[]).example(r#""wait""#),
        /// Value
        "value" value: String = &Schema::text(&[]).entered_as(Entry::Template),
    }
}

document! {
    /// Header
    pub struct RequestHeader {
        /// Name
        "name" name: String = texts::NON_EMPTY,
        /// Value
        "value" value: String = &Schema::text(&[]).entered_as(Entry::Template),
    }
}

document! {
    /// Request
    ///
    /// One HTTP request; placeholders such as {{input.branch}} are filled in for every call.
    pub struct RequestTemplate with in_scope(&template::REQUEST) with starting_with(REQUEST_TEMPLATE_STARTERS) {
        /// Method
        "method" method: HttpMethod,
        /// Path
        ///
        /// Appended to the base URL; empty for the base URL itself.
        "pathTemplate" path_template: String =
            &Schema::text(&[TextRule::AtMost(2000)])
                .entered_as(Entry::Template)
                .example(r#""/environments""#),
        /// Query
        ///
        /// Appended to the path, encoded for a URL.
        "query" query?: Vec<QueryParameter>,
        /// Headers
        ///
        /// Sent with those of the authentication.
        "headers" headers?: Vec<RequestHeader>,
        /// Body
        ///
        /// Sent as JSON unless a content-type header says otherwise; never with GET.
        "bodyTemplate" body_template?: String =
            &Schema::text(&[]).entered_as(Entry::LongTemplate),
        /// Timeout
        ///
        /// The call is given up after this time, at most a minute.
        "timeoutMs" timeout_ms?: f64 =
            &Schema::number(Some(1.0), Some(60_000.0))
                .entered_as(Entry::Milliseconds)
                .example("15000"),
    }
}

const REQUEST_TEMPLATE_STARTERS: &[Starter] = &[
    Starter {
        title: "Create an environment",
        description: "POST with a JSON body.",
        document: r#"{"method": "POST", "pathTemplate": "/environments", "bodyTemplate": "{\"branch\":\"{{input.branch}}\"}"}"#,
    },
    Starter {
        title: "Ask for an environment",
        description: "GET by its id.",
        document: r#"{"method": "GET", "pathTemplate": "/environments/{{provision.externalId}}"}"#,
    },
];
