//! Compose projects on a Docker engine.

mod endpoint;
mod environment;

pub use endpoint::{Endpoint, EndpointSources, Found, known, resolve};
pub use environment::{
    Address, Applied, Docker, EngineInfo, Identity, LogLine, LogOptions, Observation, Part,
    PartHealth, PartState, Plan, PlanInput, PortKey, Removed, Scope, plan, ports_needed,
};
