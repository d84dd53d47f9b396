"""How fast a system is and what it takes, for the scorecard in Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from runner.provenance.suites_markdown import Cells, Table
from runner.retrieval.latency import TimeSummary, milliseconds
from runner.retrieval.scorecard import Performance, Resources, SystemRow

_COLUMNS = ("path", "n", "p50 ms", "p95 ms", "p99 ms", "max ms", "mean ms", "errors", "timeouts")
_MEGABYTE = 1e6
UNKNOWN = "not recorded"
NOTHING = Resources(**dict.fromkeys(Resources.model_fields))


def performance_tables(row: SystemRow) -> Iterator[Table]:
    """Both paths with their intervals; then how the system comes up, what it holds, how fast it builds."""
    found = row.performance
    ui = (found.ui_p50_ns, found.ui_p95_ns, found.ui_p99_ns)
    engine = (found.engine_p50_ns, found.engine_p95_ns, found.engine_p99_ns)
    paths = [("complete UI, scored", found.ui, ui), ("engine alone", found.engine, engine)]
    body = [(name, *_times(times, spread)) for name, times, spread in paths if times]
    yield Table("### Performance", _COLUMNS, body)
    yield Table("### Start, memory, pipeline (not scored)", ("", ""), list(_takes(found)))


def _times(found: TimeSummary, spread: tuple[tuple[int, int] | None, ...]) -> Cells:
    percentiles = (found.p50_ns, found.p95_ns, found.p99_ns)
    shown = (_with_interval(ns, interval) for ns, interval in zip(percentiles, spread, strict=True))
    rest = (milliseconds(found.max_ns), milliseconds(found.mean_ns), str(found.errors), str(found.timeouts))
    return str(found.n), *shown, *rest


def _with_interval(ns: int, interval: tuple[int, int] | None) -> str:
    if interval is None:
        return milliseconds(ns)
    return f"{milliseconds(ns)} [{milliseconds(interval[0])}, {milliseconds(interval[1])}]"


def _takes(found: Performance) -> Iterator[Cells]:
    held = found.resources or NOTHING
    yield "engine start to its first connection", _time(held.engine_load_ns)
    yield "UI start to its first frame", _time(held.ui_load_ns)
    yield "engine start to the first answer drawn", _time(held.first_answer_ns)
    yield "engine, most memory", _size(held.engine_peak_bytes)
    yield "UI, most memory", _size(held.ui_peak_bytes)
    yield "index, as the engine says", _size(held.index_bytes)
    yield "pipeline, documents indexed per second (vectors that the image has already are used again)", _pipeline(found)


def _time(ns: int | None) -> str:
    return UNKNOWN if ns is None else f"{milliseconds(ns)} ms"


def _size(size: int | None) -> str:
    return UNKNOWN if size is None else f"{size / _MEGABYTE:.1f} MB"


def _pipeline(found: Performance) -> str:
    made = found.pipeline
    if made is None:
        return UNKNOWN
    return f"{made.per_second:.0f} ({made.documents} in {milliseconds(made.build_ns)} ms)"
