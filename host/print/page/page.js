"use strict";
const form = document.querySelector("form"), rows = [...document.querySelectorAll("tbody tr")], shown = document.querySelector("output");
const button = form.querySelector("button"), texts = new Map();
let most = 300; // rows that are laid out: more make a page slow
const sections = document.querySelectorAll("section");
const text = (row) => {
  if (!texts.has(row)) texts.set(row, row.textContent.toLowerCase());
  return texts.get(row);
};
const filter = () => {
  const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean), workflow = form.elements.workflow.value;
  const states = new Set([...form.querySelectorAll("input:checked")].map((box) => box.value));
  let found = 0, left = 0;
  for (const section of sections) {
    let here = 0;
    const asked = workflow === "" || section.id === workflow;
    for (const row of section.querySelectorAll("tbody tr")) {
      const fits = asked && states.has(row.className) && words.every((word) => text(row).includes(word));
      row.hidden = !fits || found >= most;
      found += fits;
      here += !row.hidden;
    }
    section.hidden = here === 0;
    left += here;
  }
  shown.value = left + " of " + rows.length + " runs shown";
  button.hidden = left === found;
  button.textContent = "Show all " + found;
};
form.hidden = false;
form.addEventListener("input", filter);
const all = () => {
  most = Infinity;
  filter();
};
button.addEventListener("click", all);
form.addEventListener("submit", (event) => event.preventDefault());
addEventListener("beforeprint", () => {
  all();
  document.querySelectorAll("tr:not([hidden]) details").forEach((d) => { d.open = true; });
});
filter();
document.documentElement.className = "";
