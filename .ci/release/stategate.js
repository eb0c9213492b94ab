#!/usr/bin/env node
// Runs the program that npm installed for this system, with what this was called with.
"use strict";
const { spawn } = require("node:child_process");

const name = `@stategate/${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/stategate${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`stategate: the package ${name} is not installed: reinstall without --omit=optional (--no-optional).
    If there is none for this system, install from source: https://github.com/stategate/stategate#install`);
  process.exit(3); // could not be checked: never read as clean
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (signal !== "SIGINT") child.kill(signal); // a terminal sends Ctrl-C to both
  });
}
child.on("error", (err) => {
  console.error(`stategate: ${program} could not be started: ${err.message}`);
  process.exit(3);
});
child.on("exit", (code, signal) => {
  if (signal === null) process.exit(code);
  for (const s of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(s);
  process.kill(process.pid, signal);
});
