"""The commands of docs/exchange.md, run one after the other on the files that stand there."""

from __future__ import annotations

import re
import shlex

from runner.cli import ROOT, app

PAGE = (ROOT / "docs/exchange.md").read_text()
FILES = dict(re.findall(r"`(\S+)`(?:, columns [^\n]*)?:\n```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
COMMANDS = [
    shlex.split(line.removeprefix("./bench run "))
    for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for line in block.splitlines()
]


def test_the_page_does_what_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "manifests").symlink_to(ROOT / "manifests")
    assert set(FILES) == {"qrels.txt", "mine.run", "topics.txt"}
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    assert len(COMMANDS) == 9
    for command in COMMANDS:
        app(command, standalone_mode=False)
    made = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()} - FILES.keys()
    assert {path for path in made if not path.startswith("manifests")} == {
        "ours/grades/qrels.jsonl",
        "ours/runs/mine.jsonl",
        "checked/topics/topics.jsonl",
        "checked/grades/qrels.jsonl",
        "checked/runs/mine.jsonl",
        "again/mine.run",
        "trec/topics.tsv",
        "trec/qrels.txt",
        "beir/queries.jsonl",
        "beir/corpus.jsonl",
        "beir/qrels/dev.tsv",
        "back/queries.jsonl",
        "back/items.jsonl",
        "back/grades/dev.jsonl",
    }
    assert "RR@10           0.500000" in capsys.readouterr().out
    assert (tmp_path / "back/items.jsonl").read_bytes() == (ROOT / "images/corpus/items.jsonl").read_bytes()
    queries = ROOT / "manifests/benchmarks/search-v1/development/queries.jsonl"
    assert (tmp_path / "back/queries.jsonl").read_bytes() == queries.read_bytes()
