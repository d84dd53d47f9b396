"""The running Docker engine: a client of it, and its refusals in words that help."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import docker
from docker.errors import APIError, DockerException, NotFound
from requests import RequestException
from urllib3.exceptions import HTTPError

from runner.errors import Unavailable


def connect() -> docker.DockerClient:
    """A client of the running engine, or Unavailable with what to do."""
    try:
        client = docker.from_env(timeout=600)
        client.ping()
    except (DockerException, RequestException) as error:
        what, first = (
            ("The Docker engine refuses this user.", "Add the user to the `docker` group and log in again")
            if "Permission denied" in str(error)
            else ("No Docker engine answers.", "Start it (`./bench official` does so as root on Debian or Ubuntu)")
        )
        raise Unavailable(what, advice=f"{first}; or take a first look without one: `./bench quick`.") from None
    return client


@contextmanager
def engine_answers() -> Iterator[None]:
    """Within it, what the engine refuses, and that it went away, is Unavailable; NotFound passes."""
    try:
        yield
    except NotFound:
        raise
    except APIError as error:
        raise Unavailable(
            f"The Docker engine refuses: {error.explanation or error}.",
            advice="The hardware profile (manifests/hardware) may ask for more than this machine has.",
        ) from None
    except (DockerException, RequestException, HTTPError):
        raise Unavailable(
            "The Docker engine went away.", advice="Start it and run again; the next start sweeps what this one left."
        ) from None
