//! What the page may ask for, one file per family. Each command waits for Berth
//! to be open, calls it and returns; failures travel as
//! [`berth_core::Problem`].

pub(crate) mod activity;
pub(crate) mod documents;
pub(crate) mod engine;
pub(crate) mod environments;
pub(crate) mod exchange;
pub(crate) mod following;
pub(crate) mod handlers;
pub(crate) mod outside;
pub(crate) mod secret_store;
pub(crate) mod services;
pub(crate) mod settings;
