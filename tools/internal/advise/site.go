// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/google/pprof/profile"

	"github.com/spare-go/spare/tools/internal/allocsite"
	"github.com/spare-go/spare/tools/internal/escape"
	"github.com/spare-go/spare/tools/internal/format"
)

// A site is a Site in the making.
type site struct {
	Site
	cut      allocsite.Cut // of the stack with the most bytes
	cutBytes float64       // these bytes
	parts    []part

	records []*escape.Record   // what the compiler says about the site's line
	makes   []allocsite.Making // what the site's line makes
	record  *escape.Record     // the one of records that is this site's; nil if it is not known
	making  *allocsite.Making

	live, liveAlloc float64 // objects in use, and those allocated until then
	liveBySize      map[int64][2]float64

	cpu   cpuShare
	reuse reuse
	exact bool

	tooSmall bool // append takes larger arrays than what the site makes
	others   int  // values that the line makes besides making, in the same figures
	merged   bool // the value itself is part of the site, not only what it grows

	// mean says that the profile does not tell the sizes of objects, and uneven that
	// what it gives for most of the site is no size of the allocator's.
	mean, uneven bool

	n float64 // samples that the site's traffic was estimated from, if not exact
}

// A part is what one function below the site allocated, in objects of one size.
type part struct {
	leaf           string
	stack          []allocsite.Frame
	size           int64
	mean           bool    // size is one
	bytes, objects float64 // per operation or second
}

// siteKey tells sites of one group apart.
type siteKey struct {
	file string
	line int
	what string
}

func keyOf(c *allocsite.Cut) siteKey { return siteKey{c.File, c.Line, c.What} }

// group finds the sites of one profile.
func (d *Data) group(g *Group) (sites []*site, total Traffic) {
	index := make(map[siteKey]*site)
	total.Per = g.Per
	find := func(cut allocsite.Cut) *site {
		s := index[keyOf(&cut)]
		if s == nil {
			s = &site{cut: cut, exact: g.Exact}
			s.File, s.Line, s.Func, s.What = cut.File, cut.Line, cut.Func, cut.What
			if g.Benchmark != nil {
				s.Benchmark, s.Package = g.Benchmark.Name, g.Benchmark.Package
			}
			s.Traffic.Per = g.Per
			index[keyOf(&cut)] = s
			sites = append(sites, s)
		}
		return s
	}
	for _, x := range g.Samples {
		bytes, objects := x.Bytes/g.count(), x.Objects/g.count()
		if objects <= 0 {
			continue
		}
		total.Bytes, total.Objects = total.Bytes+bytes, total.Objects+objects
		cut := d.Program.Cut(x.Stack)
		s := find(cut)
		// What is said of the site is true of most of it: profiles come in no order.
		if bytes > s.cutBytes || bytes == s.cutBytes && cut.Maker < s.cut.Maker {
			s.cut, s.cutBytes = cut, bytes
		}
		s.outgrown = s.outgrown || cut.Outgrown
		s.takes(cut.At, d.Program)
		s.Traffic.Bytes, s.Traffic.Objects = s.Traffic.Bytes+bytes, s.Traffic.Objects+objects
		s.parts = append(s.parts, part{leaf: x.Stack[0].Func, stack: x.Stack, size: x.Size, mean: x.Mean, bytes: bytes, objects: objects})
		if g.Rate > 0 && x.Size > 0 {
			s.n += x.Objects * (1 - math.Exp(-float64(x.Size)/g.Rate))
		}
	}
	for _, x := range g.Live.Samples {
		if len(x.Stack) == 0 {
			continue
		}
		cut := d.Program.Cut(x.Stack)
		if s := index[keyOf(&cut)]; s != nil {
			in, all := max(x.InUseObjects, 0), max(x.Objects, 0)
			s.live, s.liveAlloc = s.live+in, s.liveAlloc+all
			if s.liveBySize == nil {
				s.liveBySize = make(map[int64][2]float64)
			}
			old := s.liveBySize[x.Size]
			s.liveBySize[x.Size] = [2]float64{old[0] + in, old[1] + all}
		}
	}
	if g.CPU != nil {
		d.addCPU(g, index)
	}
	for _, s := range sites {
		s.sized()
	}
	for _, s := range sites {
		sites = append(sites, d.split(s)...)
	}
	sites = d.merge(sites)
	for _, s := range sites {
		s.tooSmall = !s.outgrown && slices.ContainsFunc(sites, func(g *site) bool { return g.outgrown && g.File == s.File && g.Line == s.Line })
	}
	for _, s := range sites {
		if total.Bytes > 0 {
			s.Share = s.Traffic.Bytes / total.Bytes
		}
		d.describe(s)
	}
	return sites, total
}

