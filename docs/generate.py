"""Writes `docs/formats.md` and `docs/schemas/` from the types themselves: `nox -s docs`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from runner.documents import Document, pretty_bytes
from runner.provenance.acceptance import Acceptance
from runner.provenance.card import Scorecard
from runner.provenance.driver_report import DriverReport
from runner.provenance.dsse import Envelope
from runner.provenance.environment import Environment
from runner.provenance.host_spread import HostSpread
from runner.provenance.images import ImagePins
from runner.provenance.journal import Entry
from runner.provenance.locks import ModelLock, PackageLock, WheelLock
from runner.provenance.manifest import HardwareProfile, RunManifest, SystemCard, SystemManifest, WarmupQuery
from runner.provenance.plan import Plan
from runner.provenance.public_key import PublicKey
from runner.provenance.reproduction import ReproducedRun, ReproductionStatement
from runner.provenance.run_lock import RunLock
from runner.provenance.sealed import Retirement, SealNote
from runner.provenance.statement import Statement, WitnessStatement
from runner.provenance.suites.plan import SuitesPlan
from runner.provenance.suites.report import ALL_RULES
from runner.provenance.trust import Memory, Trust
from runner.retrieval.agreement import AgreementReport
from runner.retrieval.annotation import Stroke
from runner.retrieval.certificate import Certificate
from runner.retrieval.coverage import CoverageReport
from runner.retrieval.exchange.beir import PlainDocument
from runner.retrieval.exchange.topics import PlainTopic
from runner.retrieval.gates import Suite
from runner.retrieval.interaction_events import Deed, Render, Turn
from runner.retrieval.interactions import InteractionReport
from runner.retrieval.items import CorpusCard, Item, SafetyAudit
from runner.retrieval.judgement_sets import JudgementSet
from runner.retrieval.judgements import ExactTargets, Judgement, NoMatchAudit, Qrel
from runner.retrieval.merging import MergeReport
from runner.retrieval.partitions import PartitionCard
from runner.retrieval.perceptual import GroupOverride
from runner.retrieval.plain_judgements import FinalGrade, RunLine
from runner.retrieval.pooling import PooledPair, PoolPair
from runner.retrieval.runs import Observation
from runner.retrieval.scaffold import FreeGroup
from runner.retrieval.sheets import SheetCard, SheetRow
from runner.retrieval.suites import GatesReport
from runner.retrieval.topics import Topic
from runner.workflows.accept import DefaultSystem
from runner.workflows.compare import Comparison
from runner.workflows.conform import Conformity
from runner.workflows.history import History
from runner.workflows.rejudge import Rescored
from tuning.record import TuningRecord

HERE = Path(__file__).parent
Schema = dict[str, Any]


class Format(NamedTuple):
    """A file and the type of the document in it, or of each of its lines; `examples` are lines that are accepted."""

    file: str
    kind: type[Document]
    examples: tuple[str, ...] = ()


FORMATS = (
    Format("manifests/official.json", RunManifest),
    Format("manifests/systems/*.json", SystemManifest),
    Format("manifests/hardware/*.json", HardwareProfile),
    Format("manifests/hardware/*-spread.json", HostSpread),
    Format("system.json", SystemCard),
    Format("warmup.jsonl", WarmupQuery),
    Format("items.jsonl", Item),
    Format("corpus.json", CorpusCard),
    Format("group_overrides.jsonl", GroupOverride),
    Format("safety_audit.jsonl", SafetyAudit),
    Format("queries.jsonl", Topic),
    Format("judgements.jsonl", Judgement),
    Format("qrels.jsonl", Qrel),
    Format(
        "exact_targets.jsonl, measure --targets FILE",
        ExactTargets,
        ('{"query_id":"q1","groups":[["m0001","m0002"],["m0007"]],"adjudicated_by":"human:somebody"}',),
    ),
    Format("no_match_audits.jsonl", NoMatchAudit),
    Format("partition.json", PartitionCard),
    Format("judgement_set.json", JudgementSet),
    Format("pool.jsonl, disputed.jsonl, judge pool --pairs FILE", PoolPair, ('{"query_id":"q1","doc_id":"m0001"}',)),
    Format("pool.sources.jsonl", PooledPair),
    Format("sheet.json", SheetCard),
    Format("sheet.jsonl", SheetRow),
    Format("strokes.jsonl", Stroke),
    Format("merge.json", MergeReport),
    Format("judge agreement --json", AgreementReport),
    Format("judge coverage --json", CoverageReport),
    Format("rescored.json", Rescored),
    Format("groups.free.jsonl", FreeGroup),
    Format("certificate.json", Certificate),
    Format("measure --judgements FILE", FinalGrade, ('{"query_id":"q1","doc_id":"m0001","grade":2.5}',)),
    Format(
        "measure --run FILE",
        RunLine,
        ('{"query_id":"q1","doc_ids":["m0002","m0001"]}', '{"query_id":"q1","outcome":"error"}'),
    ),
    Format("topics/*.jsonl of an import", PlainTopic, ('{"query_id":"q1","text":"john cena"}',)),
    Format("documents.jsonl of an import", PlainDocument, ('{"doc_id":"MED-10","title":"","text":"statins"}',)),
    Format("interactions FILE, a list", Render),
    Format("interactions FILE, a deed", Deed),
    Format("interactions FILE, a turn", Turn),
    Format("interactions --json", InteractionReport),
    Format("images/locks/debian.json", PackageLock),
    Format("images/locks/wheels.json", WheelLock),
    Format("images/locks/models.json", ModelLock),
    Format("manifests/tuning/*.json", TuningRecord),
    Format("images/pins.json", ImagePins),
    Format("run.lock.json", RunLock),
    Format("raw/*/plan.json", Plan),
    Format("raw/*/driver.json, raw/*/suites.driver.json", DriverReport),
    Format("raw/*/suites.plan.json", SuitesPlan),
    Format("gates/*.json", GatesReport),
    Format("conform --json", Conformity),
    Format("observations.jsonl", Observation),
    Format("environment.json", Environment),
    Format("scorecard.json", Scorecard),
    Format("acceptance.json", Acceptance),
    Format("manifests/default-system.json", DefaultSystem),
    Format("compare --json", Comparison),
    Format("history --json", History),
    Format("statement.dsse.json, witness.dsse.json, trust.json, *.reproduction.dsse.json", Envelope),
    Format("statement.dsse.json, payload", Statement),
    Format("witness.dsse.json, payload", WitnessStatement),
    Format("*.reproduction.dsse.json, payload", ReproductionStatement),
    Format("reproduce --json", ReproducedRun),
    Format("trust.json, payload", Trust),
    Format("*.pub", PublicKey),
    Format(".keys/seen.json", Memory),
    Format("results/log.jsonl", Entry),
    Format("sealed.json, inside a sealed partition", SealNote),
    Format("retired.jsonl", Retirement),
)


def files() -> Iterator[tuple[Path, bytes]]:
    """Every generated file with its bytes."""
    schemas = {form.kind.__name__: with_units(form.kind.model_json_schema(by_alias=True)) for form in FORMATS}
    yield HERE / "formats.md", page(schemas).encode()
    yield HERE / "suites.md", suites_page().encode()
    for name, schema in schemas.items():
        yield HERE / "schemas" / f"{name}.json", pretty_bytes(schema)


def with_units(schema: Schema) -> Schema:
    """The schema with what each number is in, as the end of its key tells."""
    for part in (schema, *schema.get("$defs", {}).values()):
        for key, value in part.get("properties", {}).items():
            unit = next((unit for end, unit in UNITS.items() if key.endswith(end)), None)
            if unit:
                value["description"] = f"In {unit}."
    return {"$schema": DIALECT, **schema}


def page(schemas: dict[str, Schema]) -> str:
    """One section a format, its parts below it."""
    head = (
        "# File formats\n\nGenerated from the types by `nox -s docs`. Every format is closed: "
        "an unknown key is refused, and a key may be left out only where its table says so. "
        "`*.jsonl` holds one object a line. "
        "JSON Schemas stand in [schemas/](schemas/). The raw log has "
        "[a page of its own](raw-log.md), and so have [the decisions](decisions.md) (D1 to D33).\n"
    )
    contents = "\n" + "".join(f"- [{form.file}](#{anchor(form.file)})\n" for form in FORMATS)
    return head + contents + "".join(section(form, schemas[form.kind.__name__]) for form in FORMATS)


def suites_page() -> str:
    """Every rule of the three suites, with what to do where it is broken."""
    head = (
        "# The three suites\n\nGenerated from `runner/provenance/suites/rules.py` by `nox -s docs`. "
        "[The score](score.md#gates) says when and where they are run, [the "
        "contract](../images/README.md) what a system "
        "must bring. Each rule is a row of `gates/<system>.json`: PASS, FAIL with what was found first, "
        "or NOT RUN with the "
        "reason. `./bench run conform SYSTEM_DIR` tries a system, and gives the advice of each rule that it breaks.\n"
    )
    return head + "".join(suite_section(suite) for suite in Suite)


def suite_section(suite: Suite) -> str:
    """The rules of one suite."""
    rules = [rule for rule in ALL_RULES if rule.suite is suite]
    body = "".join(f"| `{rule.id}` | {rule.sentence} | {rule.advice} |\n" for rule in rules)
    head = "| rule | what must hold | where it does not |\n|---|---|---|\n"
    return f"\n## {suite.capitalize()}\n{SUITES[suite]}\n\n{head}{body}"


def anchor(title: str) -> str:
    """What a viewer of Markdown makes of a heading, for links to it."""
    return re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-")


def section(form: Format, schema: Schema) -> str:
    """The tables of one format."""
    named = schema.get("$defs", {})
    parts = "".join(
        f"\n`{name}`: {words(part)}\n\n{table(part, named)}"
        for name, part in sorted(named.items())
        if "properties" in part
    )
    title = f"\n## {form.file}\n\n{words(schema)} ([schema](schemas/{form.kind.__name__}.json))\n\n"
    return title + table(schema, named) + examples(form.examples) + parts


def examples(lines: Sequence[str]) -> str:
    """Example lines as a block; nothing where there are none."""
    return "\n```json\n" + "".join(f"{line}\n" for line in lines) + "```\n" if lines else ""


def table(schema: Schema, named: Schema) -> str:
    """Key and type, and whether it may be left out where that holds for any; `named` are the parts by name."""
    needed = schema.get("required", ())
    rows = [(f"`{key}`", typed(value, named), key in needed) for key, value in schema["properties"].items()]
    if all(must for _, _, must in rows):
        return "| key | type |\n|---|---|\n" + "".join(f"| {key} | {kind} |\n" for key, kind, _ in rows)
    body = "".join(f"| {key} | {kind} | {'' if must else 'may be left out'} |\n" for key, kind, must in rows)
    return "| key | type | |\n|---|---|---|\n" + body


def typed(value: Schema, named: Schema) -> str:
    """The type of a key, and what it is in."""
    unit = value.get("description", "").removesuffix(".").lower()
    return f"{shape(value, named)}, {unit}" if unit else shape(value, named)


def shape(value: Schema, named: Schema) -> str:
    """A type in words; an enumeration by its values."""
    if "$ref" in value:
        return part_name(value["$ref"].rpartition("/")[2], named)
    if "anyOf" in value:
        return " or ".join(shape(one, named) for one in value["anyOf"])
    if "const" in value or "enum" in value:
        return " or ".join(f"`{choice}`" for choice in value.get("enum") or [value["const"]])
    if value.get("type") == "array":
        return array(value, named)
    if value.get("type") == "object":
        return mapping(value, named)
    limits = [phrase.format(value[key]) for key, phrase in LIMITS.items() if key in value]
    pattern = [f"`{value['pattern']}`".replace("|", "\\|")] if "pattern" in value else []
    return " ".join([value.get("type", "any JSON"), *limits, *pattern])


def part_name(name: str, named: Schema) -> str:
    """How a part of its own is called in a table."""
    part = named[name]
    if "enum" in part:
        return " or ".join(f"`{choice}`" for choice in part["enum"])
    return f"`{name}`" if "properties" in part else shape(part, named)


def array(value: Schema, named: Schema) -> str:
    """A list; one of fixed length by each of its places."""
    if "prefixItems" in value:
        return "list of " + " and ".join(shape(one, named) for one in value["prefixItems"])
    least = f", at least {value['minItems']}" if "minItems" in value else ""
    return "list of " + shape(value.get("items", {}), named) + least


def mapping(value: Schema, named: Schema) -> str:
    """An object whose keys are data."""
    inner = next(iter(value.get("patternProperties", {}).values()), value.get("additionalProperties"))
    of = f" of {shape(inner, named)}" if isinstance(inner, dict) else ""
    return f"object{of} by {shape(value['propertyNames'], named)}" if "propertyNames" in value else f"object{of}"


SUITES = {
    Suite.PROTOCOL: (
        "Conversations with the engine, byte for byte those of `runner/provenance/suites/cases.py`. After each "
        "one a request is asked on another connection, and the next one on the same, unless that was given up: in "
        "`no end of line`, `eight at once`, and where the client hangs up."
    ),
    Suite.ROLLBACK: (
        "Two releases: one of the corpus, one of the corpus without the items that were found first. One engine "
        "runs all the while. Publishers are killed at changes that can be seen in the folder of releases, spread "
        "over all that one makes, and at moments drawn by lot (the seed is the manifest's)."
    ),
    Suite.RESTORATION: (
        "The UI is started on a terminal with something on it and settings of its own, searches, and is ended: by "
        "Ctrl-D on an empty line, Ctrl-C, SIGINT, SIGTERM, SIGHUP, SIGUSR1 (an exception inside), and SIGKILL of "
        "the youngest process below the one that was started; each once with half a query typed after a search, "
        "and once while the engine keeps its reply back. What both emulators know is looked at in both; mouse, "
        "paste, focus and keyboard are known to one of them."
    ),
}

DIALECT = "https://json-schema.org/draft/2020-12/schema"

UNITS = {
    "_ns": "nanoseconds",
    "_us": "microseconds",
    "_ms": "milliseconds",
    "_s": "seconds",
    "_bytes": "bytes",
    "_ticks": "ticks of the kernel's clock",
}

LIMITS = {
    "minimum": ">= {}",
    "exclusiveMinimum": "> {}",
    "maximum": "<= {}",
    "multipleOf": "in steps of {}",
    "minLength": "length >= {}",
    "maxLength": "length <= {}",
}


def words(schema: Schema) -> str:
    """The docstring as one paragraph, its decisions linked."""
    text = " ".join(schema.get("description", "").split())
    return re.sub(r"\bD([0-9]{1,2})\b", r"[D\1](decisions.md#d\1)", text)


if __name__ == "__main__":
    for path, data in files():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
