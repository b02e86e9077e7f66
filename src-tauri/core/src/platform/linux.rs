use std::os::fd::OwnedFd;

use rustix::io::Errno;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
    timerfd_settime,
};
use tokio::io::unix::AsyncFd;

/// Waits for a moment of the wall clock, in milliseconds since the epoch. The
/// kernel counts suspended time, and ends the wait early (without an error) when
/// the clock is set: ask the clock again afterwards.
///
/// # Errors
/// When no timer is to be had (too many open files).
pub(crate) async fn sleep_until(at: i64) -> std::io::Result<()> {
    let timer = timerfd_create(
        TimerfdClockId::Realtime,
        TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK,
    )?;
    timerfd_settime(
        &timer,
        TimerfdTimerFlags::ABSTIME | TimerfdTimerFlags::CANCEL_ON_SET,
        &Itimerspec {
            it_interval: Timespec {
                tv_sec: 0,
                tv_nsec: 0,
            },
            it_value: moment(at),
        },
    )?;
    // Deprecated for types that may answer with another descriptor each time; its
    // replacement makes the caller promise that with `unsafe`. An `OwnedFd` is one
    // descriptor for good.
    #[allow(deprecated)]
    let timer = AsyncFd::new(timer)?;
    wait(&timer).await
}

/// An absolute time; never zero, which would disarm the timer.
fn moment(at: i64) -> Timespec {
    let at = at.max(1);
    Timespec {
        tv_sec: at / 1000,
        tv_nsec: (at % 1000) * 1_000_000,
    }
}

async fn wait(timer: &AsyncFd<OwnedFd>) -> std::io::Result<()> {
    loop {
        let mut ready = timer.readable().await?;
        let mut expirations = [0_u8; 8];
        match rustix::io::read(timer, &mut expirations) {
            Ok(_) | Err(Errno::CANCELED) => return Ok(()),
            Err(Errno::AGAIN | Errno::INTR) => ready.clear_ready(),
            Err(error) => return Err(error.into()),
        }
    }
}
