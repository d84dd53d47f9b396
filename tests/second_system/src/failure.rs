//! How things fail: with an exit status and one line.

use std::io;
use std::path::{Path, PathBuf};

pub const USAGE: i32 = 64;
pub const BAD: i32 = 65;
pub const UNAVAILABLE: i32 = 69;
pub const BUSY: i32 = 75;

pub struct Failure {
    pub status: i32,
    pub why: String,
}

pub type Outcome<T> = Result<T, Failure>;

pub fn failed<T>(status: i32, why: impl Into<String>) -> Outcome<T> {
    Err(Failure { status, why: why.into() })
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure { status: UNAVAILABLE, why: format!("{}.", error) }
    }
}

/// Names the file or folder of an error.
pub trait At<T> {
    fn at(self, path: &Path) -> Outcome<T>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Outcome<T> {
        self.or_else(|error| failed(UNAVAILABLE, format!("{}: {}.", path.display(), error)))
    }
}

/// A path that the environment must name.
pub fn needed(variable: &str) -> Outcome<PathBuf> {
    match std::env::var_os(variable) {
        Some(value) if !value.is_empty() => Ok(PathBuf::from(value)),
        _ => failed(USAGE, format!("{} is not set.", variable)),
    }
}
