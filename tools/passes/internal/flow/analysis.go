// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// An analysis is the state of one package's analysis.

type analysis struct {
	pass *goanalysis.Pass
	fset *token.FileSet
	prog *ssa.Program
	pkg  *ssa.Package
	fns  []*ssa.Function // every function of the package, in order of position

	inlined [][2]token.Pos // literals that were called where they stand, see normal.go

	syms                  *symbols
	siblings              map[*types.TypeName]bool
	infos                 map[*ssa.Function]*funcInfo
	filesSeen, mixedFiles bool                          // see sorted
	generated             []int                         // for each file, see writtenFirst
	methods               map[methodKey]*ssa.Function   // what methodNamed found
	companions            map[*types.Var]companionField // what companion found
	relevant              map[*ssa.Function]bool
	handles               map[*ssa.Function]bool // functions that call a pool, or a function that does
	firstSet              map[*types.Var]bool    // fields whose readers set them first
	pools                 map[any]*pool
	poolList              []*pool
	homes                 map[any]types.Object // where a pool made by an Alloc is stored
	fields                map[types.Object][]*ssa.Function
	fieldsOf              map[fieldOf][]*ssa.Function          // the same, where the object is known
	open                  map[types.Object]bool                // function variables with an assignment that is not understood
	made                  map[*ssa.Function][]*ssa.MakeClosure // where closures that are kept in fields and variables are made
	makings               map[types.Object][]*ssa.MakeClosure  // the same, for each field and variable
	impls                 map[*types.Interface]types.Type
	calls                 map[token.Pos]*ast.CallExpr
	holders, definedAt    map[token.Pos]string       // see heldAs and declaredAs
	came                  map[*types.Var]broughtFrom // see noteCame
	sizeTests             map[*ssa.Function]bool
	errsAlone             map[*ssa.Global]bool // what madeAlone found
	errsAsked             *[]*ssa.Global       // what askedFor found
	putsSelf              map[putsKey]bool     // what putsItself found
	putsAsked             map[paramKey]int     // parameters that the question at hand came to, and how far from its start

	consumers   map[types.Object]int
	freeLists   map[types.Object]*pool        // channels that serve as pools
	chanPutters map[*ssa.Function]bool        // functions that send what they are given to one
	ranged      map[*ssa.BasicBlock]ssa.Value // what rangedList found
	constCase   map[token.Pos]bool            // where cases of switches name constants (noneofthem.go)
	localChans  map[ssa.Value]types.Object
	takenOutOf  map[*types.Var]bool // fields with maps that mapsTakenFrom found
	givenAs     map[*types.Signature][]*ssa.Function
	signatures  []signatureOf          // what bySignature found
	strange     map[*ssa.Function]bool // the functions among those
	tooMany     map[ssa.Value]bool     // of the values that funcsOf looked at
	sliceLists  sliceLists
	storedTypes map[*types.Var]types.Type // see onlyStored
	ownPools    map[*types.Var]bool       // what setToOwn found
	news        map[any][]*ssa.Function   // what makes the values of a sync.Pool

	funcs      map[ssa.Value][]funcValue // what funcsOf found
	sites      map[*ssa.Function][]ssa.CallInstruction
	closures   map[*ssa.Function][]*ssa.MakeClosure
	storesTo   map[types.Object][]ssa.Value // fields and variables that hold functions
	updates    map[types.Object][]ssa.Value // the same, of elements of maps
	behind     map[*types.Interface][]types.Type
	behindCall map[interfaceMethod][]*ssa.Function
	madeBeside map[*types.Var][]funcBeside
	inField    map[*types.Var]types.Type // see behindField
	queuers    map[*ssa.Function]bool
	leavers    map[*types.Func]bool            // may leave memory of a parameter with a goroutine
	farStores  bool                            // a setter of another package kept something
	leavings   map[*types.Func][]Left          // those that do
	leaving    bool                            // they are being followed
	converted  map[*types.TypeName][]ssa.Value // what is converted to a type of functions

	shapes  shapes
	structs map[*types.Var]*types.Struct

	literals  map[*ssa.Global]int            // lengths of slice variables that are set to a literal only
	single    map[*types.Var]bool            // counts of references that nobody shares
	storing   map[*ssa.Parameter]bool        // those that are stored somewhere
	funcLists map[*types.Var][]*ssa.Function // what fields of lists of functions are set to
	rounds    map[*ssa.BasicBlock]int        // of loops over these

	unshelved  map[any]bool             // containers of which the root put elements, or gave them on
	lenders    []*borrower              // functions that only lend what they have, of those that the path is in
	closers    map[*types.TypeName]bool // types with a method that ends an object's life and deals with pools
	flows      *flows
	givenBack0 map[givenIn]bool         // see canGiveBack
	poolUses0  tally[poolUse]           // see usesOfPools
	blanked    map[*pool]bool           // by pool, see blankedWhenTaken
	syncGets   *[]*ssa.Call             // all calls of a sync.Pool\'s Get
	lateTypes  map[*types.TypeName]bool // what usesLate found
	finalizers map[*types.TypeName]*ssa.Function
	bodies     map[*types.TypeName]bool // types of bodies of requests and responses
	fixed      map[types.Object]bool    // fields that keep what their object was made with

	steps, limit, maxDepth int
	parting                parting
	progress               progress
	total                  struct{ steps, work int }
	work, workLimit        int  // what the steps cost, see charge
	walking                bool // a root is being followed
	reaching               bool // reachAll looks through what a path has
	reaches                int  // how often it did
	spent, received        int
	spentTwice             int                    // steps of second walks
	blamed                 *ssa.Function          // had too many exits
	refused                map[*ssa.Function]bool // not followed for that
	wide                   map[*ssa.Function]int  // how many roots found a function to have too many exits
	goStores               map[*ssa.Function]map[*types.Var]fieldChange
	met, several           bool              // the walk met calls of several candidates; it follows them
	nilFails               bool              // what asks a nil pointer for what it points to ends its path
	once, onceAll          bool              // the loops of the root, or all loops, are followed once
	ends                   map[*sym]lentEnds // what closures that the root returned put
	quiet, unsaid          int               // what is found counts for nothing while quiet is set
	streams0               *bool             // whether pooled readers or writers are taken here
	streams1               *bool             // whether a method resets one in a field
	pending, found         map[findingKey]finding
	swaps                  map[[2]*pool]bool        // pools between which values go, each from the first to the second
	pairing, pairs         map[findingKey][]putPair // for the fixes of those
	leaks                  map[leakKey]*leak
	turns                  map[leakKey]map[*ssa.BasicBlock]bool // heads of loops that leave such values to goroutines which put them
	leakOrder              []leakKey
	failing                map[*sym][]*sym // the pooled values whose methods gave an error
	failedBy               map[*sym]string // the kinds of those methods
	notBegun               map[*sym]bool   // errors of methods that begin a use anew
	requests               map[*sym]*madeRequest
	root                   *ssa.Function

	contents
	drains        drains
	fields0       fields
	endings       endings
	gathered      gathered
	closings      closings
	receives      []*receivedLoss // of the current root
	panickedOn    []panicEnd      // likewise, see repanic.go
	received0     []*receivedLoss
	signalled     map[types.Object]bool     // channels whose receivers tell the sender through the value that they are done with it
	mixed         map[*types.Var]bool       // channels on which also others send than those who took the value from a pool
	unlinking     map[*types.Var]bool       // channels in fields whose senders take the value out of its containers before
	carried       map[*types.Var]*types.Var // by channel, the field in which what is sent on it has the pooled value
	fieldUses0    *forgotten
	chanUsers0    map[*types.Var]*chanUsers
	entriesFilled map[string]bool                // by type of map: whether the package fills what is in it again
	clearing      map[string]bool                // by type of element: whether the package clears such slices
	toldOf        map[*types.Var]bool            // fields that were reported as not reset
	uncutFields   map[*types.Var]bool            // what putAsUsed found
	encodings     map[*types.Var]ssa.Instruction // by the fields that reflection reads
	secondSlices0 map[*types.Var]*types.Var      // fields by their second name
	secondPuts    []finding                      // what is returned by the other name of what was put
	otherHomes    map[types.Object]bool          // pools whose values all go to another one
	selfWriting   map[*types.Var]selfWriter      // fields of bufio.Writers that write to their own struct
	facts         map[*types.Func]*Summary
	names         map[*types.Func]named
	through       map[ssa.Instruction]*Thin     // calls of wrappers that are read as calls of a pool
	staticCalls   map[*ssa.Function][]*ssa.Call // by the function of the package that is called
	unsetElems    map[*sym]bool                 // of arrays, what was written there was never set
	// foreignVars stand for pools that other packages do not export.
	foreignVars map[string]*ssa.Global
	summaries
}