// split takes apart what a line makes itself: where it makes several values, those
// of constant size are told from the others by the sizes of the objects. s keeps
// what is left.
func (d *Data) split(s *site) (others []*site) {
	if s.cut.Maker != "" || s.cut.Owner != "" || len(s.parts) < 2 || s.mean {
		return nil
	}
	var values []allocsite.Making
	for _, m := range d.Program.Makes(s.File, s.Line) {
		if m.Kind != allocsite.Call && m.Kind != allocsite.Variable {
			values = append(values, m)
		}
	}
	if len(values) < 2 {
		return nil
	}
	for _, m := range values {
		of := func(p part) bool { return m.Size > 0 && m.Size <= p.size && p.size <= m.Size+m.Size/4+8 }
		all := s.Traffic.Bytes
		n := new(site)
		*n = *s
		n.parts, n.Traffic, n.live, n.liveAlloc, n.n = nil, Traffic{Per: s.Traffic.Per}, 0, 0, 0
		var rest []part
		for _, p := range s.parts {
			if !of(p) {
				rest = append(rest, p)
				continue
			}
			n.parts = append(n.parts, p)
			n.Traffic.Bytes, n.Traffic.Objects = n.Traffic.Bytes+p.bytes, n.Traffic.Objects+p.objects
		}
		if len(n.parts) == 0 || len(rest) == 0 {
			continue
		}
		for size, live := range s.liveBySize {
			if of(part{size: size}) {
				n.live, n.liveAlloc = n.live+live[0], n.liveAlloc+live[1]
			}
		}
		share := n.Traffic.Bytes / all
		n.cpu, s.cpu = s.cpu.part(share), s.cpu.part(1-share)
		n.n, s.n = s.n*share, s.n*(1-share)
		s.live, s.liveAlloc = s.live-n.live, s.liveAlloc-n.liveAlloc
		s.Traffic.Bytes, s.Traffic.Objects = s.Traffic.Bytes-n.Traffic.Bytes, s.Traffic.Objects-n.Traffic.Objects
		s.parts = rest
		n.What = m.Expr
		others = append(others, n)
	}
	return others
}

// part returns the share of a site's CPU time.
func (c cpuShare) part(share float64) cpuShare {
	c.malloc, c.construct, c.work = c.malloc*share, c.construct*share, c.work*share
	scaled := make(map[string]float64, len(c.byLeaf))
	for leaf, v := range c.byLeaf {
		scaled[leaf] = v * share
	}
	c.byLeaf = scaled
	return c
}

// mallocIn returns the part of malloc that functions of these names take.
func (c *cpuShare) mallocIn(names *regexp.Regexp) (sum float64) {
	for leaf, v := range c.byLeaf {
		if names.MatchString(leaf) {
			sum += v
		}
	}
	return sum
}

// takes notes a line that takes the site's memory, if it is not the site's own.
func (s *site) takes(f allocsite.Frame, p *allocsite.Program) {
	if path := p.Path(f); path != s.File || f.Line != s.Line {
		at := fmt.Sprintf("%s:%d", path, f.Line)
		if !slices.Contains(s.TakenAt, at) {
			s.TakenAt = append(s.TakenAt, at)
		}
	}
}

