// knowing in VS Code: a view of ranked symbols, answers about the symbol at the cursor, and the reason of a rank on hover.
"use strict";
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const vscode = require("vscode");

/**
 * A symbol of a list.
 * @typedef {object} Item
 * @property {string} name
 * @property {string} kind
 * @property {string} file The absolute path.
 * @property {number} line From 1.
 * @property {string} detail
 */

/** The task of the list, or an empty text for answers. */
let task = "";
/** @type {Item[]} */
let items = [];

/** Returns the folder whose repository is asked: that of the file, else that of the workspace. */
function folder() {
  const file = vscode.window.activeTextEditor?.document.uri;
  const own = file?.scheme === "file" ? vscode.workspace.getWorkspaceFolder(file) : undefined;
  return (own ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath;
}

/**
 * Returns the root of the repository of a folder; locations are relative to it.
 * @param {string} start
 */
function rootOf(start) {
  for (let folder = start; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, ".git"))) {
      return folder;
    }
    if (folder === path.dirname(folder)) {
      return start;
    }
  }
}

/**
 * Runs the program and returns its output. An exit code of 1 means that nothing was found.
 * @param {string[]} args
 * @param {string} [input]
 * @param {vscode.CancellationToken} [token]
 * @returns {Promise<string>}
 */
function run(args, input = "", token = undefined) {
  const cwd = folder();
  if (!cwd) {
    return Promise.reject(new Error("open a folder first"));
  }
  const command = vscode.workspace.getConfiguration("knowing").get("command", "knowing");
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (err += text));
    child.on("error", (error) => reject(new Error(`can't run ${command}: ${error.message}`)));
    child.on("close", (code) => (code === 0 || code === 1 ? resolve(out) : reject(new Error(err.trim() || `exit code ${code}`))));
    // A program that ends before it reads its input is reported by its exit code.
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
    token?.onCancellationRequested(() => child.kill());
  });
}

/**
 * Runs something with a progress bar in the view, and shows its error.
 * @template T
 * @param {() => Promise<T>} work
 */
