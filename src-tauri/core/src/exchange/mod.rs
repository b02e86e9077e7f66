//! A workspace as one file that a team keeps in its repository: services, workspace
//! handlers, custom manifest types; of secrets the names, of folders the way from
//! the file to them.

mod diff;
mod draft;
mod export;
mod file;
mod import;
mod literals;
mod plan;
mod portable;

#[cfg(test)]
mod tests;
