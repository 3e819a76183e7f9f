// Writes the calls that the TypeScript checker resolves, as lines `caller callee` of `file:line`, sorted: node ts_calls.js ROOT FILE...
//
// Needs the package typescript. The line is that of the definition's name; a constructor stands for its class. Functions that have no name, and
// calls of variables and properties which are no functions, are left out. A line of an overload is followed by `=` and the line of its function.
const ts = require("typescript");
const path = require("path");

const root = path.resolve(process.argv[2]) + path.sep;
const options = { allowJs: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, noEmit: true };
options.moduleResolution = ts.ModuleResolutionKind.Bundler;
const program = ts.createProgram(process.argv.slice(3), options);
const checker = program.getTypeChecker();
const lines = new Set();

function place(node) {
  const file = node.getSourceFile();
  const name = path.resolve(file.fileName);
  if (!name.startsWith(root) || name.includes("node_modules")) return null;
  return `${name.slice(root.length)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

const isFunction = (node) => node && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

/** Returns the name of a function, method or class, or of the variable or property that a function is the value of. */
function nameOf(node) {
  if (ts.isConstructorDeclaration(node)) return node.parent.name;
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isClassDeclaration(node)) return node.name;
  if (ts.isMethodSignature(node) || ts.isGetAccessor(node) || ts.isSetAccessor(node)) return node.name;
  if (ts.isFunctionExpression(node) && node.name) return node.name;
  const holds = ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isPropertyAssignment(node);
  return holds && isFunction(node.initializer) ? node.name : null;
}

function walk(node, caller) {
  const name = nameOf(node);
  if (name && !ts.isClassDeclaration(node)) caller = place(name);
  if ((ts.isCallExpression(node) || ts.isNewExpression(node)) && caller) {
    const at = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
    let symbol = ts.isIdentifier(at) || ts.isPrivateIdentifier(at) ? checker.getSymbolAtLocation(at) : null;
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    const declarations = (symbol && symbol.declarations) || [];
    const written = declarations.find((one) => one.body || ts.isClassDeclaration(one)) || declarations[0];
    const target = written && nameOf(written);
    if (target && place(target)) lines.add(`${caller} ${place(target)}`);
    for (const one of target && place(target) ? declarations : []) {
      const name = one !== written && nameOf(one);
      if (name && place(name)) lines.add(`${place(name)} = ${place(target)}`);
    }
  }
  ts.forEachChild(node, (child) => walk(child, caller));
}

for (const file of program.getSourceFiles()) {
  if (path.resolve(file.fileName).startsWith(root) && !file.isDeclarationFile) walk(file, null);
}
console.log([...lines].sort().join("\n"));
