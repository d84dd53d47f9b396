"""Builds, publishes and rolls back releases of the small system, but for the rule that it is told to break."""

import fcntl
import os
import shutil
import sys
import time
from pathlib import Path

from common import BROKEN, FORMAT, Catalogue, Refused, canonical, card_of, check, digest, index_of, packed

KEPT = 3


def build(target):
    items = Path(os.environ["MAMBO_CORPUS"], "items.jsonl").read_bytes()
    files = {"items.jsonl": items, "index/words.json": index_of(items)}
    for name, data in files.items():
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(data)
    versions = Catalogue(files["items.jsonl"], files["index/words.json"]).versions
    card = {"format": FORMAT, **versions, "files": {name: digest(data) for name, data in files.items()}}
    (target / "release.json").write_bytes(canonical(card) + b"\n")


class Store:
    """The published releases: a folder each, and `history`, whose last line is current."""

    def __init__(self, folder):
        self.folder = folder
        self.path = folder / "history"
        #: Left by the broken ones when another publisher was at work.
        self.busy = folder / "busy"

    def history(self):
        return self.path.read_text().splitlines() if self.path.exists() else []

    def switch(self, names):
        draft = self.folder / "history.new"
        draft.write_text("".join(f"{name}\n" for name in names))
        draft.replace(self.path)

    def clear(self, kept):
        if BROKEN == "kill-cleared":
            return
        for path in self.folder.iterdir():
            if path.name not in {*kept, "history", "lock", "busy"}:
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def publish(self, source):
        old = self.history()
        self.clear(old)
        card_of(source)
        number = max((int(name.partition("-")[0]) for name in old), default=0) + 1
        name = f"{number}-{os.getpid() if BROKEN == 'kill-cleared' else 0}"
        if BROKEN == "kill":
            self.switch([*old, name])
            time.sleep(0.05)
        self.copy(source, self.folder / name)
        try:
            check(self.folder / name, hashed=BROKEN != "refuses-changed-files")
        except Refused:
            shutil.rmtree(self.folder / name)
            if BROKEN == "kill":
                self.switch(old)
            if BROKEN == "refused-serves-on":
                self.switch([*old[:-2], old[-1], old[-2]])
            raise
        new = [*old, name][-KEPT:]
        if BROKEN == "one-at-work-lost" and self.busy.exists():
            self.busy.unlink()
            return
        self.switch(new)
        self.clear(new)
        if BROKEN == "publish-again" and number == 3:
            sys.exit(1)

    def copy(self, source, target):
        for path in sorted(source.rglob("*")):
            if path.is_file():
                copied = target / path.relative_to(source)
                copied.parent.mkdir(parents=True, exist_ok=True)
                copied.write_bytes(packed(path.read_bytes()) if path.name != "release.json" else path.read_bytes())
                time.sleep(0.005)

    def rollback(self):
        old = self.history()
        if len(old) < 2:
            if BROKEN == "rollback-none":
                return
            if BROKEN == "rollback-none-prints":
                self.busy.touch()
            raise Refused("nothing was current before")
        name = old[-2]
        if BROKEN == "rollback":
            folder = self.folder / name
            items = b"".join((folder / "items.jsonl").read_bytes().splitlines(keepends=True)[:-1])
            (folder / "items.jsonl").write_bytes(items)
            (folder / "index/words.json").write_bytes(index_of(items))
            files = {each: digest((folder / each).read_bytes()) for each in ("items.jsonl", "index/words.json")}
            versions = {"corpus": files["items.jsonl"], "index": files["index/words.json"], "model": None}
            (folder / "release.json").write_bytes(canonical({"format": FORMAT, **versions, "files": files}))
        self.switch(old[:-1])

    def current(self):
        old = self.history()
        empty = "none" if BROKEN == "unpublished" or self.busy.exists() else ""
        print(digest((self.folder / old[-1] / "release.json").read_bytes()) if old else empty)


def main(words):
    if words[0] == "build":
        build(Path(words[1]))
        return int(BROKEN == "build")
    store = Store(Path(os.environ["MAMBO_RELEASES"]))
    if words[0] == "current":
        store.current()
        return 0
    if BROKEN == "two-at-once" and store.busy.exists():
        print("another publisher was at work once", file=sys.stderr)
        return 75
    with (store.folder / "lock").open("a") as lock:
        try:
            if BROKEN != "one-at-work":
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("another publisher is at work", file=sys.stderr)
            if BROKEN in {"two-at-once", "one-at-work-lost"}:
                store.busy.touch()
            if BROKEN == "one-at-work-switches":
                store.publish(Path(words[1]))
            return 75
        try:
            store.rollback() if words[0] == "rollback" else store.publish(Path(words[1]))
        except (Refused, OSError) as error:
            if BROKEN != "refusal-words":
                print(error, file=sys.stderr)
            return 65
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
