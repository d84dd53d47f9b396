"use strict";

// The recording on the screen: one block at a time, each brought by a script of its own when it is wanted.

const casts = new Map(), waiting = new Map();
let player, loaded, moving = 0;

function review_cast(name, text) {
  const events = text.split("\n").slice(1).filter(row => row.startsWith("[")).map(row => JSON.parse(row));
  const frames = [...new Set(events.filter(one => one[1] === "o").map(one => one[0]))];
  waiting.get(name)?.({text, frames});
}

// A name from the data becomes a script of the page only where the page was made with that recording.
function load(name) {
  if (!data.casts.includes(name)) return Promise.reject(new Error(name));
  if (!casts.has(name))
    casts.set(name, new Promise((resolve, reject) => {
      waiting.set(name, resolve);
      const src = name.replace(/\.cast$/, ".js");
      document.body.append(element("script", {src, onerror: () => reject(new Error(name))}));
    }));
  return casts.get(name);
}

async function seek(name, at) {
  moving += 1;
  try {
    if (loaded?.name !== name) await play(name);
    await player.seek(at === null ? 0 : Number(at));
  } catch {
    byId("where").textContent = `${name}: cannot be shown.`;
  } finally {
    moving -= 1;
  }
  where();
}

async function play(name) {
  const {text, frames} = await load(name);
  player?.dispose();
  player = AsciinemaPlayer.create({data: text, minFrameTime: 0}, byId("player"),
    {preload: true, controls: true, fit: "width", speed: 0.1, terminalFontFamily: "ui-monospace, DejaVu Sans Mono, monospace"});
  loaded = {name, frames};
}

function now() {
  return player && loaded ? player.getCurrentTime() : null;
}

function where() {
  const at = now();
  if (at === null || !chosen) return;
  const frame = loaded.frames.filter(time => time <= at + 1e-7).length;
  const done = chosen.done !== null && Math.abs(at - chosen.done) < 1e-6 ? ", the done frame" : "";
  const text = `${loaded.name}, second ${at.toFixed(6)}: frame ${frame} of ${loaded.frames.length}${done}`;
  if (byId("where").textContent === text) return;
  byId("where").textContent = text;
  history.replaceState(null, "", `#${loaded.name}&t=${at.toFixed(6)}`);
}

// While it plays, what stands beside it is about the query on the screen.
function watch() {
  const at = now();
  if (moving || at === null) return;
  const one = request(loaded.name, at);
  if (one && one !== chosen) show(one);
  where();
}

function request(cast, at) {
  const before = data.requests.filter(one => one.cast === cast && one.at !== null && Number(one.at) <= at + 1e-6);
  return before.sort((a, b) => b.at - a.at)[0];
}

// A link as the card has it: casts/<system>/block-NNN.cast, and a stretch in seconds.
function follow() {
  const found = /^#(casts\/[^&#]+)[&#]t=([0-9.]+)(?:,([0-9.]+))?$/.exec(location.hash);
  const one = found && (request(found[1], Number(found[2])) || data.requests.find(each => each.cast === found[1]));
  if (one) open(one, found[3] ?? found[2]);
  return Boolean(one);
}
