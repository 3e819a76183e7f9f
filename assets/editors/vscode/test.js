// Drives the extension without an editor: a stand-in for the editor's API records what is shown.
// `KNOWING=PROGRAM node test.js FOLDER`, in a copy of the sample; assets/editors/check does it.
"use strict";
const assert = require("node:assert");
const Module = require("node:module");
const path = require("node:path");

const root = path.resolve(process.argv[2]);
const commands = {};
const errors = [];
const state = { input: "", clipboard: "", provider: undefined, hover: undefined, view: {} };
const file = path.join(root, "lending/fines.py");
const vscode = {
  EventEmitter: class {
    event() {}
    fire() {}
  },
  MarkdownString: class {
    constructor(value) {
      this.value = value;
    }
    appendCodeblock(text) {
      this.value += text;
      return this;
    }
  },
  Hover: class {
    constructor(contents) {
      this.contents = contents;
    }
  },
  Position: class {},
  Range: class {},
  ThemeIcon: class {},
  TreeItem: class {
    constructor(label) {
      this.label = label;
    }
  },
  Uri: { file: (fsPath) => ({ fsPath }) },
  commands: {
    registerCommand: (name, run) => (commands[name] = run),
    executeCommand: async () => undefined,
  },
  env: { clipboard: { writeText: async (text) => (state.clipboard = text) } },
  languages: { registerHoverProvider: (_, provider) => (state.hover = provider) },
  window: {
    activeTextEditor: {
      document: { uri: { scheme: "file", fsPath: file }, getText: (range) => range ?? "", getWordRangeAtPosition: () => "fine_cents" },
      selection: "",
    },
    createTreeView: (_, { treeDataProvider }) => {
      state.provider = treeDataProvider;
      return state.view;
    },
    setStatusBarMessage: () => undefined,
    showErrorMessage: (text) => errors.push(text),
    showInputBox: async () => state.input,
    withProgress: (_, work) => work(),
  },
  workspace: {
    asRelativePath: (full) => path.relative(root, full),
    getConfiguration: () => ({ get: (name, other) => (name === "command" ? process.env.KNOWING : other) }),
    getWorkspaceFolder: () => ({ uri: { fsPath: root } }),
    workspaceFolders: [],
  },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

async function main() {
  require("./extension.js").activate({ subscriptions: [] });
  vscode.window.activeTextEditor.selection = { active: { line: 0 } };
  vscode.window.activeTextEditor.document.getText = (range) => (range === "fine_cents" ? range : "");

  state.input = "a session ends while its reader renews loans";
  await commands["knowing.rank"]();
  const ranked = state.provider.getChildren();
  const renew = ranked.find((item) => item.name === "LoanDesk.renew");
  assert(renew, `${errors} ${JSON.stringify(ranked)}`);
  assert.strictEqual(renew.file, path.join(root, "lending/loans.py"));
  assert.match(state.provider.getTreeItem(renew).description, /^lending.loans\.py:\d+$/);

  const document = { uri: { fsPath: renew.file } };
  const hover = await state.hover.provideHover(document, { line: renew.line - 1 }, undefined);
  assert.match(hover.contents.value, /LoanDesk\.renew/);
  assert.strictEqual(await state.hover.provideHover(document, { line: 0 }, undefined), undefined);

  await commands["knowing.copy"]();
  assert.match(state.clipboard, /def renew/);

  await commands["knowing.callers"]();
  assert.deepStrictEqual(state.provider.getChildren().map((item) => item.name), ["LoanDesk.give_back", "Mailer.remind"]);

  state.input = "no such revision";
  await commands["knowing.changes"]();
  assert.match(errors.join(), /no such revision/);
  console.log("the extension works with a stand-in for the editor");
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