// A leakKey tells acquires apart: one call may take values from several pools.
type leakKey struct {
	pos  token.Pos
	pool string
}

// A leak gathers, for one acquire, how the paths of a root end.
type leak struct {
	get      *sym
	lost     []lostPath
	lent     []lostPath        // lost unless code chosen at run time has it
	after    []ssa.Instruction // calls of such code after which it was put
	given    []ssa.Instruction // calls after which it was taken out of what they were given, and returned
	shelved  []lostPath        // left in a container that ends with the function
	left     []leftPath        // with a goroutine that does not put it
	put      bool
	unasked  bool // it was put where no timer was found to be stopped in time
	handed   bool
	returned bool // in an object, from a list
	panicked *ssa.Panic
	released []*ssa.BasicBlock // blocks of the calls that put it, at any depth
	failures
	leakEnds
	leakReturns
}

type lostPath struct {
	result  *sym // the last of the path's
	at      ssa.Instruction
	tok     *sym
	skipped []*ssa.BasicBlock
	sent    *event // the value was given to a receiver there
	loans   []ssa.Instruction
	shelf   any  // where the container was made
	broken  bool // on the way of an error, and the container was not asked what it has
	// uncalled is the call that was given a function which only lends the container, and did not call it.
	uncalled ssa.Instruction
	// fired is set where the value is a timer, and the path received its tick.
	fired bool
	// withheld is set where the path returns nothing, and for nothing that the value has to do with.
	withheld bool
	// idle are the heads of loops of which the path had no turn.
	idle []*ssa.BasicBlock
}

// A budget is how deep calls are followed in a walk, and in how many steps.
type budget struct{ depth, steps int }

// budgets are tried in turn for each root.
var budgets = [...]budget{{7, maxSteps}, {2, maxSteps / 2}, {0, maxSteps / 4}}

// stepsOf is how many steps a budget has here.
func stepsOf(b budget) int {
	if Brief {
		return b.steps / 6
	}
	return b.steps
}

// maxRefused bounds the callees of a root that are given up for their exits.
const maxRefused = 5

// maxWide is how many roots find a function to have too many exits before the others
// do not try.
const maxWide = 2

// maxPackage bounds the steps of a package: over it, roots are followed less far.
const maxPackage = 150_000

// maxTwice bounds the steps of a package's second walks. Three times as many found one thing more that was
// true on real code (zapx's double-put), and took a twentieth of the time.
const maxTwice = maxPackage / 3

// mayTwice reports whether there is budget for a second walk of a root. Those that deal with a pool,
// or call a function that does, have more of it.
func (a *analysis) mayTwice(fn *ssa.Function) bool {
	return a.spentTwice < maxTwice || a.handles[fn] && 3*a.spentTwice < 4*maxTwice
}

