//! The keychain that comes with the system. Only the Secret Service is tested; the
//! others are kept compilable.

#[cfg(target_os = "macos")]
#[path = "keychain/macos.rs"]
mod system;
#[cfg(all(unix, not(target_os = "macos")))]
#[path = "keychain/secret_service.rs"]
mod system;
#[cfg(windows)]
#[path = "keychain/windows.rs"]
mod system;

pub(crate) use system::{LARGEST_VALUE, PRODUCT, failure, open, ready};
