"""What opt-in interaction events say of the ranked list; diagnostic only, no part of the score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from runner.documents import Document
from runner.retrieval.interaction_events import End, Versions, Visit
from runner.retrieval.interleaving import LENGTH, Chosen, Comparison, Impression, compare, session_interval
from runner.retrieval.latency import percentile
from runner.retrieval.wilson import wilson

UNKNOWN = "unknown"
#: By what an engine calls itself and the digest of its configuration: the name of the system.
Names = Mapping[tuple[str, str], str]


class Rate(Document):
    """`hits` of `of` lists. `low` to `high`: 95 % of the session bootstrap, null below two sessions.

    `wilson_low` to `wilson_high`: the Wilson interval with n = sessions, since a resample cannot leave 0 or 1.
    """

    value: float | None
    hits: int
    of: int
    low: float | None
    high: float | None
    wilson_low: float | None
    wilson_high: float | None


class Mean(Document):
    """A mean of `n` values, with the 95 % interval of the session bootstrap."""

    value: float | None
    n: int
    low: float | None
    high: float | None


class Times(Document):
    """Milliseconds, percentiles by nearest rank (D17)."""

    n: int
    p50: int | None
    p95: int | None


class Figures(Document):
    """The figures of some visits. Only a choice is a success; preview, open and copy are diagnostic.

    `choose_rate` and those of the other deeds are shares of lists with results; of several deeds of a kind on one list
    the first counts. `reciprocal_chosen_rank` is the mean over lists with a choice, `chosen_ranks` counts ranks 1 to
    10.
    `reformulation_rate` and `abandonment_rate` are shares of all drawn lists, empty and failed ones too, whose end is
    known. `lost` counts events that could not be written.
    """

    sessions: int
    renders: int
    with_results: int
    empty: int
    errors: int
    lost: int
    choose_rate: Rate
    preview_rate: Rate
    open_rate: Rate
    copy_rate: Rate
    reciprocal_chosen_rank: Mean
    chosen_ranks: tuple[int, ...]
    render_to_choice_ms: Times
    reformulation_rate: Rate
    abandonment_rate: Rate


class InteractionReport(Document):
    """What `interactions --json` prints: all visits, the same by each of four facts, and interleaved comparisons."""

    all: Figures
    by_slice: dict[str, Figures]
    by_corpus: dict[str, Figures]
    by_retriever: dict[str, Figures]
    by_interface: dict[str, Figures]
    interleaved: tuple[Comparison, ...]


def interaction_report(visits: Sequence[Visit], names: Names) -> InteractionReport:
    """The report on `visits`; engines that `names` does not have are told by version and configuration alone."""
    return InteractionReport(
        all=figures(visits),
        by_slice=_by([visit for visit in visits if visit.render.slice], lambda visit: visit.render.slice),
        by_corpus=_by(visits, lambda visit: visit.render.versions.corpus),
        by_retriever=_by(visits, lambda visit: retriever(visit, names)),
        by_interface=_by(visits, lambda visit: visit.render.versions.interface),
        interleaved=_comparisons(visits, names),
    )


def figures(visits: Sequence[Visit]) -> Figures:
    """The figures of `visits`, which may be none."""
    listed = [visit for visit in visits if visit.render.results]
    ended = [visit for visit in visits if visit.end is not End.CUT]
    chosen = [(visit, deed) for visit in listed if (deed := visit.first("choose"))]
    ranks = [deed.rank for _, deed in chosen]
    waits = sorted(deed.ms - visit.render.ms for visit, deed in chosen)
    return Figures(
        sessions=len(set(_sessions(visits))),
        renders=len(visits),
        with_results=len(listed),
        empty=sum(visit.render.outcome == "empty" for visit in visits),
        errors=sum(visit.render.outcome == "error" for visit in visits),
        lost=_lost(visits),
        choose_rate=_rate(listed, lambda visit: visit.first("choose") is not None),
        preview_rate=_rate(listed, lambda visit: visit.first("preview") is not None),
        open_rate=_rate(listed, lambda visit: visit.first("open") is not None),
        copy_rate=_rate(listed, lambda visit: visit.first("copy") is not None),
        reciprocal_chosen_rank=_mean([visit for visit, _ in chosen], [1 / rank for rank in ranks]),
        chosen_ranks=tuple(ranks.count(rank) for rank in range(1, LENGTH + 1)),
        render_to_choice_ms=_times(waits),
        reformulation_rate=_rate(ended, lambda visit: visit.end is End.REFORMULATED),
        abandonment_rate=_rate(ended, lambda visit: visit.end is End.ABANDONED),
    )


def retriever(visit: Visit, names: Names) -> str:
    """What ranked the list: system, version and configuration, of both engines where two were interleaved."""
    own, other = visit.render.versions, visit.render.other
    name = engine_name(own, names)
    return name if other is None else f"{name} interleaved with {engine_name(other, names)}"


def engine_name(versions: Versions, names: Names) -> str:
    """One engine in words, its system's name first where that is known; digests by their first twelve digits."""
    name = names.get((versions.system or "", versions.configuration or ""), "")
    configuration = (versions.configuration or UNKNOWN).removeprefix("sha256:")[:12]
    engine = f"{versions.system or UNKNOWN} {versions.version or UNKNOWN} ({configuration})"
    return f"{name}: {engine}" if name else engine


