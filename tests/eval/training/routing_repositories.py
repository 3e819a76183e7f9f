#!/usr/bin/env python3
"""Lists repositories for `knowing-eval routing`, a line `NAME FOLDER` for each.

    routing_repositories.py [--crates REGISTRY] CORPUS... > repositories.txt

Every folder of a corpus is a repository; of the releases of one (`requests-v2.0.1`, `requests-v2.26.0`) the last counts.
With --crates, crates that cargo unpacked are added, such as ~/.cargo/registry/src/index.crates.io-*: one of each
repository that their manifests name, the largest, and none of a repository that tasks are about.
"""

import os
import re
import sys

# Repositories of the task files, of which a crate would be a second copy.
TASKS = {"tokio-rs/tokio", "clap-rs/clap", "tokio-rs/axum", "rustls/rustls", "martinvonz/jj", "jj-vcs/jj", "casey/just",
         "burntsushi/ripgrep", "rust-lang/cargo"}
RELEASE = re.compile(r"-v?\d+(\.\d+).*$")
MIN_BYTES = 3_000


def folders(corpus):
    names = {}
    for name in sorted(os.listdir(corpus)):
        if os.path.isdir(os.path.join(corpus, name)) and not name.startswith("."):
            names[RELEASE.sub("", name)] = os.path.join(corpus, name)
    return names


def source_bytes(folder):
    sizes = (os.path.getsize(os.path.join(path, file)) for path, _, files in os.walk(folder) for file in files
             if file.endswith(".rs"))
    return sum(sizes)


def crates(registry):
    best = {}
    for crate in sorted(os.listdir(registry)):
        folder = os.path.join(registry, crate)
        try:
            manifest = open(os.path.join(folder, "Cargo.toml"), errors="replace").read()
        except FileNotFoundError:
            continue
        found = re.search(r'^repository\s*=\s*"([^"]+)"', manifest, re.M)
        url = (found.group(1) if found else crate).lower()
        owner = re.search(r"(?:github|gitlab|codeberg|bitbucket)[^/]*/([^/]+/[^/#?]+)", url)
        key = (owner.group(1) if owner else url).removesuffix(".git").rstrip("/")
        size = source_bytes(folder)
        if key not in TASKS and size > max(best.get(key, (MIN_BYTES,))[0], MIN_BYTES):
            best[key] = (size, RELEASE.sub("", crate), folder)
    return {name: folder for _, name, folder in best.values()}


def main(arguments):
    registries = [arguments[index + 1] for index, word in enumerate(arguments) if word == "--crates"]
    corpora = [word for index, word in enumerate(arguments)
               if word != "--crates" and (index == 0 or arguments[index - 1] != "--crates")]
    if not corpora:
        sys.exit(__doc__)
    found = {}
    for names in [*map(folders, corpora), *map(crates, registries)]:
        for name, folder in names.items():
            found.setdefault(name, folder)
    for name, folder in found.items():
        print(name, folder)


if __name__ == "__main__":
    main(sys.argv[1:])
