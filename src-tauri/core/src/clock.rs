use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

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

    fn sleep_until(&self, at: i64) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            while self.now() < at {
                #[cfg(target_os = "linux")]
                match crate::platform::sleep_until(at).await {
                    Ok(()) => continue,
                    Err(error) => {
                        tracing::warn!(%error, "no wall-clock timer; looking each minute")
                    }
                }
                tokio::time::sleep(self.nap(at)).await;
            }
        })
    }
}

impl SystemClock {
    /// How long to sleep on a timer that stands still in suspend and does not
    /// see the clock being set: never long.
    fn nap(self, at: i64) -> Duration {
        let left = u64::try_from(at.saturating_sub(self.now())).unwrap_or(0);
        Duration::from_millis(left.clamp(1, 60_000))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(20);

    #[tokio::test]
    async fn it_wakes_when_the_wall_clock_gets_there() {
        let clock = SystemClock;
        let begun = Instant::now();
        let at = clock.now() + 150;
        tokio::time::timeout(LIMIT, clock.sleep_until(at))
            .await
            .unwrap();
        assert!(clock.now() >= at);
        assert!(begun.elapsed() >= Duration::from_millis(149));
    }

    #[tokio::test]
    async fn what_is_past_is_not_waited_for() {
        let clock = SystemClock;
        for at in [i64::MIN, -1, 0, clock.now() - 1] {
            tokio::time::timeout(LIMIT, clock.sleep_until(at))
                .await
                .unwrap();
        }
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn the_kernel_timer_fires_at_an_absolute_time() {
        let at = SystemClock.now() + 100;
        tokio::time::timeout(LIMIT, crate::platform::sleep_until(at))
            .await
            .unwrap()
            .unwrap();
        assert!(SystemClock.now() >= at);
    }

    #[tokio::test]
    async fn a_sleep_can_be_given_up() {
        let clock = SystemClock;
        let far = clock.sleep_until(clock.now() + 1_000_000_000);
        assert!(
            tokio::time::timeout(Duration::from_millis(20), far)
                .await
                .is_err()
        );
    }

    #[test]
    fn a_nap_is_bounded() {
        let clock = SystemClock;
        assert_eq!(clock.nap(i64::MAX), Duration::from_secs(60));
        assert_eq!(clock.nap(0), Duration::from_millis(1));
    }
}