// follow analyses one function as a root: first with calls through functions and
// interfaces that have one candidate only, then, if it met others, with those. What the
// second walk finds comes on top; it has more paths, and may not come to an end.
func (a *analysis) follow(fn *ssa.Function) {
	var first *parting // of a walk of all callees that was over its budget
	for k, b := range budgets {
		if a.spent > maxPackage && b.depth > 2 || a.spent > 2*maxPackage && b.depth > 0 || a.spent > 4*maxPackage {
			continue
		}
		run := func(st *state) []exit {
			args := a.params(fn)
			a.servesHTTP(st, fn, args)
			a.givenErrors(st, fn, args)
			return a.exec(st, fn, args, nil, nil)
		}
		// upTo tries without the callees that have too many exits. Those that the tries before
		// were ended by are known.
		blames := 0
		upTo := func(steps int) bool {
			for blames < maxRefused {
				a.blamed = nil
				if a.try(fn, b.depth, steps, run) {
					return true
				}
				if a.blamed == nil || a.refused[a.blamed] {
					return false
				}
				a.refused[a.blamed] = true
				a.wide[a.blamed]++
				blames++
			}
			return false
		}
		most := stepsOf(b)
		if first != nil && a.endsAlike(first, first.less[k], most) {
			continue
		}
		steps := most
		again := func() bool { return upTo(steps) }
		clear(a.refused)
		a.met = false
		if b == budgets[0] && a.mayGoFurther(fn) {
			steps = furtherSteps
		}
		done := again()
		if !done || a.steps <= most {
			steps = most
		}
		if !done {
			if blames == 0 {
				last := a.parting
				first = &last
			}
			if b == budgets[0] {
				if blames == maxRefused {
					blames = 0
					clear(a.refused)
				}
				a.followOnce(again, most, false)
			}
			continue
		}
		if FactsOnly {
			return // the second walks are for reports
		}
		if a.met && a.mayTwice(fn) {
			spent := a.spent
			a.several = true
			again()
			a.several = false
			a.spentTwice += a.spent - spent
			a.spent = spent
		} else if len(a.refused) > 0 {
			a.followOnce(again, most, true)
		}
		return
	}
	a.unfollowed(fn)
}

// servesHTTP notes that a handler of net/http is given a request and a writer.
func (a *analysis) servesHTTP(st *state, fn *ssa.Function, args []*sym) {
	sig := fn.Signature
	if sig.Results().Len() > 0 || sig.Params().Len() != 2 || sig.Params().At(0).Type().String() != "net/http.ResponseWriter" || sig.Params().At(1).Type().String() != "*net/http.Request" {
		return
	}
	for _, x := range args[len(args)-2:] {
		st.truth[a.syms.nilTest(x)] = false
	}
}

// params are the symbols of a root's parameters.
func (a *analysis) params(fn *ssa.Function) []*sym {
	args := make([]*sym, len(fn.Params))
	for i, p := range fn.Params {
		args[i] = a.syms.intern(symKey{kind: kParam, obj: p}, p.Type())
	}
	return args
}

// try runs a root within a budget, and keeps what it found if it came to an end.
func (a *analysis) try(fn *ssa.Function, depth, steps int, run func(*state) []exit) (ok bool) {
	a.root, a.steps, a.limit, a.maxDepth, a.quiet = fn, 0, steps, depth, 0
	a.work, a.walking, a.parting = 0, true, parting{}
	a.progress = progress{watched: depth > 0 && !walkToEnd}
	a.syms = newSymbols()
	a.syms.fixed = a.fixed
	a.pending = map[findingKey]finding{}
	a.pairing = map[findingKey][]putPair{}
	a.unshelved, a.lenders = map[any]bool{}, nil
	a.leaks, a.leakOrder = map[leakKey]*leak{}, nil
	a.turns = map[leakKey]map[*ssa.BasicBlock]bool{}
	a.failing, a.failedBy, a.notBegun = map[*sym][]*sym{}, map[*sym]string{}, nil
	a.requests = nil
	a.receives, a.panickedOn, a.unsetElems = nil, nil, nil
	a.ends = map[*sym]lentEnds{}
	a.contents.begin()
	a.fields0.seen = map[*sym]bool{}
	defer func() {
		a.walking = false
		a.total.steps += a.steps
		a.total.work += a.work
		a.spent += a.stepsMeant()
		if x := recover(); x != nil {
			over, isOver := x.(overBudget)
			if !isOver {
				panic(x)
			}
			a.blamed = over.blame
			a.parting.steps, a.parting.meant, a.parting.blame = a.steps, a.stepsMeant(), over.blame != nil
			ok = false
		}
	}()
	exits := run(newState())
	a.progress.watched = false
	for _, e := range exits {
		a.noteEmptied(e.st)
	}
	for _, e := range exits {
		a.atExit(e)
		a.fieldsAtExit(e)
		a.endingsAtExit(e)
		a.gatheredAtExit(e)
		a.notGiven(e)
		a.sentAtExit(e)
		a.handedOutTwice(e)
		a.noteLetGo(fn, e)
	}
	a.lostInPanics()
	if !a.partial() {
		a.keepReceived()
	}
	if !a.several && len(a.refused) == 0 {
		a.reportLeaks() // a callee that was given up, or is not called in fact, may have had it
	}
	a.sequences(fn, exits)
	a.contents.commit(a)
	a.settle()
	if a.leaving {
		a.noteLeaving(fn, exits)
	} else if !a.partial() {
		a.summarise(fn, exits) // of what was followed as a whole
	} else if !a.several && !a.once {
		a.unfollowed(fn)
	}
	return true
}

