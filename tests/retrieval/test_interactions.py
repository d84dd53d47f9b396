"""The interaction report: figures worked by hand from a few lines, and every way in which a file can be wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from runner.cli import app
from runner.documents import Source
from runner.errors import BadInput
from runner.retrieval.interaction_events import End, parse_interactions
from runner.retrieval.interactions import InteractionReport, interaction_report
from runner.workflows.interactions import interactions_screen

VERSIONS = {
    "system": "mambomeme", "version": "0.1.0", "interface": "list-80x24-v1", "protocol": "search-v1",
    "corpus": "sha256:c1", "index": "sha256:i", "model": None, "configuration": "sha256:f0",
}  # fmt: skip
OTHER = {**VERSIONS, "configuration": "sha256:f1"}
NAMES = {("mambomeme", "sha256:f0"): "hybrid"}
ONE, TWO = "a" * 16, "b" * 16

Event = dict[str, Any]


def event(session: str, kind: str, render: int, ms: int, **more: Any) -> Event:
    return {
        "format": "mambo-interactions/v1", "session": session, "event": kind, "render": render, "ms": ms, "slice": None,
        "versions": VERSIONS, "other": None, "lost": 0, **more,
    }  # fmt: skip


def result(rank: int, **more: Any) -> Event:
    return {"doc_id": f"m{rank}", "rank": rank, "exposure": 1.0, "team": None, "lists": None, **more}


def render(session: str, number: int, ms: int, results: int | list[Event] = 10, **more: Any) -> Event:
    shown = [result(rank) for rank in range(1, results + 1)] if isinstance(results, int) else results
    told = {"outcome": "results" if shown else "empty", "text": None, "results": shown, "visible": len(shown)}
    return event(session, "render", number, ms, **{**told, "columns": 80, "rows": 24, **more})


def source(events: list[Event]) -> Source:
    return Source("events.jsonl", b"".join(json.dumps(value).encode() + b"\n" for value in events))


def report(events: list[Event]) -> InteractionReport:
    return interaction_report(parse_interactions(source(events)), NAMES)


# Two sessions that run at once: one chooses at ranks 2 and 4, the other finds nothing to choose.
EVENTS = [
    render(ONE, 1, 100, slice="entity"),
    render(TWO, 1, 50, slice="entity"),
    event(ONE, "preview", 1, 400, **result(1)),
    event(ONE, "preview", 1, 500, **result(2)),
    event(ONE, "choose", 1, 1100, **result(2)),
    event(ONE, "choose", 1, 1300, **result(5)),
    event(TWO, "copy", 1, 60, **result(1)),
    event(TWO, "reformulate", 1, 70),
    render(TWO, 2, 80, 0),
    event(TWO, "reformulate", 2, 90),
    render(ONE, 2, 2000),
    event(ONE, "choose", 2, 5000, **result(4)),
    render(TWO, 3, 100, 0, outcome="error", lost=3),
    render(TWO, 4, 110),
    event(TWO, "open", 4, 120, **result(3)),
    event(TWO, "abandon", 4, 130),
    render(ONE, 3, 9000),
]


def test_a_choice_that_was_taken_back_counts_as_none() -> None:
    visits = parse_interactions(
        source([
            render(ONE, 1, 1), event(ONE, "choose", 1, 2, **result(3)), event(ONE, "unchoose", 1, 3, **result(3)),
            event(ONE, "choose", 1, 4, **result(1)), render(ONE, 2, 5), event(ONE, "choose", 2, 6, **result(2)),
            render(ONE, 3, 7), event(ONE, "unchoose", 3, 8, **result(2)), event(ONE, "abandon", 3, 9),
        ])
    )  # fmt: skip
    assert [visit.end for visit in visits] == [End.CHOSEN, End.CUT, End.ABANDONED]
    found = interaction_report(visits, NAMES).all
    assert found.chosen_ranks == (1, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    assert (found.choose_rate.hits, found.abandonment_rate.hits, found.abandonment_rate.of) == (1, 1, 2)


def test_the_figures_by_hand() -> None:
    found = report(EVENTS).all
    assert (found.sessions, found.renders, found.with_results, found.empty, found.errors, found.lost) == (
        2,
        7,
        5,
        1,
        1,
        3,
    )
    rates = {
        "choose": (2, 5), "preview": (1, 5), "open": (1, 5), "copy": (1, 5), "reformulation": (2, 6),
        "abandonment": (1, 6),
    }  # fmt: skip
    for name, (hits, of) in rates.items():
        rate = getattr(found, f"{name}_rate")
        assert (rate.hits, rate.of, rate.value) == (hits, of, hits / of)
    assert (found.reciprocal_chosen_rank.value, found.reciprocal_chosen_rank.n) == ((1 / 2 + 1 / 4) / 2, 2)
    assert found.chosen_ranks == (0, 1, 0, 1, 0, 0, 0, 0, 0, 0)
    times = found.render_to_choice_ms
    assert (times.n, times.p50, times.p95) == (2, 1000, 3000)


def test_only_a_choice_is_a_success() -> None:
    others = [value for value in EVENTS if value["event"] != "choose"]
    found = report(others).all
    assert (found.choose_rate.hits, found.reciprocal_chosen_rank.value, sum(found.chosen_ranks)) == (0, None, 0)


def test_how_each_list_ended() -> None:
    ends = [visit.end for visit in parse_interactions(source(EVENTS))]
    assert ends == [
        End.CHOSEN, End.REFORMULATED, End.REFORMULATED, End.CHOSEN, End.REPEATED, End.ABANDONED, End.CUT,
    ]  # fmt: skip


def test_intervals_draw_whole_sessions() -> None:
    """One session chooses from 2 of 3 lists, the other from 0 of 2: resampled, 0, 2/5 or 2/3."""
    rate = report(EVENTS).all.choose_rate
    assert (rate.low, rate.high) == (0, 2 / 3)
    assert rate.wilson_low is not None
    assert rate.wilson_high is not None
    assert rate.wilson_low < 0.4 < rate.wilson_high
    alone = report([value for value in EVENTS if value["session"] == ONE]).all.choose_rate
    assert (alone.low, alone.high) == (None, None)


def test_groups_by_slice_corpus_retriever_and_interface() -> None:
    later = [
        {**render("c" * 16, 1, 0), "versions": {**VERSIONS, "corpus": "sha256:c2", "interface": "list-80x24-v2"}},
        {**render("d" * 16, 1, 0), "versions": OTHER},
    ]
    found = report(EVENTS + later)
    assert {name: group.renders for name, group in found.by_slice.items()} == {"entity": 2}
    assert {name: group.renders for name, group in found.by_corpus.items()} == {"sha256:c1": 8, "sha256:c2": 1}
    assert {name: group.renders for name, group in found.by_interface.items()} == {
        "list-80x24-v1": 8, "list-80x24-v2": 1,
    }  # fmt: skip
    assert {name: group.renders for name, group in found.by_retriever.items()} == {
        "hybrid: mambomeme 0.1.0 (f0)": 8, "mambomeme 0.1.0 (f1)": 1,
    }  # fmt: skip
    assert found.by_slice["entity"].choose_rate.value == 0.5


def test_interleaved_lists_compare_two_configurations() -> None:
    own = result(1, team="A", lists="A", exposure=0.5)
    shared = result(2, team="B", lists="AB")
    events = [
        render(ONE, 1, 0, [own, shared], other=OTHER),
        event(ONE, "choose", 1, 1, other=OTHER, **own),
        event(ONE, "choose", 1, 2, other=OTHER, **own),
        render(ONE, 2, 3, [own, shared], other=OTHER),
        event(ONE, "choose", 2, 4, other=OTHER, **shared),
        render(ONE, 3, 5),
    ]
    (found,) = report(events).interleaved
    assert (found.a, found.b) == ("hybrid: mambomeme 0.1.0 (f0)", "mambomeme 0.1.0 (f1)")
    assert (found.impressions, found.choices, found.a_ahead, found.b_ahead) == (2, 2, 1, 1)
    assert (found.credit.value, found.weighted.value) == (0, 1)


def test_an_empty_file_is_an_empty_report() -> None:
    found = report([])
    assert found.all.renders == 0
    assert found.all.choose_rate.value is None
    assert "0 lists in 0 sessions" in interactions_screen(found)


def test_the_screen_draws_the_distribution() -> None:
    lines = interactions_screen(report(EVENTS)).splitlines()
    assert "   2      1 " + "█" * 40 in lines
    assert "   3      0" in lines
    assert max(map(len, lines)) <= 80


def changed(at: int, **more: Any) -> Callable[[list[Event]], list[Event]]:
    return lambda events: [*events[:at], {**events[at], **more}, *events[at + 1 :]]


WRONG: dict[str, tuple[Callable[[list[Event]], list[Event]], int]] = {
    "another format": (changed(0, format="mambo-interactions/v2"), 1),
    "a key too many": (changed(2, user="somebody"), 3),
    "an unknown event": (changed(2, event="hover"), 3),
    "a name that is not random": (changed(0, session="somebody"), 1),
    "an exposure of 0": (changed(2, exposure=0.0), 3),
    "an exposure above 1": (changed(2, exposure=1.5), 3),
    "rank 11": (changed(2, rank=11), 3),
    "another result at that rank": (changed(2, doc_id="m9"), 3),
    "a list that was never drawn": (changed(2, render=2), 3),
    "a list left out": (lambda events: events[1:], 2),
    "time that runs backward": (changed(4, ms=10), 5),
    "results without an outcome": (changed(0, outcome="empty"), 1),
    "ranks that leave one out": (changed(0, results=[result(1), result(3)]), 1),
    "an id twice": (changed(0, results=[result(1), result(2, doc_id="m1")]), 1),
    "eleven results": (changed(0, results=[result(min(rank, 10)) for rank in range(1, 12)]), 1),
    "a turn without a list": (lambda _: [event(ONE, "abandon", 1, 0)], 1),
}


@pytest.mark.parametrize(("change", "line"), WRONG.values(), ids=WRONG.keys())
def test_a_wrong_line_is_named(change: Callable[[list[Event]], list[Event]], line: int) -> None:
    with pytest.raises(BadInput, match=rf"^events\.jsonl:{line}: "):
        parse_interactions(source(change(EVENTS)))


@pytest.mark.parametrize("line", [b"", b"[]", b"{", b'{"event":"render","event":"render"}', b"\xff", b"7"])
def test_a_line_that_is_no_event_is_named(line: bytes) -> None:
    with pytest.raises(BadInput, match=r"^events\.jsonl:2"):
        parse_interactions(Source("events.jsonl", source(EVENTS[:1]).data + line + b"\n"))


def test_the_verb_names_the_system_by_the_configuration_that_its_engine_told(tmp_path: Path) -> None:
    manifest = json.loads(Path("manifests/systems/hybrid.json").read_bytes())
    canonical = json.dumps(manifest["configuration"], sort_keys=True, separators=(",", ":")).encode()
    configuration = sha256(canonical).hexdigest()
    path = tmp_path / "events.jsonl"
    path.write_bytes(
        source([render(ONE, 1, 1, versions={**VERSIONS, "configuration": f"sha256:{configuration}"})]).data
    )
    told = CliRunner().invoke(app, ["interactions", str(path)]).stdout
    assert f"\nhybrid: mambomeme 0.1.0 ({configuration[:12]})" in told


def test_the_verb_reports_refuses_and_deletes(tmp_path: Path) -> None:
    path, letter = tmp_path / "events.jsonl", tmp_path / "letter.txt"
    path.write_bytes(source(EVENTS).data)
    letter.write_text("Dear reader\n")
    run = partial(CliRunner().invoke, app)
    assert json.loads(run(["interactions", str(path), "--json"]).stdout)["all"]["choose_rate"]["value"] == 0.4
    for words in ([str(letter)], [str(letter), "--delete"]):
        refused = run(["interactions", *words])
        assert isinstance(refused.exception, BadInput)
        assert refused.exception.exit_status == 65
        assert str(refused.exception).startswith(f"{letter}:")
        assert refused.stdout == ""
    assert letter.exists()
    assert run(["interactions", str(path), "--delete"]).exit_code == 0
    assert not path.exists()
