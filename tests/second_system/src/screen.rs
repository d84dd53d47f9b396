//! The terminal UI, drawn with crossterm: interface list-80x24-v1.

use crate::failure::{failed, Outcome, UNAVAILABLE};
use crate::shown::Shower;
use crossterm::cursor::{position, MoveTo, Show};
use crossterm::event::{poll, read, DisableBracketedPaste, EnableBracketedPaste, Event, KeyCode, KeyModifiers};
use crossterm::style::{Print, ResetColor};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode, Clear, ClearType};
use crossterm::terminal::{DisableLineWrap, EnableLineWrap, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{execute, queue};
use nix::libc;
use nix::time::{clock_gettime, ClockId};
use serde_json::{json, Value};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1};
use signal_hook::iterator::Signals;
use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::time::{Duration, Instant};
use std::{env, panic, process, thread};

const NO_TIME: Duration = Duration::from_secs(0);
const GLANCE: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_secs(10);

pub fn run() -> Outcome<i32> {
    end_with_parent();
    watch_signals()?;
    panic::set_hook(Box::new(|fault| {
        let _frame = io::stdout().lock();
        leave();
        eprintln!("second: the screen failed inside: {}", fault.to_string().replace('\n', " "));
        process::exit(1);
    }));
    let ended = Ui::open().and_then(|mut ui| ui.run());
    leave();
    ended
}

/// Puts back all that a UI of this system may have changed, but for the line discipline.
pub fn restore() {
    // A sequence that was cut off is cancelled first.
    let cut = Print("\x18\x1b\\\x1b[?2026l");
    let _ = execute!(
        io::stdout(),
        cut,
        ResetColor,
        DisableBracketedPaste,
        EnableLineWrap,
        LeaveAlternateScreen,
        EnableLineWrap,
        Show
    );
}

fn leave() {
    restore();
    let _ = disable_raw_mode();
}

/// Asks for a SIGTERM when the parent, who would repair the terminal, ends first.
fn end_with_parent() {
    // SAFETY: this option of prctl takes one number and touches no memory.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM) };
}

/// Signals end the program from a thread of their own, between two frames.
fn watch_signals() -> io::Result<()> {
    let mut signals = Signals::new([SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1])?;
    thread::spawn(move || {
        for number in signals.forever() {
            assert_ne!(number, SIGUSR1, "SIGUSR1 asked for a fault");
            let _frame = io::stdout().lock();
            leave();
            process::exit(128 + number);
        }
    });
    Ok(())
}

/// What became of a key.
enum Step {
    Nothing,
    Typed,
    Searched,
    Quit(i32),
}

/// Why there is no reply.
enum Stop {
    Quit,
    Lost(String),
}

impl Stop {
    fn lost(why: impl ToString) -> Stop {
        Stop::Lost(why.to_string())
    }
}

struct Ui {
    shower: Shower,
    engine: Option<BufReader<UnixStream>>,
    events: Option<UnixDatagram>,
    waiting: VecDeque<Event>,
    submit: u64,
    frame: u64,
    text: String,
    items: Vec<Value>,
    status: String,
}

impl Ui {
    fn open() -> Outcome<Ui> {
        enable_raw_mode()?;
        execute!(io::stdout(), EnterAlternateScreen, DisableLineWrap, EnableBracketedPaste, MoveTo(4, 2))?;
        // A terminal that answers nothing is taken as it is.
        if matches!(position(), Ok(at) if at != (4, 2)) {
            return failed(UNAVAILABLE, "the terminal does not put its cursor where it is told to.");
        }
        let mut ui = Ui {
            shower: Shower::new(),
            engine: None,
            events: env::var_os("MAMBO_EVENTS").and_then(|path| {
                let socket = UnixDatagram::unbound().ok()?;
                socket.connect(path).ok()?;
                Some(socket)
            }),
            waiting: VecDeque::new(),
            submit: 1,
            frame: 0,
            text: String::new(),
            items: Vec::new(),
            status: String::new(),
        };
        let _ = ui.connect();
        ui.draw("typing")?;
        Ok(ui)
    }

    /// Takes keys until one ends the session; its exit status.
    fn run(&mut self) -> Outcome<i32> {
        loop {
            let mut last = Step::Nothing;
            // All keys of one write get one frame.
            loop {
                let event = self.waiting.pop_front().map_or_else(read, Ok)?;
                match self.take(event)? {
                    Step::Quit(status) => return Ok(status),
                    Step::Nothing => {}
                    step => last = step,
                }
                if self.waiting.is_empty() && !poll(NO_TIME)? {
                    break;
                }
            }
            if let Step::Typed = last {
                self.draw("typing")?;
            }
        }
    }