// atExit looks at what a path leaves behind.
func (a *analysis) atExit(e exit) {
	st := e.st
	// Memory that outlives the call and leads to what is in a pool.
	for _, addr := range sortedKeys(st.mem) {
		v := st.mem[addr]
		a.keyAtExit(st, addr)
		if a.leftBehind(st, addr) {
			continue
		}
		if addr.kind == kField && addr.idx < 0 && addr.idx != cellField || v.kind == kConst || v.kind == kNil {
			continue
		}
		switch b := addr.base(); b.kind {
		case kParam, kFree, kGlobal, kOpaque, kRecv:
			if b.kind == kParam && inEmptied(addr) {
				continue
			}
			if addr.kind == kFree || b.kind == kFree && ofVariable(addr) {
				continue // a variable of the function around this one, or a slot of its slice
			}
			if b.kind == kOpaque && (withheld(e, b) || a.endsWithRoot(e, b) || a.ofOwnObject(b) || a.mayBePooled(b)) {
				continue
			}
		case kToken:
			if !st.handed[b] || st.joined[b] || st.gone[b] || st.rel[b] != nil || a.guessedOf(st, b) {
				continue
			}
		default:
			continue
		}
		r := a.released(st, v)
		if r == nil {
			r = a.releasedParts(st, v, map[*sym]bool{})
		}
		if r == nil {
			r = a.stringsWithin(st, v)
		}
		if r == nil {
			r = a.inKeptToken(st, v)
		}
		if r == nil || a.released(st, addr) != nil || r.closed {
			continue // where a request is kept, so is the body that it had
		}
		m := memory(v)
		if r.byField && !st.filedIn(addr, v, r) && (m == v && (a.released(st, v) != nil && st.rel[v] != nil || a.holdsHome(st, addr, v, r)) || m.kind == kLoad && inside(m.a, addr)) {
			continue // the field is the value's home, named by the put itself
		}
		if m.kind == kLoad && m.a == addr {
			continue
		}
		if a.empty(st, v) || a.takenFrom(e, addr) || a.wrapsResponse(st, addr, v) || a.answered(v) || a.answered(r.value) || a.replied(st, addr, v) || a.answeredInList(addr, v, r) || a.ofCommand(e, addr) || a.storedInVain(st, addr) || a.setFirstAt(st, addr) || st.cameTo(addr, v) || changedHands(e, addr, v) {
			continue
		}
		a.reportStore(st, addr, v, r)
	}
	a.secondSliceAtExit(e)
	// Tokens that nobody has.
	kept, shelved := a.keptAt(e, false)
	alone := kept
	if len(st.lent) > 0 {
		alone, _ = a.keptAt(e, true)
	}
	a.receivedAtExit(e, kept)
	for _, t := range st.toks {
		k := leakKey{t.stack[0], t.pool.label()}
		l := a.leaks[k]
		if l == nil {
			l = &leak{get: t}
			a.leaks[k] = l
			a.leakOrder = append(a.leakOrder, k)
		}
		if r := st.rel[t]; r != nil {
			a.noteReturns(e, l, t, true)
			a.noteFailed(e, l, t, true)
			l.put = true
			l.unasked = l.unasked || !r.inTime
			if r.async {
				a.noteTurns(r.event, t)
			}
			for _, i := range r.stack {
				if !r.async || len(r.stack) == 1 || !isSend(i) {
					l.released = append(l.released, i.Block()) // one that sends it does not decide about the Put
				}
			}
			if !r.async {
				l.after = append(l.after, st.lent[t]...)
			}
			continue
		}
		if isNil, ok := st.truth[a.syms.nilTest(t)]; ok && isNil || otherType(st, t) {
			continue
		}
		viaPart := false
		for x, r := range st.rel {
			if madeOver(x, t) {
				viaPart = true
				for _, i := range r.stack {
					l.released = append(l.released, i.Block())
				}
			}
		}
		a.noteReturns(e, l, t, viaPart)
		switch {
		case viaPart:
			l.put = true
		case a.ledBackTo(kept, t), a.takenOutOfBox(st, kept, t):
			l.handed = true
		case st.measured[t] != 0 && !a.hadRoom(st, t):
			l.handed = true // dropped for its size
		case a.failed(st, t):
			// Dropped, not lost: whether it can be used again is not known.
			if !st.gone[t] && !st.handed[t] && !kept[t] && st.sent[t] == nil {
				a.noteFailed(e, l, t, false)
				if a.notBegunAt(e, t) {
					l.unbegun = append(l.unbegun, lostPath{at: e.ret, tok: t, skipped: e.st.skipped, result: lastResult(e)})
				}
			}
		case st.gone[t]:
			l.handed = true
		case exchanged(st, t):
			l.handed = true
		case countedOut(st, t):
			l.handed = true
		case st.sent[t] != nil:
			// A channel on which the answer was not waited for must not be used again: it may still come.
			if st.timedOut && !storedOutside(st, t) && !isChan(t.typ) {
				l.lost = append(l.lost, lostPath{at: e.ret, sent: st.sent[t], skipped: st.skipped})
			} else {
				l.handed = true
				a.noteTurns(*st.sent[t], t)
			}
		case shelved[t] != nil && !st.handed[t]:
			l.shelved = append(l.shelved, lostPath{at: e.ret, skipped: st.skipped, shelf: shelfKey(shelved[t]), broken: a.broken(e) && !askedOf(st, shelved[t]), uncalled: st.uncalled[shelved[t]]})
		case st.lent[t] != nil && !alone[t] && (a.ranIntoError(e, t) || a.onlyError(e) && onlyRead(st.lent[t])):
			l.lent = append(l.lent, lostPath{at: e.ret, skipped: st.skipped, loans: st.lent[t]})
		case st.handed[t] || kept[t] || closedByOther(st, t):
			l.handed = true
			l.noteGiven(e, t)
			l.within = l.within || len(a.notBegun) > 0 && a.returnedWithin(e, t)
			l.returned = l.returned || t.pool.isList() && !st.handed[t] && a.returnedWithin(e, t)
			if g := a.leftAtExit(e, t); g != nil {
				l.left = append(l.left, leftPath{lostPath{at: e.ret, tok: t, skipped: st.skipped, loans: st.lent[t]}, g})
			}
		case st.walkedOff:
			l.handed = true // who has it may use it still
		case a.nothingGiven(st):
			l.handed = true
		default:
			l.lost = append(l.lost, lostPath{at: e.ret, tok: t, skipped: st.skipped, result: lastResult(e), fired: st.truth[a.syms.expired(t)], withheld: t.pool.isList() && a.withholds(e, t), idle: idleWith(st, t)})
		}
	}
	a.noteEnds(e, kept)
}

