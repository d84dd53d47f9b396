"""Releases that are none: what a command `release` may leave to harm whoever looks at it."""

import json
import os
import shutil
import socket
import sys
import time
from pathlib import Path

CARD = {"format": "mambo-release/v1", "corpus": "sha256:0", "index": "sha256:0", "model": None}
GOOD = {**CARD, "files": {"items.jsonl": "sha256:0"}}
CARDS = {
    "no files": {**CARD, "files": {}},
    "a list of files": {**CARD, "files": ["items.jsonl"]},
    "a number of files": {**CARD, "files": 7},
    "files that are null": {**CARD, "files": None},
    "an index that is a list": {**GOOD, "index": ["sha256:0"]},
    "no index": {"files": GOOD["files"]},
    "a number": 7,
    "a list": [GOOD],
}
TEXTS = {
    "an unending list": b"[" * 100_000,
    "nothing in the card": b"",
    "no UTF-8": b'{"index": "\xff"}',
    "a number of thousands of digits": b'{"index": "a", "files": {"a": ' + b"7" * 5_000 + b"}}",
}


def pipe(folder):
    os.mkfifo(folder / "index.bin")


def pipe_as_card(folder):
    (folder / "release.json").unlink()
    os.mkfifo(folder / "release.json")


def socket_file(folder):
    socket.socket(socket.AF_UNIX).bind(str(folder / "index.sock"))


def link_to_zeros(folder):
    (folder / "index.bin").symlink_to("/dev/zero")


def card_of_zeros(folder):
    (folder / "release.json").unlink()
    (folder / "release.json").symlink_to("/dev/zero")


def folder_as_card(folder):
    (folder / "release.json").unlink()
    (folder / "release.json").mkdir()


def terabyte(folder):
    with (folder / "index.bin").open("wb") as file:
        file.truncate(1 << 40)


def bad_name(folder):
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff")).touch()


def card_alone(folder):
    (folder / "items.jsonl").unlink()


def deep_folders(folder):
    os.chdir(folder)
    for _ in range(1_200):
        Path("d").mkdir()
        os.chdir("d")


LEAVINGS = {
    "a pipe": pipe,
    "a pipe as card": pipe_as_card,
    "a socket": socket_file,
    "a link to zeros": link_to_zeros,
    "a card of zeros": card_of_zeros,
    "a folder as card": folder_as_card,
    "a file of a terabyte": terabyte,
    "a name that is no UTF-8": bad_name,
    "a card alone": card_alone,
    "folders a thousand deep": deep_folders,
}


def build(kind, folder):
    """A good folder, but for what makes it of this kind."""
    folder.mkdir()
    (folder / "items.jsonl").write_text("{}\n")
    (folder / "release.json").write_bytes(TEXTS.get(kind, json.dumps(CARDS.get(kind, GOOD)).encode()))
    if kind in LEAVINGS:
        LEAVINGS[kind](folder)


def daemon():
    """Leave a process in a session of its own, which keeps what it was given open."""
    if os.fork() == 0:
        os.setsid()
        time.sleep(600)


def main(kind, words):
    """Do as it says; the exit status."""
    if kind == "publishers that take the release away":
        import release

        status = release.main(words)
        if words[0] == "publish":
            shutil.rmtree(words[1])
        return status
    if kind == "a process that stays":
        daemon()
    elif words[0] == "build" and kind != "nothing":
        build(kind, Path(words[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
