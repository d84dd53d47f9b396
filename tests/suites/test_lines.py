"""A reply is one object of strict JSON, to the driver and to the judge."""

import pytest

from runner.provenance.suites.lines import first_found_in, hello_of, object_in

NONE = {
    "a list": b"[]",
    "nothing": b"",
    "a byte order mark": b"\xef\xbb\xbf{}",
    "a key that stands twice": b'{"a":1,"a":2}',
    "NaN": b'{"a":NaN}',
    "-Infinity": b'{"a":-Infinity}',
    "a number too large": b'{"a":1e999}',
    "thousands of digits": b'{"a":' + b"7" * 5_000 + b"}",
    "no UTF-8": b'{"a":"\xff"}',
    "no end": b"[" * 100_000,
}


@pytest.mark.parametrize("name", NONE)
def test_no_object(name):
    assert object_in(NONE[name]) is None
    assert hello_of([NONE[name]]) == {}
    assert first_found_in([NONE[name]]) == frozenset()


def test_objects():
    assert object_in(b"{}") == {}
    assert object_in(b'{"a":1.5}') == {"a": 1.5}
    assert hello_of([b'{"id":1,"status":"ok"}', b'{"id":899,"status":"ok","index":"i"}'])["index"] == "i"
    assert hello_of([b'{"id":899,"status":"error"}']) == {}
    lists = [b'{"items":[{"doc_id":"m1"},{"doc_id":"m2"}]}', b'{"items":[]}', b'{"items":[7]}', b'{"items":{}}']
    assert first_found_in(lists) == {"m1"}
