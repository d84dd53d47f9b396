//! A release: `items.jsonl`, and a `release.json` in which nothing stands that does not follow from it.

use crate::catalogue::{digest, Catalogue};
use crate::failure::{failed, needed, At, Outcome, BAD, USAGE};
use crate::store::Store;
use serde_json::{json, Value};
use std::fs;
use std::path::Path;

pub const FILES: [&str; 2] = ["items.jsonl", "release.json"];

pub fn run(words: &[&str]) -> Outcome<i32> {
    let store = || needed("MAMBO_RELEASES").map(Store::new);
    let line = match words {
        ["build", folder] => build(Path::new(folder))?,
        ["publish", folder] => store()?.publish(Path::new(folder))?,
        ["rollback"] => store()?.rollback()?,
        ["current"] => store()?.current()?,
        _ => return failed(USAGE, crate::WORDS),
    };
    println!("{}", line);
    Ok(0)
}

/// Makes a release of MAMBO_CORPUS in the new folder `target`; its id. Without its card it is not one yet.
fn build(target: &Path) -> Outcome<String> {
    if target.symlink_metadata().is_ok() {
        return failed(BAD, format!("{}: is there already. Name a new folder.", target.display()));
    }
    let source = needed("MAMBO_CORPUS")?.join("items.jsonl");
    let items = fs::read(&source).at(&source)?;
    let card = card_of(&Catalogue::of(&items)?).to_string();
    fs::create_dir(target).at(target)?;
    let made =
        fs::write(target.join("items.jsonl"), &items).and_then(|()| fs::write(target.join("release.json"), &card));
    made.at(target).map_err(|failure| {
        let _ = fs::remove_dir_all(target);
        failure
    })?;
    Ok(digest(card.as_bytes()))
}

fn card_of(catalogue: &Catalogue) -> Value {
    json!({"format": "mambo-release/v1", "corpus": catalogue.corpus, "index": catalogue.index, "model": null,
        "files": {"items.jsonl": catalogue.corpus}})
}

/// The id and the catalogue of a whole release; a failure where `folder` holds anything else.
pub fn open(folder: &Path) -> Outcome<(String, Catalogue)> {
    require_plain(folder)?;
    let path = folder.join("release.json");
    let card = fs::read(&path).at(&path)?;
    let catalogue = Catalogue::of(&fs::read(folder.join("items.jsonl")).at(folder)?)?;
    let (found, wanted) = (serde_json::from_slice(&card).unwrap_or(Value::Null), card_of(&catalogue));
    if found != wanted {
        return failed(BAD, format!("{}: must be {}. Build the release again.", path.display(), wanted));
    }
    Ok((digest(&card), catalogue))
}

/// Refuses a folder that holds more, less, or something else than the files of a release.
pub fn require_plain(folder: &Path) -> Outcome<()> {
    let found = fs::read_dir(folder).and_then(|entries| {
        let named = |entry: fs::DirEntry| Ok((entry.file_name(), entry.file_type()?.is_file()));
        entries.map(|entry| named(entry?)).collect::<Result<Vec<_>, _>>()
    });
    let mut found = found.or_else(|error| failed(BAD, format!("{}: {}.", folder.display(), error)))?;
    found.sort();
    if found != FILES.map(|name| (name.into(), true)) {
        return failed(BAD, format!("{}: must hold the files {} alone.", folder.display(), FILES.join(" and ")));
    }
    Ok(())
}
