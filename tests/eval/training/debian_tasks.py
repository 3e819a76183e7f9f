#!/usr/bin/env python3
"""Makes training tasks from the patches of Debian source packages, as JSON lines that `knowing-eval features` reads.

A patch has a description and a change of the very sources that it lies beside. The description is the task. The ground
truth is the definitions of the unpatched sources that the change touches, as the index has them.

    debian_tasks.py fetch PACKAGES.txt DOWNLOADS           # apt-get source --download-only; needs a deb-src entry
    debian_tasks.py unpack DOWNLOADS CORPUS                # CORPUS/PACKAGE, and the patches in CORPUS/.patches/PACKAGE
    debian_tasks.py tasks CORPUS DATABASES TASKS KNOWING   # TASKS/PACKAGE.jsonl.gz; reports what it left out

See TRAINING.md for the rules.
"""

import collections
import email.errors
import email.header
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

MAX_GOLD = 8
MAX_TASKS = 25
MIN_WORDS = 4
# A type that gets a longer insertion gets a new member, which changes nothing that was there before.
MAX_TYPE_INSERTION = 3
MAX_OFFSET = 400

TRAILER = re.compile(
    r"^\s*(signed-off-by|acked-by|reviewed-by|reported-by|tested-by|cc|co-authored-by|change-id|origin|bug(-[\w]+)?|"
    r"forwarded|author|from|date|last-update|applied-upstream|reviewed|patch-name|gbp(-pq)?|x-[\w-]+|index|closes|"
    r"message-id|list-id|backported(-by)?|comment|commit|upstream|note|merged|status|committer|id|refs?|url|see|link|"
    r"cherry[- ]picked[^:]*|lp|fixes|resolves|debian-bug|mime-version|content-[\w-]+|review(ed)?-[\w-]+)\s*:", re.I)
# What follows is about the patch, and often names the very functions.
BACKPORT = re.compile(r"^\W*(back-?ported? (by|notes?)|debian'?s? back-?port|changes( from upstream)?:?$|rebased? )", re.I)
# Descriptions that do not say what is changed, and changes of no definition in particular.
IDLE = re.compile(
    r"spelling|typos?\b|^cherry[- ]?pick|^backport(ed)?\b.{0,30}$|^(upstream|debian) (changes|patch)|"
    r"^(fix(es)?|for|security fix for)?\s*(CVE-[\d-]+[\s,;and.]*)+$|^\S+\.(patch|diff)$|^merged? |^import |^update version|"
    r"^patch (for|from)\b.{0,20}$|^various\b|^misc", re.I)
# Subjects about the package instead of the program.
PACKAGING = re.compile(
    r"\bdebian\b|compatib|\bcompat\b|reproducib|\bftbfs\b|fail(s|ure|ures)? to build|build fail|\bsystem (lib|wide|install)|"
    r"not (packaged|available|shipped)|packaged version|\bjdk\b|\bjava ?\d|\bgcc\b|\bclang\b|php ?[78]|\bjavadoc|privacy|"
    r"\b(ignore|disable|skip)\b.*\btests?\b|relax dependenc|backward", re.I)
TESTS = re.compile(r"(^|/)(tests?|specs?|testing|testcases|t|testsuite|unittests?|testdata|debian|po|doc|docs|examples?)/|"
                   r"\.gradle(\.kts)?$|(^|/)(Rakefile|configure)$|buildsrc/", re.I)
COMMENT = re.compile(r"^\s*(//|/\*|\*|#(?!\s*(define|if|el|endif|undef))|--|\"\"\"|;;)?\s*$|^\s*(//|/\*|\*\s|\*/|\*$|--\s)")
OUTSIDE = re.compile(r"^\s*(#\s*(include|if|el|endif|define|undef|pragma)|import\b|package\b|use\b|using\b|require|"
                     r"include\b|namespace\b|extern\b|@|\}|\{|</?)|^\s*$")


