#!/usr/bin/env python3
"""Compares the calls of an index with gold: score.py GOLD EDGES.

GOLD, compressed with gzip, has lines `caller callee` of `file:line`; EDGES is the output of `knowing query --edges`. Only callers and callees
in files of the gold count, and callers that the gold has: not code at module level, nor the text of a macro. Several edges between
the same lines are one.
"""
import gzip
import json
import sys

gold = {tuple(line.split()) for line in gzip.open(sys.argv[1], "rt")}
files = {place.rsplit(":", 1)[0] for pair in gold for place in pair}
found = set()
for line in open(sys.argv[2]):
    edge = json.loads(line)
    source, target = edge["source"], edge["target"]
    if source.get("kind") in ("file", "macro"):
        continue
    if edge["type"] == "calls" and source["file"] in files and target["file"] in files:
        found.add((f"{source['file']}:{source['line']}", f"{target['file']}:{target['line']}"))
right = len(gold & found)
print(f"gold {len(gold)}, found {len(found)}, precision {right / max(len(found), 1):.3f}, recall {right / len(gold):.3f}")
if len(sys.argv) > 3:
    for name, pairs in [("wrong", found - gold), ("missed", gold - found)]:
        for pair in sorted(pairs)[: int(sys.argv[3])]:
            print(name, *pair)
