//! What a compose project means: files found, read with their positions,
//! interpolated, merged, checked and normalised into a [`Project`].
//!
//! Nothing here talks to an engine. Every file is read through [`Files`], so
//! that a caller can overlay folders and tests need no disk.

mod diagnostic;
mod files;
mod load;
mod model;

pub use diagnostic::{Diagnostic, Rule};
pub use files::{DiskFiles, Files};
pub use load::{Loaded, Request, discover, load};
pub use model::{
    Bind, Build, Condition, Dependency, Healthcheck, Mount, MountKind, Network, Port, Probe,
    Project, Restart, Service, ServiceNetwork, Tmpfs, Ulimit, Volume, VolumeOptions,
};