// keptAt finds what somebody has when a path ends: its results, goroutines, and memory
// that outlives it; and what only containers made on the path lead to. With alone set, what
// is in a token that was only lent does not count.
func (a *analysis) keptAt(e exit, alone bool) (kept map[*sym]bool, shelved map[*sym]*sym) {
	st := e.st
	kept = map[*sym]bool{}
	mark := func(x *sym) bool {
		kept[x] = true
		for ; x.kind == kOpaque && x.a != nil; x = x.a {
			kept[x.a] = true // part of a struct that was in the pool by value
		}
		return true
	}
	for _, x := range e.results {
		a.reach(st, ofArray(x), mark)
	}
	for _, g := range st.gos {
		for _, x := range g.holds {
			a.reach(st, x, mark)
		}
	}
	for more, last := true, false; more || !last; {
		if !more {
			// What is left may be in containers that nobody else has.
			last = true
			shelved = a.shelves(st, kept)
		}
		n := len(kept)
		for _, addr := range sortedKeys(st.mem) {
			if a.leftIn(st, addr) {
				continue
			}
			// What is in a slice or map is put back element by element: which
			// loop does so is not followed.
			b := addr.base()
			lent := alone && st.lent[b] != nil
			if b.kind != kAlloc && b.kind != kToken && !a.ownResponse(e, b) || kept[b] || st.rel[b] != nil || (st.escaped[b] || st.handed[b]) && !lent || last && addr.kind == kElem && !varargs(addr.a) && !(lent && b.kind == kAlloc) || punned(addr) {
				a.reach(st, a.swappedFor(st, st.mem[addr]), mark)
				a.reach(st, keyOf(addr), mark)
			}
		}
		more = len(kept) > n
	}
	return kept, shelved
}

// keyAtExit looks for the key of a map that outlives the call in memory that
// is in a pool.
func (a *analysis) keyAtExit(st *state, addr *sym) {
	if addr.kind != kElem || addr.b == nil {
		return
	}
	switch addr.base().kind {
	case kParam, kGlobal, kOpaque, kRecv, kFree:
	default:
		return
	}
	for c, v := range st.truth {
		if v && c.kind == kOk && c.a.kind == kLoad && c.a.a == addr {
			return // the map has such a key, and keeps that one
		}
	}
	if r := a.released(st, addr.b); r != nil && a.released(st, addr) == nil {
		a.reportStore(st, addr, addr.b, r)
	}
}

// otherType reports whether a path found that what came from the pool is not of the
// type that its users put: nothing to put back.
func otherType(st *state, t *sym) bool {
	for c, v := range st.truth {
		if !v && c.kind == kOk && c.a == t {
			return true
		}
	}
	return false
}

// withheld reports whether a path returns nil where others return an object that a
// call gave the function: nobody gets to see what is in it.
func withheld(e exit, x *sym) bool {
	if x.typ == nil {
		return false
	}
	if _, isPtr := x.typ.Underlying().(*types.Pointer); !isPtr || e.ret == nil {
		return false
	}
	for k, r := range e.ret.Results {
		if types.Identical(r.Type(), x.typ) && e.results[k].kind == kNil {
			return true
		}
	}
	return false
}

// ofVariable reports whether an address is an element of a captured array, or of
// the slice or map in a captured variable.
func ofVariable(addr *sym) bool {
	if addr.kind != kElem {
		return false
	}
	x := memory(addr.a)
	return x.kind == kFree || x.kind == kLoad && x.a.kind == kFree
}

// ledBackTo reports whether somebody has a part of t that points back to what
// is t's type, or is a function: the value can be found through it.
func (a *analysis) ledBackTo(kept map[*sym]bool, t *sym) bool {
	for x := range kept {
		if x.kind != kLoad || x.typ == nil || t.typ == nil || !passes(x, t) {
			continue
		}
		if f, isFunc := x.typ.Underlying().(*types.Signature); isFunc && mayEnd(f, t.typ) {
			return true // a function of its own, which may put it back
		}
		s := structOf(x.typ)
		if s == nil {
			continue
		}
		for f := range s.Fields() {
			if types.Identical(f.Type(), t.typ) {
				return true
			}
		}
	}
	return false
}

// mayEnd reports whether a function that an object has may be one that puts it: it is
// given nothing, the object, or how its use ended.
func mayEnd(f *types.Signature, t types.Type) bool {
	for p := range f.Params().Variables() {
		if i, ok := p.Type().Underlying().(*types.Interface); ok && types.Implements(t, i) {
			continue
		}
		if !isError(p.Type()) && !isBool(p.Type()) && !types.Identical(p.Type(), t) {
			return false
		}
	}
	return true
}

