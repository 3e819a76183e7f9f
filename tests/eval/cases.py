#!/usr/bin/env python3
"""Runs a folder of cases, each a small repository with a question, and compares the answers with accepted ones.

usage: cases.py FOLDER PROGRAM [--save FILE | --against FILE] [--only NAME]

A case is a folder with its files and `CASE.md`: a `sh` fence after `Setup` is run in a copy of the folder, then the program
indexes the copy, and each `$` line of a `console` fence is asked. The line `Expected:` says what the answer must have. Without
an option every answer is printed below its expectation, to be read; `--save` keeps the answers that were read and found
right, `--against` prints the cases whose answers differ from them, and fails if there are any.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path


def run(command, folder, environment):
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)
    return (done.stdout + done.stderr).rstrip().replace(str(folder), "DIR").replace(str(folder.parent), "TMP")


def fences(text, kind):
    return re.findall(rf"```{kind}\n(.*?)```", text, re.S)


def answers(case, program):
    """Returns the answers of a case by command."""
    text = (case / "CASE.md").read_text()
    with tempfile.TemporaryDirectory() as scratch:
        folder, home = Path(scratch, case.name), Path(scratch, "home")
        shutil.copytree(case, folder, ignore=shutil.ignore_patterns("CASE.md"), symlinks=True)
        path = f"{Path(program).resolve().parent}:{os.environ['PATH']}"
        home.mkdir()
        environment = {**os.environ, "HOME": str(home), "PATH": path, "XDG_DATA_HOME": str(home), "NO_COLOR": "1"}
        setup = fences(text, "sh") + re.findall(r"^Setup: `(.*)`$", text, re.M)
        for command in setup:
            run(command, folder, environment)
        asked = [line[2:] for fence in fences(text, "console") for line in fence.split("\n") if line.startswith("$ ")]
        asked += re.findall(r"`(\(cat .*?\| knowing mcp)`", text)
        run("knowing index", folder, environment)
        return {command: run(command, folder, environment) for command in dict.fromkeys(asked)}


def expectation(case):
    found = re.search(r"^Expected: (.*?)\n\n", (case / "CASE.md").read_text() + "\n\n", re.S | re.M)
    return found.group(1).replace("\n", " ") if found else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("program")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--only")
    given = parser.parse_args()
    accepted = json.loads(given.against.read_text()) if given.against else None
    found, differ = {}, 0
    for case in sorted(path.parent for path in given.folder.glob("*/CASE.md")):
        if given.only and case.name != given.only:
            continue
        found[case.name] = answers(case, given.program)
        if accepted is not None and accepted.get(case.name) == found[case.name]:
            continue
        differ += 1
        print(f"== {case.name}\nexpected: {expectation(case)}")
        for command, answer in found[case.name].items():
            print(f"$ {command}\n{answer}")
            before = (accepted or {}).get(case.name, {}).get(command)
            if before not in (None, answer):
                print(f"-- accepted was:\n{before}")
    if given.save:
        given.save.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n")
    if accepted is not None:
        print(f"{len(found)} cases, {differ} differ from what was accepted")
        sys.exit(differ > 0)


if __name__ == "__main__":
    main()
