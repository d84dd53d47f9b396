"""Keeps what a hidden run produces: sealed as it is written, but for the few files that anyone may read."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from runner.adapters.age import Identity, seal
from runner.adapters.store import OpenResult, ResultStore
from runner.errors import BadInput
from runner.provenance.sealed import sealed_name, unsealed_name


class Vault:
    """The results folder of a checkout, for hidden runs; files named in `public` are kept in the clear, and those
    `beside` the evidence with it."""

    def __init__(
        self, results: Path, recipients: Sequence[str], public: Collection[str], beside: Mapping[str, bytes]
    ) -> None:
        self._results = ResultStore(results)
        self._recipients = recipients
        self._public = public
        self._beside = beside
        self._open: SealedResult | None = None

    def begin(self, run_id: str) -> SealedResult:
        """A new, empty result; see `ResultStore`."""
        self._open = SealedResult(self._results.begin(run_id), self._recipients, self._public)
        for name, data in self._beside.items():
            self._open.keep(name, data)
        return self._open

    def take(self, folder: Path, name: str, data: bytes) -> None:
        """Keep a file of evidence that a drive would have left in `folder`, a path in the open result."""
        assert self._open is not None
        self._open.keep(f"{folder.relative_to(self._open.path).as_posix()}/{name}", data)

    def note(self, name: str, data: bytes) -> bool:
        """Keep a note of why the run broke off, where it had begun; whether that was so."""
        if self._open is None:
            return False
        self._open.keep(name, data)
        return True


class SealedResult:
    """A result that is being written; what is sealed stays in memory for the steps that need it."""

    def __init__(self, result: OpenResult, recipients: Sequence[str], public: Collection[str]) -> None:
        self._result = result
        self._recipients = recipients
        self._public = public
        self._contents: dict[str, bytes] = {}
        self.path = result.path

    def keep(self, name: str, data: bytes) -> None:
        """Write the file `name` once, sealed unless it is public."""
        if name in self._contents:
            raise BadInput(f"{name}: exists already.", advice="Results are never overwritten.")
        if name in self._public:
            self._result.keep(name, data)
        else:
            self._result.keep(sealed_name(name), seal(data, self._recipients))
        self._contents[name] = data

    def publish(self, name: str, data: bytes) -> None:
        """Write a file that anyone may read beside a sealed one of that name."""
        self._result.keep(name, data)

    def contents(self) -> dict[str, bytes]:
        """See `runner.ports.OpenResult`."""
        return dict(self._contents)

    def files(self) -> dict[str, Path]:
        """See `runner.ports.OpenResult`."""
        return self._result.files()

    def finish(self) -> Path:
        """See `runner.ports.OpenResult`."""
        return self._result.finish()


def unsealed(files: Mapping[str, bytes], identity: Identity) -> dict[str, bytes]:
    """What a hidden run kept sealed among the `files` of its result, by the names it has then."""
    opened = {name: unsealed_name(name) for name in files}
    return {plain: identity.unseal(files[name], name) for name, plain in opened.items() if plain is not None}
