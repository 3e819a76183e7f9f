#!/usr/bin/env python3
"""Chooses the questions that the ranking model is fitted on: sections.py REPOSITORIES TASKS OUTPUT

Of each repository the questions of 24 sections, those with the smallest hashes, so that no repository leads.
"""
import gzip
import hashlib
import json
import os
import sys

SECTIONS = 24


def chosen(lines):
    rows = [json.loads(line) for line in lines]
    sections = sorted({row["group"] for row in rows}, key=lambda group: hashlib.sha256(group.encode()).hexdigest())
    return [row for row in rows if row["group"] in sections[:SECTIONS]]


def main(repositories, tasks, output):
    for line in open(repositories):
        name = line.split("\t")[0] + ".jsonl.gz"
        with gzip.open(os.path.join(tasks, name), "rt") as read, gzip.open(os.path.join(output, name), "wt") as write:
            write.writelines(json.dumps(row) + "\n" for row in chosen(read))


main(*sys.argv[1:])
