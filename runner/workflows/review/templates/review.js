"use strict";

// The data arrive by a call, since a page opened from a file may load scripts, but fetch nothing.
let data, chosen;
const byId = name => document.getElementById(name);
const FLAGS = {error: "error", slow: "slow", differs: "drawn is not returned", disagree: "emulators disagree",
  third: "pyte reads otherwise", unsafe: "unsafe", marked: "marked"};
const TIMES = ["key to accept", "engine", "key to first byte", "key to frame end", "submit to render"];

function element(name, properties = {}, ...inside) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...inside.filter(one => one !== null));
  return made;
}

// Text from data: its direction must not turn what stands beside it.
const words = text => element("bdi", {}, text);

function review_data(found) {
  data = found;
  data.requests.forEach((one, number) => Object.assign(one, {number, ms: one.ns.map(ns => ns === null ? null : ns / 1e6)}));
  data.marks = kept();
  fill("system", [...new Set(data.requests.map(one => one.system))]);
  fill("block", [...new Set(data.requests.map(one => String(one.block)))].sort((a, b) => a - b));
  byId("choice").addEventListener("input", list);
  byId("choice").addEventListener("submit", event => event.preventDefault());
  byId("requests").addEventListener("click", event => {
    const button = event.target.closest("button");
    if (button) open(data.requests[button.dataset.number]);
  });
  document.addEventListener("click", event => act(event.target.closest("[data-do]")?.dataset.do));
  document.addEventListener("keydown", press);
  window.addEventListener("hashchange", follow);
  setInterval(watch, 250);
  list();
  marks();
  if (!follow()) open(matching()[0] || data.requests[0]);
}

function fill(name, values) {
  byId(name).append(element("option", {value: ""}, "all"), ...values.map(one => element("option", {value: one}, one)));
}

// The list of requests

function flags(one) {
  return data.marks.some(mark => mark.number === one.number) ? [...one.flags, "marked"] : one.flags;
}

function chosenFilters() {
  return [...document.querySelectorAll("[name=only]:checked")].map(box => box.value);
}

function matching() {
  const [system, block, query] = ["system", "block", "query"].map(name => byId(name).value.trim());
  const only = chosenFilters(), sought = query.toLowerCase();
  const fits = one => (!system || one.system === system) && (!block || String(one.block) === block)
    && (!sought || `${one.query}  ${data.queries[one.query].text}`.toLowerCase().includes(sought));
  const near = data.requests.filter(fits);
  for (const place of document.querySelectorAll(".count"))
    place.textContent = near.filter(one => flags(one).includes(place.dataset.of)).length;
  const found = near.filter(one => only.every(name => flags(one).includes(name)));
  return only.includes("slow") ? found.sort((a, b) => b.ns[4] - a.ns[4]) : found;
}

function list() {
  const found = matching();
  byId("found").textContent = `${found.length} of ${data.requests.length} requests`;
  byId("requests").replaceChildren(...found.map(entry));
  current();
}

function entry(one) {
  const button = element("button", {type: "button"}, `${one.system} · block ${one.block} · `, element("code", {}, one.query),
    ` · ${one.ms[4].toFixed(2)} ms `, ...badges(flags(one)), element("br"),
    element("span", {className: "words"}, words(data.queries[one.query].text)));
  button.dataset.number = one.number;
  return element("li", {}, button);
}

const badges = names => names.flatMap(name => [element("span", {className: `flag ${name}`}, FLAGS[name]), " "]);

function current() {
  for (const button of document.querySelectorAll("#requests [aria-current]")) button.removeAttribute("aria-current");
  const button = chosen && document.querySelector(`#requests [data-number="${chosen.number}"]`);
  button?.setAttribute("aria-current", "true");
  button?.scrollIntoView({block: "nearest"});
}

// One request

async function open(one, at) {
  if (!one) return;
  show(one);
  await seek(one.cast, at ?? one.done ?? one.at);
}

function show(one) {
  chosen = one;
  current();
  const query = data.queries[one.query];
  byId("title").replaceChildren(element("code", {}, one.query), " ", words(query.text));
  const notes = data.notes[one.cast] || [];
  byId("notes").hidden = !notes.length;
  byId("notes").textContent = notes.length ? `${one.cast}: ${notes.join("; ")}` : "";
  byId("details").replaceChildren(...about(one, query));
}