// describe says what a site makes, how large it is, and what the compiler knows
// of it.
func (d *Data) describe(s *site) {
	s.records = d.Escape.At(s.File, s.Line)
	s.makes = d.Program.Makes(s.File, s.Line)
	slices.SortFunc(s.parts, func(a, b part) int { return cmp.Compare(b.bytes, a.bytes) })
	direct := s.cut.Maker == "" && s.cut.Owner == ""
	if direct || s.cut.Owner != "" && len(s.makes) > 0 && s.makes[0].Kind != allocsite.Call {
		s.match()
	}
	s.outgrown = s.outgrown || s.making != nil && s.making.Kind == allocsite.Append
	if s.What == "" {
		switch {
		case s.record != nil && s.record.Moved:
			s.What = s.record.Expr + " (moved to the heap)"
		case s.record != nil && s.making != nil && s.making.Kind != allocsite.Variable && s.making.Kind != allocsite.Call:
			s.What = s.making.Expr
		case s.record != nil && s.making == nil && s.record.Expr != variadic && boxed(s.record):
			s.What = s.record.Expr + " in an interface"
		case s.record != nil:
			s.What = s.record.Expr
		case s.making != nil:
			s.What = s.making.Expr
		default:
			s.What = "a value"
		}
	}
	if direct && s.making != nil {
		if s.others = d.others(s); s.others > 0 {
			s.What += fmt.Sprintf(" and %s", format.Plural(s.others, "more value"))
		}
	}
	s.What = oneLine(s.What, 60)
	// The size: of the objects that most bytes go to.
	if len(s.parts) > 0 && direct && s.making != nil && s.making.Size > 0 && s.Traffic.Objects > 0 {
		s.Size = s.making.Size
	}
	s.ClassSize = s.class()
	if direct && s.Traffic.Bytes > 0 {
		s.bySize = make(map[int64]float64)
		for _, p := range s.parts {
			s.bySize[p.size] += p.bytes / s.Traffic.Bytes
		}
	}
	if s.Size > s.ClassSize || 2*s.Size < s.ClassSize || s.uneven {
		s.Size = 0 // several sizes, or not what the line seemed to make
	}
	s.SizeMean = s.mean
	if s.Size == 0 && s.Traffic.Objects > 0 && !s.uneven {
		s.SizeFrom, _ = leastSize(s.ClassSize)
	}
	if s.Size > 0 {
		s.Waste = float64(s.ClassSize-s.Size) / float64(s.ClassSize)
	}
	if s.record != nil {
		s.Escape = s.record.Words()
	}
}

// others returns how many other values the site's line makes that are in its figures
// as well: those on the heap whose sizes are not constant, so that split could not
// tell them.
func (d *Data) others(s *site) (n int) {
	sizes := make(map[int64]bool)
	for _, p := range s.parts {
		sizes[p.size] = true
	}
	for i := range s.makes {
		m := &s.makes[i]
		switch m.Kind {
		case allocsite.MakeSlice, allocsite.MakeMap, allocsite.Append, allocsite.ToString, allocsite.ToBytes, allocsite.Literal, allocsite.New:
		default:
			continue
		}
		stays := slices.ContainsFunc(s.records, func(r *escape.Record) bool { return !r.Heap && !r.Varies() && same(r, m) })
		if m != s.making && m.Expr != s.making.Expr && !stays && (m.Size == 0 || s.mean) {
			n++
		}
	}
	if len(sizes) < 2 {
		return 0 // one value is all there is
	}
	return n
}

// class returns the size of the site's objects: the one that nearly all bytes go
// to, or the mean.
func (s *site) class() int64 {
	bySize := make(map[int64]float64)
	for _, p := range s.parts {
		bySize[p.size] += p.bytes
	}
	for size, bytes := range bySize {
		if bytes > 0.95*s.Traffic.Bytes {
			return size
		}
	}
	if s.Traffic.Objects == 0 {
		return 0
	}
	return int64(math.Round(s.Traffic.Bytes / s.Traffic.Objects))
}

// match finds which of the values that the line makes is this site's: the one
// whose size fits, or the only one.
func (s *site) match() {
	size := int64(0)
	if len(s.parts) > 0 {
		size = s.parts[0].size
	}
	fits := func(m *allocsite.Making) bool {
		return m.Size == 0 || m.Size <= size && m.Size+8 > size/2
	}
	if s.uneven {
		// A mean of several values is none of them.
		values := 0
		for i := range s.makes {
			if k := s.makes[i].Kind; k != allocsite.Call && k != allocsite.Variable {
				values++
			}
		}
		fits = func(*allocsite.Making) bool { return values <= 1 }
	}
	var heap []*escape.Record
	for _, r := range s.records {
		if r.Heap || r.Varies() {
			heap = append(heap, r)
		}
	}
	for _, r := range heap {
		for i := range s.makes {
			m := &s.makes[i]
			if m.Kind == allocsite.Call || !fits(m) || !same(r, m) {
				continue
			}
			if s.record == nil || closer(m, s.making, size) {
				s.record, s.making = r, m
			}
		}
	}
	if s.record == nil && len(heap) > 0 {
		s.record = heap[0]
		if s.record.Expr == variadic && len(heap) > 1 {
			s.record = heap[1] // what the slice of arguments holds says more
		}
	}
	if s.making == nil {
		for i := range s.makes {
			m := &s.makes[i]
			if m.Kind != allocsite.Call && m.Kind != allocsite.Variable && fits(m) && (s.making == nil || closer(m, s.making, size)) {
				s.making = m
			}
		}
	}
}

