#!/usr/bin/env python3
"""Compares the calls of an index with gold: score.py GOLD EDGES [N] [ROOT PROGRAM].

GOLD, compressed with gzip, has lines of `file:line`: `caller callee`; `caller callee implied` for a call without a name at its place, which
is right but not demanded; `caller ? name` for a call that the judge could not resolve, by which no edge is judged; and `line = line` for
another declaration of the function at the second line, such as its overloads in TypeScript. EDGES is the output of `knowing query --edges`. Only
ends in files of the gold count, and callers that the gold has; calls of what a variable holds are judged only if the gold has them. A constructor
is its class, code in the initializer of a variable belongs to the variable's container if the gold lacks the variable, and several edges between
the same lines are one.

The second line of the output counts functions by their callers. With PROGRAM, `callers` is asked about each function that has none, and
those are listed about which it does not say that something is not resolved. With N, that many wrong and missed calls are listed.
"""
import gzip
import json
import subprocess
import sys
from collections import defaultdict

CONSTRUCTORS = {"__init__", "__construct", "initialize", "constructor", "init", "<init>", "new"}
VARIABLES = {"var", "field", "constant", "variable", "property", "variant", "enum_member", "const"}


def place(end):
    return f"{end['file']}:{end['line']}"


demanded, implied, unknown, same = set(), set(), defaultdict(set), {}
for line in gzip.open(sys.argv[1], "rt"):
    caller, callee, *rest = line.split()
    if callee == "=":
        same[caller] = rest[0]
    elif callee == "?":
        unknown[caller].add(rest[0])
    else:
        (implied if rest else demanded).add((caller, callee))
implied -= demanded
gold = demanded | implied
files = {end.rsplit(":", 1)[0] for pair in gold for end in pair}
callers, callees = {caller for caller, _ in gold} | set(unknown), {callee for _, callee in gold}

parents, names, calls = {}, {}, []
for line in open(sys.argv[2]):
    edge = json.loads(line)
    source, target = edge["source"], edge["target"]
    if edge["type"] == "contains":
        parents[(place(target), target["name"])] = source
    elif edge["type"] == "calls" and source["file"] in files and target["file"] in files and source["kind"] not in ("file", "macro"):
        calls.append((source, target, edge["confidence"] >= 0.8))


def last(end):
    return end["name"].rsplit(".", 1)[-1]


def caller_of(end):
    while place(end) not in callers and (end["kind"] in VARIABLES or last(end) in CONSTRUCTORS) and (place(end), end["name"]) in parents:
        end = parents[(place(end), end["name"])]
    return same.get(place(end), place(end))


def callee_of(end):
    parent = parents.get((place(end), end["name"]))
    if parent and place(end) not in callees and (last(end) in CONSTRUCTORS or last(end) == last(parent)):
        end = parent
    return same.get(place(end), place(end))


found, certain = set(), set()
for source, target, sure in calls:
    pair = (caller_of(source), callee_of(target))
    names.update({pair[0]: source["name"], pair[1]: target["name"]})
    judged = pair[0] in callers and last(target) not in unknown[pair[0]] and target["kind"] not in VARIABLES
    if pair in gold or judged:
        found.add(pair)
        if sure:
            certain.add(pair)


def ratio(part, whole):
    return f"{len(part) / max(len(whole), 1):.3f}"


print(f"gold {len(demanded)}, found {len(found)}, certain precision {ratio(certain & gold, certain)}, "
      f"precision {ratio(found & gold, found)}, recall {ratio(found & demanded, demanded)}")
asked = defaultdict(set)
for caller, callee in demanded:
    asked[callee].add(caller)
missing = {callee: {one for one in wanted if (one, callee) not in found} for callee, wanted in asked.items()}
none = sorted(callee for callee, wanted in asked.items() if missing[callee] == wanted)
partly = sum(1 for callee, lost in missing.items() if lost and callee not in none)
print(f"called {len(asked)}: complete {len(asked) - partly - len(none)}, incomplete {partly}, none {len(none)}")
if len(sys.argv) > 5:
    root, program = sys.argv[4:6]
    silent = []
    for callee in none:
        answer = subprocess.run([program, "callers", callee], cwd=root, capture_output=True, text=True).stdout
        # "none known" (before: "none certain") is followed by the lines that are not resolved, another note tells of uses without a call.
        if "none known" not in answer and "none certain" not in answer and "without a call" not in answer and ": none" in answer:
            silent.append(callee)
    print(f"none without a note {len(silent)}", *silent)
if len(sys.argv) > 3:
    for name, pairs in [("wrong", found - gold), ("missed", demanded - found)]:
        for pair in sorted(pairs)[: int(sys.argv[3])]:
            sure = "" if name == "missed" or pair in certain else "(inferred)"
            print(name, *pair, names.get(pair[0], ""), names.get(pair[1], ""), sure)
