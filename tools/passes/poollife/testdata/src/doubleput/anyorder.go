// SPDX-License-Identifier: BSD-3-Clause

package doubleput

import (
	"io"
	"sync"
)

// Steps of a script, which work on drafts by their number.

type draft struct {
	of   *desk
	text []byte
}

var drafts = sync.Pool{New: func() any { return new(draft) }}

type desk struct{ sent int }

func (d *desk) newDraft() *draft {
	x := drafts.Get().(*draft)
	x.of = d
	return x
}

func (d *desk) send(x *draft) { d.sent += len(x.text) }

func (x *draft) drop() {
	if x.of == nil {
		return // says nothing of a draft that somebody else has by now
	}
	x.of = nil
	x.text = x.text[:0]
	drafts.Put(x)
}

func (x *draft) Close() error {
	x.drop()
	return nil
}

type script struct {
	on     *desk
	drafts []*draft
	copies []*draft
}

func (s *script) draft(n int) *draft       { return s.drafts[n] }
func (s *script) closable(n int) io.Closer { return s.drafts[n] }
func (s *script) forget(n int)             { s.drafts[n] = nil }

type step interface{ do(s *script) error }

type sendStep struct{ n int }

// Wrong: a step that closes the draft may follow.
func (p *sendStep) do(s *script) error {
	x := s.draft(p.n)
	s.on.send(x)
	return x.Close() // want `x, put here, stays in drafts, from which \(\*closeStep\)\.do, which may come later, takes it`
}

type closeStep struct{ n int }

func (p *closeStep) do(s *script) error {
	x := s.closable(p.n)
	s.forget(p.n)
	return x.Close()
}

// Right: it is left for the step that closes it.
type printStep struct{ n int }

func (p *printStep) do(s *script) error {
	s.on.send(s.draft(p.n))
	return nil
}

// Right: it is taken out here, too.
type sendOffStep struct{ n int }

func (p *sendOffStep) do(s *script) error {
	x := s.copies[p.n]
	s.copies[p.n] = nil
	s.on.send(x)
	return x.Close()
}

type dropStep struct{ n int }

func (p *dropStep) do(s *script) error {
	x := s.copies[p.n]
	s.copies[p.n] = nil
	return x.Close()
}

func runScript(s *script, steps []step) error {
	for _, p := range steps {
		if err := p.do(s); err != nil {
			return err
		}
	}
	return nil
}

// Tabs that callers open and close by name.
type Tabs struct {
	open map[string]*draft
}

func (t *Tabs) Open(name string, d *desk) { t.open[name] = d.newDraft() }

// Wrong.
func (t *Tabs) Send(name string) {
	if x, ok := t.open[name]; ok {
		x.of.send(x)
		x.drop() // want `x, put here, stays in open`
	}
}

func (t *Tabs) Close(name string) {
	if x, ok := t.open[name]; ok {
		delete(t.open, name)
		x.drop()
	}
}

// Right: the tab is taken out.
type Sheets struct {
	sheets map[string]*draft
}

func (t *Sheets) Send(name string) {
	x := t.sheets[name]
	delete(t.sheets, name)
	x.of.send(x)
	x.drop()
}

func (t *Sheets) Close(name string) {
	if x, ok := t.sheets[name]; ok {
		delete(t.sheets, name)
		x.drop()
	}
}

// Right: another one comes to stand there.
type Pages struct{ pages map[string]*draft }

func (t *Pages) Send(name string, d *desk) {
	x := t.pages[name]
	x.of.send(x)
	x.drop()
	t.pages[name] = d.newDraft()
}

func (t *Pages) Close(name string) {
	if x, ok := t.pages[name]; ok {
		delete(t.pages, name)
		x.drop()
	}
}

// Right: each drops its own reference.
type leaf struct {
	refs int
	text []byte
}

var leaves = sync.Pool{New: func() any { return new(leaf) }}

func (l *leaf) drop() {
	l.refs--
	if l.refs == 0 {
		leaves.Put(l)
	}
}

type Leaves struct{ byName map[string]*leaf }

func (t *Leaves) Read(name string) {
	l := t.byName[name]
	l.drop()
}

func (t *Leaves) Close(name string) {
	if l, ok := t.byName[name]; ok {
		delete(t.byName, name)
		l.drop()
	}
}
