//! The published releases on disk. `history` names the copies that count, the last is current; it changes in one rename.

use crate::failure::{failed, At, Outcome, BAD, BUSY};
use crate::release::{open, require_plain, FILES};
use nix::fcntl::{flock, FlockArg};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::io::AsRawFd;
use std::path::{Path, PathBuf};

pub struct Store {
    folder: PathBuf,
}

impl Store {
    pub fn new(folder: PathBuf) -> Store {
        Store { folder }
    }

    /// The folder of a copy.
    pub fn place(&self, name: &str) -> PathBuf {
        self.folder.join("store").join(name)
    }

    /// The names of the copies, the current one last.
    pub fn history(&self) -> Outcome<Vec<String>> {
        let path = self.folder.join("history");
        match fs::read_to_string(&path) {
            Ok(text) => Ok(text.lines().map(String::from).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error).at(&path),
        }
    }

    /// The id of the current release, empty where there is none.
    pub fn current(&self) -> Outcome<String> {
        Ok(self.history()?.last().map_or(String::new(), |name| id_of(name)))
    }

    /// Copies a release, checks the copy, makes it current; its id. A current one is copied anew in its own place.
    pub fn publish(&self, source: &Path) -> Outcome<String> {
        let _lock = self.lock()?;
        let kept = self.history()?;
        self.clear(&kept)?;
        let done = self.take(source, &kept).and_then(|name| {
            let same = kept.last().map_or(false, |last| id_of(last) == id_of(&name));
            let older = &kept[..kept.len() - usize::from(same)];
            self.switch(&[older, &[name.clone()]].concat())?;
            Ok(id_of(&name))
        });
        self.clear(&self.history()?)?;
        done
    }

    /// Makes the release before the present one current, and forgets the present one; its id.
    pub fn rollback(&self) -> Outcome<String> {
        let _lock = self.lock()?;
        let mut kept = self.history()?;
        kept.pop();
        match kept.last() {
            Some(name) => open(&self.place(name))?,
            None => return failed(BAD, format!("{}: no release was current before.", self.folder.display())),
        };
        self.switch(&kept)?;
        self.current()
    }

    /// Copies a release beside those that count, so that it outlives a crash of the machine; its name.
    fn take(&self, source: &Path, kept: &[String]) -> Outcome<String> {
        require_plain(source)?;
        let draft = self.place("draft");
        fs::create_dir(&draft).at(&draft)?;
        for name in FILES {
            write(&draft.join(name), &fs::read(source.join(name)).at(&source.join(name))?)?;
        }
        let (id, _) = open(&draft)?;
        let number = kept.last().and_then(|name| name.split('-').next()?.parse::<u64>().ok()).unwrap_or(0);
        let name = format!("{:06}-{}", number + 1, id.trim_start_matches("sha256:"));
        fs::rename(&draft, self.place(&name)).at(&draft)?;
        sync(&self.place(&name)).and_then(|()| sync(&self.place(""))).at(&self.folder)?;
        Ok(name)
    }

    fn switch(&self, names: &[String]) -> Outcome<()> {
        let draft = self.folder.join("history.new");
        write(&draft, (names.join("\n") + "\n").as_bytes())?;
        fs::rename(&draft, self.folder.join("history")).and_then(|()| sync(&self.folder)).at(&draft)
    }

    /// Clears away what no history names: the leftovers of a publisher that died, and what was rolled back.
    fn clear(&self, kept: &[String]) -> Outcome<()> {
        for entry in fs::read_dir(self.place("")).at(&self.folder)? {
            let entry = entry.at(&self.folder)?;
            if !kept.iter().any(|name| entry.file_name() == name.as_str()) {
                fs::remove_dir_all(entry.path()).at(&entry.path())?;
            }
        }
        Ok(())
    }

    /// The lock of all publishers, which ends with its process however that ends.
    fn lock(&self) -> Outcome<File> {
        fs::create_dir_all(self.place("")).at(&self.folder)?;
        let lock = OpenOptions::new().create(true).append(true).open(self.folder.join("lock")).at(&self.folder)?;
        match flock(lock.as_raw_fd(), FlockArg::LockExclusiveNonblock) {
            Ok(()) => Ok(lock),
            Err(_) => failed(BUSY, format!("{}: another publisher is at work. Try again.", self.folder.display())),
        }
    }
}

fn id_of(name: &str) -> String {
    format!("sha256:{}", name.rsplit('-').next().unwrap_or_default())
}

/// Writes a file so that it outlives a crash of the machine.
fn write(path: &Path, data: &[u8]) -> Outcome<()> {
    File::create(path).and_then(|mut file| file.write_all(data).and_then(|()| file.sync_all())).at(path)
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
