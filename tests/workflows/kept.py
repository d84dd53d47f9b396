"""A real result in memory, whose records and products can be altered, chained anew and sealed anew."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from runner.adapters.keys import KeyFile
from runner.adapters.progress import SilentProgress
from runner.adapters.store import OpenedResult
from runner.documents import digest
from runner.errors import BenchError
from runner.provenance.chain import seal as chain_seal
from runner.provenance.dsse import Envelope
from runner.provenance.inputs import Inputs
from runner.provenance.journal import RunLog
from runner.provenance.rawlog import ordered
from runner.provenance.statement import Statement, payload, state
from runner.provenance.trust import Trust
from runner.workflows.examine import Examined, examine
from runner.workflows.verify import held_products

LOCK, CARD, ENVIRONMENT = "run.lock.json", "scorecard.json", "environment.json"
RAW = "raw/bm25"
PLAN, REPORT = f"{RAW}/plan.json", f"{RAW}/driver.json"
SUITES_PLAN, SUITES_LOG, SUITES_REPORT = (f"{RAW}/suites.{end}" for end in ("plan.json", "jsonl", "driver.json"))
GATES = "gates/bm25.json"
#: What a witness gave out for the run.
NONCE = "00112233445566778899aabbccddeeff"
Files = dict[str, bytes]


class Folder(OpenedResult):
    """A result that lies in memory."""

    @property
    def files(self) -> Mapping[str, bytes]:
        return self._files


class Kept(NamedTuple):
    """One result: its files and what they come to, what loads its inputs, its steward's key, who trusts it, the log it
    stands in, what it signed."""

    files: Files
    whole: Examined
    load: Callable[[bytes], Inputs]
    key: KeyFile
    trust: Trust
    log: RunLog
    statement: Statement

    def examined(self, files: Mapping[str, bytes] | None = None) -> Examined:
        return examine(self.files if files is None else files, self.load, SilentProgress())

    def faults(self, files: Mapping[str, bytes]) -> tuple[int, str]:
        """What `score` would end in, without asking who signed: exit status and words.

        Records that are as they were give what they gave.
        """
        as_it_was = all(files.get(name) == self.files[name] for name in self.whole.recorded)
        try:
            found = "\n".join(held_products(files, self.whole if as_it_was else self.examined(files)))
        except BenchError as error:
            return error.exit_status, str(error)
        return int(bool(found)), found

    def sealed(self, files: Mapping[str, bytes], **changes: Any) -> Folder:
        """`files` as its own steward signs them; `changes` replace what the statement says of the run."""
        run = self.statement.predicate.model_copy(update=changes)
        signed = self.key.sign(payload(state({name: digest(data) for name, data in files.items()}, run)))
        return Folder({**files, "statement.dsse.json": signed})

    def signed_by(self, folder: Folder) -> bytes:
        """The payload that is signed in a result."""
        envelope = Envelope.parse(folder.read("statement.dsse.json"), "statement.dsse.json")
        return base64.b64decode(envelope.payload)


def edited(files: Mapping[str, bytes], name: str, change: Callable[[Any], object]) -> Files:
    """The files with the JSON value of one of them changed in place, written as the run writes it."""
    value = json.loads(files[name])
    change(value)
    data = (
        dump(value)
        if name in {PLAN, SUITES_PLAN}
        else json.dumps(value, sort_keys=True, indent=2, ensure_ascii=False).encode()
    )
    return {**files, name: data + b"\n"}


def chained(files: Mapping[str, bytes], change: Callable[[str, dict[str, Any]], object] = lambda _n, _e: None) -> Files:
    """The files as a liar would leave them: the plan names the lock, the chain follows from the plan, and the driver's
    account fits, as do the suites'; `change` may alter each event of the raw log, given with its file's name."""
    files = edited(files, PLAN, lambda plan: plan.update(lock=digest(files[LOCK])))
    raw = [name.rpartition("/")[2] for name in files if name.endswith(".jsonl") and RAW in name and name != SUITES_LOG]
    files, head = _chained(files, (PLAN, REPORT), ordered(raw, RAW), change)
    if SUITES_PLAN in files:
        files = edited(files, SUITES_PLAN, lambda plan: plan.update(lock=digest(files[LOCK]), follows=head))
        files, _ = _chained(files, (SUITES_PLAN, SUITES_REPORT), ["suites.jsonl"], change)
    return files


def _chained(
    files: Files, ends: tuple[str, str], names: list[str], change: Callable[[str, dict[str, Any]], object]
) -> tuple[Files, str]:
    """The chain of raw files from a plan to a report, and its last link."""
    plan = digest(files[ends[0]].removesuffix(b"\n"))
    head, reports = plan.removeprefix("sha256:"), []
    for name in names:
        lines = []
        for line in files[f"{RAW}/{name}"].splitlines():
            event = json.loads(line)
            del event["chain"]
            change(name, event)
            sealed, head = chain_seal(head, event)
            lines.append(sealed)
        files[f"{RAW}/{name}"] = b"".join(lines)
        reports.append({"name": name, "lines": len(lines), "chain": head})
    return edited(files, ends[1], lambda report: report.update(plan=plan, chain=head, files=reports)), head


def on(kind: str, **changes: Any) -> Callable[[str, dict[str, Any]], object]:
    """For `chained`: alter every event of one kind."""
    return lambda _name, event: event.update(changes) if event["e"] == kind else None


def dump(value: object) -> bytes:
    """Canonical JSON."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def fields(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of each field in a JSON value; of a list, only its first entry is looked into."""
    if isinstance(value, dict) and value:
        return [found for key, each in value.items() for found in fields(each, (*path, key))]
    if isinstance(value, list) and value:
        return fields(value[0], (*path, 0))
    return [path]


def altered(value: Any, path: tuple[str | int, ...]) -> None:
    """Change the field at `path` into another value of its type, where it has one."""
    for key in path[:-1]:
        value = value[key]
    value[path[-1]] = other(value[path[-1]])


def other(value: object) -> object:
    """Another value of the same type, in the same form."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        if value.startswith("sha256:") or (len(value) == 64 and value.isalnum()):
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        return value + "x"
    return "x" if value is None else None