async function busily(work) {
  try {
    return await vscode.window.withProgress({ location: { viewId: "knowing.list" } }, work);
  } catch (error) {
    vscode.window.showErrorMessage(`knowing: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Reads lines `path:line:column: kind name  detail`.
 * @param {string} text
 * @param {string} root
 * @returns {Item[]}
 */
function parse(text, root) {
  const found = [];
  for (const line of text.split("\n")) {
    const match = /^(.*?):(\d+):\d+: (\S+) (.*?)(?: {2}(.*))?$/.exec(line);
    if (match) {
      const [, file, number, kind, name, detail] = match;
      found.push({ name, kind, file: path.resolve(root, file), line: Number(number), detail: detail ?? "" });
    }
  }
  return found;
}

/** @type {Record<string, string>} */
const ICONS = { method: "symbol-method", function: "symbol-function", type: "symbol-class", field: "symbol-field" };

/** @implements {vscode.TreeDataProvider<Item>} */
class List {
  constructor() {
    this.emitter = new vscode.EventEmitter();
    this.onDidChangeTreeData = this.emitter.event;
  }

  getChildren() {
    return items;
  }

  /** @param {Item} item */
  getTreeItem(item) {
    const node = new vscode.TreeItem(item.name);
    const shown = vscode.workspace.asRelativePath(item.file);
    node.description = `${shown}:${item.line}`;
    node.tooltip = `${item.kind} ${item.name}\n${shown}:${item.line}`;
    node.iconPath = new vscode.ThemeIcon(ICONS[item.kind] ?? "symbol-misc");
    const at = new vscode.Position(item.line - 1, 0);
    const selection = new vscode.Range(at, at);
    node.command = { command: "vscode.open", title: "Open", arguments: [vscode.Uri.file(item.file), { selection }] };
    return node;
  }
}

/** Returns the symbol at the cursor as `path:line`, or nothing without an editor. */
function here() {
  const editor = vscode.window.activeTextEditor;
  if (editor?.document.uri.scheme !== "file") {
    return undefined;
  }
  const word = editor.document.getText(editor.document.getWordRangeAtPosition(editor.selection.active));
  return { word, place: `${editor.document.uri.fsPath}:${editor.selection.active.line + 1}` };
}

/** @param {vscode.ExtensionContext} context */
function activate(context) {
  const list = new List();
  const view = vscode.window.createTreeView("knowing.list", { treeDataProvider: list });

  /**
   * Shows the lines of a command in the view.
   * @param {string} title
   * @param {string} newTask
   * @param {string[]} args
   * @param {string} [input]
   */
  const show = (title, newTask, args, input) =>
    busily(async () => {
      items = parse(await run([...args, "--format", "lines"], input), rootOf(folder() ?? ""));
      task = newTask;
      view.title = `knowing: ${title}`;
      view.message = items.length ? undefined : "nothing was found";
      list.emitter.fire(undefined);
      await vscode.commands.executeCommand("knowing.list.focus");
    });

  const budget = () => String(vscode.workspace.getConfiguration("knowing").get("budget", 8000));

  const rank = async () => {
    const editor = vscode.window.activeTextEditor;
    const selected = editor?.document.getText(editor.selection) ?? "";
    const typed = selected.includes("\n")
      ? selected
      : await vscode.window.showInputBox({ prompt: "Task", value: selected || task, placeHolder: "what do you want to do?" });
    if (typed?.trim()) {
      await show(typed.trim().split("\n")[0], typed, ["context", "-", "--budget", budget()], typed);
    }
  };

  const changes = async () => {
    const revision = await vscode.window.showInputBox({ prompt: "Since which branch, tag or commit?", value: "HEAD" });
    if (revision?.trim()) {
      await show(`changes since ${revision}`, "", ["context", "--pr", revision, "--budget", budget()]);
    }
  };

  /** @param {string} question */
  const ask = (question) => async () => {
    const symbol = here();
    if (symbol) {
      const name = symbol.word || symbol.place;
      await show(`${question} of ${name}`, "", [question, name]);
    }
  };

  const copy = () =>
    busily(async () => {
      if (!task) {
        throw new Error("rank for a task first");
      }
      const text = await run(["context", "-", "--format", "text", "--budget", budget()], task);
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage(`knowing: copied ${text.split("\n").length} lines`, 3000);
    });

  const explorer = () => {
    const terminal = vscode.window.createTerminal({ name: "knowing", cwd: folder() });
    terminal.sendText(vscode.workspace.getConfiguration("knowing").get("command", "knowing"));
    terminal.show();
  };

  /** @type {vscode.HoverProvider} */
  const hover = {
    async provideHover(document, position, token) {
      const index = items.findIndex((item) => item.file === document.uri.fsPath && item.line === position.line + 1);
      if (!task || index < 0) {
        return undefined;
      }
      const why = await run(["why", "--task", "-", "--symbol", items[index].name], task, token).catch(() => "");
      const text = why.split("\n\n")[0];
      const shown = new vscode.MarkdownString(`**#${index + 1}** for the task`).appendCodeblock(text, "text");
      return text ? new vscode.Hover(shown) : undefined;
    },
  };

  context.subscriptions.push(
    view,
    vscode.commands.registerCommand("knowing.rank", rank),
    vscode.commands.registerCommand("knowing.changes", changes),
    vscode.commands.registerCommand("knowing.callers", ask("callers")),
    vscode.commands.registerCommand("knowing.impact", ask("impact")),
    vscode.commands.registerCommand("knowing.tests", ask("tests")),
    vscode.commands.registerCommand("knowing.copy", copy),
    vscode.commands.registerCommand("knowing.explorer", explorer),
    vscode.languages.registerHoverProvider({ scheme: "file" }, hover),
  );
}

module.exports = { activate };
