"""The kept record of tuning: it is about what lies here, and the manifests have what it chose."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from mambomeme import ideas

from runner.documents import digest
from tuning.__main__ import CAVEATS, RECORD, ROOT, fold_of
from tuning.record import TuningRecord

RECORDED = TuningRecord.parse((ROOT / RECORD).read_bytes(), RECORD)
OFFICIAL = json.loads((ROOT / "manifests/official.json").read_bytes())
DEVELOPMENT = ROOT / "manifests/benchmarks/search-v1/development"


def manifest(name: str) -> dict[str, object]:
    return json.loads((ROOT / f"manifests/systems/{name}.json").read_bytes())


def test_it_rests_on_what_is_here() -> None:
    assert RECORDED.inputs.partition == OFFICIAL["partition"]["digest"]
    assert RECORDED.inputs.judgement_set == digest((DEVELOPMENT / "judgements.jsonl").read_bytes())
    assert RECORDED.inputs.corpus == digest((ROOT / "images/corpus/items.jsonl").read_bytes())
    assert RECORDED.inputs.ideas == digest(ideas.PATH.read_bytes())
    assert RECORDED.caveats == CAVEATS


@pytest.mark.parametrize("name", ["bm25", "dense", "hybrid"])
def test_each_manifest_has_what_was_chosen_and_names_the_record(name: str) -> None:
    assert manifest(name)["configuration"] == RECORDED.systems[name].configuration
    assert manifest(name)["tuning"] == {"path": RECORD, "digest": digest((ROOT / RECORD).read_bytes())}


def test_a_person_gets_the_hybrid_system() -> None:
    given = json.loads((ROOT / "images/mambomeme/configuration.json").read_bytes())
    assert given == RECORDED.systems["hybrid"].configuration


def test_no_family_is_in_two_folds_and_no_fold_is_empty() -> None:
    lines = (DEVELOPMENT / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    families = {json.loads(line)["family"] for line in lines}
    assert len(families) == RECORDED.families
    assert {fold_of(family) for family in families} == set(range(RECORDED.folds))


@pytest.mark.slow
def test_the_same_choice_comes_out_again() -> None:
    path = {"PYTHONPATH": f"{ROOT}:{ROOT / 'images/mambomeme'}", "PATH": str(Path(sys.executable).parent)}
    done = subprocess.run(
        [sys.executable, "-m", "tuning", "--check"], cwd=ROOT, env=path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
