"""Plays the suites on the small system of this folder as a plain process, and judges what they leave."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from runner.provenance.suites.report import judge_suites, open_suite_log
from runner.retrieval.gates import Suite, Verdict
from tests.driver.containers import ContainerDrive

ROOT = Path(__file__).parents[2]
SYSTEM = Path(__file__).parent / "system"
WORDS = ["cat", "dog", "frog", "owl", "fox", "bear", "duck", "goat", "crab", "seal"]
TITLES = [f"{WORDS[n % 10]} and {WORDS[(n * 3 + 1) % 10]} number{n}" for n in range(40)]
PATIENCE = 120
SUITES = {"protocol": Suite.PROTOCOL, "publication": Suite.ROLLBACK, "restoration": Suite.RESTORATION}
PARTS = tuple(SUITES)
IN_CONTAINER = {"system": "/opt/system", "corpus": "/opt/corpus", "models": "/opt/models", "run": "/run"}


def canonical(value):
    """As it is hashed."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(data):
    """As manifests have it."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def make_corpus(folder):
    """A corpus folder of forty items."""
    folder.mkdir(parents=True)
    items = [{"doc_id": f"m{n:04}", "title": title} for n, title in enumerate(TITLES)]
    (folder / "items.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items))
    (folder / "corpus.json").write_text(json.dumps({"items": digest((folder / "items.jsonl").read_bytes())}))


class Play:
    """One run of the suites below `base`: its plan, its log, and what hello must say."""

    def __init__(self, base, broken="", parts=PARTS, system=None, **changes):
        shutil.copytree(SYSTEM, base / "system", ignore=shutil.ignore_patterns("__pycache__"))
        make_corpus(base / "corpus")
        card = json.loads((base / "system/system.json").read_bytes())
        configuration = {"break": broken}
        self.plan = {
            "system": {
                "name": "small",
                "engine": card["engine"],
                "tui": card["tui"],
                "release": card["release"] or [],
                "configuration": configuration,
            }
            | (system or {}),
            "parts": list(parts),
            "texts": ["cat", "fox bear", "number7", "owl"],
            "seed": 1,
            "time_limit_ms": 2000,
            "wall_limit_s": 100,
            "paths": {name: f"{base}/{name}" for name in ("system", "corpus", "models", "run")},
            "isolation": "none",
            "terminal": "full",
            "lock": f"sha256:{'1' * 64}",
            "follows": "2" * 64,
        } | changes
        self.line = canonical(self.plan)
        self.versions = {
            "protocol": "search-v1",
            "interface": "list-80x24-v1",
            "system": "small",
            "version": "1",
            "corpus": digest((base / "corpus/items.jsonl").read_bytes()),
            "configuration": digest(canonical(configuration)),
        }
        self.base, self.out = base, base / "out"

    def as_process(self):
        """Play as plain processes of this user."""
        with subprocess.Popen(
            [sys.executable, "-m", "runner.driver.suites", "--out", str(self.out)],
            cwd=ROOT,
            env={"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        ) as driver:
            driver.stdin.write(self.line + b"\n")
            driver.stdin.flush()
            self.talk = driver.stderr.read().decode()
            self.status = driver.wait(PATIENCE)
        return self

    def in_container(self, client, image):
        """Play in a container of the pinned hardware, under three users."""
        plan = self.plan | {"isolation": "users", "paths": {**IN_CONTAINER}}
        drive = ContainerDrive(client, image, self.base, plan, module="runner.driver.suites")
        try:
            self.line = drive.line
            self.status, self.talk = drive.finish()
            drive.fetch(self.base)
        finally:
            drive.remove()
        return self

    @property
    def log(self):
        """The log of the suites, its chain checked."""
        return open_suite_log(self.line, (self.out / "suites.jsonl").read_bytes(), "suites.jsonl")

    @property
    def report(self):
        """What the log shows."""
        return judge_suites("small", self.log, self.versions)

    @property
    def failing(self):
        """Ids of the rules that do not pass, of the suites that were asked for."""
        asked = {SUITES[part] for part in self.plan["parts"]}
        return {row.rule for row in self.report.rules if row.suite in asked and row.verdict is not Verdict.PASS}
