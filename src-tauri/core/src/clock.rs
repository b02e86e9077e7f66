use std::future::Future;
use std::pin::Pin;

/// Wall-clock time, passed in wherever a decision depends on it.
pub trait Clock: Send + Sync {
    /// Milliseconds since the epoch.
    fn now(&self) -> i64;

    /// Resolves once [`Clock::now`] has reached `at`, also when the machine was
    /// suspended or the clock was set meanwhile.
    fn sleep_until(&self, at: i64) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// The machine's own clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> i64 {
        std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .ok()
            .and_then(|elapsed| i64::try_from(elapsed.as_millis()).ok())
            .unwrap_or(0)
    }

    fn sleep_until(&self, _at: i64) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(std::future::pending())
    }
}
