"use strict";

// What a reviewer marks and writes.

const shelf = () => `review ${data.run}`;

function kept() {
  try {
    return JSON.parse(localStorage.getItem(shelf())) || [];
  } catch {
    return [];
  }
}

function keep() {
  try {
    localStorage.setItem(shelf(), JSON.stringify(data.marks));
  } catch {
    // Where a browser keeps nothing for files, notes last as long as the page.
  }
  list();
  marks();
}

function mark() {
  const at = now();
  if (at === null || !chosen) return;
  data.marks.push({number: chosen.number, system: chosen.system, block: chosen.block, position: chosen.position,
    query_id: chosen.query, cast: loaded.name, at: at.toFixed(6), note: byId("note").value.trim()});
  byId("note").value = "";
  keep();
}

function marks() {
  byId("marks").replaceChildren(...data.marks.map((one, place) => element("li", {},
    element("button", {type: "button", onclick: () => open(data.requests[one.number], one.at)}, `${one.query_id}, second ${one.at}`),
    " ", words(one.note), " ",
    element("button", {type: "button", onclick: () => { data.marks.splice(place, 1); keep(); }}, "Remove"))));
}

function exported() {
  const notes = data.marks.map(({number, ...one}) => one);
  const file = new Blob([JSON.stringify({format: "mambomeme/review-notes/v1", run_id: data.run, notes}, null, 2) + "\n"],
    {type: "application/json"});
  const link = element("a", {href: URL.createObjectURL(file), download: `review-${data.run}.json`});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
