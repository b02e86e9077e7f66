use std::collections::BTreeMap;

use crate::declare::{choice, document};
use crate::documents::texts;
use crate::schema::Schema;

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
    pub struct ValidateRepository {
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
    pub struct BootstrapRepository {
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
