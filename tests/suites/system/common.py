"""What the programs of the small system share. `break` in the configuration names the one rule that they break."""

import hashlib
import json
import os
import zlib
from pathlib import Path

FORMAT = "mambo-release/v1"
CONFIGURATION = json.loads(os.environ["MAMBO_CONFIGURATION"])
SYSTEM = json.loads(Path("system.json").read_text())
BROKEN = CONFIGURATION.get("break", "")


class Refused(Exception):
    """A release that cannot be served."""


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def packed(data):
    """As a published file is kept."""
    return zlib.compress(data) if BROKEN == "packed" else data


def stored(path):
    """What a published file holds."""
    data = path.read_bytes()
    try:
        return zlib.decompress(data) if BROKEN == "packed" else data
    except zlib.error as error:
        raise Refused(f"{path.name}: {error}") from None


class Catalogue:
    """Items that can be searched, and the versions that name them."""

    def __init__(self, items, index):
        self.items = [json.loads(line) for line in items.splitlines()]
        self.words = json.loads(index)
        self.versions = {"corpus": digest(items), "index": digest(index), "model": None}

    @classmethod
    def of_corpus(cls):
        items = Path(os.environ["MAMBO_CORPUS"], "items.jsonl").read_bytes()
        return cls(items, index_of(items))

    @classmethod
    def of_release(cls, folder):
        """That of a whole release."""
        check(folder, hashed=BROKEN != "no-spoilt-release")
        return cls(stored(folder / "items.jsonl"), stored(folder / "index/words.json"))

    def search(self, text, limit):
        wanted = set(text.lower().split())
        scored = [(-len(wanted & set(words)), number) for number, words in enumerate(self.words)]
        best = [self.items[number] for score, number in sorted(scored) if score][:limit]
        return [{"doc_id": item["doc_id"], "title": item["title"], "routes": ["lexical"]} for item in best]


def index_of(items):
    """The index of a corpus: the words of each item."""
    return canonical([sorted(set(json.loads(line)["title"].lower().split())) for line in items.splitlines()])


def card_of(folder):
    """The parsed `release.json` in `folder`."""
    try:
        card = json.loads((folder / "release.json").read_bytes())
        if sorted(card) != ["corpus", "files", "format", "index", "model"] or card["format"] != FORMAT:
            raise Refused("release.json: not one of this format")
    except (OSError, ValueError, TypeError) as error:
        raise Refused(f"release.json: {error}") from None
    return card


def check(folder, *, hashed):
    """Refused unless the release in `folder` is whole and for this engine; unless `hashed`, bytes do not matter."""
    card = card_of(folder)
    there = {p.relative_to(folder).as_posix() for p in folder.rglob("*") if not p.is_dir()} - {"release.json"}
    if BROKEN == "refuses-extra-files":
        there &= card["files"].keys()
    if BROKEN == "refuses-missing-files" and there < card["files"].keys():
        return
    if there != card["files"].keys():
        raise Refused("other files than release.json names")
    for name, expected in card["files"].items():
        if hashed and digest(stored(folder / name)) != expected:
            raise Refused(f"{name}: not as release.json says")
    claimed = {"corpus": card["files"]["items.jsonl"], "index": card["files"]["index/words.json"], "model": None}
    if BROKEN != "refuses-wrong-card" and any(card[key] != value for key, value in claimed.items()):
        raise Refused("release.json: says another corpus, index or model than the files hold")
