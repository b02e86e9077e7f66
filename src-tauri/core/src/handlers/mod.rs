//! Who handles what, and whose choice is in effect.

#[cfg(test)]
pub(crate) mod cases;
mod catalogue;
mod compare;
pub(crate) mod content;
mod explain;
mod list;
mod made_with;
mod make;
mod manifest_types;
mod overrides;
mod resolve;
mod save;
mod titles;

pub(crate) use content::address;
pub(crate) use explain::explain;
pub(crate) use made_with::MadeWith;
pub(crate) use resolve::{Row, chosen};
pub use save::NewSecrets;
pub(crate) use save::config_of;

#[cfg(test)]
mod tests;
