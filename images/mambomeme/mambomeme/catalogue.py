"""What one client is answered from: a corpus and its index, checked against each other, under the configuration."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from mambomeme import embedding, index
from mambomeme.corpus import Corpus, read_corpus
from mambomeme.dense import DenseRoute, open_dense
from mambomeme.encoder import Encoder, read_model
from mambomeme.faults import StartError
from mambomeme.index import require_corpus
from mambomeme.ranking import Ranking
from mambomeme.settings import Settings, parse_settings


class Catalogue:
    """A loaded ranking, and what `hello` tells: `system`, `version`, `corpus`, `index`, `model`, `configuration`, and
    `index_bytes`, the size of the index."""

    def __init__(self, ranking: Ranking, versions: dict[str, Any]) -> None:
        self.ranking, self.versions = ranking, versions


class Loader:
    """Opens catalogues with what `environment` and the system's folder say; StartError where either is wrong."""

    def __init__(self, environment: Mapping[str, str], folder: Path) -> None:
        self._folder = folder
        self._corpus = Path(environment.get("MAMBO_CORPUS", "corpus"))
        self._models = environment.get("MAMBO_MODELS")
        self._settings = _settings(environment, folder)
        self._system = json.loads((folder / "system.json").read_bytes())

    def own(self) -> Catalogue:
        """That of MAMBO_CORPUS and the system's own index."""
        return self._load(self._corpus, self._folder / "index")

    def release(self, folder: Path) -> Catalogue:
        """That of a folder which holds `items.jsonl` and `index/`."""
        return self._load(folder, folder / "index")

    def index_files(self, corpus: Corpus) -> dict[str, bytes]:
        """The files of an index for `corpus`, with the vectors that a route needs; those of texts that the system's own
        index knows are taken from there."""
        if self._settings.dense is None:
            return index.build(corpus)
        return index.build(corpus, embedding.build(corpus, self._models_folder(), [self._folder / "index"]))

    def versions(self, folder: Path) -> dict[str, Any]:
        """What `hello` would say of a folder that holds `items.jsonl` and `index/`, without loading what searches it;
        StartError where the parts do not belong together."""
        corpus, found = read_corpus(folder), index.load(folder / "index")
        require_corpus(found, corpus)
        model = None
        if self._settings.dense is not None:
            model = read_model(self._models_folder()).digest
            embedding.load(folder / "index", corpus, model)
        return self._versions(corpus.digest, found.digest, model)

    def _load(self, items: Path, indexed: Path) -> Catalogue:
        corpus, found = read_corpus(items), index.load(indexed)
        require_corpus(found, corpus)
        versions = self._versions(corpus.digest, found.digest, self._encoder.digest if self._encoder else None)
        versions["index_bytes"] = sum(path.stat().st_size for path in indexed.iterdir())
        return Catalogue(Ranking(corpus, found, self._settings, self._dense(indexed, corpus)), versions)

    def _versions(self, corpus: str, found: str, model: str | None) -> dict[str, Any]:
        return {
            "system": self._system["name"],
            "version": self._system["version"],
            "corpus": corpus,
            "index": found,
            "model": model,
            "configuration": self._settings.digest,
        }

    @cached_property
    def _encoder(self) -> Encoder | None:
        """What turns queries into vectors; none where no route needs it."""
        if self._settings.dense is None:
            return None
        return Encoder(self._models_folder())

    def _models_folder(self) -> Path:
        if not self._models:
            raise StartError("MAMBO_MODELS is not set, and the route dense needs it. Set it to the models folder.")
        return Path(self._models)

    def _dense(self, indexed: Path, corpus: Corpus) -> DenseRoute | None:
        if self._encoder is None or self._settings.dense is None:
            return None
        return open_dense(self._encoder, indexed, corpus, self._settings.dense)


def _settings(environment: Mapping[str, str], folder: Path) -> Settings:
    given = environment.get("MAMBO_CONFIGURATION")
    if given is not None:
        return parse_settings(given, "MAMBO_CONFIGURATION")
    path = folder / "configuration.json"
    return parse_settings(path.read_bytes(), str(path))