    fn take(&mut self, event: Event) -> Outcome<Step> {
        match event {
            Event::Paste(text) => self.text.push_str(&text),
            Event::Key(key) => match (key.code, key.modifiers.contains(KeyModifiers::CONTROL)) {
                (KeyCode::Char('c'), true) => return Ok(Step::Quit(128 + SIGINT)),
                (KeyCode::Char('d'), true) if self.text.is_empty() => return Ok(Step::Quit(0)),
                (KeyCode::Char('u'), true) => self.text.clear(),
                (KeyCode::Char(c), false) => self.text.push(c),
                (KeyCode::Backspace, _) => drop(self.text.pop()),
                (KeyCode::Enter, _) if !self.text.trim().is_empty() => return self.search(),
                _ => {}
            },
            _ => return Ok(Step::Nothing),
        }
        Ok(Step::Typed)
    }

    fn search(&mut self) -> Outcome<Step> {
        self.tell("accept");
        let request = json!({"op": "search", "id": self.submit, "text": self.text, "limit": 10});
        let asked = self.connect().and_then(|()| self.ask(&request));
        let outcome = match asked {
            Ok(reply) => self.results(&reply),
            Err(Stop::Quit) => return Ok(Step::Quit(128 + SIGINT)),
            Err(Stop::Lost(why)) => {
                self.engine = None;
                self.items.clear();
                format!("error: {}", why)
            }
        };
        self.status = format!("#{} {}", self.submit, outcome);
        self.draw("done")?;
        self.tell("drawn");
        self.submit += 1;
        Ok(Step::Searched)
    }

    /// Keeps the list of a reply; the words for it.
    fn results(&mut self, reply: &Value) -> String {
        self.items = reply["items"].as_array().cloned().unwrap_or_default();
        match (reply["error"].as_str(), self.items.len()) {
            (Some(error), _) => format!("error: {}", error),
            (None, 0) => "no results".into(),
            (None, 1) => "1 result".into(),
            (None, count) => format!("{} results", count),
        }
    }

    /// Makes the connection and says hello, unless it stands already.
    fn connect(&mut self) -> Result<(), Stop> {
        if self.engine.is_none() {
            let path = env::var_os("MAMBO_SOCKET").unwrap_or_default();
            let stream = UnixStream::connect(path).map_err(Stop::lost)?;
            stream.set_read_timeout(Some(GLANCE)).map_err(Stop::lost)?;
            self.engine = Some(BufReader::new(stream));
            self.ask(&json!({"op": "hello", "id": 0, "protocol": "search-v1"}))?;
        }
        Ok(())
    }

    /// The reply to one request; keys that come in between are kept for later, but for Ctrl-C.
    fn ask(&mut self, request: &Value) -> Result<Value, Stop> {
        let Ui { engine, waiting, .. } = self;
        let engine = engine.as_mut().ok_or_else(|| Stop::lost("the engine is gone"))?;
        engine.get_mut().write_all(format!("{}\n", request).as_bytes()).map_err(Stop::lost)?;
        let (mut line, started) = (Vec::new(), Instant::now());
        loop {
            match engine.read_until(b'\n', &mut line) {
                Ok(0) => return Err(Stop::lost("the engine is gone")),
                Ok(_) => return serde_json::from_slice(&line).map_err(Stop::lost),
                Err(error) if error.kind() == ErrorKind::WouldBlock && started.elapsed() < PATIENCE => {}
                Err(error) => return Err(Stop::lost(error)),
            }
            while poll(NO_TIME).map_err(Stop::lost)? {
                match read().map_err(Stop::lost)? {
                    Event::Key(key) if key.code == KeyCode::Char('c') && key.modifiers == KeyModifiers::CONTROL => {
                        return Err(Stop::Quit)
                    }
                    event => waiting.push_back(event),
                }
            }
        }
    }

    /// Draws everything, in one write.
    fn draw(&mut self, state: &str) -> Outcome<()> {
        self.frame += 1;
        let mut frame = Vec::new();
        queue!(frame, Print("\x1b[?2026h"), Clear(ClearType::All))?;
        for (row, item) in (2..12).zip(&self.items) {
            let text = |key: &str, columns| self.shower.start(item[key].as_str().unwrap_or_default(), columns);
            let rank = format!(" {:>3} {}", row - 1, text("doc_id", 16));
            queue!(frame, MoveTo(0, row), Print(rank), MoveTo(22, row), Print(text("title", 58)))?;
        }
        queue!(frame, MoveTo(0, 23), Print(self.shower.start(&self.status, 80)))?;
        queue!(frame, MoveTo(0, 0), Print(format!("> {}\x1b[?2026l", self.shower.end(&self.text, 76))))?;
        write!(frame, "\x1b]7777;mambo;submit={};frame={};state={}\x1b\\", self.submit, self.frame, state)?;
        let mut out = io::stdout().lock();
        out.write_all(&frame)?;
        Ok(out.flush()?)
    }

    fn tell(&self, event: &str) {
        let now = clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(0, |at| at.tv_sec() * 1_000_000_000 + at.tv_nsec());
        if let Some(events) = &self.events {
            let _ = events.send(json!({"event": event, "submit": self.submit, "ns": now}).to_string().as_bytes());
        }
    }
}
