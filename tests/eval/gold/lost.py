#!/usr/bin/env python3
"""Lists definitions that universal-ctags finds and an index lacks: lost.py ROOT NODES LANGUAGE [N].

NODES is the output of `knowing query --nodes` for the repository at ROOT; LANGUAGE is ctags' name of it (`C#`, `Sh`, …). A
definition of ctags is in the index if one of the same last name in the same file begins within two lines. Files that the
index leaves out are not compared. With N, that many of each kind are listed.
"""
import json
import subprocess
import sys
from collections import Counter, defaultdict

root, nodes, language = sys.argv[1:4]
shown = int(sys.argv[4]) if len(sys.argv) > 4 else 0

known, files = defaultdict(list), set()
for line in open(nodes, encoding="utf-8"):
    node = json.loads(line)
    files.add(node["file"])
    known[(node["file"], node["name"].rsplit(".", 1)[-1].lstrip("~"))].append(node["line"])

command = ["ctags", "-R", "--output-format=json", "--fields=+nKS", f"--languages={language}", "-f", "-", "."]
output = subprocess.run(command, cwd=root, capture_output=True, text=True, errors="replace").stdout
found, lost, examples = Counter(), Counter(), defaultdict(list)
for line in output.splitlines():
    tag = json.loads(line)
    path = tag["path"].removeprefix("./")
    if tag.get("_type") != "tag" or path not in files:
        continue
    name = tag["name"].rsplit(".", 1)[-1].rsplit(":", 1)[-1].lstrip("~")
    found[tag["kind"]] += 1
    if not any(abs(at - tag["line"]) <= 2 for at in known[(path, name)]):
        lost[tag["kind"]] += 1
        examples[tag["kind"]].append(f"{path}:{tag['line']} {tag['name']}")
for kind, count in found.most_common():
    print(f"{kind}: {lost[kind]} of {count} lost")
    step = max(1, len(examples[kind]) // max(shown, 1))
    for example in examples[kind][::step][:shown]:
        print(f"    {example}")
