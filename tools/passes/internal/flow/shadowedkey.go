// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"go/types"
	"slices"
)

// A context that has another value under a key gives nobody what its parent has there: who sets nil under the key before
// a pooled value goes back has taken the value out of the context, as far as anybody can ask it.

// A contextLayer is how a context was made: over another one, with a key where it is by context.WithValue.
type contextLayer struct {
	parent, key *sym
}

// noteContext notes how a context was made, and takes from what it holds that which nobody can ask it for.
func (a *analysis) noteContext(f *types.Func, h *sym, args []*sym) {
	if f.Pkg() == nil || f.Pkg().Path() != "context" || len(args) == 0 {
		return
	}
	l := contextLayer{parent: plain(args[0])}
	if f.Name() == "WithValue" && len(args) == 3 {
		l.key = args[1]
		if p := a.withoutKey(l.parent, l.key, 0); p != l.parent {
			h.list = slices.DeleteFunc(slices.Clone(h.list), func(x *sym) bool { return x == l.parent })
			if p.kind != kNil && p.kind != kConst && hasPointers0(p) {
				h.list = append(h.list, p)
			}
			l.parent = p
		}
	}
	set(&a.syms.contexts, h, l)
}

// withoutKey is a context as it is to those who do not ask it for a key.
func (a *analysis) withoutKey(ctx, key *sym, depth int) *sym {
	l, ok := a.syms.contexts[ctx]
	if !ok || depth > 16 {
		return ctx
	}
	p := a.withoutKey(l.parent, key, depth+1)
	if l.key != nil && sameKey(l.key, key) {
		return p
	}
	if p == l.parent {
		return ctx
	}
	h := a.syms.hold(ctx.typ)
	for _, x := range ctx.list {
		if x == l.parent {
			x = p
		}
		h.list = append(h.list, x)
	}
	set(&a.syms.contexts, h, contextLayer{parent: p, key: l.key})
	return h
}

// sameKey reports whether two keys of contexts are equal for sure.
func sameKey(x, y *sym) bool {
	if x.kind == kIface && y.kind == kIface && types.Identical(x.typ, y.typ) {
		if s, ok := x.typ.Underlying().(*types.Struct); ok && s.NumFields() == 0 {
			return true // values of such a type are all alike
		}
	}
	return x == y && plain(x).kind != kOpaque
}
