#!/usr/bin/env python3
"""Writes the calls of functions and macros of a C or C++ project that clang resolves: clang_calls.py ROOT [ARGUMENT...] -- FILE...

Needs the package libclang. A line is `caller callee` of `file:line`, where the line is that of the definition's name; calls of operators and of constructors without a name at
the call have the third word `implied`, `caller ? name` is a call that depends on the parameters of a template, and `line = line` a macro's
definition in another branch of a condition. Left out: calls in the
text of a macro, and calls of what the project only declares, except methods that have no definition (`= 0`). A constructor stands for its class.
"""
import os
import re
import subprocess
import sys

from clang import cindex
from clang.cindex import CursorKind

FUNCTIONS = {
    CursorKind.FUNCTION_DECL,
    CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR,
    CursorKind.DESTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
    CursorKind.FUNCTION_TEMPLATE,
}
TYPES = {CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE}
CALLED = {CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.FUNCTION_TEMPLATE}
NAMED = {CursorKind.DECL_REF_EXPR, CursorKind.MEMBER_REF_EXPR, CursorKind.OVERLOADED_DECL_REF}


def written(cursor):
    """Returns file, line and offset where the text of a cursor begins, in the argument of a macro if it is one."""
    return place(cursor.location)


def place(location):
    file, line, column, offset = cindex.c_object_p(), cindex.c_uint(), cindex.c_uint(), cindex.c_uint()
    cindex.conf.lib.clang_getFileLocation(
        location, cindex.byref(file), cindex.byref(line), cindex.byref(column), cindex.byref(offset)
    )
    if not file:
        return None
    return os.path.realpath(cindex.File(file).name), line.value, offset.value


