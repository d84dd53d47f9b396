"""The plan asks every query equally often, in shuffled blocks, and in other orders for each seed and lock (D15)."""

from __future__ import annotations

import json
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from runner.provenance.manifest import Floors, Limits, SystemCard, SystemManifest, WarmupQuery
from runner.retrieval.topics import Slice, Topic
from runner.terminal.profile import Profile
from runner.workflows.plan import IN_CONTAINER, Lots, Workload, block_count, held_requests, plan_bytes, shuffled_blocks

LOCK, OTHER = "sha256:" + "1" * 64, "sha256:" + "2" * 64
LIMITS = Limits(
    result_limit=10,
    time_limit_ms=2000,
    late_ms=2000,
    hold_ms=250,
    held_requests=7,
    warmup_searches=100,
    min_searches=1000,
    min_blocks=5,
    restarts=3,
    wall_limit_s=600,
)


def topics(count: int) -> list[Topic]:
    return [
        Topic(
            query_id=f"q{number:03}",
            text=f"words {number}",
            slice=Slice.TOPIC,
            family=f"f{number}",
            safety_flag=False,
            multi_cue_flag=False,
            template_groups=(),
            provenance="test",
        )
        for number in range(count)
    ]


def test_blocks_reach_both_minima_by_hand() -> None:
    assert block_count(48, LIMITS) == 21  # 20 * 48 = 960 < 1000 <= 21 * 48
    assert block_count(240, LIMITS) == 5  # 1,200 searches: the five blocks decide
    assert block_count(1000, LIMITS) == 5


@given(st.integers(1, 40), st.integers(1, 8), st.integers(0, 2**32))
def test_each_block_asks_each_query_once(queries: int, blocks: int, seed: int) -> None:
    for block in shuffled_blocks(topics(queries), blocks, Lots(seed, LOCK)):
        assert Counter(topic.query_id for topic in block) == Counter(f"q{number:03}" for number in range(queries))


def test_blocks_seeds_and_locks_differ_in_order() -> None:
    lots = [Lots(1, LOCK), Lots(2, LOCK), Lots(1, OTHER)]
    orders = {tuple(t.query_id for t in block) for drawn in lots for block in shuffled_blocks(topics(30), 5, drawn)}
    assert len(orders) == 15


def test_which_requests_are_watched_is_not_known_before_the_lock_is() -> None:
    """The seed is published; a system must not know from it where to lie."""
    one, other = (
        held_requests(shuffled_blocks(topics(30), 5, lots), 20, lots) for lots in (Lots(1, LOCK), Lots(1, OTHER))
    )
    assert one != other


def test_shuffling_is_frozen() -> None:
    """Published plans must stay reproducible: by sha256("7:<lock>:block:0:<query_id>"), worked with sha256sum."""
    (block,) = shuffled_blocks(topics(6), 1, Lots(7, LOCK))
    assert [topic.query_id for topic in block] == ["q002", "q000", "q005", "q003", "q001", "q004"]


@given(st.integers(0, 200), st.integers(0, 99))
def test_held_requests_are_distinct_and_as_many_as_asked(count: int, seed: int) -> None:
    blocks = shuffled_blocks(topics(20), 5, Lots(seed, LOCK))
    held = held_requests(blocks, count, Lots(seed, LOCK))
    assert len(held) == min(count, 100)
    assert all(0 <= block < 5 and 0 <= position < 20 for block, position in held)


def test_the_plan_is_one_line_and_says_nothing_of_labels() -> None:
    workload = Workload(
        topics=topics(48),
        warmup=[WarmupQuery(query_id=f"w{number}", text=f"warm {number}") for number in range(30)],
        limits=LIMITS,
        floors=Floors(echo=10, null_ui=5),
        engine_path=True,
        terminal=Profile.FULL,
        lots=Lots(3, LOCK),
    )
    system = SystemManifest(name="bm25", title="", folder="images/x", files=LOCK, configuration={"k1": 1.5})
    card = SystemCard(
        name="x",
        version="1",
        interface="list-80x24-v1",
        protocol="search-v1",
        engine=("e",),
        tui=("t",),
        release=None,
        prepare=None,
    )
    line = plan_bytes(system, card, workload, IN_CONTAINER)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    plan = json.loads(line)
    assert plan["lock"] == LOCK
    assert len(plan["warmup"]) == 100
    assert [len(block) for block in plan["blocks"]] == [48] * 21
    assert sum(query["held"] for block in plan["blocks"] for query in block) == 7
    assert {key for block in plan["blocks"] for query in block for key in query} == {"query_id", "text", "held"}
