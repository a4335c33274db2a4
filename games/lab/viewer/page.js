// A run folder's page: choose a run, step through it. Everything shown comes from the folder, as text.

const el = (id) => document.getElementById(id);
const ask = async (path, query = {}) => {
  const answer = await fetch(`${path}?${new URLSearchParams(query)}`);
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error ?? `the server said ${answer.status}`);
  return body;
};

let folder;
let series = {};
let steps = 0;
let wanted = 0;
let timer = null;

const run = () => ({ condition: el("condition").value, replicate: el("replicate").value });

function fill(select, values) {
  select.replaceChildren(...values.map((value) => new Option(value, value)));
}

function row(cells, tag = "td") {
  const line = document.createElement("tr");
  for (const cell of cells) {
    const box = document.createElement(tag);
    if (cell instanceof Node) box.append(cell);
    else box.textContent = cell ?? "";
    if (typeof cell === "number") box.className = "number";
    line.append(box);
  }
  return line;
}

// The sentence of an event in the game's own words; its kind and data where it has none.
function sentence(event) {
  const text = folder.words.events?.[event.kind]?.text;
  if (!text) return `${event.kind} ${JSON.stringify(event.data)}`;
  return text
    .replace(/\{(\w+)\|([^|}]*)\|([^}]*)\}/g, (_, key, one, many) => (event.data[key] === 1 ? one : many))
    .replace(/\{(\w+)(?::(\w+))?\}/g, (_, key, form) => shown(event.data[key], form));
}

function shown(value, form) {
  if (value === undefined || value === null) return "-";
  const name = (seat) => agents()[seat]?.name ?? `seat ${seat}`;
  if (form === "seat") return name(value);
  if (form === "seats") return value.map(name).join(", ");
  if (form === "cell") {
    const cells = Array.isArray(value[0]) ? value : [value];
    return cells.map((cell) => `(${cell.join(",")})`).join(" ");
  }
  if (form === "quote") return `"${value}"`;
  if (Array.isArray(value)) return value.map((one) => (typeof one === "object" ? JSON.stringify(one) : one)).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const condition = () => folder.conditions.find((one) => one.name === el("condition").value);
const agents = () => condition().agents;

function line(values, at) {
  const known = values.filter((value) => typeof value === "number");
  if (known.length < 2) return "";
  const low = Math.min(...known);
  const span = Math.max(...known) - low || 1;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 100 16");
  svg.setAttribute("preserveAspectRatio", "none");
  const path = document.createElementNS(svg.namespaceURI, "polyline");
  const x = (index) => (100 * index) / Math.max(values.length - 1, 1);
  const points = values.flatMap((value, index) => (typeof value === "number" ? [[x(index), 15 - (14 * (value - low)) / span]] : []));
  path.setAttribute("points", points.map((point) => point.map((part) => part.toFixed(2)).join(",")).join(" "));
  svg.append(path);
  if (at > 0) {
    const mark = document.createElementNS(svg.namespaceURI, "line");
    for (const [name, value] of [["x1", x(at - 1)], ["x2", x(at - 1)], ["y1", 0], ["y2", 16]]) mark.setAttribute(name, value);
    svg.append(mark);
  }
  return svg;
}

function draw(frame) {
  const clock = frame.clock.map(([name, n]) => `${name} ${n}`).join(", ");
  el("at").textContent = `${frame.step} of ${steps}${clock ? ` (${clock}, ${frame.stage})` : ""}`;
  el("events").replaceChildren(
    ...frame.events.map((event) => {
      const item = document.createElement("li");
      item.textContent = sentence(event) + (event.to ? ` [seen by ${shown(event.to, "seats")} only]` : "");
      return item;
    }),
  );
  const by = (pairs) => Object.fromEntries(pairs);
  const [actions, notes, flags, payoffs] = [by(frame.actions), by(frame.notes), by(frame.flags), by(frame.payoffs)];
  el("seats").replaceChildren(
    row(["seat", "policy", "payoff", "action", "notes"], "th"),
    ...agents().map((agent) =>
      row([
        agent.name,
        agent.policy,
        payoffs[agent.seat] ?? "",
        actions[agent.seat] === undefined ? "" : JSON.stringify(actions[agent.seat]),
        [...(flags[agent.seat] ?? []).map((flag) => `[${flag}]`), ...(notes[agent.seat] ?? [])].join(" "),
      ]),
    ),
  );
  const measured = frame.metrics ?? {};
  el("metrics").replaceChildren(
    ...Object.entries(series).map(([name, values]) => {
      const value = measured[name];
      return row([folder.words.metrics?.[name]?.label ?? name, typeof value === "number" ? Number(value.toPrecision(6)) : "-", line(values, frame.step)]);
    }),
  );
  el("world").textContent = frame.view ? JSON.stringify(frame.view, null, 1) : "";
  trouble(frame.unresolved ? `The world cannot be resolved again: ${frame.unresolved}` : "");
}

function trouble(text) {
  el("trouble").textContent = text;
  el("trouble").hidden = !text;
}

async function show(step) {
  wanted = Math.max(0, Math.min(steps, step));
  el("step").value = String(wanted);
  const asked = wanted;
  try {
    const frame = await ask("/frame.json", { ...run(), step: asked });
    if (asked === wanted) draw(frame);
  } catch (error) {
    trouble(error.message);
  }
}

function pause() {
  clearTimeout(timer);
  timer = null;
  el("play").textContent = "Play";
}

async function onward() {
  if (timer === null) return;
  if (wanted >= steps) return pause();
  await show(wanted + 1);
  if (timer !== null) timer = setTimeout(onward, 250);
}

async function choose() {
  pause();
  const chosen = folder.runs.find((one) => one.condition === run().condition && String(one.replicate) === run().replicate);
  steps = chosen.steps;
  el("step").max = String(steps);
  el("config").textContent = JSON.stringify(condition().config, null, 1);
  try {
    series = await ask("/series.json", run());
  } catch (error) {
    series = {};
    trouble(error.message);
  }
  await show(Math.min(wanted, steps));
}

function replicates() {
  const there = folder.runs.filter((one) => one.condition === el("condition").value);
  const before = el("replicate").value;
  fill(el("replicate"), there.map((one) => String(one.replicate)));
  if (there.some((one) => String(one.replicate) === before)) el("replicate").value = before;
}

el("condition").addEventListener("change", () => { replicates(); choose(); });
el("replicate").addEventListener("change", choose);
el("step").addEventListener("input", () => { pause(); show(Number(el("step").value)); });
el("back").addEventListener("click", () => { pause(); show(wanted - 1); });
el("on").addEventListener("click", () => { pause(); show(wanted + 1); });
el("play").addEventListener("click", () => {
  if (timer !== null) return pause();
  if (wanted >= steps) wanted = -1;
  el("play").textContent = "Pause";
  timer = setTimeout(onward, 0);
});
document.addEventListener("keydown", (event) => {
  if (["SELECT", "INPUT", "BUTTON"].includes(event.target.tagName)) return;
  if (event.key === "ArrowLeft") el("back").click();
  else if (event.key === "ArrowRight") el("on").click();
  else if (event.key === " ") { event.preventDefault(); el("play").click(); }
});

folder = await ask("/index.json");
document.title = `${folder.game}: ${folder.scenario.name}`;
el("title").textContent = `${folder.words.name ?? folder.game}: ${folder.scenario.title.en ?? folder.scenario.name}`;
el("about").textContent = folder.scenario.about.en ?? "";
fill(el("condition"), folder.conditions.map((one) => one.name));
replicates();
await choose();
