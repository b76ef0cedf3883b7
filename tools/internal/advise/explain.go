// SPDX-License-Identifier: BSD-3-Clause

package advise

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/spare-go/spare/tools/internal/allocsite"
	"github.com/spare-go/spare/tools/internal/escape"
	"github.com/spare-go/spare/tools/internal/format"
)

const stackAdvice = "nothing to save: a pool would only add its own cost"

// large is from what size on a value on the stack is worth a word: people pool
// such values.
const large = 1 << 10

// onStack lists the large values of the functions of a profile that the compiler
// keeps on the stack.
func (d *Data) onStack(g *Group) []Site {
	if d.Escape == nil || d.Program == nil {
		return nil
	}
	type function struct {
		file string
		line int
	}
	ran := make(map[function]bool)
	mark := func(stack []allocsite.Frame) {
		for _, f := range stack {
			path := d.Program.Path(f)
			if fn := d.Program.Function(path, f.Line); fn != nil {
				ran[function{path, d.Program.Fset.Position(fn.Pos()).Line}] = true
			}
		}
	}
	for _, s := range g.Samples {
		mark(s.Stack)
	}
	if g.CPU != nil {
		for _, s := range g.CPU.Sample {
			mark(frames(s))
		}
	}
	var out []Site
	for r := range d.Escape.All {
		if r.Heap || r.Varies() {
			continue
		}
		fn := d.Program.Function(r.File, r.Line)
		if fn == nil || !ran[function{r.File, d.Program.Fset.Position(fn.Pos()).Line}] {
			continue
		}
		for _, m := range d.Program.Makes(r.File, r.Line) {
			if m.Size >= large && m.Kind != allocsite.Variable && same(r, &m) {
				s := d.stackSite(r)
				s.Size = m.Size
				if g.Benchmark != nil {
					s.Benchmark, s.Package = g.Benchmark.Name, g.Benchmark.Package
				}
				s.Traffic.Per = g.Per
				out = append(out, s)
				break
			}
		}
	}
	slices.SortFunc(out, func(a, b Site) int { return strings.Compare(a.at(), b.at()) })
	return out
}

func (s *Site) at() string { return fmt.Sprintf("%s:%d", s.File, s.Line) }

// stackSite makes the site of a value that does not escape.
func (d *Data) stackSite(r *escape.Record) Site {
	s := Site{File: r.File, Line: r.Line, What: oneLine(r.Expr, 60), Escape: r.Words(), Verdict: OnStack, Advice: stackAdvice,
		Lifetime: "the call that makes it"}
	if fn := d.Program.Function(r.File, r.Line); fn != nil {
		s.Func = fn.Name.Name
	}
	return s
}

// Explain returns what is known of one line: the sites of a report that are made
// on it or take memory on it, and what the compiler decided about all other values
// that it makes.
func Explain(d *Data, r *Report, file string, line int) *Report {
	out := *r
	out.Sites = nil
	at := fmt.Sprintf("%s:%d", file, line)
	out.explained = at
	var told []string
	for _, s := range r.Sites {
		if s.at() == at || slices.Contains(s.TakenAt, at) {
			out.Sites = append(out.Sites, s)
			told = append(told, s.Escape...)
		}
	}
	for _, rec := range d.Escape.At(file, line) {
		words := rec.Words()
		if slices.Contains(told, words[0]) || rec.Expr == "... argument" {
			continue
		}
		s := d.stackSite(rec)
		if rec.Heap || rec.Varies() {
			s.Verdict, s.Lifetime = NotWorth, "unknown: it was not made"
			s.Advice = "no operation of the profile made it, or not here"
		}
		out.Sites = append(out.Sites, s)
	}
	out.Sites = append(out.Sites, d.variables(file, line, out.Sites)...)
	if len(out.Sites) == 0 {
		out.near = d.near(r, file, line)
	}
	return &out
}

// variables tells of the variables of a line of which the compiler says nothing, which
// means that they are on the stack. Those that only refer to what the other sites make
// are left out.
func (d *Data) variables(file string, line int, others []Site) (out []Site) {
	if !d.Escape.Asked(file) || slices.ContainsFunc(others, func(s Site) bool { return s.Verdict != OnStack }) {
		return nil
	}
	for _, m := range d.Program.Makes(file, line) {
		if m.Kind != allocsite.Variable || m.Expr == "_" || slices.ContainsFunc(d.Escape.At(file, line), func(r *escape.Record) bool { return r.Moved && r.Expr == m.Expr }) {
			continue
		}
		refers := false
		switch m.Type.Underlying().(type) {
		case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
			refers = true
		}
		if refers && len(others) > 0 || m.Size <= 16 && len(others)+len(out) > 0 {
			continue
		}
		r := &escape.Record{File: file, Line: line, Expr: m.Expr}
		s := d.stackSite(r)
		s.What, s.Size = oneLine("variable "+m.Expr, 60), m.Size
		s.Escape = []string{fmt.Sprintf("the compiler has no \"moved to heap: %s\" among its decisions (go build -gcflags=-m): the variable, %s, is on the stack or in registers", m.Expr, format.Bytes(float64(m.Size)))}
		switch {
		case d.Program.Function(file, line) == nil:
			s.Verdict, s.Lifetime, s.Advice = Retained, "that of the program", "a package-level variable is in the program's data, made once: there is nothing to save"
			s.Escape = nil
		case refers:
			s.Escape[0] += "; what it refers to is made elsewhere, or by the call"
		}
		out = append(out, s)
	}
	return out
}

// near names the line nearest to one on which nothing is made, of those of its function
// on which something may be.
func (d *Data) near(r *Report, file string, line int) string {
	fn := d.Program.Function(file, line)
	made := func(n int) bool {
		at := fmt.Sprintf("%s:%d", file, n)
		return d.Program.Function(file, n) == fn && (len(d.Escape.At(file, n)) > 0 || len(d.Program.Makes(file, n)) > 0 ||
			slices.ContainsFunc(r.Sites, func(s Site) bool { return s.at() == at || slices.Contains(s.TakenAt, at) }))
	}
	for away := 1; away <= 20; away++ {
		for _, n := range []int{line - away, line + away} {
			if made(n) {
				return fmt.Sprintf(": the nearest line that may make something is %d", n)
			}
		}
	}
	return ""
}
