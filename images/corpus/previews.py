"""Draws, pins and describes the previews of the corpus: `python previews.py render|pin|art|card --help`."""

from __future__ import annotations

import argparse
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from drawing import records
from drawing.card import corpus_card
from drawing.faults import PreviewError
from drawing.pictures import Studio, check_art, open_studio, picture

_WORKERS = 2


def main(arguments: list[str] | None = None) -> int:
    """Exit 0, or 65 with one line on standard error that names the file that is wrong."""
    options = _parser().parse_args(arguments)
    try:
        options.verb(options)
    except PreviewError as error:
        print(error, file=sys.stderr)  # noqa: T201 - the face of a script
        return 65
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="previews.py", description=__doc__)
    verbs = parser.add_subparsers(required=True, metavar="render|pin|art|card")
    for name, verb, needs in (
        ("render", _render, "items art package to"),
        ("pin", _pin, "items art package"),
        ("art", _art, "art package"),
        ("card", _card, "items art overrides to"),
    ):
        one = verbs.add_parser(name, help=(verb.__doc__ or "").splitlines()[0])
        one.set_defaults(verb=verb)
        for need in needs.split():
            many = need == "package"
            one.add_argument(f"--{need}", type=Path, required=True, action="append" if many else "store")
    return parser


def _render(options: argparse.Namespace) -> None:
    """Draw every item's preview into a folder; a digest that differs from the pinned one stops it."""
    items = records.read_lines(options.items)
    options.to.mkdir(parents=True, exist_ok=True)
    for item, png in zip(items, _pictures(items, options), strict=True):
        path, pinned, found = item["preview"]["path"], item["preview"]["digest"], records.digest(png)
        if found != pinned:
            raise PreviewError(
                f"{path}: expected {pinned}, found {found}. Restore the pinned files, or re-pin with 'pin'."
            )
        (options.to / Path(path).name).write_bytes(png)


def _pin(options: argparse.Namespace) -> None:
    """Draw every preview again and write its digest and perceptual hash into the items file."""
    from drawing.measuring import perceptual_hash

    items = records.read_lines(options.items)
    for item, png in zip(items, _pictures(items, options), strict=True):
        item["preview"] |= {"digest": records.digest(png), "phash": perceptual_hash(png)}
    options.items.write_bytes(records.to_lines(items))


def _pictures(items: list[dict[str, Any]], options: argparse.Namespace) -> list[bytes]:
    words = [records.words_of(item) for item in items]
    with tempfile.TemporaryDirectory() as folder:
        studio = open_studio(options.package, records.read_art(options.art), Path(folder))
        check_art(studio)
        return _draw_all(words, studio)


def _draw_all(words: list[Any], studio: Studio) -> list[bytes]:
    drawn = []
    with ProcessPoolExecutor(_WORKERS, initializer=_take, initargs=(studio,)) as pool:
        for png in pool.map(_draw, words, chunksize=4):
            drawn.append(png)
            if len(drawn) % 10 == 0 or len(drawn) == len(words):
                print(f"{len(drawn)}/{len(words)}", file=sys.stderr, flush=True)  # noqa: T201
    return drawn


_taken: list[Studio] = []


def _take(studio: Studio) -> None:
    _taken.append(studio)


def _draw(words: Any) -> bytes:
    return picture(words, _taken[0])


def _art(options: argparse.Namespace) -> None:
    """Measure the drawings named in the art file and write down digest, creator, title, page and ink."""
    from drawing.measuring import measure

    lines = records.read_art(options.art)
    with tempfile.TemporaryDirectory() as folder:
        studio = open_studio(options.package, lines, Path(folder))
        fonts = list(studio.files.values())
        measured = [measure(line, studio.art[group], fonts)._asdict() for group, line in sorted(lines.items())]
    options.art.write_bytes(records.to_lines(measured))


def _card(options: argparse.Namespace) -> None:
    """Write corpus.json: what the corpus is called, what it holds, and what it was made from."""
    options.to.write_bytes(corpus_card(options.items, options.art, options.overrides))


if __name__ == "__main__":
    sys.exit(main())
