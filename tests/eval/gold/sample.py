#!/usr/bin/env python3
"""Samples call edges for verdicts by reading: sample.py EDGES ROOT N [VERDICTS] [SEED].

EDGES is the output of `knowing query --edges` for the repository at ROOT. Prints N `calls` edges whose ends are both in
the repository, as tab-separated values: verdict, source, target, provenance, and the lines of the source's body that
have the target's name. The sample is the edges with the smallest hash, so a change of the index changes few of them.
Verdicts (`right`, `wrong`) of the same edges in VERDICTS, an earlier output, are kept; others are `?`.
"""
import bisect
import hashlib
import json
import re
import sys
from collections import defaultdict

edges_path, root, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
verdicts_path = sys.argv[4] if len(sys.argv) > 4 else None
seed = sys.argv[5] if len(sys.argv) > 5 else "1"


def place(end):
    return f"{end['file']}:{end['line']} {end['name']}"


known = {}
if verdicts_path:
    for line in open(verdicts_path, encoding="utf-8"):
        columns = line.rstrip("\n").split("\t")
        if not line.startswith("#") and len(columns) > 2:
            known[(columns[1], columns[2])] = columns[0]

calls, starts = {}, defaultdict(set)
for line in open(edges_path, encoding="utf-8"):
    edge = json.loads(line)
    for end in (edge["source"], edge["target"]):
        starts[end["file"]].add((end["line"], end["name"]))
    if edge["type"] == "calls" and edge["source"]["file"] and edge["target"]["file"]:
        calls[(place(edge["source"]), place(edge["target"]))] = edge
ordered = {file: sorted(found) for file, found in starts.items()}


def digest(pair):
    return hashlib.sha256("\t".join((seed, *pair)).encode()).hexdigest()


def mentions(edge):
    """Returns the lines of the source's body with the target's name, at most three."""
    source, names = edge["source"], edge["target"]["name"].split(".")
    file, start = source["file"], source["line"]
    try:
        lines = open(f"{root}/{file}", encoding="utf-8", errors="replace").read().split("\n")
    except OSError:
        return ["(no such file)"]
    following = ordered[file][bisect.bisect_right(ordered[file], (start, "\uffff")) :]
    outside = [line for line, name in following if not name.startswith(source["name"] + ".")]
    body = range(max(start, 1) - 1, min(outside[0] - 1 if outside else len(lines), len(lines)))
    for name in [names[-1]] + names[-2:-1]:
        word = re.compile(r"(?<![\w$])" + re.escape(name.rstrip("=?!")) + r"(?!\w)")
        found = [f"{at + 1}: {lines[at].strip()[:160]}" for at in body if word.search(lines[at])]
        # The first line is the definition itself.
        found = [text for text in found if not text.startswith(f"{start}: ")] or found
        if found:
            return found[:3]
    return ["(not named)"]


sample = sorted(calls, key=digest)[:count]
tally = defaultdict(int)
print(f"# {len(sample)} of {len(calls)} call edges, seed {seed}: verdict, source, target, provenance, lines")
for pair in sample:
    verdict = known.get(pair, "?")
    tally[verdict] += 1
    print("\t".join([verdict, *pair, calls[pair]["provenance"], " | ".join(mentions(calls[pair])).replace("\t", " ")]))
judged = tally["right"] + tally["wrong"]
print(f"{tally['right']} right, {tally['wrong']} wrong, {tally['?']} without a verdict: precision "
      f"{tally['right'] / max(judged, 1):.3f}", file=sys.stderr)
