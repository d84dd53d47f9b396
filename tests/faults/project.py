"""A copy of this checkout that a test may spoil, and its command line as a user meets it."""

import hashlib
import json
import os
import shutil
import subprocess
import sys
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from runner.adapters.inputs import repin

ROOT = Path(__file__).parents[2]
CACHE = os.environ.get("MAMBO_CACHE", str(ROOT / ".cache"))
PATIENCE = 900
QUICK = "manifests/quick.json"
PARTITION = "manifests/benchmarks/search-v1/development"
#: One block, two warm-ups, nothing beside the searches: a run of some seconds.
SMALL = {
    "engine_path": False,
    "suites": False,
    "floors": {"echo": 0, "null_ui": 0},
    "limits": {
        "held_requests": 2,
        "hold_ms": 150,
        "late_ms": 500,
        "min_blocks": 1,
        "min_searches": 1,
        "restarts": 3,
        "result_limit": 10,
        "time_limit_ms": 2000,
        "wall_limit_s": 120,
        "warmup_searches": 2,
    },
}


class Said(NamedTuple):
    """How a command ended."""

    status: int
    out: str
    err: str


class Project:
    """A checkout of its own below `root`: sources, manifests, keys, results."""

    def __init__(self, root):
        self.root = root
        self.results = root / "results"

    @classmethod
    def copy(cls, root):
        """A fresh one, without what this checkout has produced."""
        for name in _sources():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, root / name)
        return cls(root)

    @classmethod
    def here(cls):
        """This checkout itself, for what spoils nothing."""
        return cls(ROOT)

    def bench(self, *words, **environment):
        """Run a verb of the command line to its end."""
        return self.said(self.command(*words), **environment)

    @contextmanager
    def started(self, *words, **environment):
        """A verb of the command line under way; killed if it has not ended by itself."""
        with subprocess.Popen(
            self.command(*words),
            cwd=self.root,
            env=self.environment(**environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def said(self, command, **environment):
        """Run a command in the project to its end."""
        done = subprocess.run(
            command,
            cwd=self.root,
            env=self.environment(**environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    def lend_environment(self):
        """Let `bench` find this checkout's packages in the copy, so that it installs nothing."""
        (self.root / ".venv/bin").mkdir(parents=True)
        for name in ("python", "nox"):
            (self.root / ".venv/bin" / name).symlink_to(ROOT / ".venv/bin" / name)
        project = self.root / ".nox/project"
        project.mkdir(parents=True)
        for entry in Path(sys.prefix).iterdir():
            if entry.name != "pyproject.toml":
                (project / entry.name).symlink_to(entry)
        shutil.copy(self.root / "pyproject.toml", project)

    def shell(self, *words, **environment):
        """Run `./bench` itself to its end."""
        return self.said(["./bench", *map(str, words)], **environment)

    def command(self, *words):
        """What `./bench run` hands over to."""
        return [sys.executable, "-m", "runner", *map(str, words)]

    def environment(self, **changes):
        """The caller's environment, with the cache that all copies share."""
        return os.environ | {"MAMBO_CACHE": CACHE, "PYTHONDONTWRITEBYTECODE": "1"} | changes

    def path(self, name):
        """A file of the project."""
        return self.root / name

    def spoil(self, name, change):
        """Replace the bytes of a file by what `change` makes of them."""
        self.path(name).write_bytes(change(self.path(name).read_bytes()))

    def edit(self, name, change):
        """Let `change` alter the JSON value of a file."""
        value = json.loads(self.path(name).read_bytes())
        change(value)
        self.path(name).write_text(json.dumps(value))

    def pin(self, manifest=QUICK):
        """Have the digests of a manifest follow the files, as a steward would."""
        repin(self.root, self.path(manifest))

    def pin_one(self, name, manifest=QUICK):
        """As `pin`, of one file alone."""

        def follow(value):
            references = [value[key] for key in value if key not in {"systems", "limits", "floors"}] + value["systems"]
            for reference in references:
                if isinstance(reference, dict) and reference["path"] == name:
                    reference["digest"] = digest(self.path(name))

        self.edit(manifest, follow)

    def repin_corpus(self):
        """Have the card of the corpus follow its items, and the manifest the card."""
        found = digest(self.path("images/corpus/items.jsonl"))
        self.edit("images/corpus/corpus.json", lambda card: card.update(items=found))
        self.pin()

    def repin_partition(self):
        """Have the card of the partition follow its files, and the manifest the card."""
        folder = self.path(PARTITION)
        self.edit(
            f"{PARTITION}/partition.json",
            lambda card: card.update(files={name: digest(folder / name) for name in card["files"]}),
        )
        self.pin()

    def shrink(self, each=6):
        """Keep `each` queries of a slice with their labels, so that a block is short whatever the benchmark's size."""
        folder, kept = self.path(PARTITION), {}
        for topic in read_lines(folder / "queries.jsonl"):
            kept.setdefault(topic["slice"], []).append(topic["query_id"])
        wanted = {query_id for ids in kept.values() for query_id in ids[:each]}
        for path in folder.glob("*.jsonl"):
            write_lines(path, [row for row in read_lines(path) if row["query_id"] in wanted])
        self.repin_partition()
        return len(wanted)

    def small(self, name, systems=None, **changes):
        """A manifest called `name` for a run of some seconds; `systems` are manifests by path (null: the first)."""
        manifest = json.loads(self.path(QUICK).read_bytes()) | SMALL | {"name": name} | changes
        if systems is None:
            manifest["systems"] = manifest["systems"][:1]
        else:
            manifest["systems"] = [{"path": path, "digest": digest(self.path(path))} for path in systems]
        path = self.path(f"manifests/{name}.json")
        path.write_text(json.dumps(manifest))
        return path

    def finished(self):
        """The folders of sealed results."""
        return sorted(path for path in self._folders() if path.suffix != ".unfinished")

    def unfinished(self):
        """The folders of runs that broke off."""
        return sorted(path for path in self._folders() if path.suffix == ".unfinished")

    def _folders(self):
        return [path for path in self.results.iterdir() if path.is_dir()] if self.results.is_dir() else []


def read_lines(path):
    """The values of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_lines(path, rows):
    """A JSON Lines file of `rows`."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def digest(path):
    """A file's digest as the manifests have it."""
    return "sha256:" + hashlib.sha256(path.read_bytes()).hexdigest()


@cache
def _sources():
    """The files of this checkout but results and what git ignores; without git, all but results and what is hidden."""
    listing = ["git", "-C", str(ROOT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        names = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("[!.]*") if "/." not in str(path)]
    return [name for name in names if name and not name.startswith("results/") and (ROOT / name).is_file()]