// reportLeaks decides, when all paths are known, which lost values were forgotten.
func (a *analysis) reportLeaks() {
	for _, k := range a.leakOrder {
		l := a.leaks[k]
		if !l.put && !l.handed && len(l.lost) == 0 && !slices.ContainsFunc(l.shelved, func(p lostPath) bool { return a.unshelved[p.shelf] }) && !a.unshelved[k.pos] {
			l.lost = slices.DeleteFunc(slices.Clone(l.shelved), func(p lostPath) bool { return endedBySignal(p.at) })
		}
		if l.put || l.handed {
			for _, p := range l.shelved {
				if (p.broken || p.uncalled != nil) && !a.unshelved[p.shelf] && !a.unshelved[k.pos] {
					l.lost = append(l.lost, p)
				}
			}
		}
		var lost []lostPath
		for _, p := range slices.Concat(l.lost, l.unlent(), l.lostAlike(), a.lostNotBegun(l)) {
			if p.sent != nil && (!l.put || a.receiversTakeOver(p.sent)) {
				continue // the receiver has it
			}
			if p.fired && l.put && !l.unasked {
				continue // its Put would not keep it
			}
			if l.endsAlike(p) || a.hadNoTurn(k, p) {
				continue
			}
			if slices.ContainsFunc(l.released, func(b *ssa.BasicBlock) bool {
				arm := passedBy(p.skipped, b)
				return arm != nil && !underSentinel(arm) && !underFailure(arm) && !underSuccess(arm, l.get)
			}) {
				continue // a test around the Put alone: somebody decided
			}
			lost = append(lost, p)
		}
		if len(lost) == 0 {
			a.reportLeft(l)
			a.reportEitherWay(l)
			a.reportPanicked(l)
			continue
		}
		if p := l.get.pool; p.ring || p.isList() && !l.put && !(p.scarce && l.handed) && !a.givesNilFor(a.root, p) && !(!l.handed && a.takersPut(p)) {
			if lost = l.withheldFrom(lost); len(lost) == 0 || p.ring {
				continue
			}
		}
		how := "on the path that ends here"
		if !l.put && !l.handed && !a.sentAny(l) {
			how = "on any path"
		}
		at := instrPos(lost[0].at)
		get := l.get.stack[0]
		where := a.line(at)
		if c := lost[0].uncalled; c != nil {
			where += ", whether or not the function that has it then is called (" + a.line(instrPos(c)) + ")"
		}
		a.report(finding{
			pattern: missingPut, pos: get, fn: a.root, pool: l.get.pool,
			message: a.saidTaken(l.get.stack, l.get.pool.label()) + " is not put back " + how + " (" + where + ")",
			related: []goanalysis.RelatedInformation{{Pos: at, Message: "lost at this return"}},
			more:    a.acquired(l.get),
			fixes:   a.mendLost(l, lost),
		})
	}
}

func (a *analysis) sentAny(l *leak) bool {
	for _, p := range l.lost {
		if p.sent != nil {
			return true
		}
	}
	return false
}

func (a *analysis) reportStore(st *state, addr, v *sym, r *release) {
	if a.putWithAll(addr, r) {
		return
	}
	pos, fn := r.pos(), r.fn
	var related []goanalysis.RelatedInformation
	e := st.stores[addr]
	if e == nil {
		e = a.storedWith(st, addr)
	}
	if e == nil {
		pos, fn = r.outermost()
	} else {
		pos, fn = diverge(&r.event, e)
		if k := slices.IndexFunc(e.stack, func(i ssa.Instruction) bool { return instrPos(i) == pos }); k >= 0 && k+2 < len(e.stack) && a.strange[e.stack[k+1].Parent()] {
			pos, fn = instrPos(e.stack[k+1]), e.stack[k+1].Parent() // what is called may be anything: it passes it on there
		}
		related = a.related(rel("stored here", e))
	}
	what := storedIn(addr)
	pat := storeAlias
	when := "after the value was put in " + r.pool.label()
	if r.async {
		pat, when = goroutineUse, "after the value was handed to a goroutine that puts it back"
	}
	var kept *types.Var
	if addr.kind == kField && addr.idx != cellField {
		kept, _ = addr.obj.(*types.Var)
	}
	a.report(finding{
		pattern: pat, pos: pos, fn: fn, cause: r.pos(), lent: lentIn(st, v), kept: kept, put: r.stack,
		message: what + " keeps memory of " + a.name(&r.event, fn) + " " + when + " (" + a.line(r.posIn(fn)) + ")",
		related: append(append(related, a.related(rel("the Put", &r.event))...), a.acquired(v)...),
		whose:   r.pool,
	})
}

// storedIn describes an address.
func storedIn(addr *sym) string {
	switch addr.kind {
	case kField:
		if addr.idx == cellField {
			return storedIn(addr.a)
		}
		if v, ok := addr.obj.(*types.Var); ok {
			return "field " + v.Name()
		}
	case kElem:
		return "an element of a slice or map"
	case kGlobal:
		return "variable " + addr.obj.(*ssa.Global).Name()
	}
	return "a variable"
}

// noteStore remembers where memory was written.
func (a *analysis) noteStore(st *state, i ssa.Instruction, addr, v *sym) {
	ev := st.here(i)
	if v.kind == kAgg && v.typ != nil {
		if u, ok := v.typ.Underlying().(*types.Struct); ok {
			for k := range v.list {
				set(&st.stores, a.syms.field(addr, u, k), &ev)
			}
		}
	}
	set(&st.stores, addr, &ev)
}

func chanKey(ch *sym) types.Object {
	if ch.kind != kLoad {
		return nil
	}
	switch addr := ch.a; addr.kind {
	case kField:
		v, _ := addr.obj.(*types.Var)
		if v != nil {
			return v
		}
	case kGlobal:
		return addr.obj.(*ssa.Global).Object()
	}
	return nil
}

// noteConsumer records that what a channel's receiver gets, it puts, or what a field of that has: what is in an object that
// a field leads to is that object's affair.
func (a *analysis) noteConsumer(t *sym) {
	path := -1
	for x := t; x != nil; {
		switch x.kind {
		case kRecv:
			if k := a.chanNamed(x.a); k != nil {
				a.consumers[k] = path
			}
			return
		case kOpaque: // a field of a received struct
			if x.a == nil || path >= 0 {
				return
			}
			path = x.idx
			x = x.a
		case kLoad:
			x = x.a
		case kField:
			if path >= 0 {
				return
			}
			path = x.idx
			x = x.a
		case kIface, kView:
			x = x.a
		default:
			return
		}
	}
}

