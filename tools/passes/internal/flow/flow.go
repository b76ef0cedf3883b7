// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"reflect"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// A Finding is one misuse that the walk found.
type Finding struct {
	Pattern    string
	Diagnostic goanalysis.Diagnostic
}

// A Result is what the analyzers that report share.
type Result struct {
	Findings []Finding
	Steps    int // instructions that the walks followed, all in all
	Work     int // what they cost; see charge
}

// Analyzer follows pooled values through a package. It reports nothing itself:
// the analyzers that users see each report some of its findings.
var Analyzer = &goanalysis.Analyzer{
	Name:       "poolflow",
	Doc:        "follow values from pools along every path, for the analyzers that report their misuse",
	Run:        run,
	ResultType: reflect.TypeFor[*Result](),
	FactTypes:  []goanalysis.Fact{new(Summary)},
}

// Std makes the walk follow the standard library too. Nothing there hands
// pooled values to its callers, so that it is left out by default; it is a good
// test of the walk.
var Std bool

// FactsOnly makes the walk find summaries only, for a package of which nobody hears the
// reports.
var FactsOnly bool

// Brief makes the walk give each root a sixth of its steps, for a package of which nobody hears
// the reports in this call or, with the same settings, in any other.
var Brief bool

func run(pass *goanalysis.Pass) (any, error) {
	res := new(Result)
	if !inReach(pass) {
		var left map[*types.Func][]Left
		if list := leavers(pass); len(list) > 0 {
			a := prepare(pass)
			a.leavers = list
			a.followLeavers()
			left = a.leavings
			res.Steps, res.Work = a.total.steps, a.total.work
		}
		exportPlain(pass, false, left)
		return res, nil
	}
	a := prepare(pass)
	// Receivers first: what they put, their senders give away.
	done := map[*ssa.Function]bool{}
	for _, fn := range a.fns {
		if a.relevant[fn] && a.isRoot(fn) && receives(fn) {
			a.follow(fn)
			done[fn] = true
		}
	}
	if len(a.consumers) > 0 {
		maps.DeleteFunc(done, func(fn *ssa.Function, _ bool) bool { return sends(fn) }) // they may send what they give away
	}
	// Then those that other packages are told of, and the others: what the walks before one
	// cost and found to be too wide has a say in it, and what others are told must be the same
	// whether this package is reported on or not.
	// Tests are last, so that what is reported through one shows in no other way.
	for turn := range 3 {
		for _, fn := range a.fns {
			told := a.toldOthers(fn) != nil
			at := 0
			if a.inTest(fn) {
				at = 2
			} else if !told {
				at = 1
			}
			if !done[fn] && at == turn && (told || !FactsOnly) && (a.isRoot(fn) || a.givesAway(fn)) {
				a.follow(fn)
			}
		}
	}
	a.exportMakers()
	a.leavers = leavers(pass)
	a.followLeavers()
	exportPlain(pass, true, a.leavings)
	if FactsOnly {
		res.Steps, res.Work = a.total.steps, a.total.work
		return res, nil
	}
	a.checkPuts()
	a.judge()
	a.judgeRegrown()
	a.judgeAddedText()
	a.judgeStale()
	a.judgeGoneForward()
	a.judgeByInput()
	a.judgeFields()
	a.judgeForgotten()
	a.judgePartlySet()
	a.judgeCarried()
	a.judgeUnbalanced()
	a.judgeHalfReset()
	a.judgeNewArm()
	a.judgeTargetFields()
	a.judgeUnwritten()
	a.judgeMemoBy()
	a.judgeMemoGrows()
	a.judgeCountedOn()
	a.judgeLeftCounts()
	a.judgeBehind()
	a.judgeResetBehind()
	a.judgeUnemptied()
	a.judgeDigestsBeside()
	a.judgeNeverEmptied()
	a.judgeHooksFill()
	a.judgeGivenArrays()
	a.judgeGivenEntries()
	a.judgeAddedTo()
	a.judgeArenas()
	a.judgeErrLater()
	a.judgeKeptRefs()
	a.judgeRetained()
	a.judgeLent()
	a.judgeTwinPools()
	a.judgeVectors()
	a.judgeSharedSlices()
	a.judgeFullSlices()
	a.judgeStillPointed()
	a.judgeSharedInPlace()
	a.judgeCutOnTake()
	a.judgePoppedTail()
	a.judgeLocalAddr()
	a.judgeFirstFit()
	a.judgeClasses()
	a.judgeEmptying()
	a.judgeShortened()
	a.judgeShortFields()
	a.judgeOldEntries()
	a.judgeFixedSizes()
	a.judgeConflicting()
	a.judgeByLength()
	a.judgeSizes()
	a.judgeAdvanced()
	a.judgeRebound()
	a.judgeGrownBack()
	a.judgeGrownByOthers()
	a.judgeClearsBound()
	a.judgeUnfilled()
	a.judgeBoundNil()
	a.judgeDrains()
	a.judgeEndings()
	a.judgeReceived()
	a.judgeOtherHome()
	a.judgeOwnLists()
	a.judgeSecondSlices()
	a.judgeNeverPut()
	a.judgeSlotNumbers()
	a.judgeCountedSlots()
	a.judgeDropped()
	a.judgeHeldByGo()
	a.judgeNamesakes()
	a.judgePutInPlace()
	a.judgeLoans()
	a.judgeOutlived()
	a.judgeReadLate()
	a.judgeCutCopies()
	a.judgePooledContexts()
	a.judgePartRead()
	a.judgeOutgrown()
	a.judgeUnreadLengths()
	a.judgeAnySize()
	a.judgeOneWayBound()
	a.judgeShadowed()
	a.judgeOwnArgument()
	a.judgeCutCap()
	a.judgeWithin()
	a.judgeRunning()
	a.judgeRunningParts()
	a.judgeErrTwice()
	a.judgeEmptied()
	a.judgeResetAgain()
	a.judgeClosings()
	a.judgeListsPutAgain()
	a.judgeSecondNames()
	a.judgePieces()
	a.judgePutInTurn()
	a.judgeInstances()
	a.judgeSpent()
	a.judgeResetIndex()
	a.judgeFreeNodes()
	a.judgeClearedShort()
	a.judgeCutChains()
	a.judgeCountRaces()
	a.judgeUnstopped()
	a.judgeNopClosers()
	a.judgePopped()
	a.judgeOverwritten()
	a.judgeThrownAway()
	a.judgeSticky()
	a.judgeEarlyOut()
	a.judgeHalfUsed()
	a.judgeZeroAssumed()
	a.judgeUnclearedBeside()
	a.judgeHeldOver()
	a.judgeCallersParts()
	a.judgeLenders()
	a.judgeCalledBack()
	a.judgeLockFree()
	a.judgeDroppedRefs()
	a.judgeMadeAndPut()
	a.judgeOnlyReferences()
	a.judgeDroppedAgain()
	a.judgeCleanedTwice()
	a.judgeKeptArmed()
	a.judgeClearedLate()
	a.judgeLateCounts()
	a.judgeOneForBoth()
	a.judgeSignalled()
	a.judgeSentPuts()
	a.judgeAskedLate()
	a.judgeLentParts()
	a.judgeLentBack()
	a.judgeLastDone()
	a.judgeStopIgnored()
	a.findCustody().judge()
	res.Steps, res.Work = a.total.steps, a.total.work
	for _, f := range a.result() {
		res.Findings = append(res.Findings, Finding{f.pattern, goanalysis.Diagnostic{
			Pos: f.pos, Category: f.pattern, Message: inSource(a.inFile(f.pos, f.message)), Related: a.explained(f), SuggestedFixes: f.fixes,
		}})
	}
	return res, nil
}

