"use strict";
// Filters the list of runs. Without this script the page shows all of them.
const form = document.querySelector("form"), shown = document.querySelector("output"), none = document.getElementById("none");
const runs = [...document.querySelectorAll("#runs ol[role] > li")].map((row) => ({ row }));

const filter = () => {
  const words = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean), workflow = form.elements.workflow.value;
  const states = new Set([...form.querySelectorAll("input:checked")].map((box) => box.value));
  let found = 0;
  for (const run of runs) {
    const asked = states.has(run.row.className) && (workflow === "" || workflow === run.row.querySelector(".of").firstChild.data.split(" · ")[0].trim()) &&
      words.every((word) => (run.text ??= run.row.textContent.toLowerCase()).includes(word));
    run.row.hidden = !asked;
    found += asked;
  }
  for (const group of document.querySelectorAll("#runs > section")) group.hidden = !group.querySelector("ol[role] > li:not([hidden])");
  none.hidden = found > 0;
  shown.value = found + " of " + runs.length;
};
form.hidden = false;
if (matchMedia("(max-width: 40rem)").matches) form.parentElement.open = false;
form.addEventListener("input", filter);
form.addEventListener("reset", () => setTimeout(filter));
form.addEventListener("submit", (event) => event.preventDefault());
filter();
