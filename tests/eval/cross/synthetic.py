#!/usr/bin/env python3
"""Writes a synthetic repository of a given number of symbols, for `knowing-eval scale`.

usage: synthetic.py FOLDER SYMBOLS

A third each is Python, Go and TypeScript. A package has ten files, a file five types with six methods each and ten
functions. Methods call methods of their type, functions of their file, and functions that they import from one other
package, so that the graph has edges of all lengths. Names are drawn from a word list by a fixed seed: most words are in
many names, as in real code.
"""
import pathlib
import random
import sys

WORDS = (
    "account action address agent alias anchor answer archive array asset audit backup balance batch block bound branch "
    "bridge bucket buffer bundle cache call canvas card cart catalog channel chart check chunk claim client clock cluster "
    "code column command commit config connection context copy count cover credit cursor custom data date deal default "
    "delta device digest disk domain draft drive edge editor element engine entry error event export face factory feature "
    "feed field file filter flag flow focus folder form frame gate grid group guard handle hash header host icon image "
    "index input invoice issue item job join key label layer layout lease ledger level limit line link list load lock log "
    "loop mail map mark market mask member memory menu merge message meter method metric mirror mode model module mount "
    "name network node notice number object offer offset option order origin owner pack page panel parcel parser part patch "
    "path payment peer period phase pipe place plan player point policy pool port price process profile project proof "
    "proxy queue quota range rank rate reader record region relay render report request reserve result retry review role "
    "route row rule sample scale scan schema scope score screen search section seed segment sender server session shape "
    "share shelf shift signal size slot socket sort source space span spec stack stage state step stock store stream "
    "string style switch symbol sync table tag target task team term test theme thread ticket tile timer title token topic "
    "total trace track trade tree trigger tunnel type unit update user value vector version view volume wallet watch "
    "window word worker writer zone"
).split()
VERBS = "add apply build check clear close copy count create drop encode fetch find flush format get init join list load lock make merge move open parse plan print push read remove render reset resolve save scan send set sort split start stop store sync test trim update validate visit wait watch write".split()
TYPES, METHODS, FUNCTIONS, FILES = 5, 6, 10, 10


def camel(words):
    return "".join(word.capitalize() for word in words)


def lower_camel(words):
    return words[0] + camel(words[1:])


def names(random_):
    """Returns the names of one file: types with methods, and functions, as lists of words."""
    noun = lambda: random_.choice(WORDS)
    types = [[noun(), noun(), noun()] for _ in range(TYPES)]
    methods = [[[random_.choice(VERBS), noun(), noun()] for _ in range(METHODS)] for _ in types]
    functions = [[random_.choice(VERBS), noun(), noun(), noun()] for _ in range(FUNCTIONS)]
    return types, methods, functions


def python(file, other, imported):
    types, methods, functions = file
    snake = "_".join
    lines = [f"from {other} import {snake(imported[0])}, {snake(imported[1])}", "", ""]
    for words in functions:
        lines += [f"def {snake(words)}(value):", f'    """{camel(words[:1])}s the {" ".join(words[1:])}."""', "    return value", "", ""]
    for words, own in zip(types, methods):
        lines += [f"class {camel(words)}:", f'    """A {" ".join(words)}."""', ""]
        for place, method in enumerate(own):
            callee = snake(own[place - 1])
            lines += [
                f"    def {snake(method)}(self, value):",
                f"        if value > {place}:",
                f"            return self.{callee}(value - 1)",
                f"        return {snake(imported[place % 2])}({snake(functions[place])}(value))",
                "",
            ]
        lines.append("")
    return "\n".join(lines)


def go(file, package, other, imported):
    types, methods, functions = file
    name = other.rsplit("/", 1)[1]
    lines = [f"package {package}", "", f'import "{other}"', ""]
    for words in functions:
        lines += [f"// {camel(words)} {words[0]}s the {' '.join(words[1:])}.", f"func {camel(words)}(value int) int {{", "\treturn value", "}", ""]
    for words, own in zip(types, methods):
        lines += [f"// {camel(words)} is a {' '.join(words)}.", f"type {camel(words)} struct {{", "\tcount int", "}", ""]
        for place, method in enumerate(own):
            lines += [
                f"func (it *{camel(words)}) {camel(method)}(value int) int {{",
                f"\tif value > {place} {{",
                f"\t\treturn it.{camel(own[place - 1])}(value - 1)",
                "\t}",
                f"\treturn {name}.{camel(imported[place % 2])}({camel(functions[place])}(value))",
                "}",
                "",
            ]
    return "\n".join(lines)


def typescript(file, other, imported):
    types, methods, functions = file
    lines = [f"import {{ {lower_camel(imported[0])}, {lower_camel(imported[1])} }} from '{other}'", ""]
    for words in functions:
        lines += [f"/** {camel(words[:1])}s the {' '.join(words[1:])}. */", f"export function {lower_camel(words)}(value: number): number {{", "  return value", "}", ""]
    for words, own in zip(types, methods):
        lines += [f"/** A {' '.join(words)}. */", f"export class {camel(words)} {{"]
        for place, method in enumerate(own):
            lines += [
                f"  {lower_camel(method)}(value: number): number {{",
                f"    if (value > {place}) return this.{lower_camel(own[place - 1])}(value - 1)",
                f"    return {lower_camel(imported[place % 2])}({lower_camel(functions[place])}(value))",
                "  }",
            ]
        lines += ["}", ""]
    return "\n".join(lines)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    root, symbols = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    per_file = TYPES * (1 + METHODS) + FUNCTIONS
    packages = max(1, round(symbols / per_file / FILES / 3))
    random_ = random.Random(17)
    contents = [[names(random_) for _ in range(FILES)] for _ in range(packages)]
    for number, package in enumerate(contents):
        other = random_.randrange(packages)
        imported = contents[other][0][2][:2]
        folders = [root / kind / f"package{number:05}" for kind in ("py", "go", "ts")]
        for folder in folders:
            folder.mkdir(parents=True, exist_ok=True)
        (folders[0] / "__init__.py").write_text("")
        for place, file in enumerate(package):
            (folders[0] / f"file{place}.py").write_text(python(file, f"py.package{other:05}.file0", imported))
            text = go(file, f"package{number:05}", f"example.com/synthetic/go/package{other:05}", imported)
            (folders[1] / f"file{place}.go").write_text(text)
            text = typescript(file, f"../package{other:05}/file0", imported)
            (folders[2] / f"file{place}.ts").write_text(text)
    (root / "py" / "__init__.py").write_text("")
    (root / "go.mod").write_text("module example.com/synthetic\n\ngo 1.22\n")


main()