// inReach reports whether a package can touch a pool at all: most cannot, and
// are done with here.
func inReach(pass *goanalysis.Pass) bool {
	if !Std && isStdPath(pass.Pkg.Path()) && (pass.Module == nil || pass.Module.Path == "" || pass.Module.Path == "std") {
		return false
	}
	seen := map[*types.Func]bool{}
	for _, obj := range pass.TypesInfo.Uses {
		f, ok := obj.(*types.Func)
		if !ok || seen[f] {
			continue
		}
		seen[f] = true
		if _, ok := poolFuncOf(f); ok || maySendBothWays(f) {
			return true
		}
		if f.Pkg() == nil || f.Pkg() == pass.Pkg || isStdPath(f.Pkg().Path()) {
			continue
		}
		if s := new(Summary); importSummary(pass, f.Origin(), s) && s.pools() {
			return true
		}
	}
	return convertsUnsafely(pass) || mayHaveFreeList(pass) || mayFillList(pass) || mayChainFree(pass) || mayHaveSliceList(pass) || sendsInLoop(pass, isInteger) || mayHaveRing(pass)
}

// pools reports whether a summary brings a pooled value into reach, rather
// than only an alias.
func (s *Summary) pools() bool {
	for _, o := range s.Outcomes {
		if len(o.Puts) > 0 || len(o.Gone) > 0 {
			return true
		}
		for _, r := range o.Results {
			if r.hasToken() {
				return true
			}
		}
		for _, w := range o.Writes {
			if w.Val.hasToken() {
				return true
			}
		}
	}
	return false
}

func (e *Expr) hasToken() bool {
	found := false
	e.tokens(func(string) { found = true })
	return found
}

// tokens visits the names of the pools that an expression has values of.
func (e *Expr) tokens(visit func(pool string)) {
	if e == nil {
		return
	}
	if e.Kind == "token" {
		visit(e.Text)
	}
	e.A.tokens(visit)
	for _, x := range e.Others {
		x.tokens(visit)
	}
}

