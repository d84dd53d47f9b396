"""What reference systems share: the corpus, protocol and terminal UI of this system, behind a ranking of their own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from mambomeme.bm25 import DIGITS
from mambomeme.catalogue import Catalogue
from mambomeme.corpus import GIVEN, Corpus, Meme, digest, read_corpus
from mambomeme.ranking import Result
from mambomeme.routes import Found
from mambomeme.settings import canonical


class Plain(NamedTuple):
    """A ranking: `search` gives at most so many documents for a query. `index` and `model` are as `hello` has them."""

    search: Callable[[str, int], Found]
    route: str
    index: str
    model: str | None


class PlainRanking:
    """Turns the documents that a ranking gives into results."""

    def __init__(self, corpus: Corpus, plain: Plain) -> None:
        self._memes, self._plain = corpus.memes, plain

    def search(self, text: str, limit: int) -> list[Result]:
        """At most `limit` memes."""
        documents, scores = (values.tolist() for values in self._plain.search(text, limit))
        found = zip(documents, scores, strict=True)
        return [Result(self._memes[at], (self._plain.route,), round(score, DIGITS)) for at, score in found]


def loader(
    open_plain: Callable[[Corpus, Mapping[str, str]], Plain],
) -> Callable[[Mapping[str, str], Path], Callable[[], Catalogue]]:
    """The `load` of `mambomeme.engine.main` for the ranking that `open_plain` makes of corpus and environment."""

    def load(environment: Mapping[str, str], folder: Path) -> Callable[[], Catalogue]:
        corpus = read_corpus(Path(environment.get("MAMBO_CORPUS", "corpus")))
        plain = open_plain(corpus, environment)
        system = json.loads((folder / "system.json").read_bytes())
        configuration = json.loads(environment.get("MAMBO_CONFIGURATION", "{}"))
        versions = {
            "system": system["name"],
            "version": system["version"],
            "corpus": corpus.digest,
            "index": plain.index,
            "model": plain.model,
            "configuration": digest(canonical(configuration)),
        }
        catalogue = Catalogue(PlainRanking(corpus, plain), versions)
        return lambda: catalogue

    return load


def whole_text(meme: Meme) -> str:
    """All that the corpus says of an item, as one text."""
    return ". ".join(" ".join(text.split()) for text in meme.texts[: len(GIVEN)] if text.strip())