def _by(visits: Iterable[Visit], fact: Callable[[Visit], str | None]) -> dict[str, Figures]:
    groups: dict[str, list[Visit]] = {}
    for visit in visits:
        groups.setdefault(fact(visit) or UNKNOWN, []).append(visit)
    return {name: figures(groups[name]) for name in sorted(groups)}


def _sessions(visits: Iterable[Visit]) -> list[str]:
    return [visit.render.session for visit in visits]


def _lost(visits: Iterable[Visit]) -> int:
    """The largest count that each session has told, summed."""
    most: dict[str, int] = {}
    for visit in visits:
        for event in (visit.render, *visit.deeds):
            most[event.session] = max(most.get(event.session, 0), event.lost)
    return sum(most.values())


def _rate(visits: Sequence[Visit], hit: Callable[[Visit], bool]) -> Rate:
    if not visits:
        return Rate(value=None, hits=0, of=0, low=None, high=None, wilson_low=None, wilson_high=None)
    hits = [float(hit(visit)) for visit in visits]
    share = sum(hits) / len(hits)
    low, high = session_interval(_sessions(visits), hits) or (None, None)
    wilson_low, wilson_high = wilson(share, len(set(_sessions(visits))))
    return Rate(
        value=share, hits=int(sum(hits)), of=len(hits), low=low, high=high, wilson_low=wilson_low,
        wilson_high=wilson_high,
    )  # fmt: skip


def _mean(visits: Sequence[Visit], values: Sequence[float]) -> Mean:
    if not values:
        return Mean(value=None, n=0, low=None, high=None)
    low, high = session_interval(_sessions(visits), values) or (None, None)
    return Mean(value=sum(values) / len(values), n=len(values), low=low, high=high)


def _times(ordered: Sequence[int]) -> Times:
    if not ordered:
        return Times(n=0, p50=None, p95=None)
    return Times(n=len(ordered), p50=percentile(ordered, 500), p95=percentile(ordered, 950))


def _comparisons(visits: Iterable[Visit], names: Names) -> tuple[Comparison, ...]:
    pairs: dict[tuple[str, str], list[Impression]] = {}
    for visit in visits:
        if visit.render.other is not None and visit.render.results:
            pair = engine_name(visit.render.versions, names), engine_name(visit.render.other, names)
            pairs.setdefault(pair, []).append(Impression(visit.render.session, _chosen(visit)))
    return tuple(compare(*pair, impressions) for pair, impressions in sorted(pairs.items()))


def _chosen(visit: Visit) -> tuple[Chosen, ...]:
    """Each result chosen from an interleaved list, once."""
    chosen = {deed.doc_id: deed for deed in visit.deeds if deed.event == "choose" and deed.lists is not None}
    return tuple(Chosen(deed.team, deed.lists, deed.exposure) for deed in chosen.values() if deed.lists is not None)