// candidates are the functions that a variable or field of function type may hold.
func (a *analysis) candidates(f *sym) []*sym {
	if f.kind != kLoad {
		return nil
	}
	var obj types.Object
	switch addr := f.a; addr.kind {
	case kField:
		if v, ok := addr.obj.(*types.Var); ok {
			obj = v
		}
	case kGlobal:
		obj = addr.obj.(*ssa.Global).Object()
	}
	if obj == nil || a.open[obj] {
		return nil
	}
	fns := a.fields[obj]
	if f.a.kind == kField {
		if own := a.fieldsOf[fieldOf{variable(f.a.a), obj}]; len(own) > 0 {
			fns = own
		}
	}
	if len(fns) > 4 {
		return nil
	}
	var out []*sym
	for _, fn := range fns {
		if len(a.made[fn]) == 0 {
			out = append(out, a.syms.intern(symKey{kind: kFunc, obj: fn}, fn.Type()))
			continue
		}
		made := closuresOf(a.makings[obj], fn)
		if len(made) != 1 || len(fns) > 1 && !ofPackage(made[0]) {
			return nil
		}
		out = append(out, a.unbound(made[0], owner(f)))
	}
	return out
}

// unbound is a closure that was made by a function that is not on the path: the
// variables that it captured are known by their place only. Closures that were
// made together, and are kept in one object, share them.
func (a *analysis) unbound(m *ssa.MakeClosure, owner *sym) *sym {
	s := a.syms.fresh(kClosure, m.Type())
	s.obj = m.Fn.(*ssa.Function)
	n := 0
	if owner != nil {
		n = owner.id
	}
	for _, b := range m.Bindings {
		if g, ok := b.(*ssa.Global); ok {
			s.list = append(s.list, a.syms.intern(symKey{kind: kGlobal, obj: g}, g.Type()))
			continue
		}
		s.list = append(s.list, a.syms.intern(symKey{kind: kFree, obj: b, k: n}, b.Type()))
	}
	return s
}

// owner is the object in whose field a function was found, or the struct. One that was found in a container is
// its own: the next one there, made by the same code, has captured other variables.
func owner(f *sym) *sym {
	switch {
	case f.kind == kOpaque && f.a != nil && f.a.kind == kRecv:
		return f.a
	case f.kind != kLoad:
	case f.a.kind == kField:
		return f.a.a
	case f.a.kind == kElem:
		return f
	}
	return nil
}

// A fieldOf is a field of what one package-level variable holds or points to.
type fieldOf struct{ variable, field types.Object }

// variable is the package-level variable that holds an object, or points to it.
func variable(x *sym) types.Object {
	if x.kind == kLoad {
		x = x.a
	}
	if x.kind == kGlobal {
		return x.obj.(*ssa.Global).Object()
	}
	return nil
}

// collectFieldsOf finds the functions in fields of objects that package-level
// variables are initialised with.
func (a *analysis) collectFieldsOf() {
	stores := map[types.Object]int{}
	for _, fn := range a.fns {
		eachStore(fn, func(i *ssa.Store) {
			if g, ok := i.Addr.(*ssa.Global); ok {
				stores[g.Object()]++
			}
		})
	}
	for _, fn := range a.fns {
		eachStore(fn, func(i *ssa.Store) {
			addr, ok := i.Addr.(*ssa.FieldAddr)
			if !ok {
				return
			}
			var v types.Object
			switch x := addr.X.(type) {
			case *ssa.Global:
				v = x.Object()
			case *ssa.Alloc:
				v = a.homes[x]
			}
			f, ok := i.Val.(*ssa.Function)
			s := structOf(addr.X.Type())
			if ok && v != nil && s != nil && stores[v] <= 1 {
				k := fieldOf{v, s.Field(addr.Field).Origin()}
				a.fieldsOf[k] = append(a.fieldsOf[k], f)
			}
		})
	}
}

func eachStore(fn *ssa.Function, visit func(*ssa.Store)) {
	for i := range instrsOf(fn) {
		if s, ok := i.(*ssa.Store); ok {
			visit(s)
		}
	}
}

// onlyImplementation is the one type in view behind an unexported interface, or one of a pool.
func (a *analysis) onlyImplementation(t types.Type) types.Type {
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() != a.pkg.Pkg {
		return nil
	}
	it, ok := n.Underlying().(*types.Interface)
	if !ok || n.Obj().Exported() && !ofPool(it) {
		return nil
	}
	if r, ok := a.impls[it]; ok {
		return r
	}
	var found types.Type
	if list := a.implementers(it); len(list) == 1 {
		found = list[0]
	}
	a.impls[it] = found
	return found
}

// onlyBehind is the one type in view behind a value of an unexported interface. What a field of that very type holds, which
// implements the interface by way of it, is another one, out of view.
func (a *analysis) onlyBehind(v ssa.Value) types.Type {
	t := a.onlyImplementation(v.Type())
	if t == nil {
		return a.onlyStored(v)
	}
	if load, ok := v.(*ssa.UnOp); ok {
		if fa, ok := load.X.(*ssa.FieldAddr); ok && recvName(fa.X.Type()) != nil && recvName(fa.X.Type()) == recvName(t) {
			return nil
		}
	}
	return t
}

