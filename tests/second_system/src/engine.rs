//! The engine process: protocol search-v1 over a Unix socket, a thread a connection.

use crate::catalogue::{digest, Catalogue};
use crate::failure::{failed, needed, At, Outcome, BAD};
use crate::store::Store;
use serde_json::{json, Value};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::sync::{Arc, Mutex};
use std::{env, fs, process, thread};

const LINE: usize = 65_536;
const SYSTEM: &str = include_str!("../system.json");

struct Engine {
    least: f64,
    configuration: String,
    store: Option<Store>,
    /// The history that was read last, and what a new client is answered from since then.
    current: Mutex<(Vec<String>, Arc<Catalogue>)>,
}

pub fn run() -> Outcome<i32> {
    let socket = needed("MAMBO_ENGINE_SOCKET")?;
    let engine = Arc::new(Engine::new()?);
    let mut signals = Signals::new([SIGTERM, SIGINT])?;
    let _ = fs::remove_file(&socket);
    let listener = UnixListener::bind(&socket).at(&socket)?;
    thread::spawn(move || {
        signals.forever().next();
        let _ = fs::remove_file(&socket);
        process::exit(0);
    });
    for client in listener.incoming().flatten() {
        let engine = Arc::clone(&engine);
        thread::spawn(move || converse(client, &engine));
    }
    Ok(0)
}

/// Answers one client, line by line, to its end.
fn converse(client: UnixStream, engine: &Engine) -> io::Result<()> {
    let mut lines = BufReader::new(client.try_clone()?);
    let (mut out, mut greeted) = (client, None);
    loop {
        let mut line = Vec::new();
        (&mut lines).take(LINE as u64).read_until(b'\n', &mut line)?;
        let (id, reply) = match line.last() {
            Some(b'\n') => engine.answer(&line, &mut greeted),
            _ if line.len() < LINE => return Ok(()),
            _ => {
                skip_line(&mut lines)?;
                (Value::Null, Err("too_large"))
            }
        };
        let mut reply =
            reply.unwrap_or_else(|error| json!({"status": "error", "error": error, "message": "see images/README.md"}));
        reply["id"] = id;
        out.write_all(format!("{}\n", reply).as_bytes())?;
    }
}

/// Reads to the end of a line that is too long, keeping none of it.
fn skip_line(lines: &mut impl BufRead) -> io::Result<()> {
    loop {
        let chunk = lines.fill_buf()?;
        let end = chunk.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(chunk.len(), |at| at + 1);
        lines.consume(taken);
        if end.is_some() || taken == 0 {
            return Ok(());
        }
    }
}

impl Engine {
    fn new() -> Outcome<Engine> {
        let text = env::var("MAMBO_CONFIGURATION").unwrap_or_default();
        let value: Value = serde_json::from_str(&text).unwrap_or_default();
        let least = match value["least"].as_f64() {
            Some(least) => least,
            None => return failed(BAD, "MAMBO_CONFIGURATION: least must be a number."),
        };
        // serde_json keeps keys sorted and writes no blanks: the canonical form.
        let configuration = digest(value.to_string().as_bytes());
        let store = needed("MAMBO_RELEASES").ok().map(Store::new);
        let history = store.as_ref().map_or(Ok(Vec::new()), Store::history)?;
        let whole = store.as_ref().and_then(|store| newest_whole(store, &history));
        let current = Mutex::new((history, Arc::new(whole.map_or_else(own, Ok)?)));
        Ok(Engine { least, configuration, store, current })
    }

    /// The id to reply to, and the reply or the name of an error.
    fn answer(&self, line: &[u8], greeted: &mut Option<Arc<Catalogue>>) -> (Value, Result<Value, &'static str>) {
        let asked: Value = serde_json::from_slice(line).unwrap_or_default();
        let id = &asked["id"];
        if !(id.is_i64() || id.is_u64()) {
            return (Value::Null, Err("bad_request"));
        }
        let reply = match asked["op"].as_str() {
            Some("hello") => self.hello(&asked["protocol"], greeted),
            Some("search") => self.search(&asked, greeted),
            Some(_) => Err("unknown_op"),
            None => Err("bad_request"),
        };
        (id.clone(), reply)
    }

    fn hello(&self, protocol: &Value, greeted: &mut Option<Arc<Catalogue>>) -> Result<Value, &'static str> {
        let system: Value = serde_json::from_str(SYSTEM).expect("the file beside the sources");
        if protocol.as_str().ok_or("bad_request")? != system["protocol"] {
            return Err("protocol");
        }
        let found = greeted.get_or_insert_with(|| self.choose());
        Ok(json!({"status": "ok", "protocol": system["protocol"], "interface": system["interface"],
            "system": system["name"], "version": system["version"], "corpus": found.corpus, "index": found.index,
            "model": null, "configuration": self.configuration}))
    }

    fn search(&self, asked: &Value, greeted: &Option<Arc<Catalogue>>) -> Result<Value, &'static str> {
        let text = asked["text"].as_str().filter(|text| !text.trim().is_empty()).ok_or("bad_request")?;
        let limit = asked["limit"].as_u64().filter(|limit| (1..=10).contains(limit)).ok_or("bad_request")?;
        let catalogue = greeted.as_ref().ok_or("out_of_order")?;
        Ok(json!({"status": "ok", "items": catalogue.search(text, limit as usize, self.least)}))
    }

    /// What a client who says hello now is answered from, to its end.
    fn choose(&self) -> Arc<Catalogue> {
        let mut current = self.current.lock().expect("no thread panics here");
        if let Some(store) = &self.store {
            // A history that cannot be read leaves everything as it is; a new one may come while a release is opened.
            while let Some(history) = store.history().ok().filter(|history| *history != current.0) {
                if let Some(found) = newest_whole(store, &history) {
                    current.1 = Arc::new(found);
                }
                current.0 = history;
            }
        }
        Arc::clone(&current.1)
    }
}

fn newest_whole(store: &Store, history: &[String]) -> Option<Catalogue> {
    history.iter().rev().find_map(|name| match crate::release::open(&store.place(name)) {
        Ok((_, catalogue)) => Some(catalogue),
        Err(failure) => {
            eprintln!("second: {} Serving the last good one.", failure.why);
            None
        }
    })
}

fn own() -> Outcome<Catalogue> {
    let path = needed("MAMBO_CORPUS")?.join("items.jsonl");
    Catalogue::of(&fs::read(&path).at(&path)?)
}
