use std::collections::BTreeMap;

use crate::declare::{choice, document};
use crate::documents::texts;
use crate::schema::{Schema, Starter};

choice! {
    /// Host
    pub enum GitProvider {
        /// GitHub
        Github = "github",
        /// GitLab
        Gitlab = "gitlab",
    }
}

const OWNER: &Schema = &texts::NON_EMPTY.example(r#""acme""#);
const REPOSITORY: &Schema = &texts::NON_EMPTY.example(r#""web""#);
const REF: &Schema = &texts::NON_EMPTY.example(r#""main""#);

document! {
    /// Check a repository
    ///
    /// Whether a repository has what a provider needs.
    pub struct ValidateRepository with starting_with(VALIDATE_REPOSITORY_STARTERS) {
        /// Owner
        "owner" owner: String = OWNER,
        /// Repository
        "repo" repo: String = REPOSITORY,
        /// Ref
        ///
        /// Branch, tag or commit; the default branch when empty.
        "gitRef" git_ref?: String = REF,
        /// Host
        "provider" provider?: GitProvider,
    }
}

document! {
    /// Prepare a repository
    ///
    /// Writes into a repository what a provider needs there.
    pub struct BootstrapRepository with starting_with(BOOTSTRAP_REPOSITORY_STARTERS) {
        /// Owner
        "owner" owner: String = OWNER,
        /// Repository
        "repo" repo: String = REPOSITORY,
        /// Ref
        ///
        /// Branch, tag or commit; the default branch when empty.
        "gitRef" git_ref?: String = REF,
        /// Host
        "provider" provider?: GitProvider,
        /// Inputs
        ///
        /// What the provider asked for.
        "inputs" inputs: BTreeMap<String, String>,
        /// Open a pull request
        "openPr" open_pr?: bool,
        /// Allow an agent
        ///
        /// Lets an agent try when the provider's own way fails.
        "allowAgentFallback" allow_agent_fallback?: bool,
    }
}

const VALIDATE_REPOSITORY_STARTERS: &[Starter] = &[Starter {
    title: "A repository on GitHub",
    description: "At its main branch.",
    document: r#"{"owner": "acme", "repo": "web", "gitRef": "main", "provider": "github"}"#,
}];

const BOOTSTRAP_REPOSITORY_STARTERS: &[Starter] = &[Starter {
    title: "A repository on GitHub",
    description: "By a pull request.",
    document: r#"{"owner": "acme", "repo": "web", "provider": "github", "inputs": {}, "openPr": true}"#,
}];