// collect finds what is true of the package as a whole: where pools live, what
// function variables hold, which functions can matter.
func (a *analysis) collect() {
	direct := map[*ssa.Function]bool{}
	callers := map[*ssa.Function][]*ssa.Function{}
	assigned := func(obj types.Object, v ssa.Value) {
		if obj == nil {
			return
		}
		if _, ok := obj.Type().Underlying().(*types.Signature); !ok {
			return
		}
		switch v := v.(type) {
		case *ssa.Function:
			if !slices.Contains(a.fields[obj], v) {
				a.fields[obj] = append(a.fields[obj], v)
			}
		case *ssa.Const:
		case *ssa.MakeClosure:
			fn := v.Fn.(*ssa.Function)
			if !slices.Contains(a.fields[obj], fn) {
				a.fields[obj] = append(a.fields[obj], fn)
			}
			a.made[fn] = append(a.made[fn], v)
			a.makings[obj] = append(a.makings[obj], v)
		default:
			a.open[obj] = true
		}
	}
	for _, fn := range a.fns {
		for i := range instrsOf(fn) {
			switch i := i.(type) {
			case *ssa.Store:
				var obj types.Object
				switch addr := i.Addr.(type) {
				case *ssa.FieldAddr:
					if s := structOf(addr.X.Type()); s != nil {
						obj = s.Field(addr.Field).Origin()
					}
				case *ssa.Global:
					obj = addr.Object()
				}
				if obj == nil {
					break
				}
				assigned(obj, i.Val)
				v := i.Val
				if l, ok := v.(*ssa.UnOp); ok && l.Op == token.MUL {
					v = l.X // a pool copied from where it was made
				}
				if mi, ok := v.(*ssa.MakeInterface); ok && isSyncPool(mi.X.Type()) {
					v = mi.X // in a variable of an interface type
				}
				if al, ok := v.(*ssa.Alloc); ok {
					if _, dup := a.homes[al]; !dup {
						a.homes[al] = obj
					}
				}
			case ssa.CallInstruction:
				c := i.Common()
				var obj *types.Func
				if c.IsInvoke() {
					obj = c.Method
					// Every method of that name in the package may be meant.
					for _, m := range a.fns {
						if m.Name() == obj.Name() && m.Signature.Recv() != nil {
							callers[m] = append(callers[m], fn)
						}
					}
				} else if f := c.StaticCallee(); f != nil {
					if o := f.Origin(); o != nil {
						f = o
					}
					obj, _ = f.Object().(*types.Func)
					callers[f] = append(callers[f], fn)
				}
				if obj != nil {
					if _, ok := poolFuncOf(obj); ok {
						direct[fn] = true
					} else if obj.Pkg() != a.pkg.Pkg && a.hasSummary(obj) && !a.summaryOf(obj).Plain {
						direct[fn] = true
					}
				}
			}
			for _, r := range i.Operands(nil) {
				if *r == nil {
					continue
				}
				if f, ok := (*r).(*ssa.Function); ok {
					callers[f] = append(callers[f], fn)
				}
			}
		}
		if p := fn.Parent(); p != nil {
			callers[fn] = append(callers[fn], p)
		}
	}
	a.handles = maps.Clone(direct)
	for fn := range direct {
		for _, c := range callers[fn] {
			a.handles[c] = true
		}
	}
	a.collectLocals()
	a.collectFieldsOf()
	a.collectNews()
	a.collectFuncs()
	a.collectLocalChans()
	for fn, list := range a.dynamicCallers() {
		callers[fn] = append(callers[fn], list...)
	}
	a.collectShapes()
	for fn, puts := range a.collectFreeLists() {
		direct[fn] = direct[fn] || puts
	}
	var mark func(fn *ssa.Function)
	mark = func(fn *ssa.Function) {
		if a.relevant[fn] {
			return
		}
		a.relevant[fn] = true
		for _, c := range callers[fn] {
			mark(c)
		}
		for obj, fns := range a.fields {
			if slices.Contains(fns, fn) {
				a.markUsers(obj, mark)
			}
		}
	}
	for _, fn := range a.fns {
		if direct[fn] {
			mark(fn)
		}
	}
	for _, fns := range a.fields {
		for _, fn := range fns {
			if poolMethod(fn) {
				mark(fn)
			}
		}
	}
	for fn, list := range callers {
		if len(list) > 0 {
			a.fields0.internal[fn] = true
		}
	}
	// Methods of a type that deals with pools may leave it an alias of what
	// another method puts.
	a.siblings = map[*types.TypeName]bool{}
	for _, fn := range a.fns {
		if a.relevant[fn] && fn.Signature.Recv() != nil {
			if n := recvType(fn); n != nil {
				a.siblings[n] = true
			}
		}
	}
}

func recvType(fn *ssa.Function) *types.TypeName {
	r := fn.Signature.Recv()
	if r == nil {
		return nil
	}
	t := types.Unalias(r.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	if !ok {
		return nil
	}
	return n.Origin().Obj()
}

// isRoot reports whether a function is analysed for itself.
func (a *analysis) isRoot(fn *ssa.Function) bool {
	if len(fn.Blocks) == 0 || synthetic(fn) {
		return false
	}
	if obj, ok := fn.Object().(*types.Func); ok && obj.Exported() && fn.Signature.Recv() == nil && unsafeShape(fn.Signature) {
		return true
	}
	return a.relevant[fn] || a.siblings[recvType(fn)] && fn.Parent() == nil && a.smallBody(fn)
}

// markUsers marks the functions that read a function variable.
func (a *analysis) markUsers(obj types.Object, mark func(*ssa.Function)) {
	for fn, i := range a.instrs() {
		switch i := i.(type) {
		case *ssa.FieldAddr:
			if s := structOf(i.X.Type()); s != nil && s.Field(i.Field).Origin() == obj {
				mark(fn)
			}
		case *ssa.UnOp:
			if g, ok := i.X.(*ssa.Global); ok && g.Object() == obj {
				mark(fn)
			}
		}
	}
}

// synthetic reports whether fn has no source of its own.
func synthetic(fn *ssa.Function) bool {
	return fn.Synthetic != "" && !strings.HasPrefix(fn.Synthetic, "package init") && fn.Syntax() == nil
}

// punned reports whether an address was made by viewing memory as another type.
func punned(addr *sym) bool {
	return addr.kind == kField && addr.a.kind == kAlloc && addr.a.typ != nil && structOf(addr.a.typ) == nil
}

// varargs reports whether an array holds the variable arguments of a call.
func varargs(x *sym) bool {
	al, ok := x.obj.(*ssa.Alloc)
	return ok && x.kind == kAlloc && al.Comment == "varargs"
}
