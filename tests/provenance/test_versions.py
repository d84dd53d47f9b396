"""Which facts forbid a comparison (D32)."""

from __future__ import annotations

import pytest

from runner.provenance.versions import differences
from tests.retrieval.small_benchmark import build_corpus, build_partition, versions

CORPUS = build_corpus()
ONE = versions(build_partition(CORPUS), CORPUS)
OTHER = "sha256:" + "1" * 64


def test_a_score_is_comparable_with_itself():
    assert differences(ONE, ONE) == ()


@pytest.mark.parametrize("name", ["partition", "judgement_set", "corpus", "policy", "hardware_profile"])
def test_another_digest_is_named(name):
    found = differences(ONE, ONE.model_copy(update={name: OTHER}))
    assert found == (f"{name}: {getattr(ONE, name)}, {OTHER}",)


@pytest.mark.parametrize("name", ["benchmark", "cpu_model", "interface", "terminal", "protocol", "score"])
def test_another_version_is_named(name):
    assert differences(ONE, ONE.model_copy(update={name: "v2"})) == (f"{name}: {getattr(ONE, name)}, v2",)


@pytest.mark.parametrize(
    ("name", "value"), [("system", "dense"), ("image_id", OTHER), ("code_commit", "1" * 40), ("system_digest", OTHER)]
)
def test_what_a_comparison_is_about_may_differ(name, value):
    assert differences(ONE, ONE.model_copy(update={name: value})) == ()