def fetch(packages, downloads):
    """Downloads the sources of a list of `package` or `package=version`, and names those that the mirror lacks."""
    options = os.environ.get("APT_OPTIONS", "").split()
    with open(packages, encoding="utf-8") as names:
        wanted = [name for line in names for name in line.split("#")[0].split()]
    for package in wanted:
        folder = os.path.join(downloads, package.split("=")[0])
        os.makedirs(folder, exist_ok=True)
        if any(name.endswith(".dsc") for name in os.listdir(folder)):
            continue
        command = ["apt-get", *options, "source", "--download-only", "-qq", "--only-source", package]
        if subprocess.run(command, cwd=folder, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            shutil.rmtree(folder)
            print(f"{package}: not available")


def unpack(downloads, corpus):
    """Unpacks sources without their patches, and the patches beside them."""
    for package in sorted(os.listdir(downloads)):
        folder = os.path.join(downloads, package)
        target, patches = os.path.join(corpus, package), os.path.join(corpus, ".patches", package)
        names = os.listdir(folder)
        # Additional tarballs have a name after `.orig`.
        sources = [name for name in names if re.search(r"\.orig\.tar\.\w+$", name)]
        debian = [name for name in names if re.search(r"\.debian\.tar\.\w+$", name)]
        if not sources or not debian or os.path.exists(target):
            continue
        os.makedirs(patches, exist_ok=True)
        os.makedirs(target)
        subprocess.run(["tar", "-xf", os.path.join(folder, sources[0]), "-C", target, "--strip-components=1",
                        "--no-same-owner"], check=False)
        subprocess.run(["tar", "-xf", os.path.join(folder, debian[0]), "-C", patches, "--no-same-owner",
                        "debian/patches"], check=False, stderr=subprocess.DEVNULL)
        # The tarball may have an own `debian` folder.
        shutil.rmtree(os.path.join(target, "debian"), ignore_errors=True)
        for name in names:
            if ".tar." in name:
                os.remove(os.path.join(folder, name))


def decode(words):
    """Returns the text of encoded words of a mail header."""
    try:
        return str(email.header.make_header(email.header.decode_header(words.group(0))))
    except (ValueError, LookupError, email.errors.HeaderParseError):
        return words.group(0)


def description(header):
    """Returns the description in the header of a patch: the subject, and the body without trailers."""
    lines = header.replace("\r", "").split("\n")
    out, state = [], "none"
    for line in lines:
        field = re.match(r"^(Description|Subject)\s*:\s*(.*)$", line, re.I)
        if field and not (state == "text" and out and not field.group(2)):
            if state != "text" or not out:
                out, state = [re.sub(r"^\s*(\[[^\]]*\]\s*)+", "", field.group(2))], "text"
            continue
        if re.match(r"^(---|diff |Index: |\+\+\+ |={20,}|@@ )", line):
            break
        if TRAILER.match(line):
            state = "trailer" if state == "trailer" or state == "none" or not line.startswith(" ") else state
            continue
        if state == "trailer" and line[:1] in (" ", "\t"):
            continue
        if state == "none":
            # A header of plain comment lines.
            plain = re.sub(r"^##?( DP:)?\s*", "", line)
            if plain != line and plain and not TRAILER.match(plain) and not plain.startswith("!"):
                out.append(plain)
            continue
        if re.match(r"^#+\s|^## ", line):
            continue
        if BACKPORT.match(line):
            break
        state = "text"
        out.append("" if line.strip() == "." else line.strip())
    text = re.sub(r"=\?[\w-]+\?[qQbB]\?[^?]*\?=(\s*=\?[\w-]+\?[qQbB]\?[^?]*\?=)*", decode, "\n".join(out)).strip()
    text = re.sub(r"\(cherry[- ]picked from [^)]*\)", "", text)
    text = re.sub(r"\n{3,}", "\n\n", text)
    return text.strip()


def is_worth(text):
    """Returns whether a description says what is changed."""
    subject = text.split("\n")[0]
    words = re.findall(r"[A-Za-z][\w.'-]+", re.sub(r"https?://\S+|CVE-[\d-]+|#?\d+", " ", text))
    return len(words) >= MIN_WORDS and not IDLE.search(subject.strip()) and not PACKAGING.search(subject)


def parse(diff):
    """Returns the changed files of a diff: path of the old file and hunks of (old start, lines)."""
    files, lines, at = [], diff.split("\n"), 0
    while at < len(lines):
        line = lines[at]
        if line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            old, new = (re.split(r"\t", text[4:])[0].strip() for text in (line, lines[at + 1]))
            files.append((old, new, []))
            at += 2
            continue
        head = re.match(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", line)
        if head and files:
            start, old_left = int(head.group(1)), int(head.group(2) or 1)
            new_left = int(head.group(4) or 1)
            hunk, at = [], at + 1
            while at < len(lines) and (old_left > 0 or new_left > 0):
                kind = lines[at][:1]
                if kind == "\\":
                    at += 1
                    continue
                if kind not in (" ", "-", "+", ""):
                    return None
                hunk.append((kind or " ", lines[at][1:].rstrip()))
                old_left -= kind != "+"
                new_left -= kind != "-"
                at += 1
            files[-1][2].append((start, hunk))
            continue
        at += 1
    return files


def strip(path):
    return path.split("/", 1)[1] if "/" in path else path


def locate(source, start, hunk):
    """Returns the index of the line at which the hunk's old lines stand; None if they do not."""
    old = [text for kind, text in hunk if kind != "+"]
    if not old:
        return None
    expected = max(start - 1, 0)
    for offset in range(MAX_OFFSET):
        for at in {expected - offset, expected + offset}:
            if at >= 0 and source[at:at + len(old)] == old:
                return at
    return None


def touched(source, start, hunk):
    """Returns runs of changes of a hunk: (1-based lines removed, line before an insertion, inserted lines)."""
    at = locate(source, start, hunk)
    if at is None:
        return None
    line, runs, removed, added = at + 1, [], [], []

    def end():
        if removed or added:
            code = [text for _, text in removed] + added
            if not all(COMMENT.search(text) for text in code):
                runs.append(([number for number, text in removed if not COMMENT.search(text)], line - 1, list(added)))
        removed.clear()
        added.clear()

    for kind, text in hunk:
        if kind == " ":
            end()
            line += 1
        elif kind == "-":
            removed.append((line, text))
            line += 1
        else:
            added.append(text)
    end()
    return runs


class Index:
    """The definitions of a checkout."""

    TYPES = {"type", "interface", "module", "package"}
    DEFINITIONS = {"function", "method", "type", "interface", "const", "var", "field", "macro"}

    def __init__(self, knowing, root, database):
        base = [knowing, "--repo", root, "--db", database, "--yes"]
        if not os.path.exists(database):
            subprocess.run([*base, "index"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        nodes = subprocess.run([*base, "query", "--nodes"], check=True, capture_output=True, text=True).stdout
        edges = subprocess.run([*base, "query", "--edges"], check=True, capture_output=True, text=True).stdout
        self.files = collections.defaultdict(list)
        for line in nodes.splitlines():
            node = json.loads(line)
            if node["file"] and node["kind"] in self.DEFINITIONS:
                self.files[node["file"]].append(node)
            elif node["file"]:
                self.files.setdefault(node["file"], [])
        # A declaration and its definition are one subject, and only the definition is a candidate.
        self.definition = {}
        for line in edges.splitlines():
            if '"declares"' in line:
                edge = json.loads(line)
                if edge["type"] == "declares":
                    key = (edge["source"]["file"], edge["source"]["line"], edge["source"]["name"])
                    self.definition[key] = (edge["target"]["file"], edge["target"]["name"])

    def innermost(self, file, first, last):
        around = [node for node in self.files[file] if node["start_line"] <= first and last <= node["end_line"]]
        return min(around, key=lambda node: node["end_line"] - node["start_line"], default=None)

    def gold(self, file, runs, lost):
        """Returns the definitions that changes of a file touch, and counts lines of code outside of any."""
        found = set()
        for removed, before, added in runs:
            spans = [(line, line) for line in removed] or [(before, before + 1)]
            for first, last in spans:
                node = self.innermost(file, first, last)
                if node is None:
                    lost.append((file, first, bool(removed)))
                elif removed or node["kind"] not in self.TYPES or len(added) <= MAX_TYPE_INSERTION:
                    if not node["is_test"]:
                        key = (file, node["line"], node["name"])
                        found.add(self.definition.get(key, (file, node["name"])))
        return found


def tasks_of(package, corpus, index, report):
    """Returns the tasks of a package."""
    folder = os.path.join(corpus, ".patches", package, "debian", "patches")
    tasks, seen = [], set()
    paths = sorted(os.path.join(top, name) for top, _, names in os.walk(folder) for name in names)
    for path in paths:
        if os.path.basename(path).startswith("series") or not os.path.isfile(path):
            continue
        with open(path, encoding="utf-8", errors="replace") as file:
            patch = file.read()
        first = re.search(r"^(--- |diff |Index: )", patch, re.M)
        text = description(patch[:first.start()] + "\n---") if first else ""
        files = parse(patch)
        if not files:
            report["no diff"] += 1
            continue
        code = [(old, new, hunks) for old, new, hunks in files if strip(old) in index.files and old != "/dev/null"
                and not TESTS.search("/" + strip(old))]
        if not code:
            report["no code"] += 1
            continue
        if not is_worth(text):
            report["no description"] += 1
            continue
        gold, lost, applies = set(), [], True
        for old, _, hunks in code:
            with open(os.path.join(corpus, package, strip(old)), encoding="utf-8", errors="replace") as file:
                source = [line.rstrip() for line in file.read().split("\n")]
            for start, hunk in hunks:
                runs = touched(source, start, hunk)
                if runs is None:
                    applies = False
                    break
                before = len(lost)
                gold |= index.gold(strip(old), runs, lost)
                lost[before:] = [(file, line) for file, line, removed in lost[before:]
                                 if removed and not OUTSIDE.search(source[line - 1])]
        if not applies:
            report["does not apply"] += 1
            continue
        for file, line in lost:
            report["lines outside"] += 1
            print(f"outside\t{package}/{file}:{line}", file=sys.stderr)
        if not gold:
            report["no definition"] += 1
        elif len(gold) > MAX_GOLD:
            report["too many definitions"] += 1
        elif text in seen:
            report["same text"] += 1
        else:
            seen.add(text)
            name = os.path.relpath(path, folder)
            digest = hashlib.sha256(f"{package}/{name}".encode()).hexdigest()
            tasks.append((digest, {
                "id": f"{package}-{digest[:10]}", "patch": name, "task": text,
                "ground_truth": [{"symbol": symbol, "file": file} for file, symbol in sorted(gold)],
            }))
    report["more than the limit"] += max(len(tasks) - MAX_TASKS, 0)
    return [task for _, task in sorted(tasks, key=lambda pair: pair[0])[:MAX_TASKS]]


def make(corpus, databases, out, knowing):
    """Writes the tasks of all packages, and reports what was left out."""
    os.makedirs(out, exist_ok=True)
    os.makedirs(databases, exist_ok=True)
    total = collections.Counter()
    for package in sorted(os.listdir(corpus)):
        if package.startswith("."):
            continue
        report = collections.Counter()
        index = Index(knowing, os.path.join(corpus, package), os.path.join(databases, package + ".db"))
        tasks = tasks_of(package, corpus, index, report)
        print(f"{package}: {len(tasks)} tasks; {dict(sorted(report.items()))}", flush=True)
        total.update(report)
        total["tasks"] += len(tasks)
        if tasks:
            lines = "".join(json.dumps(task, ensure_ascii=False) + "\n" for task in tasks)
            with open(os.path.join(out, package + ".jsonl.gz"), "wb") as file:
                with gzip.GzipFile(fileobj=file, mode="wb", mtime=0, filename="") as packed:
                    packed.write(lines.encode())
    print(f"all: {dict(sorted(total.items()))}")


def main():
    command = {"fetch": (fetch, 2), "unpack": (unpack, 2), "tasks": (make, 4)}
    if len(sys.argv) < 2 or sys.argv[1] not in command or len(sys.argv) - 2 != command[sys.argv[1]][1]:
        sys.exit(__doc__)
    command[sys.argv[1]][0](*sys.argv[2:])


if __name__ == "__main__":
    main()
