"""Definitions that Universal Ctags finds and the index lacks: `lost.py PROGRAM FOLDER... [--list]`.

A definition is there if its file has a symbol of its name, or any symbol on its line or the ones beside it: macros that make
definitions have other names for ctags. Ctags is wrong itself about some (Lua's `~`, objects of JavaScript as classes): read the
list before believing a share.
"""

import collections
import json
import re
import subprocess
import sys

KINDS = set("function method class struct interface enum trait func singletonMethod implementation object protocol union".split())


def symbols(program, folder):
    out = subprocess.run([program, "--yes", "--repo", folder, "query", "--nodes"], capture_output=True, check=True).stdout
    names, lines = collections.defaultdict(set), collections.defaultdict(set)
    for node in map(json.loads, out.decode(errors="replace").splitlines()):
        short = node["name"].rsplit(".", 1)[-1]
        names[node["file"]].update([node["name"], short, short.replace("operator", "operator ")])
        lines[node["file"]].add(node["line"])
    return names, lines


def tags(folder):
    command = ["ctags", "-R", "--output-format=json", "--fields=+nKlzS", "-f", "-", "."]
    out = subprocess.run(command, cwd=folder, capture_output=True, check=True).stdout
    for line in out.decode(errors="replace").splitlines():
        tag = json.loads(line)
        if tag.get("_type") == "tag" and tag["kind"] in KINDS and not re.search("anon", tag["name"], re.IGNORECASE):
            yield tag


def main(program, folders, is_listed):
    for folder in folders:
        names, lines = symbols(program, folder)
        total, lost = collections.Counter(), collections.defaultdict(list)
        for tag in tags(folder):
            file = tag["path"].removeprefix("./")
            if file not in names:
                continue
            key = (tag["language"], tag["kind"])
            total[key] += 1
            known = {tag["name"], re.split(r"[.:]+", tag["name"])[-1]} & names[file]
            if not known and not any(abs(line - tag["line"]) <= 1 for line in lines[file]):
                lost[key].append(f"{file}:{tag['line']} {tag['name']}")
        print(folder)
        for key, count in sorted(total.items()):
            print(f"  {' '.join(key)}: {len(lost[key])} of {count}, {100 * len(lost[key]) / count:.2f}%")
            for place in lost[key] if is_listed else []:
                print(f"    {place}")


if __name__ == "__main__":
    arguments = [one for one in sys.argv[1:] if one != "--list"]
    if len(arguments) < 2:
        sys.exit(__doc__)
    main(arguments[0], arguments[1:], "--list" in sys.argv)