// convertsUnsafely reports whether a package exports functions between strings
// and bytes and imports unsafe: others will return pooled memory through them.
func convertsUnsafely(pass *goanalysis.Pass) bool {
	if !slices.Contains(pass.Pkg.Imports(), types.Unsafe) {
		return false
	}
	for _, name := range pass.Pkg.Scope().Names() {
		if f, ok := pass.Pkg.Scope().Lookup(name).(*types.Func); ok && f.Exported() && unsafeShape(f.Signature()) {
			return true
		}
	}
	return false
}

func unsafeShape(sig *types.Signature) bool {
	if sig.Params().Len() != 1 || sig.Results().Len() != 1 {
		return false
	}
	p, r := sig.Params().At(0).Type(), sig.Results().At(0).Type()
	isString := func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Kind() == types.String
	}
	return isBytes(p) && isString(r) || isString(p) && isBytes(r)
}

// prepare makes the SSA form of the package, and finds what is true of it as a whole.
func prepare(pass *goanalysis.Pass) *analysis {
	a := build(pass)
	a.fields0 = newFields()
	a.leavings = map[*types.Func][]Left{}
	a.collect()
	a.fixedFields()
	a.collectClosers()
	a.collectBodies()
	a.collectFinalizers()
	return a
}

// build makes the SSA form of the package.
func build(pass *goanalysis.Pass) *analysis {
	prog := ssa.NewProgram(pass.Fset, 0)
	made := map[*types.Package]bool{}
	var imports func(list []*types.Package)
	imports = func(list []*types.Package) {
		for _, p := range list {
			if !made[p] {
				made[p] = true
				prog.CreatePackage(p, nil, nil, true)
				imports(p.Imports())
			}
		}
	}
	imports(pass.Pkg.Imports())
	files, info, inlined := normalized(pass)
	if info != pass.TypesInfo {
		own := *pass
		own.TypesInfo = info
		pass = &own
	}
	pkg := prog.CreatePackage(pass.Pkg, files, info, false)
	pkg.Build()

	a := &analysis{
		pass: pass, fset: pass.Fset, prog: prog, pkg: pkg, inlined: inlined,
		infos: map[*ssa.Function]*funcInfo{}, methods: map[methodKey]*ssa.Function{}, workLimit: maxWork, relevant: map[*ssa.Function]bool{}, pools: map[any]*pool{}, homes: map[any]types.Object{},
		fields: map[types.Object][]*ssa.Function{}, fieldsOf: map[fieldOf][]*ssa.Function{}, open: map[types.Object]bool{}, made: map[*ssa.Function][]*ssa.MakeClosure{}, makings: map[types.Object][]*ssa.MakeClosure{}, impls: map[*types.Interface]types.Type{},
		calls: map[token.Pos]*ast.CallExpr{}, consumers: map[types.Object]int{}, news: map[any][]*ssa.Function{}, refused: map[*ssa.Function]bool{}, wide: map[*ssa.Function]int{}, found: map[findingKey]finding{}, swaps: map[[2]*pool]bool{}, pairs: map[findingKey][]putPair{}, facts: map[*types.Func]*Summary{}, names: map[*types.Func]named{}, through: map[ssa.Instruction]*Thin{}, foreignVars: map[string]*ssa.Global{}, sizeTests: map[*ssa.Function]bool{}, toldOf: map[*types.Var]bool{},
	}
	seen := map[*ssa.Function]bool{}
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || seen[fn] {
			return
		}
		seen[fn] = true
		a.fns = append(a.fns, fn)
		for _, anon := range fn.AnonFuncs {
			add(anon)
		}
	}
	add(pkg.Func("init"))
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				if obj, ok := pass.TypesInfo.Defs[d.Name].(*types.Func); ok {
					add(prog.FuncValue(obj))
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				a.calls[n.Lparen] = n
			case *ast.DeferStmt:
				a.calls[n.Defer] = n.Call
			case *ast.GoStmt:
				a.calls[n.Go] = n.Call
			}
			return true
		})
	}
	slices.SortStableFunc(a.fns, func(x, y *ssa.Function) int { return a.inOrder(x.Pos(), y.Pos()) })
	a.cutAtStart()
	a.seeThrough()
	return a
}

// receives reports whether a function takes values from a channel that could go to a pool.
func receives(fn *ssa.Function) bool {
	carries := func(ch ssa.Value) bool {
		c, ok := ch.Type().Underlying().(*types.Chan)
		return !ok || hasPointers(c.Elem()) && !isError(c.Elem()) && c.Elem().String() != "time.Time"
	}
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool {
			switch i := i.(type) {
			case *ssa.UnOp:
				return i.Op == token.ARROW && carries(i.X)
			case *ssa.Select:
				return slices.ContainsFunc(i.States, func(c *ssa.SelectState) bool { return c.Dir == types.RecvOnly && carries(c.Chan) })
			}
			return false
		})
	})
}

// sends reports whether a function, or one that it calls, may send to a channel.
func sends(fn *ssa.Function) bool {
	return slices.ContainsFunc(fn.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(i ssa.Instruction) bool {
			switch i.(type) {
			case *ssa.Send, *ssa.Select, ssa.CallInstruction:
				return true
			}
			return false
		})
	})
}