function about(one, query) {
  const said = one.said.map(text => element("p", {className: "fault"}, words(text)));
  return [
    element("p", {}, `${one.system}, block ${one.block}, request ${one.position}, slice ${query.slice}: `,
      element("b", {id: "outcome"}, one.outcome), ". ", ...badges(flags(one))),
    ...said, ...verdicts(one), element("div", {className: "wide"}, lists(one, query)), times(one), still(one)];
}

const asked = one => one.third ? [...one.verdicts, one.third] : one.verdicts;

function verdicts(one) {
  if (!one.verdicts.length) return [element("p", {className: "fault verdict"}, "The cast has no done frame of this request.")];
  return asked(one).map((verdict, number) => element("p", {className: "verdict"}, `${data.emulators[number]}: `,
    verdict.differs ? element("b", {className: "fault"}, words(verdict.differs))
      : element("b", {className: "good"}, "shows what was returned")));
}

function lists(one, query) {
  const drawn = asked(one).map(verdict => verdict.lines
    || one.returned.map(([id], place) => [place + 1, id, data.titles[id]]));
  const rows = Math.max(one.returned.length, ...drawn.map(lines => lines.length));
  const head = ["rank", "returned", ...drawn.map((_, number) => `drawn, as ${data.emulators[number]} reads it`)];
  const body = Array.from({length: rows}, (_, place) => element("tr", {}, element("th", {scope: "row"}, String(place + 1)),
    item(one.returned[place], query), ...drawn.map(lines => line(lines[place], one.returned[place]))));
  return element("table", {id: "lists"},
    element("caption", {}, rows ? "Returned by the engine, and drawn on the done frame" : "Returned and drawn: an empty list"),
    element("thead", {}, element("tr", {}, ...head.map(text => element("th", {scope: "col"}, text)))),
    element("tbody", {}, ...body));
}

function item(found, query) {
  if (!found) return element("td", {}, "—");
  const [id, routes] = found, grade = query.grades[id];
  return element("td", {}, element("span", {className: grade >= 2 ? "grade useful" : "grade"}, grade === undefined ? "unjudged" : String(grade)),
    " ", element("code", {}, id), " ", words(data.titles[id] ?? "not in the corpus"),
    query.targets.includes(id) ? element("b", {className: "good"}, " exact target") : null,
    query.unsafe[id] ? element("b", {className: "fault"}, ` ${query.unsafe[id]}`) : null, ` (${routes})`);
}

function line(drawn, returned) {
  if (!drawn) return element("td", {}, "—");
  const [, id, title] = drawn, same = returned && returned[0] === id;
  return element("td", {className: same ? "" : "fault"}, element("code", {}, id), " ", words(title));
}

function times(one) {
  const cells = one.ms.map(ms => element("td", {}, ms === null ? "not seen" : ms.toFixed(3)));
  return element("table", {id: "times"}, element("caption", {}, "Milliseconds; the last is what is scored (an error is charged the limit)"),
    element("thead", {}, element("tr", {}, ...TIMES.map(text => element("th", {scope: "col"}, text)))),
    element("tbody", {}, element("tr", {}, ...cells)));
}

function still(one) {
  if (one.still === null) return "";
  return element("p", {}, "This screen as SVG, with the recording from the result:",
    element("code", {className: "command"}, one.still));
}

// Buttons and keys

const KEYS = {k: "previous", j: "next", "[": "marker-before", "]": "marker-after", ",": "frame-before", ".": "frame-after",
  m: "start", d: "done"};

function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, .ap-wrapper")) return;
  if (KEYS[event.key]) { event.preventDefault(); act(KEYS[event.key]); }
}

function act(what) {
  const deeds = {previous: () => open(beside(-1)), next: () => open(beside(1)),
    "marker-before": () => marker("prev"), "marker-after": () => marker("next"),
    "frame-before": () => step(-1), "frame-after": () => step(1),
    start: () => open(chosen, chosen.at), done: () => open(chosen), mark, export: exported};
  deeds[what]?.();
}

function beside(step) {
  const found = matching();
  return found[found.indexOf(chosen) + step];
}

async function marker(which) {
  if (!loaded) return;
  await player.seek({marker: which});
  watch();
}

async function step(by) {
  if (!loaded) return;
  const at = now(), frames = loaded.frames;
  const before = frames.filter(time => time <= at + 1e-7).length - 1;
  const to = frames[Math.min(Math.max(before + by, 0), frames.length - 1)];
  await seek(loaded.name, to);
  watch();
}
