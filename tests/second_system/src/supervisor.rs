//! The process that was started: runs the screen in a child, passes signals on, repairs the terminal after a kill.

use crate::failure::{failed, Outcome, USAGE};
use crate::screen::restore;
use nix::sys::signal::{kill, Signal};
use nix::sys::termios::{tcgetattr, tcsetattr, SetArg};
use nix::unistd::Pid;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;
use std::thread;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(2);

pub fn run() -> Outcome<i32> {
    let before = tcgetattr(0).or_else(|_| failed(USAGE, "standard input is no terminal."))?;
    // Caught before the child is there, so that none falls between.
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1])?;
    let mut child = Command::new(std::env::current_exe()?).arg("screen").spawn()?;
    let pid = Pid::from_raw(child.id() as i32);
    thread::spawn(move || {
        for number in signals.forever() {
            let _ = kill(pid, Signal::try_from(number).ok());
            if number != SIGUSR1 {
                thread::spawn(move || {
                    thread::sleep(PATIENCE);
                    kill(pid, Signal::SIGKILL)
                });
            }
        }
    });
    let ended = child.wait()?;
    if let Some(number) = ended.signal() {
        restore();
        let _ = tcsetattr(0, SetArg::TCSANOW, &before);
        return Ok(128 + number);
    }
    Ok(ended.code().unwrap_or(1))
}