// same reports whether a record of the compiler is about an expression of the
// source. The compiler's columns are those of an operator or a parenthesis for
// some expressions, so that the text decides.
func same(r *escape.Record, m *allocsite.Making) bool {
	if r.Line != m.Line {
		return false
	}
	if m.Kind == allocsite.Variable {
		return r.Moved && r.Expr == m.Expr
	}
	if r.Moved {
		return false
	}
	head := func(text string) string {
		text = strings.TrimPrefix(text, "(")
		for i, c := range text {
			if c == '(' || c == '{' || c == ')' || c == ' ' {
				return text[:i]
			}
		}
		return text
	}
	switch m.Kind {
	case allocsite.Closure:
		return strings.HasPrefix(r.Expr, "func literal")
	case allocsite.ToString:
		return strings.HasPrefix(r.Expr, "string(") || strings.Contains(r.Expr, " + ")
	case allocsite.ToBytes:
		return strings.HasPrefix(r.Expr, "([]")
	}
	a, b := head(r.Expr), head(m.Expr)
	return a == b || strings.HasSuffix(a, b) || strings.HasSuffix(b, a)
}

// closer reports whether the size of a is nearer to what was allocated.
func closer(a, b *allocsite.Making, size int64) bool {
	if b == nil {
		return true
	}
	return a.Size > 0 && (b.Size == 0 || size-a.Size < size-b.Size)
}

// variadic is how the compiler calls the slice of a call's variadic arguments.
const variadic = "... argument"

// boxed reports whether a value is on the heap in order to be an argument of
// interface type.
func boxed(r *escape.Record) bool {
	if r.Cause() == escape.Boxed {
		return true
	}
	return !r.Moved && slices.ContainsFunc(r.Flow, func(s escape.Step) bool {
		return strings.Contains(s.Scope, variadic) || strings.Contains(s.Expr, variadic)
	})
}

// oneLine shortens a text that is shown in a table.
func oneLine(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > n {
		s = string(r[:n-1]) + "…"
	}
	return s
}

// cpuShare is the CPU time of a site, as fractions of all CPU time of its group.
type cpuShare struct {
	malloc    float64            // taking memory
	construct float64            // making values, malloc included
	byLeaf    map[string]float64 // malloc, by the function that takes the memory
	work      float64            // everything below the calls of the site's maker and its methods
	gc        float64            // of the whole group: the collector
	runtime   float64            // of the whole group: the runtime outside of all stacks of the program
	samples   int64              // of the whole group
	forced    bool               // the program itself asks for collections
	blocks    bool               // the program's goroutines wait for each other, or for the system
	known     bool
}

// collectorFuncs are where the collector works: on goroutines of its own, and on
// those that allocate.
var collectorFuncs = []string{
	"runtime.gcBgMarkWorker", "runtime.gcAssistAlloc", "runtime.bgsweep", "runtime.bgscavenge",
	"runtime.gcDrain", "runtime.gcStart", "runtime.gcMarkDone", "runtime.gcMarkTermination",
	"runtime.deductSweepCredit", "runtime.(*mspan).sweep", "runtime.(*sweepLocked).sweep", "runtime.wbBufFlush",
}

// collects reports whether a sample is the collector's. What is sampled in asyncPreempt
// is not: the profiler's signal came with the one that preempts, and is taken after
// it, whatever the goroutine did before.
func collects(stack []allocsite.Frame) bool {
	return len(stack) > 0 && stack[0].Func == "gcWriteBarrier" || has(stack, collectorFuncs)
}

var mallocFuncs = []string{
	"runtime.mallocgc", "runtime.newobject", "runtime.makeslice", "runtime.growslice", "runtime.makemap",
	"runtime.slicebytetostring", "runtime.stringtoslicebyte", "runtime.concatstring", "runtime.rawbyteslice",
	"runtime.rawstring", "runtime.makechan", "runtime.convT", "runtime.mapassign", "runtime.(*mcache).",
}

// waitFuncs are where a goroutine of the program waits, or wakes up another.
var waitFuncs = []string{
	"runtime.chanrecv", "runtime.chansend", "runtime.selectgo", "runtime.gopark", "runtime.goready", "runtime.ready",
	"runtime.semacquire", "runtime.semrelease", "runtime.sync_", "runtime.newproc", "runtime.timeSleep", "runtime.netpoll",
	"runtime.notifyListWait", "runtime.closechan", "runtime.Gosched",
}

