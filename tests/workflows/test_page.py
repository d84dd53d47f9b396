"""The page of a real result: every link to a cast leads to the marker of its query."""

from __future__ import annotations

import json

import lxml.html

from tests.workflows.kept import Kept


def test_each_query_s_link_leads_to_a_kept_cast_and_to_the_marker_of_that_query(kept: Kept) -> None:
    page = lxml.html.document_fromstring(kept.files["scorecard.html"].decode())
    queries = page.xpath("//details[@class='query']")
    assert len(queries) == 120
    for query in queries:
        (link,) = query.xpath(".//a/@href")
        name, _, fragment = link.partition("#t=")
        start, end = fragment.split(",")
        lines = kept.files[name].decode().splitlines()[1:]
        events = [line for line in lines if line.startswith(f"[{start}, ")]
        markers = [json.loads(line)[2] for line in events if json.loads(line)[1] == "m"]
        assert [marker.partition(" ")[0] for marker in markers] == [query.get("id").removeprefix("query-")]
        assert any(line.startswith(f"[{end}, ") for line in lines)
