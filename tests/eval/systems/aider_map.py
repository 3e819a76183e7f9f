"""Prints Aider's repository map for a task, then the ranking that the map was made from.

aider_map.py ROOT BUDGET TASK
"""
import os
import re
import sys

import litellm

# The tokenizer's vocabulary that comes with a dependency of Aider, so that none is downloaded.
os.environ["TIKTOKEN_CACHE_DIR"] = os.path.join(os.path.dirname(litellm.__file__), "litellm_core_utils", "tokenizers")

import tiktoken
from aider.repomap import RepoMap


class Model:
    encoding = tiktoken.get_encoding("cl100k_base")

    def token_count(self, text):
        return len(self.encoding.encode(text, disallowed_special=()))


class Output:
    def read_text(self, name):
        try:
            with open(name, encoding="utf-8") as file:
                return file.read()
        except (OSError, UnicodeError):
            return None

    def tool_output(self, *messages):
        pass

    tool_warning = tool_error = tool_output


class Map(RepoMap):
    """Keeps the ranking and the length of the prefix of it that the map shows."""

    def get_ranked_tags(self, *arguments, **options):
        self.ranking = super().get_ranked_tags(*arguments, **options)
        return self.ranking

    def to_tree(self, tags, chat_names):
        tree = super().to_tree(tags, chat_names)
        self.shown = getattr(self, "shown", {})
        self.shown[tree] = set(tags)
        return tree


def sources(root):
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in ("node_modules", "vendor")]
        found += [os.path.join(folder, name) for name in names]
    return sorted(found)


def main():
    if sys.argv[1] == "--check":
        return print("usable", Model().token_count("usable"))
    root, budget, task = os.path.abspath(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    repo_map = Map(map_tokens=budget, root=root, main_model=Model(), io=Output())
    files = sources(root)
    words = set(re.split(r"\W+", task))
    # As Aider's chat does: a file whose name is a word of five letters or more is mentioned.
    mentioned = {
        os.path.relpath(name, root)
        for name in files
        if len(os.path.splitext(os.path.basename(name))[0]) >= 5
        and os.path.splitext(os.path.basename(name))[0].lower() in {word.lower() for word in words}
    }
    mentioned |= {os.path.relpath(name, root) for name in files if os.path.relpath(name, root) in task}
    text = repo_map.get_repo_map([], files, mentioned_fnames=mentioned, mentioned_idents=words) or ""
    shown = repo_map.shown.get(text, set()) if text else set()
    print(text)
    print("=== ranking ===")
    for tag in repo_map.ranking:
        if len(tag) > 1 and tag in shown:
            print(f"{tag.rel_fname}:{tag.line + 1}:{tag.name}")


main()
