//! A second search system under the image contract (images/README.md), drawn with crossterm.

mod catalogue;
mod engine;
mod failure;
mod release;
mod screen;
mod shown;
mod store;
mod supervisor;

use failure::failed;

const WORDS: &str = "usage: second engine | tui | release build DIR | publish DIR | rollback | current";

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let ended = match words.as_slice() {
        ["engine"] => engine::run(),
        ["tui"] => supervisor::run(),
        ["screen"] => screen::run(),
        ["release", command @ ..] => release::run(command),
        _ => failed(failure::USAGE, WORDS),
    };
    std::process::exit(ended.unwrap_or_else(|failure| {
        eprintln!("second: {}", failure.why);
        failure.status
    }));
}
