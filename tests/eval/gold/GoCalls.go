// GoCalls writes the calls that go/types resolves in a module, as lines `caller callee` of `file:line`, sorted.
//
// Usage: go run GoCalls.go ROOT, in which all folders with Go files are one package and its tests; imports from outside are empty packages.
// The line is that of the definition's name; conversions are no calls; code outside of functions is left out.
package main

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type loader struct {
	root, module string
	files        *token.FileSet
	known        map[string]*types.Package
	standard     types.Importer
	calls        map[string]bool
}

func (l *loader) Import(path string) (*types.Package, error) {
	if known, ok := l.known[path]; ok {
		return known, nil
	}
	if path == l.module || strings.HasPrefix(path, l.module+"/") {
		return l.check(path, filepath.Join(l.root, strings.TrimPrefix(path, l.module)), false), nil
	}
	if found, err := l.standard.Import(path); err == nil {
		return found, nil
	}
	empty := types.NewPackage(path, filepath.Base(path))
	empty.MarkComplete()
	return empty, nil
}

func (l *loader) check(path, folder string, tests bool) *types.Package {
	entries, _ := os.ReadDir(folder)
	groups := map[string][]*ast.File{}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") && !tests {
			continue
		}
		if ok, _ := build.Default.MatchFile(folder, name); !ok {
			continue
		}
		if file, err := parser.ParseFile(l.files, filepath.Join(folder, name), nil, parser.SkipObjectResolution); err == nil {
			groups[file.Name.Name] = append(groups[file.Name.Name], file)
		}
	}
	var result *types.Package
	names := []string{}
	for name := range groups {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
		config := types.Config{Importer: l, Error: func(error) {}, FakeImportC: true}
		own := path
		if strings.HasSuffix(name, "_test") {
			own += "_test"
		}
		checked, _ := config.Check(own, l.files, groups[name], info)
		if !strings.HasSuffix(name, "_test") {
			result = checked
			if !tests {
				l.known[path] = checked
			}
		}
		for _, file := range groups[name] {
			l.file(file, info)
		}
	}
	if result == nil {
		result = types.NewPackage(path, filepath.Base(path))
	}
	return result
}

func (l *loader) file(file *ast.File, info *types.Info) {
	for _, declaration := range file.Decls {
		function, ok := declaration.(*ast.FuncDecl)
		if !ok || function.Body == nil {
			continue
		}
		caller := l.place(function.Name.Pos())
		ast.Inspect(function.Body, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			at := ast.Unparen(call.Fun)
			switch indexed := at.(type) {
			case *ast.IndexExpr:
				at = indexed.X
			case *ast.IndexListExpr:
				at = indexed.X
			}
			var name *ast.Ident
			switch named := at.(type) {
			case *ast.Ident:
				name = named
			case *ast.SelectorExpr:
				name = named.Sel
			default:
				return true
			}
			if callee, ok := info.Uses[name].(*types.Func); ok {
				if target := l.place(callee.Origin().Pos()); target != "" && caller != "" {
					l.calls[caller+" "+target] = true
				}
			}
			return true
		})
	}
}

func (l *loader) place(position token.Pos) string {
	at := l.files.Position(position)
	path, err := filepath.Rel(l.root, at.Filename)
	if err != nil || strings.HasPrefix(path, "..") || !at.IsValid() {
		return ""
	}
	return fmt.Sprintf("%s:%d", path, at.Line)
}

func main() {
	root, _ := filepath.Abs(os.Args[1])
	text, _ := os.ReadFile(filepath.Join(root, "go.mod"))
	module := strings.Fields(strings.SplitAfter(string(text), "module ")[1])[0]
	files := token.NewFileSet()
	l := &loader{root, module, files, map[string]*types.Package{}, importer.ForCompiler(files, "source", nil), map[string]bool{}}
	filepath.WalkDir(root, func(path string, entry fs.DirEntry, _ error) error {
		if entry.IsDir() {
			if name := entry.Name(); path != root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor") {
				return filepath.SkipDir
			}
			own, _ := filepath.Rel(root, path)
			l.check(filepath.ToSlash(filepath.Join(module, own)), path, true)
		}
		return nil
	})
	lines := []string{}
	for line := range l.calls {
		lines = append(lines, line)
	}
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
}
