// SPDX-License-Identifier: BSD-3-Clause

package vetcmd_test

import (
	"errors"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/spare-go/spare/tools/passes/pattern"
)

// standin is an analyzer with all that a driver must carry: facts, categories,
// related positions, and fixes, also such as overlap, break the build or help
// nothing. It knows one pool, the function Put of any package pool.
//
//	double-put    another put of a variable in a block; the fix deletes all
//	              that follows the first put up to and with this one
//	put-nil       Put(nil); no fix
//	wrong-type    a put of a variable "breaker"; the fix does not compile
//	put-by-value  a put of "sticky"; the fix leaves the report
//
// A function "fails" makes it fail, and "panics" makes it panic.
var standin = &analysis.Analyzer{
	Name:      "standin",
	Doc:       "stands in for the analyzers of spare vet",
	Run:       runStandin,
	FactTypes: []analysis.Fact{new(putsFact)},
}

// toolchainStandin stands in for the analyzer of stack-alias: it has that one's
// name and flag, and reports of each function "toolchain" what the flag is.
var toolchainStandin = &analysis.Analyzer{
	Name: "stackalias",
	Doc:  "stands in for the analyzer that depends on the toolchain",
	Run: func(pass *analysis.Pass) (any, error) {
		if obj := pass.Pkg.Scope().Lookup("toolchain"); obj != nil {
			pass.Report(analysis.Diagnostic{Pos: obj.Pos(), Category: pattern.StackAlias, Message: "built by " + toolchain})
		}
		return nil, nil
	},
}

var toolchain = "the default"

func init() {
	toolchainStandin.Flags.StringVar(&toolchain, "toolchain", toolchain, "version of the toolchain")
}

// A putsFact says that a function puts its first argument.
type putsFact struct{}

func (*putsFact) AFact() {}

func runStandin(pass *analysis.Pass) (any, error) {
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil {
				switch fn.Name.Name {
				case "fails":
					return nil, errors.New("the analyzer failed")
				case "panics":
					panic("the analyzer panicked")
				}
				checkBlock(pass, fn)
			}
		}
	}
	return nil, nil
}

func checkBlock(pass *analysis.Pass, fn *ast.FuncDecl) {
	first := make(map[types.Object]ast.Stmt)
	for _, stmt := range fn.Body.List {
		call, arg := putCall(pass, stmt)
		if call == nil {
			continue
		}
		obj := pass.TypesInfo.Uses[arg]
		if params := fn.Type.Params.List; len(params) > 0 && pass.TypesInfo.Defs[params[0].Names[0]] == obj {
			pass.ExportObjectFact(pass.TypesInfo.Defs[fn.Name], new(putsFact))
		}
		report := func(category, message string, fix ...analysis.TextEdit) *analysis.Diagnostic {
			d := &analysis.Diagnostic{Pos: call.Pos(), End: call.End(), Category: category, Message: message}
			if len(fix) > 0 {
				d.SuggestedFixes = []analysis.SuggestedFix{{Message: "mend", TextEdits: fix}}
			}
			return d
		}
		switch {
		case arg.Name == "nil":
			pass.Report(*report(pattern.PutNil, "nil is put"))
		case arg.Name == "breaker":
			pass.Report(*report(pattern.WrongType, "breaker is put", analysis.TextEdit{Pos: arg.Pos(), End: arg.End(), NewText: []byte("undeclared")}))
		case arg.Name == "sticky":
			pass.Report(*report(pattern.PutByValue, "sticky is put", analysis.TextEdit{Pos: stmt.End(), End: stmt.End(), NewText: []byte(" // mended")}))
		case first[obj] != nil:
			d := report(pattern.DoublePut, arg.Name+" is put twice", analysis.TextEdit{Pos: first[obj].End(), End: stmt.End()})
			d.Related = []analysis.RelatedInformation{{Pos: first[obj].Pos(), End: first[obj].End(), Message: "first put"}}
			pass.Report(*d)
		default:
			first[obj] = stmt
		}
	}
}

// putCall returns the call that a statement is, if it puts its argument.
func putCall(pass *analysis.Pass, stmt ast.Stmt) (*ast.CallExpr, *ast.Ident) {
	expr, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return nil, nil
	}
	call, ok := expr.X.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 {
		return nil, nil
	}
	arg, ok := call.Args[0].(*ast.Ident)
	if !ok {
		return nil, nil
	}
	var name *ast.Ident
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		name = fun
	case *ast.SelectorExpr:
		name = fun.Sel
	default:
		return nil, nil
	}
	f, ok := pass.TypesInfo.Uses[name].(*types.Func)
	if !ok || !token.IsExported(f.Name()) {
		return nil, nil
	}
	if f.Pkg().Name() == "pool" && f.Name() == "Put" || pass.ImportObjectFact(f, new(putsFact)) {
		return call, arg
	}
	return nil, nil
}
