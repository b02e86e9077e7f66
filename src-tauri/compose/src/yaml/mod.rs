//! YAML as a tree that remembers where everything stands.

mod node;
mod reader;
mod scalar;
mod tabs;

pub(crate) use node::{Entry, Map, Node, Tag, Value};
pub(crate) use reader::documents;
