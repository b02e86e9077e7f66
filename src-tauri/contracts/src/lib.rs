//! The vocabulary of the contract: the words that the seeds' documents, the
//! store, the window and the command line share.

mod environment;
mod provisioning;

pub use environment::{Engine, EnvironmentStatus};
pub use provisioning::{ProvisionType, ServiceProvisioning};
