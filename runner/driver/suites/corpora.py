"""A second corpus for a second release: the first one without some of its items."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection

from runner.driver.processes import Account, acting_as

_ITEMS, _CARD = "items.jsonl", "corpus.json"


def make_corpus(source: str, target: str, gone: Collection[str], account: Account) -> None:
    """Make the folder `target` of `account`: the corpus in `source` without the items whose doc_id is among `gone`."""
    with open(os.path.join(source, _ITEMS), "rb") as file:
        items = b"".join(line for line in file if json.loads(line)["doc_id"] not in gone)
    made = {_ITEMS: items, _CARD: _card(source, items)}
    with acting_as(account):
        os.mkdir(target, 0o700)
        for name in sorted(set(os.listdir(source)) - made.keys()):
            os.symlink(os.path.join(source, name), os.path.join(target, name))
        for name, data in made.items():
            with open(os.path.join(target, name), "wb") as file:
                file.write(data)


def _card(source: str, items: bytes) -> bytes:
    """The card of a corpus with other items."""
    try:
        with open(os.path.join(source, _CARD), "rb") as file:
            card = json.load(file)
    except (OSError, ValueError):
        card = {}
    return json.dumps({**card, "items": "sha256:" + hashlib.sha256(items).hexdigest()}).encode() + b"\n"
