// SPDX-License-Identifier: BSD-3-Clause

package flow

import (
	"fmt"
	"slices"

	goanalysis "golang.org/x/tools/go/analysis"
)

// What lies in a channel or slice that serves as a pool may be as its last user left it. A
// decoder sets what its input has, so that what comes out has to be cleared first, or put
// cleared.

// noteShelved sees a value go to a channel or slice that serves as a pool.
func (a *analysis) noteShelved(st *state, x *sym, p *pool, ev event) {
	m := memory(x)
	if a.quiet > 0 || m.kind != kToken || m.pool != p || st.content[m] == isReset {
		return
	}
	if st.content[m] == isDirty && !(structOf(m.typ) != nil && a.covered(st, m, m.typ)) {
		a.putEvents = append(a.putEvents, putSite{pool: p, ev: ev, state: isDirty, typ: m.typ, held: m.typ, fn: a.root})
	}
	a.noteInnerLeft(st, m, p, ev)
}

// judgeLists reports decoders that fill what such a pool gave, as its last user left it.
func (a *analysis) judgeLists() {
	var lists []*pool
	add := func(p *pool) {
		if len(p.gets) > 0 && len(p.puts) > 0 && !slices.Contains(lists, p) {
			lists = append(lists, p)
		}
	}
	for _, p := range a.freeLists {
		add(p)
	}
	for _, p := range a.sliceLists.takes {
		add(p)
	}
	slices.SortFunc(lists, func(x, y *pool) int { return a.inOrder(x.puts[0].ev.pos(), y.puts[0].ev.pos()) })
	for _, p := range lists {
		slices.SortStableFunc(p.gets, func(x, y *getSite) int { return a.writtenFirst(x.ev.pos(), y.ev.pos()) })
		slices.SortStableFunc(p.puts, func(x, y *putSite) int { return a.writtenFirst(x.ev.pos(), y.ev.pos()) })
		n := slices.IndexFunc(p.gets, func(g *getSite) bool { return g.what == "decoded into" })
		if n < 0 {
			continue
		}
		g, dirty := p.gets[n], p.puts[0]
		a.reportFound(finding{
			pattern: missingReset, pos: instrPos(g.ev.stack[0]),
			message: fmt.Sprintf("%s is decoded into without a reset, and %s returns it with content: what the input lacks is its last user's", a.gotAs(g, "the value"), a.line(dirty.ev.pos())),
			related: append([]goanalysis.RelatedInformation{{Pos: g.token[len(g.token)-1], Message: "taken here"}}, a.related(rel("put with content here", &dirty.ev))...),
		})
	}
}
