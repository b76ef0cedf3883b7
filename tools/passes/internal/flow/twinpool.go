// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"bytes"
	"fmt"
	"go/types"
	"os"
	"slices"
	"strings"
	"unicode"

	goanalysis "golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// Two pools that differ in one word of their names are for two kinds of values. Where a function that has the one
// word in its name uses the pool with the other, and nobody uses the pool that has its own, it was copied from
// that of the other kind, and not all was changed.

// judgeTwinPools reports such functions.
func (a *analysis) judgeTwinPools() {
	uses := tally[poolUse]{}
	for _, i := range a.instrs() {
		a.poolUses(i, uses)
	}
	for unused, u := range uses {
		if u.get != nil || u.puts || u.unused != nil || u.open || unused.Exported() || unused.Pkg() != a.pkg.Pkg || a.namedInIgnored(unused.Name()) {
			continue
		}
		for twin, t := range uses {
			if t.get == nil || t.open || twin.Pkg() != a.pkg.Pkg {
				continue
			}
			own, other, ok := wordApart(unused.Name(), twin.Name())
			if !ok {
				continue
			}
			get := a.takenUnder(twin, own, other)
			if get == nil {
				continue
			}
			fn := outermost(get.Parent())
			a.reportFound(finding{
				pattern: wrongPool, pos: instrPos(get), fn: get.Parent(),
				message: fmt.Sprintf("%s takes a value from %s, and nothing uses %s: this was for the other one", fn.Name(), twin.Name(), unused.Name()),
				related: []goanalysis.RelatedInformation{{Pos: unused.Pos(), Message: unused.Name() + " is never used"}},
			})
		}
	}
}

// takenUnder is the first Get of a pool in a function whose name has one word and not the other, where others than
// that take from the pool as well.
func (a *analysis) takenUnder(pool types.Object, own, other string) (get *ssa.Call) {
	others := false
	for _, i := range a.instrsBeyondTests() {
		c, ok := i.(*ssa.Call)
		if !ok || c.Call.IsInvoke() || funcKey(calledMethod(c)) != "sync.Pool.Get" || poolHome(c.Call.Args[0]) != pool {
			continue
		}
		name := nameWords(outermost(c.Parent()).Name())
		if slices.Contains(name, own) && !slices.Contains(name, other) {
			if get == nil || instrPos(c) < instrPos(get) {
				get = c
			}
		} else if slices.Contains(name, other) && !slices.Contains(name, own) {
			others = true
		}
	}
	if !others {
		return nil
	}
	return get
}

// wordApart are the words in which two names of as many words differ, where that is one.
func wordApart(x, y string) (ofX, ofY string, ok bool) {
	p, q := nameWords(x), nameWords(y)
	if len(p) != len(q) || len(p) < 2 {
		return "", "", false
	}
	for k := range p {
		if p[k] == q[k] {
			continue
		}
		if ok {
			return "", "", false
		}
		ofX, ofY, ok = p[k], q[k], true
	}
	return ofX, ofY, ok
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
