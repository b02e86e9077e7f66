//! What a compose project means: files found, read with their positions,
//! interpolated, merged, checked and normalised into a [`Project`].
//!
//! Nothing here talks to an engine. Every file is read through [`Files`], so
//! that a caller can overlay folders and tests need no disk.
//!
//! The way of a project, in the order of the modules that do it: `yaml` (text to a
//! tree that knows its places), `sources` with `interpolate` (variables), `extends`,
//! `include` and `merge` (file over file), `schema` (keys and types of the specification), then one module for each
//! section that turns the tree into the types of `model`. A key that no section
//! takes is refused, never ignored (`fields`).

mod anchor;
mod build;
mod bytes;
mod cycle;
mod depends_on;
mod deploy;
mod diagnostic;
mod dockerfile;
mod dotenv;
mod durations;
mod environment;
mod extends;
mod fields;
mod files;
mod grants;
mod healthcheck;
mod hosts;
mod include;
mod interpolate;
mod load;
mod merge;
mod model;
mod mounts;
mod names;
mod networks;
mod paths;
mod place;
mod ports;
mod profiles;
mod project;
mod reading;
mod scalars;
mod schema;
mod service;
mod shell_words;
mod sources;
mod unique;
mod volumes;
mod yaml;

pub use diagnostic::{Diagnostic, Rule};
pub use files::{DiskFiles, Files};
pub use load::{Loaded, Request, discover, load};
pub use model::{
    Bind, Build, Condition, Dependency, Healthcheck, Mount, MountKind, Network, Port, Probe,
    Project, Restart, Service, ServiceNetwork, Tmpfs, Ulimit, Volume, VolumeOptions,
};
