"""Chores and one-word entry points; all of them share the environment that `project` makes."""

import logging
import shutil
import signal
from pathlib import Path

import nox

PROJECT = nox.project.load_toml("pyproject.toml")
ENVIRONMENT = Path(".nox/project")

nox.needs_version = ">=2025.5.1"
nox.options.sessions = ["tests"]
nox.options.reuse_venv = "yes"


@nox.session(default=False)
def project(session: nox.Session) -> None:
    """Make the environment, unless it was made from this very project file."""
    stamp = ENVIRONMENT / "pyproject.toml"
    if stamp.exists() and stamp.read_bytes() == Path("pyproject.toml").read_bytes():
        return
    packages = [*PROJECT["project"]["dependencies"], *nox.project.dependency_groups(PROJECT, "dev")]
    session.install("--quiet", "-c", "requirements.lock", *packages)
    shutil.copy("pyproject.toml", stamp)


def chore(function):
    """A session that runs in the project's environment."""
    return nox.session(venv_backend="none", requires=["project"])(function)


def run(session: nox.Session, program: str, *words: str, **env: str) -> None:
    """Run a program of the environment; stopped, it gets the time to put away what it has started."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    patience = {"interrupt_timeout": 10, "terminate_timeout": 60}
    session.run(str(ENVIRONMENT / "bin" / program), *words, env=env, external=True, **patience)


@chore
def official(session: nox.Session) -> None:
    """The scored run, in its container, signed."""
    run(session, "python", "-m", "runner", "official", *session.posargs)


@chore
def quick(session: nox.Session) -> None:
    """One block as a plain process, without Docker; the card is provisional."""
    run(session, "python", "-m", "runner", "quick", *session.posargs)


@chore
def build(session: nox.Session) -> None:
    """The pinned image alone."""
    run(session, "python", "-m", "runner", "build", *session.posargs)


@chore
def lock(session: nox.Session) -> None:
    """Pin packages, wheels and art anew; says what moved."""
    run(session, "python", "-m", "runner", "lock", *session.posargs)


@chore
def bench(session: nox.Session) -> None:
    """Measure engine, scoring, evidence and the rest, beside their targets; `-- engine` for a part."""
    run(session, "python", "-m", "tests.bench", *session.posargs, PYTHONPATH="images/mambomeme")


@nox.session(default=False, requires=["project"])
def parity(session: nox.Session) -> None:
    """Hold the fast systems against their references; `-- --short` does without sentence-transformers."""
    words = session.posargs
    if "--short" not in words:
        session.install("--quiet", *nox.project.dependency_groups(PROJECT, "parity"))
        words = [*words, "--reference", str(Path(session.bin).absolute() / "python")]
    run(session, "python", "-m", "tests.parity", *words, PYTHONPATH="images/mambomeme")


@chore
def tune(session: nox.Session) -> None:
    """Choose the parameters of the bundled systems anew on development data; `-- --check` only compares."""
    run(session, "python", "-m", "tuning", *session.posargs, PYTHONPATH="images/mambomeme")


@chore
def docs(session: nox.Session) -> None:
    """Write the pages and schemas that come from the types."""
    run(session, "python", "docs/generate.py", PYTHONPATH=".")


@chore
def lint(session: nox.Session) -> None:
    """Style, types and the direction of imports."""
    run(session, "ruff", "check", ".")
    run(session, "ruff", "format", "--check", ".")
    run(session, "mypy")
    run(session, "lint-imports")


@chore
def tests(session: nox.Session) -> None:
    """Lint, then every test that is not slow."""
    lint(session)
    # What pytest says is the last word; of nox only errors are still heard.
    logging.getLogger("nox").setLevel(logging.ERROR)
    run(session, "pytest", "-m", "not slow", *session.posargs)


@chore
def slow(session: nox.Session) -> None:
    """Simulations and kill loops."""
    run(session, "pytest", "-m", "slow", *session.posargs)