// blocking is the share of the CPU time in waitFuncs from which on a program keeps
// the scheduler busy.
const blocking = 0.005

// addCPU distributes a CPU profile.
func (d *Data) addCPU(g *Group, index map[siteKey]*site) {
	value := len(g.CPU.SampleType) - 1 // cpu/nanoseconds
	var all, gc, outside float64
	var samples int64
	forced, waits := false, 0.0
	type shares struct {
		malloc, construct, work float64
		byLeaf                  map[string]float64
	}
	by := make(map[*site]*shares)
	at := func(stack []allocsite.Frame) *shares {
		cut := d.Program.Cut(stack)
		s := index[keyOf(&cut)]
		if s == nil {
			return nil
		}
		if by[s] == nil {
			by[s] = &shares{byLeaf: make(map[string]float64)}
		}
		return by[s]
	}
	makers := make(map[string][]*site)
	for _, s := range index {
		if s.cut.Owner != "" {
			makers[s.cut.Owner] = append(makers[s.cut.Owner], s)
		} else if s.cut.Maker != "" {
			makers[s.cut.Maker] = append(makers[s.cut.Maker], s)
		}
	}
	for _, x := range g.CPU.Sample {
		if value < 0 || value >= len(x.Value) || x.Value[value] == 0 {
			continue
		}
		v := float64(x.Value[value])
		stack := frames(x)
		if ours(stack) {
			continue
		}
		all += v
		samples += x.Value[0]
		forced = forced || has(stack, []string{"runtime.GC", "runtime/debug.FreeOSMemory"})
		if collects(stack) {
			gc += v
			continue
		}
		bare := stack
		for len(bare) > 0 && strings.HasPrefix(bare[0].Func, "runtime.") {
			bare = bare[1:]
		}
		if len(bare) == 0 {
			outside += v
			continue
		}
		if has(stack[:len(stack)-len(bare)], waitFuncs) {
			waits += v
		}
		made := false
		if has(stack[:len(stack)-len(bare)], mallocFuncs) {
			if s := at(bare); s != nil {
				s.malloc += v
				s.construct += v
				s.byLeaf[bare[0].Func] += v
				made = true
			}
		}
		if from, ok := d.Program.Constructs(bare); ok && !made {
			if s := at(from); s != nil {
				s.construct += v
			}
		}
		seen := make(map[*site]bool)
		for i := 0; i+1 < len(bare); i++ {
			name := bare[i].Func
			if typ, _, ok := allocsite.Receiver(name); ok {
				name = allocsite.QualifiedName(typ)
			}
			for _, s := range makers[name] {
				if seen[s] {
					continue
				}
				seen[s] = true
				if by[s] == nil {
					by[s] = &shares{byLeaf: make(map[string]float64)}
				}
				by[s].work += v
			}
		}
	}
	if all == 0 {
		return
	}
	for _, s := range index {
		s.cpu = cpuShare{gc: gc / all, runtime: outside / all, samples: samples, forced: forced, blocks: waits > blocking*all, known: true}
		if x := by[s]; x != nil {
			s.cpu.malloc, s.cpu.construct, s.cpu.work = x.malloc/all, x.construct/all, x.work/all
			s.cpu.byLeaf = x.byLeaf
			for leaf := range x.byLeaf {
				x.byLeaf[leaf] /= all
			}
		}
	}
}

func frames(s *profile.Sample) []allocsite.Frame {
	var out []allocsite.Frame
	for _, loc := range s.Location {
		for _, line := range loc.Line {
			if line.Function != nil {
				out = append(out, allocsite.Frame{Func: line.Function.Name, File: line.Function.Filename, Line: int(line.Line)})
			}
		}
	}
	return out
}

// ours reports whether a stack is that of the profiling itself.
func ours(stack []allocsite.Frame) bool {
	return slices.ContainsFunc(stack, func(f allocsite.Frame) bool {
		return strings.HasPrefix(f.Func, "testing.") && strings.HasPrefix(filepath.Base(f.File), "zz_spare") ||
			strings.HasPrefix(f.Func, "runtime/pprof.")
	})
}

func has(stack []allocsite.Frame, names []string) bool {
	for _, f := range stack {
		for _, n := range names {
			if strings.HasPrefix(f.Func, n) {
				return true
			}
		}
	}
	return false
}
