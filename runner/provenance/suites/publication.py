"""Judges the suite about publication and rollback from what publishers did and what the engine then served."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from runner.documents import digest
from runner.provenance.suites.lines import first_found_in, hello_of, lists_in, object_in
from runner.provenance.suites.protocol import split_cases
from runner.provenance.suites.served import Lines, build_fault, how, what_came
from runner.terminal import suite_log as log
from runner.terminal.rawlog import Exit, Role

Finding = tuple[str, str]
_BUSY, _REFUSED = 75, 65


class Step(NamedTuple):
    """One case as it went: publishers in the order they ended, what was served by connection, how much was there."""

    name: str
    ran: tuple[log.Ran, ...]
    served: tuple[Lines, ...]
    trees: tuple[int, ...]
    made: log.Made | None
    ended: bool

    @property
    def last(self) -> Lines:
        """What the last connection was served."""
        return self.served[-1] if self.served else ()


class Judged(NamedTuple):
    """What is against each rule, by id, and which rules were tried at all."""

    found: Mapping[str, str]
    tried: frozenset[str]


def judge(events: Sequence[log.SuiteEvent]) -> Judged:
    """Every rule on the log of the suite."""
    watch = _Watch()
    for name, part in split_cases(events):
        watch.take(_step(name, part))
    return Judged(watch.found, frozenset(watch.tried))


def _step(name: str, events: Sequence[log.SuiteEvent]) -> Step:
    conns = dict[int, bytes]()
    for event in events:
        if isinstance(event, log.Dial):
            conns[event.conn] = b""
        elif isinstance(event, log.Came):
            conns[event.conn] = conns.get(event.conn, b"") + event.data
    return Step(
        name=name,
        ran=tuple(event for event in events if isinstance(event, log.Ran)),
        served=tuple(tuple(data.split(b"\n")[:-1]) for data in conns.values()),
        trees=tuple(event.entries for event in events if isinstance(event, log.Tree)),
        made=next((event for event in events if isinstance(event, log.Made)), None),
        ended=any(isinstance(event, Exit) and event.role is Role.ENGINE for event in events),
    )


class _Watch:
    """Follows the cases in their order; `current` is the release that is served, by name."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}
        self.tried: set[str] = set()
        self._cards: dict[str, Mapping[str, Any]] = {}
        self._ids: dict[str, str] = {}
        self._served: dict[str, Lines] = {}
        self._gone: frozenset[str] = frozenset()
        self._current = self._corpus = ""
        self._now: Lines = ()
        self._growth = self._tree = self._published = 0

    def take(self, step: Step) -> None:
        """Judge one case."""
        rule, _, what = step.name.partition(": ")
        judges = {
            "build a": self._build, "build b": self._build, "unpublished": self._unpublished, "publish": self._publish,
            "old-connections": self._second, "rollback": self._rollback, "clean": self._clean, "killed": self._killed,
            "after the kills": self._recovered, "after the refusals": self._mended,
            "one-at-work": self._one_at_work, "two-at-once": self._two_at_once,
            "rollback-none": self._none, "no-spoilt-release": self._spoilt,
        }  # fmt: skip
        if step.ended and self._current and rule != "no-spoilt-release":
            self._say("engine-lives", f"the engine ended ({step.name})")
        if rule == "engine-lives" and self._current:
            self._try(rule, step.last == self._served.get(self._current), "it does not answer at the end")
        elif rule.startswith("refuses-"):
            self._refuses(rule, what, step)
        elif rule in judges and (rule in _BEFORE or {"a", "b"} <= self._served.keys()):
            judges[rule](step)
        for ran in step.ran:
            self._words(step, ran)

    def _say(self, rule: str, what: str) -> None:
        self.tried.add(rule)
        self.found.setdefault(rule, what)

    def _try(self, rule: str, holds: bool, what: str) -> None:  # noqa: FBT001 - an assertion
        self.tried.add(rule)
        if not holds:
            self.found.setdefault(rule, what)

    def _build(self, step: Step) -> None:
        name = step.name.removeprefix("build ")
        if not step.ran:
            return
        fault = build_fault(step.ran[0], step.made)
        self._try("build", not fault, f"release {name}: {fault}")
        if step.made:
            self._corpus = self._corpus or step.made.corpus
            self._cards[name] = object_in(step.made.data) or {}
            self._ids[name] = digest(step.made.data)

    def _unpublished(self, step: Step) -> None:
        rule, hello = "unpublished", hello_of(step.last)
        if not step.ran:
            return
        self._try(rule, [(ran.status, ran.out) for ran in step.ran] == [(0, "\n")], "`current` prints no empty line")
        corpus = self._corpus
        self._try(rule, hello.get("corpus") == corpus, f"hello says corpus {hello.get('corpus')!r}, not {corpus!r}")
        self._gone = first_found_in(step.last)

    def _publish(self, step: Step) -> None:
        self._published_as("a", "publish", step)

    def _published_as(self, name: str, rule: str, step: Step) -> None:
        """The first time that a release is served: what it says is what its card says."""
        if len(step.ran) != 2:
            return
        publish, current = step.ran
        self._try(rule, publish.status == 0, f"`publish {name}` {how(publish)}")
        self._try(rule, current.out == f"{self._ids.get(name)}\n", f"`current` prints {current.out.strip()!r} after it")
        lines = step.served[-1] if rule == "publish" and name == "a" else step.served[1] if len(step.served) > 1 else ()
        hello, card = hello_of(lines), self._cards.get(name, {})
        wrong = [key for key in ("corpus", "index", "model") if hello.get(key, 0) != card.get(key, 1)]
        self._try("publish", not wrong, f"hello names another {', '.join(wrong)} than release {name}")
        if name == "b":
            left = self._gone.intersection(itertools.chain(*lists_in(lines)))
            self._try("publish", not left, f"{', '.join(sorted(left))} is found, which release b does not hold")
        if publish.status == 0 and hello:
            self._served[name], self._current = lines, name

    def _second(self, step: Step) -> None:
        if len(step.ran) != 2:
            return
        before = self._served.get("a", ())
        self._published_as("b", "publish", step)
        old = step.served[0] if step.served else ()
        asked = len(before)
        whole = bool(before) and old[:asked] == before and old[asked:] == before[1:]
        self._try("old-connections", whole, "its replies changed when another release was published")

    def _rollback(self, step: Step) -> None:
        rule = "rollback"
        if len(step.ran) != 2:
            return
        rollback, current = step.ran
        self._try(rule, rollback.status == 0, f"`rollback` {how(rollback)}")
        self._try(rule, current.out == f"{self._ids['a']}\n", f"`current` prints {current.out.strip()!r}")
        self._try(rule, step.last == self._served["a"], "the replies are not those that the earlier release gave")
        self._current = "a"

    def _clean(self, step: Step) -> None:
        if len(step.trees) != 3:
            return
        first, second, self._tree = step.trees
        self._growth = max(0, second - first, self._tree - second)
        for ran in step.ran:
            self._try("publish", ran.status == 0, f"`{ran.words}` {how(ran)}, published once more")
        self._try("publish", step.last == self._served["a"], f"{self._who(step.last)} is served after release a")
        self._served_whole("publish", step)

    def _killed(self, step: Step) -> None:
        (ran,) = step.ran[:1] or (None,)
        if ran is None:
            return
        before = self._current
        whole = step.last in {self._served["a"], self._served["b"]}
        self._try("kill", whole, f"{step.name}: {what_came(step.last)} is served after it")
        if whole:
            self._current = "a" if step.last == self._served["a"] else "b"
        self._published += self._current != before
        if ran.signal is None:
            self._try("kill-cleared", ran.status == 0, f"{step.name}: the publish after it {how(ran)}")
            self._cleared(step)

    def _recovered(self, step: Step) -> None:
        (ran,) = step.ran[:1] or (None,)
        if ran is None:
            return
        before = self._current
        self._try("kill-cleared", ran.status == 0, f"the publish after them {how(ran)}")
        self._served_whole("kill-cleared", step)
        self._published += self._current != before
        self._cleared(step)

    def _cleared(self, step: Step) -> None:
        """Since the last look, there is no more than whole publications make."""
        if step.trees and step.ran[0].status == 0:
            most = self._tree + self._growth * self._published
            there = step.trees[-1]
            self._try(
                "kill-cleared", there <= most, f"{step.name}: {there} files and folders are there, at most {most} due"
            )
            self._tree, self._published = there, 0

    def _who(self, lines: Lines) -> str:
        """What was served, in words."""
        name = next((name for name, whole in self._served.items() if lines == whole), "")
        return f"release {name}" if name else what_came(lines)

    def _served_whole(self, rule: str, step: Step) -> None:
        whole = [name for name in ("a", "b") if step.last == self._served[name]]
        self._try(rule, bool(whole), f"{what_came(step.last)} is served")
        self._current = whole[0] if whole else self._current
        self._now = step.last

    def _refuses(self, rule: str, what: str, step: Step) -> None:
        if self._current not in self._served or not step.ran:
            return
        ran = step.ran[0]
        self._try(rule, ran.status == _REFUSED, f"{what}: `publish` {how(ran)}, not with {_REFUSED}")
        if ran.status != 0:
            self._try("refused-serves-on", step.last == self._now, f"{what}: {self._who(step.last)} is served after it")
        self._now = step.last

    def _mended(self, step: Step) -> None:
        """A good release in place of what may wrongly have been published."""
        if step.ran:
            self._served_whole("refused-serves-on", step)

    def _one_at_work(self, step: Step) -> None:
        rule = "one-at-work"
        if len(step.ran) != 2 or len(step.served) != 2:
            return
        second, first = step.ran
        other = first.words.rpartition("/")[2]
        old = "a" if other == "b" else "b"
        self._try(rule, second.status == _BUSY, f"the second {how(second)}")
        self._try(rule, step.served[0] == self._served[old], f"after the second {self._who(step.served[0])} is served")
        self._try(rule, first.status == 0, f"the first {how(first)} then")
        self._try(rule, step.last == self._served[other], f"after the first {self._who(step.last)} is served")
        self._served_whole(rule, step)

    def _two_at_once(self, step: Step) -> None:
        rule, statuses = "two-at-once", [ran.status for ran in step.ran]
        if len(statuses) != 2:
            return
        known = all(status in {0, _BUSY} for status in statuses) and 0 in statuses
        self._try(rule, known, f"they ended with {' and '.join(map(str, statuses))}")
        self._served_whole(rule, step)

    def _none(self, step: Step) -> None:
        rule = "rollback-none"
        wanted = (_REFUSED, 0, 0, _REFUSED, 0)
        for ran, status in zip(step.ran, wanted, strict=False):
            self._try(rule, ran.status == status, f"`{ran.words}` {how(ran)}, not with {status}")
        prints = [ran.out for ran in step.ran if ran.words == "current"]
        for out, due in zip(prints, ("\n", f"{self._ids['a']}\n"), strict=False):
            self._try(rule, out == due, f"`current` prints {out.strip()!r} after it")

    def _spoilt(self, step: Step) -> None:
        index = hello_of(self._served[self._current]).get("index")
        served = hello_of(step.last).get("index")
        self._try("no-spoilt-release", served != index, "it is served by an engine started anew")

    def _words(self, step: Step, ran: log.Ran) -> None:
        if ran.status in {_REFUSED, _BUSY}:
            lines = len(ran.err.strip().splitlines())
            self._try("refusal-words", lines == 1, f"`{ran.words}` says {lines} lines ({step.name})")


#: Cases that need no two releases that were served.
_BEFORE = {"build a", "build b", "unpublished", "publish", "old-connections"}
