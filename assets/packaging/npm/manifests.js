// Writes the manifests of the npm packages: `node manifests.js VERSION SYSTEM FOLDER`.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

const SYSTEMS = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"];
const [version, system, folder] = process.argv.slice(2);
if (!SYSTEMS.includes(system)) {
  throw new Error(`no package for ${system}`);
}
const [os, cpu] = system.split("-");
const common = {
  version,
  description: "Given a task in plain words: which symbols of this repository matter, and why",
  license: "MIT OR Apache-2.0",
};
const write = (name, manifest) =>
  fs.writeFileSync(path.join(folder, name, "package.json"), JSON.stringify({ ...common, ...manifest }, null, 2) + "\n");

write(system, { name: `knowing-${system}`, os: [os], cpu: [cpu], files: ["bin"], preferUnplugged: true });
write("knowing", {
  name: "knowing",
  bin: { knowing: "knowing.js" },
  files: ["knowing.js"],
  engines: { node: ">=18" },
  optionalDependencies: Object.fromEntries(SYSTEMS.map((name) => [`knowing-${name}`, version])),
});
