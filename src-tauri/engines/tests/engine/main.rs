//! Environments on a real Docker engine. Each test has its own daemon or shares
//! one through separate environments.

mod lifecycle;
mod support;
