"""No Docker engine, one that refuses this user, one that refuses this machine, and one that goes away."""

import os
import shutil
import signal
import socket

import pytest

from tests.faults.project import SMALL
from tests.faults.relay import Relay

NOBODY = 65534
HARDWARE = "manifests/hardware/two-core-v1.json"
ADVICE = "take a first look without one: `./bench quick`"


def unprivileged(command):
    """The command as another user, who may read this checkout wherever it lies, but write to nothing of it."""
    if os.getuid() != 0:
        return command
    able = ["--inh-caps", "-all,+dac_read_search", "--ambient-caps", "+dac_read_search"]
    who = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    return ["setpriv", *who, *able, "--", *command]


@pytest.fixture
def refusing(tmp_path):
    """The address of an engine that listens, but not to everybody."""
    path = tmp_path / "docker.sock"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen()
        path.chmod(0)
        yield f"unix://{path}"


def refused(said, *words):
    """Exit 69, nothing on standard output, one line."""
    assert (said.status, said.out) == (69, ""), said
    assert said.err.startswith("bench: ")
    assert said.err.count("\n") == 1
    for word in words:
        assert word in said.err


@pytest.mark.parametrize("address", ["unix:///none/docker.sock", "tcp://127.0.0.1:9", "nonsense"])
@pytest.mark.parametrize("verb", ["official", "build"])
def test_no_engine_answers(project, verb, address):
    refused(project.bench(verb, DOCKER_HOST=address), "No Docker engine answers", "Start it", ADVICE)
    assert not project.results.exists()


@pytest.mark.parametrize("verb", ["official", "build"])
def test_the_engine_refuses_this_user(project, refusing, verb):
    said = project.said(unprivileged(project.command(verb)), DOCKER_HOST=refusing, HOME="/")
    refused(said, "The Docker engine refuses this user", "`docker` group", ADVICE)
    assert not project.results.exists()


@pytest.mark.parametrize(
    ("environment", "words"),
    [
        ({"DOCKER_HOST": "unix:///none/docker.sock"}, ["no Docker engine answers at DOCKER_HOST", "./bench quick"]),
        ({"DOCKER_SOCKET": "/none/docker.sock"}, ["service docker start", "usermod -aG docker", "./bench quick"]),
    ],
)
def test_bench_without_an_engine_to_be_had(project, environment, words):
    """Before nox is asked for anything; a user who may not start an engine is told who may."""
    project.lend_environment()
    said = project.said(unprivileged(["./bench", "official"]), HOME="/", **environment)
    refused(said, *words)
    assert not project.results.exists()


def test_bench_where_docker_is_not_installed(project, tmp_path):
    project.lend_environment()
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("sh", "dirname", "id", "readlink", "setpriv"):
        (tools / tool).symlink_to(shutil.which(tool))
    said = project.said(unprivileged(["./bench", "official"]), HOME="/", PATH=str(tools))
    refused(said, "needs Docker Engine", "apt-get install docker.io", "./bench quick")


@pytest.mark.docker
@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"cpuset": "0-1023"}, ["Requested CPUs are not available", "manifests/hardware"]),
        ({"cpuset": "both"}, ["cpuset", "manifests/hardware"]),
        ({"memory_bytes": 1000, "memory_swap_bytes": 1000}, ["memory limit", "manifests/hardware"]),
    ],
)
def test_hardware_that_this_machine_cannot_give(built, project, containers, change, words):
    project.edit(HARDWARE, lambda profile: profile.update(change))
    manifest = project.small("fault-hardware")
    project.pin(manifest)
    refused(project.bench("official", manifest), "The Docker engine refuses: ", *words)
    assert project.finished() == []
    assert containers(project) == []


@pytest.mark.docker
def test_the_engine_goes_away_in_the_middle(built, project, containers, tmp_path):
    """One line and no result; the container ends by itself, and the next start takes its evidence."""
    manifest = project.small("fault-away", limits=SMALL["limits"] | {"min_searches": 10_000})
    with (
        Relay(tmp_path / "relay.sock") as relay,
        project.started("official", manifest, DOCKER_HOST=f"unix://{relay.path}") as running,
    ):
        relay.wait_for(b'"phase": "block"')
        relay.cut()
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out) == (69, ""), err
    assert err.startswith("bench: The Docker engine went away. Start it and run again")
    assert err.count("\n") == 1
    assert project.finished() == []
    (left,) = containers(project)
    left.wait(timeout=30)
    said = project.bench("official", project.small("fault-back"))
    assert (said.status, said.err) == (0, "")
    assert containers(project) == []
    (broken,) = project.unfinished()
    assert list(broken.glob("swept-*/driver.json"))


@pytest.mark.slow
@pytest.mark.docker
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_the_daemon_itself_is_ended_in_the_middle(project, own_engine, number):
    """As above, by a daemon that takes its containers with it, at once or when it is back."""
    project.shrink()
    before = project.small("fault-before")
    assert project.bench("official", before).status == 0
    (good,) = project.finished()
    manifest = project.small("fault-daemon", limits=SMALL["limits"] | {"min_searches": 10_000})
    with project.started("official", manifest) as running:
        container = own_engine.waits_for(b'"phase": "block"')
        own_engine.end(number)
        out, err = running.communicate(timeout=120)
    assert (running.returncode, out) == (69, ""), err
    assert err.startswith("bench: The Docker engine went away. Start it and run again")
    assert err.count("\n") == 1
    assert project.finished() == [good]
    own_engine.start()
    said = project.bench("official", before, "--check")
    assert (said.status, said.err) == (0, ""), said
    assert own_engine.client.containers.list(all=True) == []
    (broken,) = project.unfinished()
    assert list(broken.glob(f"swept-{container.short_id}/block-000.jsonl"))
    said = project.bench("verify", good, "--trust", ".keys/trust.json", "--log", "results/log.jsonl")
    assert (said.status, said.err) == (0, ""), said