class Gold:
    def __init__(self, root):
        self.root, self.texts, self.definitions = os.path.realpath(root), {}, {}
        self.bodies, self.calls, self.macros = {}, set(), set()
        self.implied, self.unknown, self.same = set(), set(), set()

    def text(self, path):
        if path not in self.texts:
            self.texts[path] = open(path, "rb").read()
        return self.texts[path]

    def within(self, path):
        return path.startswith(self.root + os.sep)

    def here(self, cursor):
        found = written(cursor)
        if found is None or not self.within(found[0]):
            return None
        name = cursor.spelling.split("<")[0].split("(")[0].encode()
        if not self.text(found[0])[found[2]:].startswith(name):
            return None
        return f"{os.path.relpath(found[0], self.root)}:{found[1]}"

    def walk(self, cursor, caller):
        if cursor.kind == CursorKind.CXX_METHOD and cursor.is_pure_virtual_method() and self.here(cursor):
            self.definitions.setdefault(cursor.get_usr(), self.here(cursor))
        if cursor.kind in TYPES and cursor.is_definition() and self.here(cursor):
            self.definitions[cursor.get_usr()] = self.here(cursor)
            self.body(cursor, self.here(cursor))
        if cursor.kind in FUNCTIONS and cursor.is_definition():
            caller = self.here(cursor)
            if caller:
                self.definitions[cursor.get_usr()] = caller
                self.body(cursor, caller)
        if cursor.kind == CursorKind.CALL_EXPR and caller:
            self.call(cursor, caller)
        for child in cursor.get_children():
            self.walk(child, caller)

    def body(self, cursor, caller):
        """Records the extent of a function or type, by which the uses of macros have their callers."""
        start, end = place(cursor.extent.start), place(cursor.extent.end)
        self.bodies.setdefault(start[0], set()).add((start[2], end[2], caller))

    def macro(self, use):
        """Records the use of a macro with arguments."""
        found, definition = written(use), use.referenced
        target = definition and self.here(definition)
        if not found or not target or not self.within(found[0]):
            return
        after = self.text(found[0])[found[2] + len(use.spelling.encode()):]
        if after.lstrip().startswith(b"("):
            self.macros.add((found[0], found[2], target))
            self.branches(use.spelling, target)

    def branches(self, name, target):
        """Records the definitions of a macro in the other branches of a condition."""
        file, line = target.rsplit(":", 1)
        text = self.text(os.path.join(self.root, file)).decode(errors="replace").split("\n")
        defines = re.compile(rf"\s*#\s*define\s+{re.escape(name)}\b")
        self.same.update((f"{file}:{at}", target) for at, one in enumerate(text, 1) if str(at) != line and defines.match(one))

    def macro_calls(self):
        for file, offset, target in self.macros:
            around = [body for body in self.bodies.get(file, ()) if body[0] <= offset < body[1]]
            if around:
                yield f"{max(around)[2]} {target}"

    def call(self, cursor, caller):
        callee = cursor.referenced
        if callee is not None and callee.kind == CursorKind.CONSTRUCTOR:
            # `T(…)` and `new T(…)`, whose class is named where the call begins.
            found, owner = written(cursor), callee.semantic_parent
            template = cindex.conf.lib.clang_getSpecializedCursorTemplate(owner)
            target = (template if template is not None and template.kind in TYPES else owner).get_usr()
            named = found and self.within(found[0]) and self.text(found[0])[found[2]:].startswith(owner.spelling.encode() + b"(")
            (self.calls if named else self.implied).add((caller, target))
            return
        named = next(cursor.get_children(), None)
        while named is not None and named.kind not in NAMED:
            named = next(named.get_children(), None)
        if callee is None or callee.kind not in CALLED:
            self.unknown.update((caller, name) for name in self.names(cursor, named))
            return
        if callee.spelling.startswith("operator"):
            self.implied.add((caller, self.generic(callee)))
            return
        if named is None:
            return
        found = written(named)
        if found is None or not self.within(found[0]):
            return
        text = self.text(found[0])
        end = text.find(b"(", found[2])
        if callee.spelling.encode() not in text[found[2]:end]:
            return
        self.calls.add((caller, self.generic(callee)))

    def names(self, cursor, named):
        """Returns the name of a call that depends on the parameters of a template, of which libclang shows little."""
        known = cursor.spelling or (named and named.spelling)
        start, end = place(cursor.extent.start), place(cursor.extent.end)
        text = self.text(start[0])[start[2]:end[2]].decode(errors="replace") if start and self.within(start[0]) else ""
        plain = re.match(r"[^(){};]*?(\w+)\s*(<[^()]*>)?\s*[({]", text)
        return {name for name in (known, plain and plain[1]) if name}

    def generic(self, callee):
        """Returns the name of a function's template, or its own."""
        template = cindex.conf.lib.clang_getSpecializedCursorTemplate(callee)
        return (template if template is not None and template.kind in FUNCTIONS else callee).get_usr()


def main():
    split = sys.argv.index("--")
    root, arguments, files = sys.argv[1], sys.argv[2:split], sys.argv[split + 1:]
    try:
        arguments.append("-I" + subprocess.run(
            ["gcc", "-print-file-name=include"], capture_output=True, text=True, check=True).stdout.strip())
    except OSError:
        pass
    gold, index = Gold(root), cindex.Index.create()
    for file in files:
        unit = index.parse(file, args=arguments, options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        errors = [one for one in unit.diagnostics if one.severity >= cindex.Diagnostic.Error]
        for error in errors[:3]:
            print(error, file=sys.stderr)
        for cursor in unit.cursor.get_children():
            found = written(cursor)
            if cursor.kind == CursorKind.MACRO_INSTANTIATION:
                gold.macro(cursor)
            elif found and gold.within(found[0]):
                gold.walk(cursor, None)
    lines = {f"{caller} {gold.definitions[usr]}" for caller, usr in gold.calls if usr in gold.definitions}
    lines.update(f"{caller} {gold.definitions[usr]} implied" for caller, usr in gold.implied if usr in gold.definitions)
    lines.update(f"{caller} ? {name}" for caller, name in gold.unknown)
    lines.update(f"{branch} = {target}" for branch, target in gold.same)
    print("\n".join(sorted(lines | set(gold.macro_calls()))))


main()
