"""The real image, made again from nothing but the pool on a machine that looks different, gets the same ids."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from runner.adapters.image.host import read_host
from runner.adapters.image.workshop import LocalWorkshop, Places
from runner.adapters.progress import SilentProgress
from runner.provenance.images import ImageRef
from runner.workflows.build import design
from tests.image.tiny import ROOT

MAKE = """
import os, socket, sys, time
from pathlib import Path
from runner.adapters.image.host import read_host
from runner.adapters.image.workshop import LocalWorkshop, Places
from runner.adapters.progress import SilentProgress
from runner.workflows.build import design
print(socket.gethostname(), time.tzname[0], Path("/etc/hostname").read_text(), file=sys.stderr)
progress = SilentProgress()
image = design(LocalWorkshop(Places.of(Path.cwd(), Path.cwd() / "cache"), read_host(), progress), progress)
sys.stdout.buffer.write(image.ref.canonical())
"""
ELSEWHERE = """
hostname elsewhere
mount --bind fake-hostname /etc/hostname
mount --bind fake-resolv.conf /etc/resolv.conf
umask 077
cd project
exec "$@"
"""
NAMESPACES = (["unshare", "--uts", "--mount"], ["unshare", "--user", "--map-root-user", "--uts", "--mount"])


@pytest.fixture(scope="module")
def here():
    cache = Path(os.environ.get("MAMBO_CACHE", ROOT / ".cache")).absolute()
    places = Places.of(ROOT, cache)._replace(locks=Path(os.environ.get("MAMBO_LOCKS", ROOT / "images/locks")))
    progress = SilentProgress()
    return places, design(LocalWorkshop(places, read_host(), progress), progress).ref


def copy_project(places, to):
    """The sources alone, and the pool as it is; no layer made before."""
    left_out = shutil.ignore_patterns("__pycache__", "index", "*.pyc", ".*")
    for name in ("runner", "images"):
        shutil.copytree(ROOT / name, to / name, ignore=left_out)
    shutil.copytree(places.locks, to / "images/locks", dirs_exist_ok=True)
    shutil.copy(ROOT / "Dockerfile", to / "Dockerfile")
    shutil.copytree(places.cache / "pool", to / "cache/pool")


def test_a_second_build_elsewhere_gives_the_same_image(here, tmp_path):
    places, first = here
    copy_project(places, tmp_path / "project")
    (tmp_path / "fake-hostname").write_text("elsewhere\n")
    (tmp_path / "fake-resolv.conf").write_text("nameserver 192.0.2.1\n")
    namespace = next(words for words in NAMESPACES if not subprocess.run([*words, "true"], check=False).returncode)
    environment = {**os.environ, "TZ": "Asia/Kathmandu", "LC_ALL": "C", "HOME": str(tmp_path), "PYTHONHASHSEED": "5"}
    done = subprocess.run(
        [*namespace, "sh", "-ec", ELSEWHERE, "sh", sys.executable, "-c", MAKE],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        check=False,
    )
    assert done.stderr.decode().split() == ["elsewhere", "+0545", "elsewhere"]
    assert ImageRef.parse(done.stdout, "second build") == first


def test_the_image_is_small_enough_to_keep(here):
    assert here[1].size <= 350_000_000
