#!/usr/bin/env node
// Runs the program of the package for this system.
"use strict";
const { spawnSync } = require("node:child_process");

const name = `knowing-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/bin/knowing${process.platform === "win32" ? ".exe" : ""}`);
} catch {
  console.error(`knowing: there is no package ${name}, or it was left out; \`npm install ${name}\` says why`);
  process.exit(3);
}
const { status, signal, error } = spawnSync(program, process.argv.slice(2), { stdio: "inherit" });
if (error) {
  console.error(`knowing: ${error.message}`);
  process.exit(3);
}
if (signal) {
  process.kill(process.pid, signal);
}
process.exit(status ?? 3);
