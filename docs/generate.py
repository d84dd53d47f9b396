"""Writes `docs/formats.md` and `docs/schemas/` from the types themselves: `nox -s docs`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from runner.documents import Document, pretty_bytes
from runner.provenance.card import Scorecard
from runner.provenance.driver_report import DriverReport
from runner.provenance.environment import Environment
from runner.provenance.images import ImagePins
from runner.provenance.journal import Entry
from runner.provenance.locks import PackageLock, WheelLock
from runner.provenance.manifest import HardwareProfile, RunManifest, SystemCard, SystemManifest, WarmupQuery
from runner.provenance.rawlog import Plan
from runner.provenance.run_lock import RunLock
from runner.provenance.statement import Statement
from runner.provenance.trust import Envelope, Trust
from runner.retrieval.items import CorpusCard, Item, SafetyAudit
from runner.retrieval.judgements import ExactTargets, Judgement, NoMatchAudit, Qrel
from runner.retrieval.partitions import PartitionCard
from runner.retrieval.runs import Observation
from runner.retrieval.topics import Topic

HERE = Path(__file__).parent
Schema = dict[str, Any]


class Format(NamedTuple):
    """A file and the type of the document in it, or of each of its lines."""

    file: str
    kind: type[Document]


FORMATS = (
    Format("manifests/official.json", RunManifest),
    Format("manifests/systems/*.json", SystemManifest),
    Format("manifests/hardware/*.json", HardwareProfile),
    Format("system.json", SystemCard),
    Format("warmup.jsonl", WarmupQuery),
    Format("items.jsonl", Item),
    Format("corpus.json", CorpusCard),
    Format("safety_audit.jsonl", SafetyAudit),
    Format("queries.jsonl", Topic),
    Format("judgements.jsonl", Judgement),
    Format("qrels.jsonl", Qrel),
    Format("exact_targets.jsonl", ExactTargets),
    Format("no_match_audits.jsonl", NoMatchAudit),
    Format("partition.json", PartitionCard),
    Format("images/locks/debian.json", PackageLock),
    Format("images/locks/wheels.json", WheelLock),
    Format("images/pins.json", ImagePins),
    Format("run.lock.json", RunLock),
    Format("raw/*/plan.json", Plan),
    Format("raw/*/driver.json", DriverReport),
    Format("observations.jsonl", Observation),
    Format("environment.json", Environment),
    Format("scorecard.json", Scorecard),
    Format("statement.dsse.json", Envelope),
    Format("statement.dsse.json, payload", Statement),
    Format("trust.json", Trust),
    Format("results/log.jsonl", Entry),
)


def files() -> Iterator[tuple[Path, bytes]]:
    """Every generated file with its bytes."""
    schemas = {form.kind.__name__: form.kind.model_json_schema(by_alias=True) for form in FORMATS}
    yield HERE / "formats.md", page(schemas).encode()
    for name, schema in schemas.items():
        yield HERE / "schemas" / f"{name}.json", pretty_bytes(schema)


def page(schemas: dict[str, Schema]) -> str:
    """One section a format, its parts below it."""
    head = (
        "# File formats\n\nGenerated from the types by `nox -s docs`. Every format is closed: "
        "an unknown key is refused. `*.jsonl` holds one object a line. "
        "JSON Schemas stand in [schemas/](schemas/). The raw log has "
        "[a page of its own](raw-log.md).\n"
    )
    return head + "".join(section(form, schemas[form.kind.__name__]) for form in FORMATS)


def section(form: Format, schema: Schema) -> str:
    """The tables of one format."""
    parts = "".join(
        f"\n`{name}`: {words(part)}\n\n{table(part)}"
        for name, part in sorted(schema.get("$defs", {}).items())
        if "properties" in part
    )
    title = f"\n## {form.file}\n\n{words(schema)} ([schema](schemas/{form.kind.__name__}.json))\n\n"
    return title + table(schema) + parts


def table(schema: Schema) -> str:
    """Key, type and whether it may be left out."""
    needed = schema.get("required", ())
    rows = "".join(
        f"| `{key}` | {shape(value, schema)} | {'' if key in needed else 'may be left out'} |\n"
        for key, value in schema["properties"].items()
    )
    return "| key | type | |\n|---|---|---|\n" + rows


def shape(value: Schema, schema: Schema) -> str:
    """A type in words."""
    if "$ref" in value:
        return f"`{value['$ref'].rpartition('/')[2]}`"
    if "anyOf" in value:
        return " or ".join(shape(one, schema) for one in value["anyOf"])
    if "const" in value:
        return f"`{value['const']}`"
    if value.get("type") == "array":
        return "list of " + shape(value.get("items", {}), schema)
    if value.get("type") == "object":
        inner = value.get("additionalProperties")
        return f"object of {shape(inner, schema)}" if isinstance(inner, dict) else "object"
    limits = [f"{word} {value[key]}" for key, word in LIMITS.items() if key in value]
    pattern = [f"`{value['pattern']}`".replace("|", "\\|")] if "pattern" in value else []
    return " ".join([value.get("type", "any JSON"), *limits, *pattern])


LIMITS = {"minimum": ">=", "maximum": "<=", "exclusiveMinimum": ">", "minLength": "at least", "maxLength": "at most"}


def words(schema: Schema) -> str:
    """The docstring as one paragraph."""
    return " ".join(schema.get("description", "").split())


if __name__ == "__main__":
    for path, data in files():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
