"""Chores and one-word entry points; all of them share one environment."""

import shutil
from pathlib import Path

import nox

PROJECT = nox.project.load_toml("pyproject.toml")
ENVIRONMENT = Path(".nox/project")

nox.needs_version = ">=2025.5.1"
nox.options.sessions = ["tests"]
nox.options.reuse_venv = "yes"
nox.options.error_on_external_run = True


def prepare(session: nox.Session) -> None:
    """Install the pinned packages, unless this very project file was installed before."""
    stamp = ENVIRONMENT / "pyproject.toml"
    if stamp.exists() and stamp.read_bytes() == Path("pyproject.toml").read_bytes():
        return
    packages = PROJECT["project"]["dependencies"] + nox.project.dependency_groups(PROJECT, "dev")
    session.install("--quiet", "-c", "requirements.lock", *packages)
    shutil.copy("pyproject.toml", stamp)


def verb(session: nox.Session, *words: str) -> None:
    """Run one verb of the command line."""
    prepare(session)
    session.run("python", "-m", "runner", *words, *session.posargs)


def chore(function):
    """A session in the shared environment."""
    return nox.session(venv_location=str(ENVIRONMENT))(function)


@chore
def setup(session: nox.Session) -> None:
    """Only make the environment."""
    prepare(session)


@chore
def official(session: nox.Session) -> None:
    """The scored run, in its container, signed."""
    verb(session, "official")


@chore
def quick(session: nox.Session) -> None:
    """One block as a plain process, without Docker; the card is provisional."""
    verb(session, "quick")


@chore
def build(session: nox.Session) -> None:
    """The pinned image alone."""
    verb(session, "build")


@chore
def lock(session: nox.Session) -> None:
    """Pin packages, wheels and art anew; says what moved."""
    verb(session, "lock")


@chore
def bench(session: nox.Session) -> None:
    """Measure the measuring: errors, floors, overhead, build times and sizes."""
    prepare(session)
    session.run("python", "-m", "tests.bench", *session.posargs)


@chore
def docs(session: nox.Session) -> None:
    """Write the pages and schemas that come from the types."""
    prepare(session)
    session.run("python", "docs/generate.py", env={"PYTHONPATH": "."})


@chore
def lint(session: nox.Session) -> None:
    """Style, types and the direction of imports."""
    prepare(session)
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("lint-imports")


@chore
def tests(session: nox.Session) -> None:
    """Lint, then every test that is not slow."""
    lint(session)
    session.run("pytest", "-m", "not slow", *session.posargs)


@chore
def slow(session: nox.Session) -> None:
    """Simulations and kill loops."""
    prepare(session)
    session.run("pytest", "-m", "slow", *session.posargs)
