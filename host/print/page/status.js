"use strict";
// The runs stand in this page as data. They are laid out here, as text and never as markup.
const { runs, texts } = JSON.parse(document.getElementById("data").textContent);
const form = document.querySelector("form"), shown = form.querySelector("output"), button = form.querySelector("button");
const words = new Map([...form.querySelectorAll("input[name=state]")].map((box) => [box.value, box.parentNode.querySelector("span").textContent]));
let most = 100; // rows that are laid out: more make a page slow

const make = (name, attributes, ...inside) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
};
const small = (text) => (text ? [make("br", {}), make("small", {}, text)] : []);
const folded = (open, attributes, title, lists) => make("details", open ? { open: "" } : {}, make("summary", attributes, title), make("ul", {}, ...lists.map((inside) => make("li", {}, ...inside))));
const count = (n, name) => n + " " + name + (n === 1 ? "" : "s");

// The lifecycle: a dot for each phase, with the one that is proved and the one that is claimed.
const drawn = ([phases, proved, claimed]) => {
  if (!phases) return [];
  const span = make("span", { role: "img", "aria-label": "phase " + (proved + 1) + " of " + phases });
  for (let i = 0; i < phases; i++) {
    span.append(i === proved ? make("b", {}, "◉") : i === claimed ? make("s", {}, "◌") : i < proved ? "●" : "○");
  }
  return [span];
};

const row = ([state, root, name, at, phase, progress, updated, by, next, [parts, ...on], [findings, closing, ...list]]) => {
  const cells = make("tr", { class: state }, make("td", {}, words.get(state)), make("th", { scope: "row" }, make("code", {}, root), ...small(texts[name])), make("td", {}, ...drawn(at), texts[phase]));
  const bar = make("td", {});
  if (progress.length) bar.append(make("progress", { value: progress[0], max: progress[1], "aria-label": "progress" }), texts[progress[2]]);
  const todo = make("td", {}, texts[next]);
  const rest = (n, lists) => lists.concat(n > lists.length ? [["… and " + (n - lists.length) + " more"]] : []);
  if (parts) todo.append(folded(false, {}, count(parts, "part") + " in progress", rest(parts, on.map((part) => [texts[part]]))));
  if (findings) {
    const lists = list.map(([severity, place, message, rule]) => [texts[severity] + " ", make("code", {}, texts[place]), " " + texts[message] + " [" + texts[rule] + "]"]);
    todo.append(folded(closing > 0, { class: closing ? "bad" : "faint" }, count(findings, "finding"), rest(findings, lists)));
  }
  cells.append(bar, make("td", {}, texts[updated], ...small(texts[by])), todo);
  return cells;
};

// What a run says, for the search: its own texts, and those that it names by number.
const said = ([state, root, name, , phase, progress, updated, by, next, [, ...on], [, , ...list]]) =>
  [words.get(state), root, ...[name, phase, ...progress.slice(2), updated, by, next, ...on, ...list.flat()].map((n) => texts[n])].join(" ").toLowerCase();

const sections = [...document.querySelectorAll("section")].map((section) => ({ section, body: section.querySelector("tbody"), runs: runs[section.id].map((fields) => ({ fields })) }));
const all = sections.reduce((n, { runs }) => n + runs.length, 0);

const filter = () => {
  const asked = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean), workflow = form.elements.workflow.value;
  const states = new Set([...form.querySelectorAll("input:checked")].map((box) => box.value));
  let found = 0, left = 0;
  for (const { section, body, runs } of sections) {
    const rows = [];
    for (const run of workflow === "" || section.id === workflow ? runs : []) {
      if (!states.has(run.fields[0]) || asked.length && !asked.every((word) => (run.said ??= said(run.fields)).includes(word))) continue;
      if (++found <= most) rows.push((run.row ??= row(run.fields)));
    }
    body.replaceChildren(...rows);
    section.hidden = rows.length === 0;
    left += rows.length;
  }
  shown.value = left + " of " + all + " runs shown";
  button.hidden = left === found;
  button.textContent = "Show all " + found;
};
const showAll = () => {
  most = Infinity;
  filter();
};
form.hidden = false;
document.querySelectorAll("section > div").forEach((table) => { table.hidden = false; });
form.addEventListener("input", filter);
button.addEventListener("click", showAll);
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("beforeprint", () => {
  showAll();
  document.querySelectorAll("tr details").forEach((details) => { details.open = true; });
});
filter();
