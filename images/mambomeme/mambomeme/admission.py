"""Decides which items may leave the engine, by their rights, their claim, and what their own text says against it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

DISPLAYABLE = frozenset({"safe", "sensitive"})
"""The claims under which an item may be shown, as the safety policy has them."""

_DESCRIPTION = ("title", "action", "ocr_text", "visual", "meaning")
_SENTENCE_END = re.compile(r"[.!?;|\n]+")
_WORD = re.compile(r"[^\W_]+")
_NO_WORD = re.compile(r"\W+|_")


class Rule(NamedTuple):
    """`reason` is given where one sentence has a word or phrase from each of `lists`, each beginning with a blank.
    `keys` has the longest word of each, `more` those but for the first list's."""

    reason: str
    lists: tuple[tuple[str, ...], ...]
    keys: tuple[tuple[str, ...], ...]
    more: tuple[tuple[str, ...], ...]


class Harm(NamedTuple):
    """The pattern of a placeholder, what it may harmlessly hold, and the rules for descriptions."""

    mask: re.Pattern[str]
    harmless: tuple[str, ...]
    rules: tuple[Rule, ...]


def read_harm(path: Path) -> Harm:
    """The rules in `path`, the data file of the package."""
    data = json.loads(path.read_bytes())
    names = "|".join(re.escape(name) for name in data["masks"])
    mask = re.compile(rf"[\[(<{{【]\s*(?:{names})\s*[:：]\s*([^\])>}}】]*)", re.IGNORECASE)
    return Harm(mask, tuple(data["harmless"]), tuple(_rule(**rule) for rule in data["rules"]))


def _rule(reason: str, lists: list[list[str]]) -> Rule:
    keys = tuple(tuple(max(start.split(), key=len) for start in starts) for starts in lists)
    return Rule(reason, tuple(tuple(f" {start}" for start in starts) for starts in lists), keys, keys[1:])


HARM = read_harm(Path(__file__).with_name("harm.json"))


class _Suspicion:
    """Knows the rules that a word calls for, with whatever stands beside its letters: those whose first list has a
    phrase with such a word as its longest. Each word is looked at once."""

    def __init__(self) -> None:
        self._starts = tuple(rule.keys[0] for rule in HARM.rules)
        self._any = tuple(chain.from_iterable(self._starts))
        self._plain: set[str] = set()
        self._called: dict[str, tuple[int, ...]] = {}

    def rules(self, words: Iterable[str]) -> list[Rule]:
        """The rules that any of `words` calls for, in order. Most words call for none."""
        odd = set(words) - self._plain
        called = {at for word in odd for at in self._called.get(word) or self._look(word)}
        return [HARM.rules[at] for at in sorted(called)]

    def _look(self, word: str) -> tuple[int, ...]:
        parts = [part for part in _WORD.findall(word) if part.startswith(self._any)]
        called = tuple(at for at, starts in enumerate(self._starts) if any(part.startswith(starts) for part in parts))
        if called:
            self._called[word] = called
        else:
            self._plain.add(word)
        return called


_SUSPICION = _Suspicion()


def reasons(record: dict[str, Any]) -> list[str]:
    """Why an item of the corpus may not leave the engine; empty if it may."""
    held = []
    if record["rights"]["status"] != "cleared":
        held.append("rights are not cleared")
    if record["private_data"] is not False:
        held.append("marked as private data")
    if record["safety"] not in DISPLAYABLE:
        held.append("not claimed displayable")
    return held or list(dict.fromkeys(contradictions(record)))


def contradictions(record: dict[str, Any]) -> Iterator[str]:
    """What the text of an item says against a claim to be displayable, whatever it claims."""
    text = _description(record)
    yield from _masked(text)
    yield from _described(text.casefold())


def _masked(text: str) -> Iterator[str]:
    for hidden in HARM.mask.findall(text):
        if not any(start in hidden.casefold() for start in HARM.harmless):
            yield f"a placeholder hides: {hidden.strip()}"


def _description(record: dict[str, Any]) -> str:
    texts = [record[field] for field in _DESCRIPTION if record[field]]
    return " | ".join([*texts, " ".join(record["tags"])])


def _described(text: str) -> Iterator[str]:
    """The reasons of the rules that a sentence fulfils. Most texts have no word that calls for one."""
    called = _SUSPICION.rules(text.split())
    rules = [rule for rule in called if _holds(text, rule.more)]
    if rules:
        sentences = _SENTENCE_END.split(text)
        yield from (rule.reason for rule in rules if any(_said(rule, sentence) for sentence in sentences))


def _said(rule: Rule, sentence: str) -> bool:
    """Whether `sentence` fulfils `rule`. Few have the words that it takes, so only those are cut into words."""
    return _holds(sentence, rule.keys) and _holds(f" {_NO_WORD.sub(' ', sentence)} ", rule.lists)


def _holds(text: str, lists: Iterable[Iterable[str]]) -> bool:
    """Whether `text` has one of each of `lists`."""
    for starts in lists:
        for start in starts:
            if start in text:
                break
        else:
            return False
    return True
