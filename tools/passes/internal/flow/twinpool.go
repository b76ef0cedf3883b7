// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"bytes"
	"fmt"
	"go/types"
	"os"
	"reflect"
	"slices"
	"strings"
	"unicode"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Two functions whose names differ in one word do the same for two kinds. Where there are two pools and both functions
// take from one of them, while nobody uses the other, the second function was copied from the first, and not all
// was changed.

// judgeTwinPools reports such functions.
func (a *analysis) judgeTwinPools() {
	uses := a.usesOfPools()
	for unused, u := range uses {
		if u.get != nil || u.puts || u.unused != nil || u.open || unused.Exported() || unused.Pkg() != a.pkg.Pkg || a.namedInIgnored(unused.Name()) {
			continue
		}
		made := a.newsType(unused)
		if made == nil {
			continue
		}
		for twin, t := range uses {
			if t.get == nil || t.open || twin.Pkg() != a.pkg.Pkg || !types.Identical(twin.Type(), unused.Type()) || !a.besides(unused, twin) {
				continue
			}
			if m := a.newsType(twin); m == nil || !types.Identical(m, made) {
				continue
			}
			first, second := a.takenByTwins(twin)
			if second == nil {
				continue
			}
			fn := outermost(second.Parent())
			a.reportFound(finding{
				pattern: wrongPool, pos: instrPos(second), fn: second.Parent(),
				message: fmt.Sprintf("%s takes a value from %s, as %s does, and nothing uses %s: one of the two is for the other pool", fn.Name(), twin.Name(), outermost(first.Parent()).Name(), unused.Name()),
				related: []goanalysis.RelatedInformation{
					{Pos: instrPos(first), Message: "taken from the same pool here"},
					{Pos: unused.Pos(), Message: unused.Name() + " is never used"},
				},
			})
		}
	}
}

// newsType is the type of what a pool's New makes, where a function of the package sets it to one of its own.
func (a *analysis) newsType(pool types.Object) (made types.Type) {
	for _, i := range a.instrsBeyondTests() {
		s, ok := i.(*ssa.Store)
		if !ok {
			continue
		}
		fa, ok := s.Addr.(*ssa.FieldAddr)
		if !ok || !madeAs(fa.X, pool) {
			continue
		}
		fn, ok := s.Val.(*ssa.Function)
		if !ok {
			continue
		}
		for _, b := range fn.Blocks {
			if r, ok := lastInstr(b).(*ssa.Return); ok && len(r.Results) == 1 {
				made = unboxed(r.Results[0]).Type()
			}
		}
	}
	return made
}

// madeAs reports whether an address is that of a pool's variable or field, or of a variable that is copied there.
func madeAs(addr ssa.Value, pool types.Object) bool {
	if poolHome(addr) == pool {
		return true
	}
	made, ok := addr.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, r := range referrers(made) {
		l, ok := r.(*ssa.UnOp)
		if !ok {
			continue
		}
		for _, q := range referrers(l) {
			if s, ok := q.(*ssa.Store); ok && s.Val == ssa.Value(l) && poolHome(s.Addr) == pool {
				return true
			}
		}
	}
	return false
}

// takenByTwins are the Gets of a pool in two functions whose names are a word apart, where these are all that
// take from it.
func (a *analysis) takenByTwins(pool types.Object) (first, second *ssa.Call) {
	for _, i := range a.instrsBeyondTests() {
		c, ok := i.(*ssa.Call)
		if !ok || c.Call.IsInvoke() || funcKey(calledMethod(c)) != "sync.Pool.Get" || poolHome(c.Call.Args[0]) != pool {
			continue
		}
		switch {
		case first == nil:
			first = c
		case second == nil:
			second = c
		default:
			return nil, nil
		}
	}
	if second == nil {
		return nil, nil
	}
	if instrPos(second) < instrPos(first) {
		first, second = second, first
	}
	f, g := outermost(first.Parent()), outermost(second.Parent())
	if f == g || !wordApart(f.Name(), g.Name()) || !types.Identical(f.Signature, g.Signature) || !sameSteps(first.Parent(), second.Parent()) {
		return nil, nil
	}
	return first, second
}

// sameSteps reports whether two functions have the same instructions, one by one, but for what these work on.
func sameSteps(f, g *ssa.Function) bool {
	if len(f.Blocks) != len(g.Blocks) {
		return false
	}
	for n, b := range f.Blocks {
		c := g.Blocks[n]
		if len(b.Instrs) != len(c.Instrs) {
			return false
		}
		for k, i := range b.Instrs {
			if reflect.TypeOf(i) != reflect.TypeOf(c.Instrs[k]) {
				return false
			}
		}
	}
	return true
}

// besides reports whether two pools are fields of one struct, or variables.
func (a *analysis) besides(x, y types.Object) bool {
	f, isField := x.(*types.Var)
	g, _ := y.(*types.Var)
	if !isField || !f.IsField() {
		return g != nil && !g.IsField()
	}
	s := a.structWith(f)
	for v := range s.Fields() {
		if v.Origin() == g {
			return true
		}
	}
	return false
}

// wordApart reports whether two names of several words differ in one of them.
func wordApart(x, y string) bool {
	p, q := nameWords(x), nameWords(y)
	if len(p) != len(q) || len(p) < 2 {
		return false
	}
	apart := 0
	for k := range p {
		if p[k] != q[k] {
			apart++
		}
	}
	return apart == 1
}

// nameWords are the words of a name, in small letters; digits belong to the word before them.
func nameWords(name string) (words []string) {
	start, runes := 0, []rune(name)
	cut := func(end int) {
		if w := strings.Trim(string(runes[start:end]), "_"); w != "" {
			words = append(words, strings.ToLower(w))
		}
		start = end
	}
	for k := 1; k < len(runes); k++ {
		if runes[k] == '_' || unicode.IsUpper(runes[k]) && (!unicode.IsUpper(runes[k-1]) || k+1 < len(runes) && unicode.IsLower(runes[k+1])) {
			cut(k)
		}
	}
	cut(len(runes))
	return words
}

// namedInIgnored reports whether a file that is not built here has a name in it.
func (a *analysis) namedInIgnored(name string) bool {
	return slices.ContainsFunc(a.pass.IgnoredFiles, func(file string) bool {
		text, err := os.ReadFile(file)
		return err != nil || bytes.Contains(text, []byte(name))
	})
}
